// The letter that tells of an incident: a small table of facts, readable on a phone and in the dark.
//
// Colours in the dark: https://www.caniemail.com/features/css-at-media-prefers-color-scheme/; mail
// programs that drop the style sheet show the light form, whose styles are on each element.
import { dark, light, type Palette } from '../../base/colors.ts'
import { escapedMarkup } from '../../base/formats/markup.ts'
import { type Letter, letterHead, oneLine } from '../letter.ts'

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
  /** A BCP 47 code. */
  readonly language: string
  readonly openInstead: string
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

function textOf({ title, facts, links, footer, unsubscribe }: AlertPlan): string {
  const lines = facts.map(({ label, value, url }) => {
    const place = url === undefined ? '' : `\n  ${url}`
    return `${oneLine(label)}: ${linesOf(value).join('\n  ')}${place}`
  })
  const places = links.map(({ label, url }) => `${oneLine(label)}:\n${oneLine(url)}`)
  const small = [...footer.map(oneLine), `${oneLine(unsubscribe.label)}: ${unsubscribe.url}`]
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

/** Takes precedence over the styles of the elements. */
const darkStyles = `@media (prefers-color-scheme: dark) {
body, .paper { background: ${dark.paper} !important; color: ${dark.ink} !important }
.card { background: ${dark.card} !important; border-color: ${dark.line} !important }
${darkStripes}
.soft, .soft a { color: ${dark.soft} !important }
.line { border-color: ${dark.line} !important }
.plain { color: ${dark.accent} !important }
${darkTitles}
}`

const font = 'Inter,system-ui,-apple-system,&quot;Segoe UI&quot;,Roboto,sans-serif'
const bodyStyle = `margin:0;padding:24px 12px;font:16px/1.5 ${font};color:${light.ink};background:${light.paper}`
const cardStyle =
  `max-width:560px;margin:0 auto;padding:20px 20px 4px;background:${light.card};` +
  `border:1px solid ${light.line};border-radius:10px`
const cellStyle = `padding:8px 0;border-top:1px solid ${light.line};vertical-align:top`
const softLink = `color:${light.soft}`
const plainLink = `color:${light.accent}`
const softStyle = `color:${light.soft};font-size:14px`
const smallStyle = `margin:0 0 6px;font-size:13px;color:${light.soft}`

function htmlOf(plan: AlertPlan): string {
  const { title, tone, facts, links, language, footer, unsubscribe } = plan
  const direction = isRightToLeft(language) ? 'rtl' : 'ltr'
  const [first, ...others] = links
  const small = [
    ...footer.map((line) => escapedMarkup(oneLine(line))),
    linkOf(unsubscribe, softLink),
  ]
  const color = tones[tone]
  const stripe = direction === 'rtl' ? 'border-right' : 'border-left'
  return `<!doctype html>
<html lang="${escapedMarkup(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapedMarkup(oneLine(plan.subject))}</title>
<style>
:root { color-scheme: light dark }
${darkStyles}
</style>
</head>
<body class="paper" style="${bodyStyle}">
${letterHead}
<div class="card of-${tone}" style="${cardStyle};${stripe}:5px solid ${color}">
<h1 class="${tone}" dir="auto" style="${titleStyle(color)}">${escapedMarkup(oneLine(title))}</h1>
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" \
style="border-collapse:collapse;margin:0 0 20px">
${facts.map((fact) => rowOf(fact, direction)).join('\n')}
</table>
${first ? buttonOf(first, plan.openInstead, color) : ''}\
${others.map((link) => `<p style="margin:0 0 12px">${linkOf(link, plainLink, 'plain')}</p>\n`).join('')}\
</div>
<div class="soft" style="max-width:560px;margin:0 auto;padding:16px 20px 0">
${small.map((line) => `<p class="soft" dir="auto" style="${smallStyle}">${line}</p>`).join('\n')}
</div>
</body>
</html>
`
}

function titleStyle(color: string): string {
  return `margin:0 0 14px;font-size:20px;line-height:1.3;color:${color};overflow-wrap:anywhere`
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
<td class="line" dir="auto" style="${cellStyle};overflow-wrap:anywhere">${lines}</td>
</tr>`
}

function buttonOf({ label, url }: LabelledLink, openInstead: string, color: string): string {
  const href = escapedMarkup(url)
  const style =
    `display:inline-block;padding:11px 20px;border-radius:8px;background:${color};color:#ffffff;` +
    'text-decoration:none;font-weight:600'
  return `<p style="margin:0 0 12px"><a href="${href}" style="${style}">${escapedMarkup(oneLine(label))}</a></p>
<p class="soft" style="${smallStyle};margin-bottom:16px;overflow-wrap:anywhere">\
${escapedMarkup(oneLine(openInstead))}: <span dir="ltr">${href}</span></p>
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

function isRightToLeft(language: string): boolean {
  return language === 'ar'
}
