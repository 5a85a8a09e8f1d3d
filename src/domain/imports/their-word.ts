// What the other product said of a monitor while ours ran in its shadow: when it was down, and since when we are told.
import { clip } from '../../base/clip.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import type { ForeignOutage } from './foreign.ts'

/** A time in which the other product said that the monitor was down; `toMs` null: it still says so. */
interface TheirOutage extends ForeignOutage {
  /** Whether it told us when it happened, or its history did afterwards. */
  readonly by: 'alert' | 'history'
}

export interface TheirWord {
  readonly orgId: OrgId
  readonly monitorId: MonitorId
  /** By their beginnings, the newest ones. */
  readonly outages: readonly TheirOutage[]
  /** Up to when its history was brought; null: it was not. */
  readonly historyToMs: number | null
}

/** Outages of one monitor that are kept. */
export const theirOutagesMax = 500

/** A history that came, or a part of it. An outage that came before is as it comes now: it may have ended. */
export function withHistory(
  word: TheirWord,
  history: readonly ForeignOutage[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): TheirWord {
  const brought = history
    .filter((one) => (one.toMs ?? toMs) >= fromMs && one.fromMs <= toMs)
    .map((one): TheirOutage => ({ ...one, text: textIn(one.text), by: 'history' }))
  const again = new Set(brought.map((one) => one.fromMs))
  const known = word.outages.filter((one) => one.by === 'alert' || !again.has(one.fromMs))
  const historyToMs = Math.max(toMs, word.historyToMs ?? 0)
  return { ...kept(word, [...known, ...brought]), historyToMs }
}

/** An alert that came: the monitor is down there, or up again. The same word twice changes nothing. */
export function withAlert(
  word: TheirWord,
  {
    isDown,
    text,
    atMs,
  }: { readonly isDown: boolean; readonly text: string; readonly atMs: number },
): TheirWord {
  const open = word.outages.find(({ by, toMs }) => by === 'alert' && toMs === null)
  if (isDown) {
    if (open) return word
    const begun: TheirOutage = { fromMs: atMs, toMs: null, text: textIn(text), by: 'alert' }
    return kept(word, [...word.outages, begun])
  }
  if (!open) return word
  const ended = { ...open, toMs: Math.max(atMs, open.fromMs) }
  return kept(word, [...word.outages.filter((one) => one !== open), ended])
}

function textIn(text: string): string {
  return clip(text.trim(), limits.errorMessageCharsMax)
}

function kept(word: TheirWord, outages: readonly TheirOutage[]): TheirWord {
  const newest = outages.toSorted((a, b) => a.fromMs - b.fromMs).slice(-theirOutagesMax)
  return { ...word, outages: newest }
}
