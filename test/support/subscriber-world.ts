// Subscribers of a page on a real store: what tells them, and the services; letters stay in the store.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { LetterContent } from '../../src/actors/letters/letter-queue.ts'
import { startMessageQueue } from '../../src/actors/subscribers/message-queue.ts'
import { startNewsQueue } from '../../src/actors/subscribers/news-queue.ts'
import type { SubscriberId } from '../../src/base/ids.ts'
import { newId } from '../../src/base/ids.ts'
import { createLog } from '../../src/base/log/log.ts'
import type { Message } from '../../src/channels/model/message.ts'
import type { Outcome } from '../../src/domain/alerts/attempt.ts'
import type { Incident } from '../../src/domain/incidents/incident.ts'
import type { StatusPage } from '../../src/domain/pages/page.ts'
import { addressMark, type Subscriber } from '../../src/domain/subscribers/subscriber.ts'
import { createBox } from '../../src/seal/box.ts'
import { openKeyring } from '../../src/seal/keyring.ts'
import { mintWebhookSecret } from '../../src/seal/sign.ts'
import { createSubscriptionLinks } from '../../src/seal/subscription-link.ts'
import { createAudit } from '../../src/services/audit.ts'
import { createMailer, enclosedIn } from '../../src/services/mailer.ts'
import { createSubscriberImports } from '../../src/services/subscribers/subscriber-imports.ts'
import { createSubscriberWriter } from '../../src/services/subscribers/subscriber-writer.ts'
import { createSubscribers } from '../../src/services/subscribers/subscribers.ts'
import { createSubscriptions, openedAddress } from '../../src/services/subscribers/subscriptions.ts'
import { openStore } from '../../src/store/store.ts'
import { FakeClock } from './fake-clock.ts'
import { sender as from } from './mail-world.ts'
import { makePage } from './make-page.ts'
import { openQuotas } from './quotas.ts'
import { testFolder } from './test-folder.ts'

export interface SubscriberWorldOptions {
  /** The directory of an earlier world in this test. */
  readonly dir?: string
  readonly clock?: FakeClock
  readonly send?: (message: Message) => Outcome
  /** Called before each slice of a notice. */
  readonly isBusy?: () => boolean
  /** Whether the operator lets organizations import subscribers. Default: yes. */
  readonly mayImport?: () => boolean
}

export function startSubscriberWorld(t: Test, options: SubscriberWorldOptions = {}) {
  const { dir = testFolder(t), clock = new FakeClock(), isBusy = () => false } = options
  const fail = (error: unknown) => t.fail(String(error))
  const path = join(dir, 'db')
  const store = openStore({ dir: path, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  const box = createBox(openKeyring({ file: join(dir, 'key'), create: true, random: randomBytes }))
  const log = createLog({ level: 'debug', format: 'json', write: () => {} })
  const links = createSubscriptionLinks(Buffer.alloc(32, 1))
  const baseUrl = 'https://up.test'
  const urlsOf = (subscriber: Subscriber) => {
    const manage = `${baseUrl}/subscriptions/${links.token(subscriber)}`
    return { manage, unsubscribe: `${manage}/unsubscribe` }
  }
  const mailer = createMailer({ store, clock, box, from: () => from, wake() {} })
  const sent: Message[] = []
  const open = ({ addressBox }: Subscriber) => openedAddress(box.open(addressBox))
  const engine = { store, clock, log, isOff: () => false, urlsOf }
  const messages = startMessageQueue({
    ...engine,
    open,
    random: () => 0.5,
    pageOf: (page) => news.noticePage(page),
    async sender(message) {
      sent.push(message)
      return options.send?.(message) ?? { ok: true }
    },
  })
  const news = startNewsQueue({
    ...engine,
    isBusy,
    urlOf: ({ slug }) => `${baseUrl}/status/${slug}`,
    addressOf: (subscriber) => open(subscriber).address,
    enqueueLetter: mailer.enqueue,
    enqueueMessage: messages.enqueue,
  })
  const audit = createAudit({ store, clock })
  const core = { store, clock, log, box, audit, quotas: openQuotas(store), mailer, baseUrl }
  const writing = {
    links,
    urlsOf,
    messages,
    mintSecret: mintWebhookSecret,
    judgeUrl: () => null,
    hasMailServer: () => true,
    pageUrls: { of: ({ slug }: StatusPage) => `${baseUrl}/status/${slug}` },
  }
  const writer = createSubscriberWriter(core, writing)
  let isClosed = false
  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    news.halt(makePage().orgId)
    messages.halt(makePage().orgId)
    await store.close()
  }
  t.teardown(close)

  /** All letters in the store, in the order of their recipients. */
  function letters(): LetterContent[] {
    return store.letters
      .slice(100_000)
      .flatMap(({ sealed }) => (sealed === null ? [] : enclosedIn(box.open(sealed))))
  }

  return {
    dir,
    clock,
    store,
    news,
    messages,
    sent,
    writer,
    links,
    urlsOf,
    letters,
    close,
    subscriptions: createSubscriptions(core, { ...writing, writer }),
    subscribers: createSubscribers(core, { ...writing, writer }),
    imports: createSubscriberImports(core, {
      writer,
      isAllowed: options.mayImport ?? (() => true),
      mustBeApproved() {},
    }),
    putPage: (page: StatusPage) => store.write((tx) => store.pages.put(tx, page, clock.nowMs())),
    putIncident: (incident: Incident) => store.write((tx) => store.incidents.put(tx, incident)),
    /** Active ones, without asking them. */
    enlist: (page: StatusPage, addresses: readonly string[], more: Partial<Subscriber> = {}) =>
      store.write((tx) =>
        addresses.map((address): SubscriberId => {
          const kind = more.kind ?? 'email'
          const id = newId('subscriber', clock.nowMs())
          store.subscribers.put(tx, {
            id,
            orgId: page.orgId,
            pageId: page.id,
            kind,
            addressBox: box.seal(JSON.stringify({ address, secret: null })),
            maskedAddress: address,
            mark: addressMark(page.id, kind, address),
            language: 'en',
            sectionNames: [],
            state: 'active',
            askedAtMs: clock.nowMs(),
            createdAtMs: clock.nowMs(),
            confirmedAtMs: clock.nowMs(),
            consent: null,
            gone: 0,
            ...more,
          })
          return id
        }),
      ),
  }
}

export type SubscriberWorld = ReturnType<typeof startSubscriberWorld>

/** Lets time pass, and then what is on its way arrive; the disk is real. */
export async function told({ clock, store }: Pick<SubscriberWorld, 'clock' | 'store'>, ms: number) {
  const endMs = clock.nowMs() + ms
  const rest = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      await clock.advance(0)
      await store.flush()
    }
  }
  await rest(10)
  while (clock.nowMs() < endMs) {
    await clock.advance(Math.min(endMs - clock.nowMs(), clock.nextInMs ?? ms))
    await rest(4)
  }
  for (let turn = 0; turn < 1_000; turn += 1) {
    await rest(10)
    if (store.subscriberNews.notices(makePage().orgId, 1).length === 0) break
    await clock.advance(1)
  }
}
