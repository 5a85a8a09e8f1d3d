// The picture of the front page: what a check sees of a service over time. The line stays up, falls for a
// while, and comes back; the point at its end is the present moment.
import type { Language } from '../texts/languages.ts'
import { textsOf } from '../texts/texts.ts'
import { type Html, html } from './html.ts'
import { pageFormats } from './page-formats.ts'

const days = 30
const downDays = new Set([17])
const slowDays = new Set([16, 23])

const bar = (day: number) => {
  const state = downDays.has(day) ? 'd' : slowDays.has(day) ? 's' : 'u'
  return html`<rect class="${state}" x="${day * 11}" y="0" width="7" height="22" rx="2"/>`
}

const ratio = 0.9998

export function frontPicture(language: Language): Html {
  const { front, own } = textsOf('entrance', language)
  return html`<figure class="picture card" aria-hidden="true">
<svg viewBox="0 34 326 114">
<path class="wave" d="M0 62c22-8 34 6 58 0s40-8 62-2 44 4 60-2c6-2 8 62 16 62s8-66 18-64c22 4 34-4 54 0s26 4 40 2"/>
<circle class="halo" cx="312" cy="58" r="7"/><circle class="point" cx="312" cy="58" r="5"/>
<g transform="translate(0 124)">${Array.from({ length: days }, (_, day) => bar(day))}</g>
</svg>
<ul><li class="is-up"><span class="state">${own.states.up}</span> <b>${pageFormats(language, 'UTC').percent(ratio)}</b></li>
<li class="is-down"><span class="state">${front.pictureDown}</span> <b>${front.pictureChecks}</b></li>
<li class="is-up"><span class="state">${front.pictureTold}</span> <b>${front.pictureAfter}</b></li></ul>
</figure>`
}
