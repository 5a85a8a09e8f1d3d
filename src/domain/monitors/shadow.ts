// The shadow run of an imported monitor: it is watched as always, and nobody is told of it before it goes live.
import type { ImportId } from '../../base/ids.ts'

export interface ShadowRun {
  /** The import that made the monitor. */
  readonly importId: ImportId
  readonly sinceMs: number
  /** When a person let it tell; null: it is silent. */
  readonly liveAtMs: number | null
  /** The revision that the monitor had before it went live, which is no change of what it checks. */
  readonly liveFromRevision?: number
}

/** What may be in a shadow run. */
interface Shadowed {
  readonly shadow?: ShadowRun | undefined
}

/** A run takes a week or two: monitors that are silent for longer may have been forgotten. */
export const longSilentDays = 14

/** Whether nobody hears of it: no channel, no reader of a status page, no subscriber. */
export function isSilent({ shadow }: Shadowed): boolean {
  return shadow !== undefined && shadow.liveAtMs === null
}

/** Whether it is as it was at that revision, but for having gone live since. */
export function onlyWentLive(
  { revision, shadow }: Shadowed & { readonly revision: number },
  before: number | undefined,
): boolean {
  return shadow?.liveFromRevision === before && revision === (before ?? 0) + 1
}

/** Whether status pages may show it now. */
export function mayBeShown(monitor: Shadowed & { readonly isPublic: boolean }): boolean {
  return monitor.isPublic && !isSilent(monitor)
}
