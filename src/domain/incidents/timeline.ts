// The timeline: what happened to an incident, in order, for people to read.
import { clip } from '../../base/clip.ts'
import { limits } from '../limits/limits.ts'

export const timelineKinds = [
  'opened',
  'reopened',
  'worsened',
  'flapping',
  'settled',
  'acknowledged',
  'update',
  'resolved',
] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** The progress that a person states in an update. */
export const updateStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type UpdateStatus = (typeof updateStatuses)[number]

export interface TimelineEntry {
  readonly id?: string
  readonly atMs: number
  readonly kind: TimelineKind
  readonly message: string
  readonly status?: UpdateStatus
  /** The person or key that did it; absent if the daemon did. */
  readonly by?: string
  readonly isPublic: boolean
}

/** The timeline with one more entry. A full one keeps its first entry and the newest ones. */
export function extended(
  timeline: readonly TimelineEntry[],
  entry: TimelineEntry,
): readonly TimelineEntry[] {
  const message = clip(entry.message, limits.incidentMessageCharsMax)
  const entries = [...timeline, { ...entry, message }]
  let chars = entries.reduce((sum, { message }) => sum + message.length, 0)
  let tooMany = Math.max(0, entries.length - limits.timelineEntriesMax)
  for (const [at, old] of entries.slice(1, -1).entries()) {
    if (at >= tooMany && chars <= limits.timelineCharsMax) break
    tooMany = Math.max(tooMany, at + 1)
    chars -= old.message.length
  }
  entries.splice(1, tooMany)
  return entries
}
