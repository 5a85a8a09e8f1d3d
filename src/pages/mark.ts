// The mark: a line that rises and then stays up, and the present moment at its end. When something is
// wrong, the line falls.
import { dark, light } from '../base/colors.ts'
import { type Html, html } from './html.ts'

interface MarkShape {
  /** The line, as the data of a path in a square of 32. */
  readonly line: string
  /** The middle of the point. */
  readonly x: number
  readonly y: number
}

const rising: MarkShape = { line: 'M5 23c5 0 5-11.5 10-11.5h4', x: 24.5, y: 11.5 }

/** Planned work and missing states have the shape of `up`: only the colour of the point differs. */
export const markShapes = {
  up: rising,
  slow: { line: 'M5 11h6c4.5 0 4 6.5 8 6.5', x: 24.5, y: 17.5 },
  down: { line: 'M5 10h4.5c5.5 0 4.5 12 9.5 12', x: 24.5, y: 22 },
  calm: rising,
  none: rising,
} as const satisfies Record<string, MarkShape>

export type MarkTone = keyof typeof markShapes

/** The mark as the address of an image, for `link rel=icon`. */
export function markUrl(tone: MarkTone): string {
  const { line, x, y } = markShapes[tone]
  return imageUrl(
    32,
    `<rect width='32' height='32' rx='8' fill='${light.ink}'/>` +
      `<path d='${line}' fill='none' stroke='${light.paper}' stroke-width='3.5' stroke-linecap='round'/>` +
      `<circle cx='${x}' cy='${y}' r='4' fill='${dark[tone]}'/>`,
  )
}

/** The line at the top of the service's own pages: the mark and the name. `content` stands at its end. */
export function brandBar(content?: Html): Html {
  return html`<header class="top"><a class="brand" href="/">${markOf('up')}stillup</a>${content}</header>
`
}

/** The mark as a part of a page, whose style sheet gives it colours and a place by the classes. */
export function markOf(tone: MarkTone, classes = 'mark'): Html {
  const { line, x, y } = markShapes[tone]
  return html`<svg class="${classes}" viewBox="0 0 32 32" aria-hidden="true">\
<path d="${line}"/><circle cx="${x}" cy="${y}" r="4"/></svg>`
}

/** The icon of a status page, which shows its state and not our mark. */
export function discUrl(color: string): string {
  return imageUrl(16, `<circle cx='8' cy='8' r='7' fill='${color}'/>`)
}

/** The link from a page to its icon, which is an image of this file. */
export function iconLink(url: string): Html {
  // The template takes no `data:` from a hole that begins an address.
  return html`<link rel="icon" href="data:${url.slice('data:'.length)}">`
}

function imageUrl(size: number, content: string): string {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${size} ${size}'>${content}</svg>`
  return `data:image/svg+xml,${svg.replaceAll('#', '%23').replaceAll('<', '%3C').replaceAll('>', '%3E')}`
}
