// What every channel type must do: its requests are those of the golden file, the longest message
// fits, and each answer of the platform has its meaning. Run by each type against a real receiver.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import { createCheck } from '../../src/base/schema/validate.ts'
import type { Config, OpenedChannel } from '../../src/channels/model/config.ts'
import type { ChannelDefinition } from '../../src/channels/model/definition.ts'
import type { Message } from '../../src/channels/model/message.ts'
import { createSender } from '../../src/channels/sender.ts'
import type { Outcome } from '../../src/domain/alerts/delivery.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import {
  createEgress,
  type WebClient,
  type WebRequest,
} from '../../src/net/http-client/guarded-client.ts'
import { signWebhook } from '../../src/seal/sign.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeChannel } from '../support/make-channel.ts'
import { type Answer, type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import {
  longestMessages,
  messageFrom,
  olderPayload,
  samplePayloads,
} from '../support/sample-messages.ts'

export interface PlatformAnswerCase {
  /** What the platform answers. */
  readonly answer: Answer
  /** What that means; compared with `t.match`. */
  readonly means: object
}

export interface ChannelCase {
  readonly definition: ChannelDefinition
  /** A whole config; that of the declaration's example if absent. */
  readonly config?: Config
  /** What the platform answers when it accepted the message; 200 with `ok` if absent. */
  readonly accepts?: Answer
  /** The platform's own answers, from its documentation. */
  readonly answers: readonly PlatformAnswerCase[]
  /** Throws, by assertions, if a request of the longest message breaks a limit of the platform. */
  readonly fits: (t: Test, request: WebRequest) => void
}

/**
 * The golden file is test/channels/golden/<type>.json: for each sample message the requests, with
 * JSON bodies parsed. GOLDEN=1 writes it anew; read the difference before you commit it.
 */
export function channelContract(one: ChannelCase): void {
  const { definition, accepts = { status: 200, body: 'ok' } } = one
  const { type } = definition
  const config = one.config ?? definition.example
  const channel: OpenedChannel = { channel: makeChannel({ type, config: {} }), config }

  /** The requests of a message, without sending them. */
  async function requestsOf(message: Message): Promise<WebRequest[]> {
    const requests: WebRequest[] = []
    const send = createSender({
      sign: signWebhook,
      async request(request) {
        requests.push(request)
        return { kind: 'answered', headers: {}, body: '', ...accepts }
      },
    })
    await send(message, channel, { clock: new FakeClock(1_767_225_600_000) })
    return requests
  }

  /** Sends through the real client; whatever host the type calls, the receiver takes its place. */
  async function setUp(test: Test, targets: 'any' | 'public' = 'any') {
    const clock = startClock()
    const receiver = await startReceiver()
    test.teardown(async () => {
      clock.stop()
      await receiver.close()
    })
    const guard = createGuard({ targets })
    const egress = createEgress({ clock, guard, resolver: createResolver({ clock }) })
    const request: WebClient = (asked) => egress({ ...asked, url: atReceiver(asked.url, receiver) })
    const sender = createSender({ request, sign: signWebhook })
    const send = (signal?: AbortSignal): Promise<Outcome> =>
      sender(messageFrom(opened), channel, { clock, ...(signal ? { signal } : {}) })
    return { receiver, send }
  }

  t.test(`${type}: its example is a config that its schema accepts`, async (t) => {
    t.same([...createCheck(definition.config, 10)(definition.example)], [])
    t.same(definition.problems?.(definition.example) ?? [], [])
    t.match(definition.guide, /^https:\/\//)
    for (const name of definition.secrets) t.ok(name in definition.config.properties, name)
    for (const [name, field] of Object.entries(definition.config.properties)) {
      const { description, examples } = field as { description?: string; examples?: unknown[] }
      t.ok(description, `${name} has a description`)
      t.equal(examples?.length, 1, `${name} has an example`)
    }
  })

  t.test(`${type}: each kind of message is the request of the golden file`, async (t) => {
    const file = join(import.meta.dirname, '../channels/golden', `${type}.json`)
    const found: Record<string, unknown> = {}
    for (const [name, payload] of Object.entries(samplePayloads)) {
      found[name] = (await requestsOf(messageFrom(payload))).map(shown)
    }
    if (process.env.GOLDEN) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
    t.ok(existsSync(file), `${file} is there`)
    const golden = JSON.parse(readFileSync(file, 'utf8'))
    for (const name of Object.keys(samplePayloads)) t.same(found[name], golden[name], name)
  })

  t.test(`${type}: no message links to the API`, async (t) => {
    for (const payload of [...Object.values(samplePayloads), olderPayload]) {
      // The payload of a webhook is the record itself.
      const requests = await requestsOf(messageFrom(payload))
      const texts = requests.map(({ body }) => body).join('\n')
      if (payload !== olderPayload || type !== 'webhook') t.notMatch(texts, '/api/v1/')
    }
  })

  t.test(`${type}: the longest message stays within the limits`, async (t) => {
    for (const message of longestMessages()) {
      const requests = await requestsOf(message)
      t.ok(requests.length > 0)
      for (const request of requests) {
        t.ok(request.body.isWellFormed(), 'no character is cut in two')
        one.fits(t, request)
      }
    }
  })

  t.test(`${type}: it is delivered when the platform says so`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.always(accepts)
    t.match(await send(), { ok: true, status: accepts.status })
  })

  t.test(`${type}: what the platform answers decides`, async (t) => {
    const { receiver, send } = await setUp(t)
    for (const { answer, means } of one.answers) {
      receiver.always(answer)
      t.match(await send(), means, `${answer.status} ${answer.body ?? ''}`.trim())
    }
  })

  t.test(`${type}: a web page is no confirmation, unless it is a webhook`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.always({ status: 200, body: '<!DOCTYPE html><html><title>Sign in</title></html>' })
    const means = type === 'webhook' ? { ok: true } : { ok: false, mayRetry: true }
    t.match(await send(), means)
  })

  t.test(`${type}: what may pass is tried again, redirects are not followed`, async (t) => {
    const { receiver, send } = await setUp(t)
    for (const status of [429, 500, 502, 503, 504]) {
      receiver.always({ status })
      t.match(await send(), { ok: false, mayRetry: true, status }, String(status))
    }
    receiver.always({ status: 302, headers: { location: `${receiver.url}/elsewhere` } })
    t.match(await send(), { ok: false, mayRetry: true, status: 302, reason: /redirect/ })
    receiver.always({ status: 429, headers: { 'retry-after': '120' } })
    t.match(await send(), { retryAfterMs: 120_000 })
  })

  t.test(`${type}: a receiver that breaks off or hangs is tried again`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.always('reset')
    t.match(await send(), { ok: false, mayRetry: true, reason: /broke off/ })
    receiver.always('hang')
    const abort = new AbortController()
    const before = receiver.requests.length
    const outcome = send(abort.signal)
    await receiver.received(before + 1)
    abort.abort()
    t.match(await outcome, { ok: false, mayRetry: true })
  })

  t.test(`${type}: no secret is in what is stored of a failure`, async (t) => {
    const { receiver, send } = await setUp(t)
    const secrets = definition.secrets.flatMap((name) => secretTexts(config[name]))
    const outcomes = []
    for (const status of [500, 400, 200]) {
      receiver.always({ status, body: 'no' })
      await send()
      const { path, headers, body } = receiver.requests.at(-1) as Received
      // Programs that look for mistakes repeat what they got.
      for (const repeated of [`no ${path}`, JSON.stringify(headers), body]) {
        receiver.always({ status, body: repeated })
        outcomes.push(JSON.stringify(await send()))
      }
    }
    for (const secret of secrets) for (const outcome of outcomes) t.notMatch(outcome, secret)
  })

  t.test(`${type}: an address that the policy forbids is never contacted`, async (t) => {
    const { receiver, send } = await setUp(t, 'public')
    t.match(await send(), { ok: false, class: 'not_allowed', reason: /not allowed/ })
    t.equal(receiver.requests.length, 0)
  })
}

const opened = samplePayloads.opened as NonNullable<(typeof samplePayloads)[string]>

function atReceiver(url: string, receiver: Receiver): string {
  const { pathname, search } = new URL(url)
  return new URL(pathname + search, receiver.url).href
}

/** A request for the golden file: a JSON body is shown parsed. */
function shown({ url, method, headers, body }: WebRequest) {
  return { method, url, headers, body: parsed(body) }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function secretTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.length > 7 ? [value] : []
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(secretTexts)
    : []
}
