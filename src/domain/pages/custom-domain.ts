// A custom domain: a host name that an organization proves to be its own, and at which one of its status
// pages is served.
import type { DomainId, OrgId, PageId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'

/**
 * `pending`: not proven yet. `verified`: proven, and served to readers who get here, but the name does
 * not lead here yet. `active`: it does. `failed`: not served, and not looked at any more.
 */
export const domainStates = ['pending', 'verified', 'active', 'failed'] as const
type DomainState = (typeof domainStates)[number]

/** What keeps a domain from being active. */
export const domainProblems = [
  'proof_missing',
  'proof_other',
  'proof_spreading',
  'names_unanswered',
  'no_address',
  'leads_elsewhere',
  'taken',
] as const
export type DomainProblem = (typeof domainProblems)[number]

export interface CustomDomain {
  readonly id: DomainId
  readonly orgId: OrgId
  readonly pageId: PageId
  /** As in the DNS: ASCII, lower case. */
  readonly hostname: string
  /** The value of the TXT record; the same whenever this organization claims this host name. */
  readonly token: string
  readonly state: DomainState
  /** What the newest check found; null if all is well, or before the first check. */
  readonly problem: DomainProblem | null
  /** Since when the proof is waited for. */
  readonly pendingSinceMs: number
  /** Since when it is proven without a break; null if it is not. */
  readonly verifiedAtMs: number | null
  /** Since when the proof of a verified or active domain is gone. */
  readonly failingSinceMs: number | null
  /** Since when an active domain leads elsewhere. */
  readonly awaySinceMs: number | null
  readonly lastCheckedAtMs: number | null
  /** Null: only a person starts the next check. */
  readonly nextCheckAtMs: number | null
  /** Checks since the state changed, which space the next ones. */
  readonly attempts: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

interface DomainClaim extends Pick<CustomDomain, 'id' | 'orgId' | 'pageId' | 'hostname' | 'token'> {
  readonly nowMs: number
}

export function newDomain({ nowMs, ...claim }: DomainClaim): CustomDomain {
  const waiting = waitingAgain(nowMs)
  return { ...claim, ...waiting, createdAtMs: nowMs, updatedAtMs: nowMs, revision: 1 }
}

/** How long after a check that did not end well a custom domain is checked again, in turn. */
const domainRecheckMs = [60_000, 2 * 60_000, 5 * 60_000, 15 * 60_000, 3_600_000] as const

/** The fields of a domain that is not proven, from its first check on. */
export function waitingAgain(nowMs: number) {
  return {
    state: 'pending',
    problem: null,
    pendingSinceMs: nowMs,
    verifiedAtMs: null,
    failingSinceMs: null,
    awaySinceMs: null,
    lastCheckedAtMs: null,
    nextCheckAtMs: nowMs + domainRecheckMs[0],
    attempts: 0,
  } as const
}

/** Whether its page is served at the host name, which then belongs to this organization alone. */
export function isServed({ state }: Pick<CustomDomain, 'state'>): boolean {
  return state === 'verified' || state === 'active'
}

/** What one name server answered: the texts of the TXT record, or null if it did not answer. */
export type ProofAnswer = readonly string[] | null

export type ProofSight = 'seen' | 'spreading' | 'missing' | 'other' | 'unanswered'

/**
 * Proven if two name servers show the token. One is enough only if no other answers, and
 * `isOneEnough`.
 */
export function proofSight(
  answers: readonly ProofAnswer[],
  token: string,
  isOneEnough: boolean,
): ProofSight {
  const heard = answers.flatMap((texts) => (texts === null ? [] : [texts]))
  if (heard.length === 0) return 'unanswered'
  const seen = heard.filter((texts) => texts.includes(token)).length
  if (seen >= 2 || (seen === 1 && heard.length === 1 && isOneEnough)) return 'seen'
  if (seen === 1) return 'spreading'
  return heard.some((texts) => texts.length > 0) ? 'other' : 'missing'
}

/** Where a host name leads: here, to another place, nowhere; or no name server answers. */
export type PlaceSight = 'here' | 'elsewhere' | 'nowhere' | 'unanswered'

export interface DomainSight {
  readonly proof: ProofSight
  readonly place: PlaceSight
}

const proofProblems = {
  missing: 'proof_missing',
  other: 'proof_other',
  spreading: 'proof_spreading',
  unanswered: 'names_unanswered',
} as const satisfies Record<Exclude<ProofSight, 'seen'>, DomainProblem>

const placeProblems = {
  elsewhere: 'leads_elsewhere',
  nowhere: 'no_address',
  unanswered: 'names_unanswered',
} as const satisfies Record<Exclude<PlaceSight, 'here'>, DomainProblem>

/** A domain that was not proven after this time has failed. */
export const domainPendingMsMax = 7 * 86_400_000

/** The domain after a check. `isTaken`: another organization has proven the host name before. */
export function afterCheck(
  before: CustomDomain,
  sight: DomainSight,
  { nowMs, isTaken }: { readonly nowMs: number; readonly isTaken: boolean },
): CustomDomain {
  const checked = { ...before, lastCheckedAtMs: nowMs }
  if (isServed(before)) return scheduled(before, whileServed(checked, sight, nowMs), nowMs)
  if (sight.proof === 'seen') {
    if (isTaken) return scheduled(before, { ...checked, state: 'failed', problem: 'taken' }, nowMs)
    const proven = { ...checked, verifiedAtMs: nowMs, failingSinceMs: null, awaySinceMs: null }
    return scheduled(before, placed(proven, sight, nowMs), nowMs)
  }
  const problem = proofProblems[sight.proof]
  const isOver = nowMs - before.pendingSinceMs >= domainPendingMsMax
  const state = before.state === 'failed' || isOver ? 'failed' : 'pending'
  return scheduled(before, { ...checked, state, problem }, nowMs)
}

/** Another organization has proven the host name of a pending domain. */
export function takenByOther(before: CustomDomain, nowMs: number): CustomDomain {
  const updated = { updatedAtMs: nowMs, revision: before.revision + 1 }
  return { ...before, state: 'failed', problem: 'taken', nextCheckAtMs: null, ...updated }
}

function whileServed(checked: CustomDomain, sight: DomainSight, nowMs: number): CustomDomain {
  const { proof } = sight
  // No answer says nothing, and a proof that some still show is not gone.
  if (proof === 'unanswered') return { ...checked, problem: 'names_unanswered' }
  if (proof === 'seen' || proof === 'spreading') {
    return placed({ ...checked, failingSinceMs: null }, sight, nowMs)
  }
  const failingSinceMs = checked.failingSinceMs ?? nowMs
  const failing = { ...checked, problem: proofProblems[proof], failingSinceMs }
  if (nowMs - failingSinceMs < limits.domainGraceMs) return failing
  return { ...failing, state: 'failed', verifiedAtMs: null, failingSinceMs: null }
}

/** A proven domain, as where it leads makes it. */
function placed(proven: CustomDomain, { place }: DomainSight, nowMs: number): CustomDomain {
  if (place === 'here') return { ...proven, state: 'active', problem: null, awaySinceMs: null }
  const problem = placeProblems[place]
  if (proven.state !== 'active') return { ...proven, state: 'verified', problem }
  if (place === 'unanswered') return { ...proven, problem }
  const awaySinceMs = proven.awaySinceMs ?? nowMs
  if (nowMs - awaySinceMs < limits.domainGraceMs) return { ...proven, problem, awaySinceMs }
  return { ...proven, state: 'verified', problem, awaySinceMs: null }
}

/** The domain with the time of the next check, and a new revision if anything that people see has changed. */
function scheduled(before: CustomDomain, after: CustomDomain, nowMs: number): CustomDomain {
  const attempts = after.state === before.state ? before.attempts + 1 : 0
  const isChanged = after.state !== before.state || after.problem !== before.problem
  return {
    ...after,
    attempts,
    nextCheckAtMs: nextCheckAtMs(after, attempts, nowMs),
    updatedAtMs: isChanged ? nowMs : before.updatedAtMs,
    revision: isChanged ? before.revision + 1 : before.revision,
  }
}

/** How often the proof of a domain is looked for that is served. */
export const domainReverifyMs = 24 * 3_600_000

function nextCheckAtMs(
  { state, problem, verifiedAtMs }: CustomDomain,
  attempts: number,
  nowMs: number,
): number | null {
  if (state === 'failed') return null
  if (problem === null) return nowMs + domainReverifyMs
  const isOld = verifiedAtMs !== null && nowMs - verifiedAtMs >= domainPendingMsMax
  // It may stay like this for ever: a domain is often proven long before it is moved here.
  if (state === 'verified' && isOld && problem !== 'names_unanswered') {
    return nowMs + domainReverifyMs
  }
  const steps = domainRecheckMs
  return nowMs + (steps[Math.min(attempts, steps.length - 1)] ?? domainReverifyMs)
}
