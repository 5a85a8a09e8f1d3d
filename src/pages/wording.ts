// Spans and ratios, as the pages of the service have them.
import { timeWords } from '../texts/time-words.ts'

/**
 * The two largest units that matter, in a locale of Intl: '3 d 4 h', '14 min', '8 s'. Part of a second
 * counts as one; what takes minutes has no seconds.
 */
export function spanText(spanMs: number, tag = 'en-GB'): string {
  const seconds = Math.max(1, Math.floor(spanMs / 1_000))
  return timeWords(tag).span(seconds < 60 ? seconds : seconds - (seconds % 60))
}

const percentDigits = { least: 2, most: 4 }

/**
 * A share of time as a percentage that never flatters: it is cut, not rounded, so that 100% means
 * that no second was lost. It has two decimals, and more only after 99.99, where they say how much
 * was lost: 99.995%. All and nothing have none.
 */
export function percentText(ratio: number): string {
  if (ratio >= 1) return '100%'
  if (ratio <= 0) return '0%'
  const { least, most } = percentDigits
  // The tiny addend undoes binary fractions such as 0.9995 * 100 = 99.94999…
  const cut = Math.floor(ratio * 100 * 10 ** most + 1e-6) / 10 ** most
  const text = Math.min(cut, 100 - 10 ** -most).toFixed(most)
  // Up to the first digit that is not a nine.
  const nines = /^99\.(9*)/.exec(text)?.[1]?.length ?? 0
  const digits = Math.min(most, Math.max(least, nines + 1))
  const shown = text.slice(0, text.length - most + digits)
  return `${shown.replace(/(\.\d\d)0+$/, '$1')}%`
}
