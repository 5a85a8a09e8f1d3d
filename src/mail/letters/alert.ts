// The letter that tells of an incident: a small table of facts, readable on a phone and in the dark.
//
// Colours in the dark: https://www.caniemail.com/features/css-at-media-prefers-color-scheme/; mail
// programs that drop the style sheet show the light form, whose styles are on each element.
import { dark, light, type Palette } from '../../base/colors.ts'
import { escapedMarkup } from '../../base/formats/markup.ts'
import type { Language } from '../../texts/languages.ts'
import { marksOf } from '../../texts/marks.ts'
import { textsOf } from '../../texts/texts.ts'
import {
  breaksWords,
  directionOf,
  type Letter,
  letterButton,
  letterPage,
  oneLine,
} from '../letter.ts'

export interface AlertPlan {
  /** The same for all letters about one incident. */
  readonly subject: string
  readonly title: string
  readonly tone: 'bad' | 'warning' | 'good' | 'neutral'
  readonly facts: readonly {
    readonly label: string
    readonly value: string
    readonly url?: string
  }[]
  /** The first one is the button. */
  readonly links: readonly LabelledLink[]
  readonly language: Language
  /** Small print: why the letter was sent, and by whom. */
  readonly footer: readonly string[]
  /** Where the recipient ends these letters. */
  readonly unsubscribe: LabelledLink
}

interface LabelledLink {
  readonly label: string
  readonly url: string
}

/** Renders the letter in both forms. Its texts may contain text from strangers. */
export function alertLetter(plan: AlertPlan): Letter {
  const links = plan.links.filter(({ url }) => /^https?:\/\//i.test(url))
  return {
    // A letter without a subject looks like junk.
    subject: oneLine(plan.subject) || '–',
    text: textOf({ ...plan, links }),
    html: htmlOf({ ...plan, links }),
  }
}

function textOf({ title, facts, links, footer, unsubscribe, language }: AlertPlan): string {
  const { colon } = marksOf(language)
  const lines = facts.map(({ label, value, url }) => {
    const place = url === undefined ? '' : `\n  ${url}`
    return `${oneLine(label)}${colon}${linesOf(value).join('\n  ')}${place}`
  })
  const places = links.map(
    ({ label, url }) => `${oneLine(label)}${colon.trimEnd()}\n${oneLine(url)}`,
  )
  const small = [...footer.map(oneLine), `${oneLine(unsubscribe.label)}${colon}${unsubscribe.url}`]
  const blocks = [oneLine(title), lines.join('\n'), ...places, `-- \n${small.join('\n')}`]
  return `${blocks.join('\n\n')}\n`
}

/** The colours of the light form; the dark form's are in the style sheet. */
const tones = tonesIn(light)
const darkTones = tonesIn(dark)

const darkStripes = Object.entries(darkTones)
  .map(([tone, color]) => `.of-${tone} { border-inline-start-color: ${color} !important }`)
  .join('\n')
const darkTitles = Object.entries(darkTones)
  .map(([tone, color]) => `.${tone} { color: ${color} !important }`)
  .join('\n')

/** What a tone is called among the colours of text. */
function tonesIn(palette: Palette) {
  return {
    bad: palette['down-ink'],
    warning: palette['slow-ink'],
    good: palette['up-ink'],
    neutral: palette['calm-ink'],
  }
}

const darkRules = `${darkStripes}
.line { border-color: ${dark.line} !important }
.plain { color: ${dark.accent} !important }
${darkTitles}`

const cellStyle = `padding:8px 0;border-top:1px solid ${light.line};vertical-align:top`
const softLink = `color:${light.soft}`
const plainLink = `color:${light.accent}`
const softStyle = `color:${light.soft};font-size:14px`
const smallStyle = `margin:0 0 6px;font-size:13px;color:${light.soft}`

function htmlOf(plan: AlertPlan): string {
  const { title, tone, facts, links, language, footer, unsubscribe } = plan
  const direction = directionOf(language)
  const [first, ...others] = links
  const small = [
    ...footer.map((line) => escapedMarkup(oneLine(line))),
    linkOf(unsubscribe, softLink),
  ]
  const color = tones[tone]
  const stripe = direction === 'rtl' ? 'border-right' : 'border-left'
  const content = `<h1 class="${tone}" dir="auto" style="${titleStyle(color)}">${escapedMarkup(oneLine(title))}</h1>
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" \
style="border-collapse:collapse;margin:0 0 20px">
${facts.map((fact) => rowOf(fact, direction)).join('\n')}
</table>
${first ? buttonOf(first, language, color) : ''}\
${others.map((link) => `<p style="margin:0 0 12px">${linkOf(link, plainLink, 'plain')}</p>\n`).join('')}`
  return letterPage({
    ...{ title: oneLine(plan.subject), language, content, darkRules },
    card: { name: `of-${tone}`, style: `${stripe}:5px solid ${color}` },
    below: `<div class="soft" style="padding:16px 20px 0">
${small.map((line) => `<p class="soft" dir="auto" style="${smallStyle}">${line}</p>`).join('\n')}
</div>
`,
  })
}

function titleStyle(color: string): string {
  return `margin:0 0 14px;font-size:20px;line-height:1.3;color:${color};${breaksWords}`
}

function rowOf(
  { label, value, url }: AlertPlan['facts'][number],
  direction: 'ltr' | 'rtl',
): string {
  const gap = direction === 'rtl' ? 'padding-left:16px' : 'padding-right:16px'
  const name =
    url === undefined ? escapedMarkup(oneLine(label)) : linkOf({ label, url }, plainLink, 'plain')
  const lines = linesOf(value)
    .map((line) => escapedMarkup(line))
    .join('<br>')
  return `<tr>
<td class="line soft" width="32%" dir="auto" style="${cellStyle};${gap};${softStyle}">${name}</td>
<td class="line" dir="auto" style="${cellStyle};${breaksWords}">${lines}</td>
</tr>`
}

function buttonOf({ label, url }: LabelledLink, language: Language, color: string): string {
  const href = escapedMarkup(url)
  return `${letterButton(label, href, color, 'act')}
<p class="soft" style="${smallStyle};margin-bottom:16px;${breaksWords}">\
${escapedMarkup(textsOf('letters', language).openInstead)}${marksOf(language).colon}<span dir="ltr">${href}</span></p>
`
}

function linkOf({ label, url }: LabelledLink, style: string, name = 'soft'): string {
  return `<a class="${name}" href="${escapedMarkup(url)}" style="${style}">${escapedMarkup(oneLine(label))}</a>`
}

/** The lines of a text that somebody wrote, without empty ones. */
function linesOf(value: string): string[] {
  const lines = value.split(/\r\n|[\r\n\u0085\u2028\u2029]/).map(oneLine)
  const written = lines.filter((line) => line !== '')
  return written.length === 0 ? ['–'] : written
}
