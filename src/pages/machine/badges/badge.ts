// What a badge says, as a picture and for shields.io.

import { clip } from '../../../base/clip.ts'
import { light } from '../../../base/colors.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { inkOn } from '../../../domain/pages/accent.ts'
import type { PageDocument } from '../../view/public-page.ts'
import { xml, xmlText } from '../xml.ts'

const badgeTones = ['good', 'fair', 'bad', 'calm', 'none'] as const
export type BadgeTone = (typeof badgeTones)[number]

export interface Badge {
  readonly label: string
  readonly message: string
  readonly tone: BadgeTone
  /** The colour of the ground below the label; absent: that of the plain look. */
  readonly ground?: string
}

/** White text on each of them has a contrast of at least 4.5:1. */
const fills: Readonly<Record<BadgeTone, string>> = {
  good: light['up-ink'],
  fair: light['slow-ink'],
  bad: light['down-ink'],
  calm: light['calm-ink'],
  none: light['none-ink'],
}

const shieldsColors: Readonly<Record<BadgeTone, string>> = {
  good: 'brightgreen',
  fair: 'yellow',
  bad: 'red',
  calm: 'blue',
  none: 'lightgrey',
}

const paddingPx = 6
const white = '#ffffff'

/** The width of half a badge, and where its text stands. */
function halfOf(text: string) {
  const textPx = Math.ceil(textWidth(text))
  return { textPx, widthPx: textPx + 2 * paddingPx }
}

/** An SVG. Browsers without the font squeeze or stretch the text to the width of its half. */
export function badgeSvg(badge: Badge): PageDocument {
  const label = shown(badge.label)
  const message = shown(badge.message)
  const [left, right] = [halfOf(label), halfOf(message)]
  const leftPx = label === '' ? 0 : left.widthPx
  const widthPx = leftPx + right.widthPx
  const title = label === '' ? message : `${label}: ${message}`
  const { ground = light.ink } = badge
  const text = (content: string, middlePx: number, textPx: number, fill = white) =>
    xml`<text x="${middlePx}" y="14" ${fill !== white && xml`fill="${fill}" `}textLength="${textPx}" lengthAdjust="spacingAndGlyphs">\
${content}</text>`
  const svg = xml`<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="20" \
viewBox="0 0 ${widthPx} 20" role="img" aria-label="${title}"><title>${title}</title>\
<clipPath id="r"><rect width="${widthPx}" height="20" rx="3"/></clipPath><g clip-path="url(#r)">\
${label !== '' && xml`<rect width="${leftPx}" height="20" fill="${ground}"/>`}\
<rect x="${leftPx}" width="${right.widthPx}" height="20" fill="${fills[badge.tone]}"/></g>\
<g fill="${white}" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" \
font-size="11">${label !== '' && text(label, leftPx / 2, left.textPx, inkOn(ground))}\
${text(message, leftPx + right.widthPx / 2, right.textPx)}</g></svg>`
  return {
    contentType: 'image/svg+xml; charset=utf-8',
    body: xmlText(svg),
    headers: badgeHeaders,
  }
}

/** The headers of a badge: it may be shown on any page, and nothing in it can run. */
const badgeHeaders = [
  ['Content-Security-Policy', "default-src 'none'"],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
] as const

/** The document for the endpoint badge of shields.io: https://shields.io/badges/endpoint-badge */
export function shieldsJson({ label, message, tone }: Badge): PageDocument {
  const badge = {
    schemaVersion: 1,
    label: shown(label),
    message: shown(message),
    color: shieldsColors[tone],
    ...(tone === 'bad' ? { isError: true } : {}),
  }
  return { contentType: 'application/json', body: `${JSON.stringify(badge)}\n` }
}

/** One line of bounded length. */
function shown(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), limits.badgeTextCharsMax)
}

/**
 * Widths in Verdana, the font of badges, at 11 px, in hundredths of a pixel, from space to tilde. A
 * reader may have another font. Source: Verdana's metrics, as in
 * https://github.com/metabolize/anafanafo.
 */
const asciiWidths = [
  387, 433, 505, 900, 699, 1184, 799, 295, 500, 500, 699, 900, 400, 500, 400, 500, 699, 699, 699,
  699, 699, 699, 699, 699, 699, 699, 500, 500, 900, 900, 900, 600, 1100, 752, 754, 768, 848, 696,
  632, 853, 827, 463, 500, 762, 612, 927, 823, 866, 663, 866, 765, 752, 678, 805, 752, 1088, 754,
  677, 754, 500, 500, 500, 900, 699, 699, 661, 685, 573, 685, 655, 387, 685, 696, 302, 379, 651,
  302, 1070, 696, 668, 685, 685, 469, 573, 433, 696, 651, 900, 651, 651, 578, 698, 500, 698, 900,
]

const firstAscii = 32
/** The width of most letters of other alphabets; ideographs and everything else have the widest one. */
const letterWidth = 750
const widestWidth = 1_200

/** The width in pixels, at 11 px. Characters that are not in the table rather count too wide. */
export function textWidth(text: string): number {
  let width = 0
  // An accent takes no space of its own.
  for (const char of text.normalize('NFD')) width += charWidth(char)
  return width / 100
}

function charWidth(char: string): number {
  const known = asciiWidths[(char.codePointAt(0) ?? 0) - firstAscii]
  if (known !== undefined) return known
  if (/^[\p{Mark}\p{Cf}]$/u.test(char)) return 0
  return /^[\p{Script=Latin}\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}]$/u.test(
    char,
  )
    ? letterWidth
    : widestWidth
}
