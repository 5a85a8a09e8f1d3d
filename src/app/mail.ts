// Wires letters: the mailer, its outbox, and the transport.
import { join } from 'node:path'
import { type LetterQueue, startLetterQueue } from '../actors/letters/letter-queue.ts'
import { randomUnit } from '../base/random.ts'
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
import type { EngineDeps } from './types.ts'

export interface Mail extends Pick<LetterQueue, 'start' | 'stop'> {
  readonly mailer: Mailer
  readonly enumerationSafeMailer: EnumerationSafeMailer
}

type MailDeps = Pick<
  EngineDeps,
  'settings' | 'baseUrl' | 'clock' | 'log' | 'metrics' | 'store' | 'box'
>

export function startMail(deps: MailDeps): Mail {
  const { store, clock, log, box, metrics } = deps
  const from = senderOf(deps)
  const transport = createTransport(deps)
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
    start: letters.start,
    async stop() {
      await letters.stop()
      transport.close()
    },
  }
}

function createTransport({ settings, clock, log }: MailDeps): Transport {
  const { smtpUrl: url } = settings.mail
  if (url !== null) return createSmtpMailer({ url, clock, log })
  return createFileMailer({ dir: join(settings.data.dir, 'outbox'), clock, log })
}

/** Files need a sender as well; replies to it go nowhere. */
function senderOf({ settings, baseUrl }: MailDeps): Mailbox {
  const { hostname } = new URL(baseUrl)
  return mailboxOf(settings.mail.from ?? `stillup <stillup@${hostname}>`)
}
