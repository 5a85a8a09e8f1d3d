// Wires letters: the mailer, its outbox, and the transport.
import { join } from 'node:path'
import { startLetterQueue } from '../../actors/letters/letter-queue.ts'
import { createLimiter } from '../../base/limiter.ts'
import type { Metrics } from '../../base/metrics.ts'
import { randomUnit } from '../../base/random.ts'
import type { SendAlertLetter } from '../../channels/model/letter.ts'
import { noMailServer } from '../../channels/sender.ts'
import type { Live } from '../../config/live.ts'
import type { FixedSettings } from '../../config/settings.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Mailbox, mailboxOf } from '../../mail/address.ts'
import { createFileMailer } from '../../mail/files.ts'
import type { SendThrough } from '../../mail/single-letter.ts'
import { createSmtpMailer } from '../../mail/smtp.ts'
import type { Transport } from '../../mail/transport.ts'
import type { UnsubscribeLinks } from '../../seal/unsubscribe-link.ts'
import type { Core } from '../core.ts'
import { createEnumerationSafeMailer, createMailer, enclosedIn } from '../mailer.ts'
import { type AlertLettersDeps, alertLettersOfOrg, createAlertLetters } from './alert-letters.ts'

type MailDeps = Omit<Core, 'audit' | 'quotas' | 'mailer'> & {
  readonly settings: FixedSettings
  readonly live: Live
  readonly metrics: Metrics
  readonly unsubscribeLinks: UnsubscribeLinks
}

export type Mail = ReturnType<typeof startMail>

export function startMail(deps: MailDeps) {
  const { store, clock, log, box, metrics } = deps
  const hasServer = () => deps.live.now().mail.smtpUrl !== null
  const from = senderOf(deps)
  const transport = createLiveTransport(deps)
  // Connections of its own: a sign-in link must not wait behind a thousand alerts.
  const alerts = createLiveTransport(deps)
  const letters = startLetterQueue({
    store,
    clock,
    log,
    from,
    random: randomUnit,
    send: transport.send,
    sendBulk: (envelope, options) =>
      hasServer() ? alerts.send(envelope, options) : transport.send(envelope, options),
    open: (sealed) => enclosedIn(box.open(sealed)),
  })
  metrics.gauge({ name: 'letters_pending', help: 'Pending letters.' }, (gauge) =>
    gauge.set(letters.pending()),
  )
  const mailing = { store, clock, box, from, wake: letters.wake }
  const takeOne = alertLimit(deps)

  /** Refuses while there is no mail server: an alert in a file would tell nobody. */
  function alertLetters(sendThrough: SendThrough): SendAlertLetter {
    const send = createAlertLetters({
      send: alerts.send,
      sendThrough,
      from,
      baseUrl: deps.baseUrl,
      unsubscribeToken: deps.unsubscribeLinks.token,
      organizationName: (orgId) => store.orgs.readable(orgId)?.name,
      takeOne,
    })
    return (plan, signal) =>
      plan.server || hasServer() ? send(plan, signal) : noMailServer(plan, signal)
  }

  return {
    mailer: createMailer(mailing),
    enumerationSafeMailer: createEnumerationSafeMailer(mailing),
    alertLetters,
    /** The letters to subscribers of status pages that wait for a connection. */
    bulkWaiting: letters.bulkWaiting,
    start: letters.start,
    stop: letters.stop,
    /** Closes the connections; after `stop`, and after the alerts that are being sent. */
    close(): void {
      transport.close()
      alerts.close()
    },
  }
}

/** Sends through the mail server of the present settings. */
function createLiveTransport(deps: MailDeps): Transport {
  const { live, clock } = deps
  let url = live.now().mail.smtpUrl
  let current = createTransport(deps, url)
  const former = new Set<Transport>()
  live.listen(({ mail }) => {
    if (mail.smtpUrl === url) return
    url = mail.smtpUrl
    const replaced = current
    current = createTransport(deps, url)
    former.add(replaced)
    // Letters that are being sent go through it to their end.
    clock.setTimeout(() => {
      replaced.close()
      former.delete(replaced)
    }, limits.letterTimeoutMs)
  })
  return {
    send: (envelope, options) => current.send(envelope, options),
    close() {
      for (const one of [current, ...former]) one.close()
    },
  }
}

function createTransport({ settings, clock, log }: MailDeps, url: string | null): Transport {
  if (url !== null) return createSmtpMailer({ url, clock, log })
  return createFileMailer({ dir: join(settings.data.dir, 'outbox'), clock, log })
}

/** Members of an organization that an operator let in are trusted. */
function alertLimit({ live, clock }: MailDeps): NonNullable<AlertLettersDeps['takeOne']> {
  const limiter = createLimiter(alertLettersOfOrg, limits.rateKeysMax)
  return (orgId) =>
    live.now().auth.registration === 'open' ? limiter.take(orgId, clock.nowMs()) : undefined
}

/** Files need a sender as well; replies to it go nowhere. */
function senderOf({ live, baseUrl }: MailDeps): () => Mailbox {
  const { hostname } = new URL(baseUrl)
  return () => mailboxOf(live.now().mail.from ?? `stillup <stillup@${hostname}>`)
}
