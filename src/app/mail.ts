// Wires letters: the mailer, its outbox, and the transport.
import { join } from 'node:path'
import { type LetterQueue, startLetterQueue } from '../actors/letters/letter-queue.ts'
import { createLimiter } from '../base/limiter.ts'
import { randomUnit } from '../base/random.ts'
import type { SendAlertLetter } from '../channels/model/letter.ts'
import { limits } from '../domain/limits/limits.ts'
import { type Mailbox, mailboxOf } from '../mail/address.ts'
import { createFileMailer } from '../mail/files.ts'
import { createSmtpMailer } from '../mail/smtp.ts'
import type { Transport } from '../mail/transport.ts'
import {
  createEnumerationSafeMailer,
  createMailer,
  type EnumerationSafeMailer,
  enclosedIn,
  type Mailer,
} from '../services/letters/mailer.ts'
import { type AlertLettersDeps, createAlertLetters } from './alert-letters.ts'
import type { EngineDeps } from './types.ts'

export interface Mail extends Pick<LetterQueue, 'start' | 'stop'> {
  readonly mailer: Mailer
  readonly enumerationSafeMailer: EnumerationSafeMailer
  /** Absent if there is no mail server: an alert in a file would tell nobody. */
  readonly sendAlertLetter: SendAlertLetter | undefined
  /** Closes the connections; after `stop`, and after the alerts that are being sent. */
  close(): void
}

type MailDeps = Pick<
  EngineDeps,
  'settings' | 'baseUrl' | 'clock' | 'log' | 'metrics' | 'store' | 'box' | 'unsubscribeLinks'
>

export function startMail(deps: MailDeps): Mail {
  const { store, clock, log, box, metrics } = deps
  const from = senderOf(deps)
  const transport = createTransport(deps)
  const alerts = createAlertTransport(deps)
  const letters = startLetterQueue({
    store,
    clock,
    log,
    from,
    random: randomUnit,
    send: transport.send,
    open: (sealed) => enclosedIn(box.open(sealed)),
  })
  metrics.gauge({ name: 'letters_pending', help: 'Pending letters.' }, (gauge) =>
    gauge.set(letters.pending()),
  )
  const mailing = { store, clock, box, from, wake: letters.wake }
  return {
    mailer: createMailer(mailing),
    enumerationSafeMailer: createEnumerationSafeMailer(mailing),
    sendAlertLetter:
      alerts &&
      createAlertLetters({
        send: alerts.send,
        from,
        baseUrl: deps.baseUrl,
        unsubscribeToken: deps.unsubscribeLinks.token,
        organizationName: (orgId) => store.orgs.readable(orgId)?.name,
        takeOne: alertLimit(deps),
      }),
    start: letters.start,
    stop: letters.stop,
    close() {
      transport.close()
      alerts?.close()
    },
  }
}

function createTransport({ settings, clock, log }: MailDeps): Transport {
  const { smtpUrl: url } = settings.mail
  if (url !== null) return createSmtpMailer({ url, clock, log })
  return createFileMailer({ dir: join(settings.data.dir, 'outbox'), clock, log })
}

/** Members of an organization that an operator let in are trusted. */
function alertLimit({ settings, clock }: MailDeps): AlertLettersDeps['takeOne'] {
  if (settings.auth.registration !== 'open') return undefined
  const limiter = createLimiter(limits.alertLettersOfOrg, limits.rateKeysMax)
  return (orgId) => limiter.take(orgId, clock.nowMs())
}

/** Connections of its own: a sign-in link must not wait behind a thousand alerts. */
function createAlertTransport({ settings, clock, log }: MailDeps): Transport | undefined {
  const { smtpUrl: url } = settings.mail
  return url === null ? undefined : createSmtpMailer({ url, clock, log })
}

/** Files need a sender as well; replies to it go nowhere. */
function senderOf({ settings, baseUrl }: MailDeps): Mailbox {
  const { hostname } = new URL(baseUrl)
  return mailboxOf(settings.mail.from ?? `stillup <stillup@${hostname}>`)
}
