// Sends one letter over a connection of its own: as a trial of a mail server, or through the server of an
// organization, within the egress policy.
import type { Socket } from 'node:net'
import type { SMTPTransportOptions } from 'nodemailer'
import { clip } from '../base/clip.ts'
import type { Clock } from '../base/clock.ts'
import { limitMsOf, TooLate } from '../base/timeout.ts'
import type { Outcome } from '../domain/alerts/attempt.ts'
import { mailPorts } from '../domain/letters/mail-ports.ts'
import { limits } from '../domain/limits/limits.ts'
import { secureContext } from '../net/connection/trust.ts'
import { type RunDeps, runGuarded } from '../net/run/guarded-run.ts'
import { RunRecord } from '../net/run/run-record.ts'
import { redactorOf } from '../redaction/redaction.ts'
import { isOneAddress } from './address.ts'
import { loadNodemailer } from './nodemailer.ts'
import {
  outcomeOf,
  poolOptions,
  type SmtpOptions,
  silenceMsOf,
  smtpConnectMsMax,
  smtpErrorOf,
  tooLateAfter,
} from './smtp.ts'
import { followTalk } from './smtp-talk.ts'
import { composed, type LetterEnvelope, unaddressed } from './transport.ts'

/** What a trial found: `reply` is what the server said last, as it said it. */
interface MailTried {
  readonly outcome: Outcome
  readonly reply: string | null
}

/** Sends one letter over a connection of its own. Never rejects. */
export type MailTrial = (
  url: string,
  envelope: LetterEnvelope,
  signal: AbortSignal,
) => Promise<MailTried>

/** A trial ends before the request that waits for it. */
const trialMsMax = 25_000
const replyCharsMax = 500

export function createMailTrial({ clock }: Pick<SmtpOptions, 'clock'>): MailTrial {
  return async (url, envelope, signal) => {
    return sentAlone(envelope, { url, clock, signal, timeoutMs: trialMsMax })
  }
}

/** Sends one letter through a server of an organization, within the egress policy. Never rejects. */
export type SendThrough = (
  url: string,
  envelope: LetterEnvelope,
  options: { readonly signal: AbortSignal; readonly orgId: string },
) => Promise<Outcome>

export function createGuardedMailer(deps: RunDeps): SendThrough {
  const { clock } = deps
  return async (url, envelope, { signal, orgId }) => {
    const timeoutMs = limits.letterTimeoutMs
    const dial: Dialing = (to, ended) => dialled(to, { deps, orgId, signal: ended })
    const tls = { secureContext: secureContext(deps, false) }
    const sent = await sentAlone(envelope, { url, clock, signal, timeoutMs, dial, tls })
    const { outcome, reply } = sent
    return reply === null ? outcome : { ...outcome, response: reply }
  }
}

interface Place {
  readonly host: string
  readonly port: number
}
/** Opens the connection in place of nodemailer. */
type Dialing = (to: Place, ended: AbortSignal) => Promise<Socket>

interface SendingAlone {
  readonly url: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly dial?: Dialing
  readonly tls?: object
}

async function sentAlone(envelope: LetterEnvelope, sending: SendingAlone): Promise<MailTried> {
  if (!isOneAddress(envelope.to)) return { outcome: unaddressed, reply: null }
  const { url, clock, signal, timeoutMs, dial, tls } = sending
  const password = decodeURIComponent(new URL(url).password)
  const redact = redactorOf(password === '' ? [] : [password])
  const shown = (reply: string) => clip(redact(reply.trim()), replyCharsMax)
  const late = new AbortController()
  const timer = clock.setTimeout(() => late.abort(new TooLate(timeoutMs)), timeoutMs)
  const ended = AbortSignal.any([signal, late.signal])
  const options = poolOptions({ url })
  const talk = followTalk(options.secure)
  const transport = loadNodemailer().createTransport({
    ...options,
    ...talk.options,
    pool: false,
    tls: { ...options.tls, ...tls },
    ...(dial === undefined ? {} : { name: unnamed, getSocket: socketFrom(dial, ended) }),
  })
  try {
    const { response } = await transport.sendMail({ ...composed(envelope), signal: ended })
    return { outcome: { ok: true }, reply: shown(response) }
  } catch (error) {
    const { response } = smtpErrorOf(error)
    const limitMs = limitMsOf(ended) ?? silenceMsOf(error)
    const outcome = limitMs === undefined ? outcomeOf(error) : tooLateAfter(limitMs, talk.missing())
    return { outcome, reply: response === undefined ? null : shown(response) }
  } finally {
    clock.clearTimeout(timer)
    transport.close({ force: true })
  }
}

interface DialledBy {
  readonly deps: RunDeps
  readonly orgId: string
  readonly signal: AbortSignal
}

function dialled({ host, port }: Place, { deps, orgId, signal }: DialledBy) {
  const { clock } = deps
  const scope = { timeoutMs: smtpConnectMsMax, orgId }
  const record = new RunRecord(clock)
  return runGuarded({ deps, scope, clock, signal, record }, async (run) => {
    const isUsualPort = mailPorts.has(port)
    const { socket } = await run.connect({ host, port, isTls: false }, { isUsualPort })
    run.handOver(socket)
    return socket
  })
}

/** A client without a host name sends an address (RFC 5321 §4.1.3): a stranger does not learn ours. */
const unnamed = '[127.0.0.1]'

/** The connection as nodemailer takes it. */
function socketFrom(dial: Dialing, ended: AbortSignal): SMTPTransportOptions['getSocket'] {
  return ({ host = '', port }, callback) => {
    dial({ host, port: Number(port) }, ended).then(
      (connection) => callback(null, { connection }),
      (error: Error) => callback(error, false),
    )
  }
}
