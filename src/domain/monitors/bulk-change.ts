// Bulk changes of monitors, and their effect on one monitor.
import { limits } from '../limits/limits.ts'
import type { Monitor } from './monitor.ts'

/** The changes of many monitors, at least one of which is given. Tags are removed before others are added. */
export interface BulkChange {
  readonly isActive?: boolean | undefined
  readonly addTags?: readonly string[] | undefined
  readonly removeTags?: readonly string[] | undefined
}

export function saysNothing({ isActive, addTags = [], removeTags = [] }: BulkChange): boolean {
  return isActive === undefined && addTags.length === 0 && removeTags.length === 0
}

/** The same record if nothing changes; undefined if it would have too many tags. */
export function changedInBulk(monitor: Monitor, change: BulkChange): Monitor | undefined {
  const { isActive = monitor.isActive, addTags = [], removeTags = [] } = change
  const kept = monitor.tags.filter((tag) => !removeTags.includes(tag))
  const added = new Set(addTags.filter((tag) => !kept.includes(tag)))
  const tags = [...kept, ...added]
  if (added.size > 0 && tags.length > limits.tagsMax) return undefined
  const hasSameTags =
    tags.length === monitor.tags.length && tags.every((t, n) => t === monitor.tags[n])
  if (isActive === monitor.isActive && hasSameTags) return monitor
  return { ...monitor, isActive, tags: hasSameTags ? monitor.tags : tags }
}
