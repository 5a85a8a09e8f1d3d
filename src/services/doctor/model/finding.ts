// What a check of `stillup doctor` found, in words for a person.

/** The statuses from worst to best, except that what was skipped says nothing. */
export const findingStatuses = ['problem', 'warning', 'ok', 'skipped'] as const
export type FindingStatus = (typeof findingStatuses)[number]

export interface CheckFinding {
  /** What was looked at, in a few words. */
  readonly subject: string
  readonly status: FindingStatus
  /** What was seen. */
  readonly seen: string
  /** What to do about it, in a line; null if nothing is to be done. */
  readonly advice: string | null
}

export interface Finding extends CheckFinding {
  /** The name of the check. */
  readonly check: string
}

export function fine(subject: string, seen: string): CheckFinding {
  return { subject, status: 'ok', seen, advice: null }
}

export function warning(subject: string, seen: string, advice: string): CheckFinding {
  return { subject, status: 'warning', seen, advice }
}

export function problem(subject: string, seen: string, advice: string): CheckFinding {
  return { subject, status: 'problem', seen, advice }
}

/** It could not be looked at, or there is nothing to look at: `seen` says why. */
export function skipped(subject: string, seen: string, advice: string | null = null): CheckFinding {
  return { subject, status: 'skipped', seen, advice }
}
