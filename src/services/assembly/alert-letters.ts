// Wires alerts by e-mail: the letter of a channel becomes mail with its thread and its link out.
import { createHash } from 'node:crypto'
import type { OrgId } from '../../base/ids.ts'
import type { RateVerdict } from '../../base/limiter.ts'
import type { AlertLetter, SendAlertLetter } from '../../channels/model/letter.ts'
import type { Outcome } from '../../domain/alerts/attempt.ts'
import { domainOf, type Mailbox, mailboxOf } from '../../mail/address.ts'
import { alertLetter } from '../../mail/letters/alert.ts'
import type { SendThrough } from '../../mail/single-letter.ts'
import { isReachable } from '../../mail/smtp.ts'
import type { SendLetter } from '../../mail/transport.ts'
import type { UnsubscribeSubject } from '../../seal/unsubscribe-link.ts'

export interface AlertLettersDeps {
  readonly send: SendLetter
  /** Sends through a mail server of an organization. */
  readonly sendThrough: SendThrough
  readonly from: () => Mailbox
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly unsubscribeToken: (subject: UnsubscribeSubject) => string
  readonly organizationName: (orgId: OrgId) => string | undefined
  /** Counts a letter of the organization, also one that fails. Absent: there is no limit. */
  readonly takeOne?: (orgId: OrgId) => Pick<RateVerdict, 'isAllowed' | 'retryMs'> | undefined
}

export function createAlertLetters(deps: AlertLettersDeps): SendAlertLetter {
  const { baseUrl, sendThrough } = deps

  return async (plan, signal) => {
    const { to, channel, threadId, atMs, server } = plan
    const { orgId, id: channelId } = channel
    // The limit also keeps the address of the service off block lists: a server of an organization may be
    // that of strangers.
    const { isAllowed, retryMs } = deps.takeOne?.(orgId) ?? unlimited
    if (!isAllowed) return { outcome: tooMany(retryMs), isReachable: false }
    const token = deps.unsubscribeToken({ orgId, channelId, address: to })
    const unsubscribeUrl = `${baseUrl}/unsubscribe/${token}`
    const from = server ? mailboxOf(server.from) : deps.from()
    const send: SendLetter = server
      ? (envelope) => sendThrough(server.url, envelope, { signal, orgId })
      : deps.send
    const domain = domainOf(from.address)
    const sender = [deps.organizationName(orgId), baseUrl].filter((one) => one !== undefined)
    const outcome = await send(
      {
        to,
        from,
        messageId: messageIdOf(plan, domain),
        threadId: threadId === null ? undefined : `<${threadId}@${domain}>`,
        unsubscribeUrl,
        writtenAtMs: atMs,
        letter: alertLetter({
          ...plan,
          footer: [plan.why, sender.join(' · ')],
          unsubscribe: { label: plan.unsubscribe, url: unsubscribeUrl },
        }),
      },
      { signal },
    )
    return { outcome: named(outcome, plan), isReachable: isReachable(outcome) }
  }
}

const unlimited = { isAllowed: true, retryMs: 0 }

/** Alerts by e-mail of an organization, where anybody may register: they may go to strangers. */
export const alertLettersOfOrg = { quota: 1_000, windowSeconds: 3_600 } as const

function tooMany(retryAfterMs: number): Outcome {
  const reason = `An organization may send ${alertLettersOfOrg.quota} letters an hour.`
  return { ok: false, mayRetry: true, class: 'rate_limited', reason, retryAfterMs }
}

/** A failure says which of several recipients it is about. */
function named(outcome: Outcome, { to, server }: AlertLetter): Outcome {
  const by = server ? ` through ${new URL(server.url).host}` : ''
  const request = `letter to ${to}${by}`
  if (outcome.ok) return { ...outcome, request }
  const isAboutOne = isReachable(outcome)
  const reason = isAboutOne ? `${to}: ${outcome.reason}` : outcome.reason
  return { ...outcome, request, reason }
}

/** The same for every attempt, different for every address. */
function messageIdOf({ messageId, to }: AlertLetter, domain: string): string {
  const mark = createHash('sha256').update(to.toLowerCase()).digest('hex').slice(0, 16)
  return `<${messageId}.${mark}@${domain}>`
}
