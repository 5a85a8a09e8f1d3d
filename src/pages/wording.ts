// Formats times, spans and ratios for public pages. Everything is in UTC and English.
import { timeText } from '../base/time-text.ts'
import { dayMs, hourMs } from '../domain/health/span.ts'
import { type Html, html } from './html.ts'

const minuteMs = 60_000

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** '12 Nov': for dates within months. */
export function dayText(atMs: number): string {
  const at = new Date(atMs)
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]}`
}

/** A time element that machines can read too. */
export function timeTag(atMs: number): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${timeText(atMs)}</time>`
}

/** The largest units that matter: '3 d 4 h', '14 min', '8 s'. Part of a second counts as one. */
export function spanText(spanMs: number): string {
  if (spanMs < minuteMs) return `${Math.max(1, Math.round(spanMs / 1000))} s`
  if (spanMs < hourMs) return `${Math.floor(spanMs / minuteMs)} min`
  const [big, bigName, small, smallName] =
    spanMs < dayMs ? [hourMs, 'h', minuteMs, 'min'] : [dayMs, 'd', hourMs, 'h']
  const rest = Math.floor((spanMs % big) / small)
  const head = `${Math.floor(spanMs / big)} ${bigName}`
  return rest > 0 ? `${head} ${rest} ${smallName}` : head
}

/**
 * A share of time as a percentage that never flatters: it is cut, not rounded, and has as many
 * digits as needed, so that 100 % means that no second was lost.
 */
export function percentText(ratio: number): string {
  if (ratio >= 1) return '100%'
  const digits = ratio >= 0.9999 ? 4 : ratio >= 0.999 ? 3 : 2
  // The tiny addend undoes binary fractions such as 0.9995 * 100 = 99.94999…
  const cut = Math.floor(Math.max(0, ratio) * 100 * 10 ** digits + 1e-6) / 10 ** digits
  return `${
    Math.min(cut, 100 - 10 ** -digits)
      .toFixed(digits)
      .replace(/\.?0+$/, '') || '0'
  }%`
}
