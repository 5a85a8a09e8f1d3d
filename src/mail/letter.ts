// Builds a letter as plain text and as HTML that loads nothing from elsewhere.
import { dark, light } from '../base/colors.ts'
import { escapedMarkup } from '../base/formats/markup.ts'
import type { Language } from '../texts/languages.ts'
import { marksOf } from '../texts/marks.ts'
import { textsOf } from '../texts/texts.ts'

/** A letter that is ready to be sent. */
export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The content of a letter. Every text is plain; it is escaped for the HTML form. */
export interface LetterPlan {
  /** It may be logged, so it must not contain secrets. */
  readonly subject: string
  /** Whole sentences. */
  readonly paragraphs: readonly string[]
  /** The action that the letter asks for. */
  readonly button?: { readonly label: string; readonly url: string }
  readonly language: Language
  /** Small print: why the letter was sent, and what to do if it was not expected. */
  readonly footer: readonly string[]
}

/** Renders the letter in both forms. Subject and texts may contain text from strangers. */
export function letterOf(plan: LetterPlan): Letter {
  const { subject, button, footer, language } = plan
  const paragraphs = plan.paragraphs.map(oneLine)
  const buttonLines = button
    ? [`${button.label}${marksOf(language).colon.trimEnd()}\n${button.url}`]
    : []
  const text = [...paragraphs, ...buttonLines, '-- ', ...footer.map(oneLine)]
  const blocks = [
    ...paragraphs.map((words) => `<p style="margin:0 0 16px">${escapedMarkup(words)}</p>`),
    ...(button ? [buttonHtml(button, language)] : []),
    ...footer.map(
      (words) => `<p class="soft" style="${footerStyle}">${escapedMarkup(oneLine(words))}</p>`,
    ),
  ]
  return {
    subject: oneLine(subject),
    text: `${language === 'en' ? plainQuotes(text.join('\n\n')) : text.join('\n\n')}\n`,
    html: letterPage({ title: oneLine(subject), language, content: blocks.join('\n') }),
  }
}

/** The typefaces by name: Word, with which Outlook for Windows shows letters, knows no `system-ui`. */
const fontsOf = (language: Language) =>
  [
    'Inter,-apple-system,"Segoe UI",Roboto',
    ...Object.values(easternFonts[language] ?? {}),
    'Helvetica,Arial,sans-serif',
  ].join(',')

/** For characters that those do not have, in the shapes of the language. */
const easternFonts: Partial<Record<Language, Readonly<Record<'apple' | 'windows', string>>>> = {
  ja: { apple: '"Hiragino Sans"', windows: 'Meiryo' },
  zh: { apple: '"PingFang SC"', windows: '"Microsoft YaHei"' },
}

const footerStyle = `margin:0 0 8px;font-size:13px;color:${light.soft}`

/** Gmail and Outlook break long words by the older property alone. */
export const breaksWords = 'overflow-wrap:anywhere;word-break:break-word'

/** Who writes; a picture would be asked for elsewhere. */
const letterHead =
  '<div style="margin:0 0 12px;font-weight:700;letter-spacing:-0.02em">' +
  `stillup <span style="color:${light.up}">&#9679;</span></div>`

/** Takes precedence over the styles of the elements. */
const darkStyles = `body, .paper { background: ${dark.paper} !important; color: ${dark.ink} !important }
.card { background: ${dark.card} !important; border-color: ${dark.line} !important }
.soft, .soft a { color: ${dark.soft} !important }
.go { background: ${dark.accent} !important; color: ${dark['on-accent']} !important }`

/** The button of a letter. Word knows no padding of a link, so a cell has colour and padding there. */
export function letterButton(
  label: string,
  href: string,
  color: string = light.accent,
  name = 'go',
): string {
  const style =
    `display:inline-block;padding:11px 20px;border-radius:8px;background:${color};` +
    `color:${light['on-accent']};text-decoration:none;font-weight:600`
  return `<table role="presentation" cellspacing="0" cellpadding="0" border="0" style="margin:0 0 16px"><tr>\
<td class="${name}" bgcolor="${color}" style="border-radius:8px;background:${color};mso-padding-alt:11px 20px">\
<a class="${name}" href="${href}" style="${style}">${escapedMarkup(oneLine(label))}</a></td></tr></table>`
}

function buttonHtml({ label, url }: NonNullable<LetterPlan['button']>, language: Language): string {
  const href = escapedMarkup(url)
  const shown = directionOf(language) === 'rtl' ? `<span dir="ltr">${href}</span>` : href
  return `${letterButton(label, href)}
<p class="soft" style="${footerStyle};${breaksWords}">${escapedMarkup(textsOf('letters', language).openInstead)}${marksOf(language).colon}${shown}</p>`
}

interface LetterFrame {
  readonly title: string
  readonly language: Language
  /** Within the card, as markup. */
  readonly content: string
  /** More classes and styles of the card. */
  readonly card?: { readonly name: string; readonly style: string }
  /** More rules for the dark form. */
  readonly darkRules?: string
  /** Below the card, as markup. */
  readonly below?: string
}

/**
 * The document around a letter, for programs of every kind. Gmail and Outlook drop the body, so the ground is
 * a table. Word knows no `max-width`, and no padding but that of cells: it gets a table of its own around,
 * and the card is a cell. Checked against https://www.caniemail.com for Gmail, Outlook and Apple Mail; what
 * remains are round corners, the spacing of letters, and the dark form, which those without it do not show.
 */
export function letterPage(frame: LetterFrame): string {
  const { title, language, content, card, darkRules = '', below = '' } = frame
  const direction = directionOf(language)
  const start = direction === 'rtl' ? 'right' : 'left'
  const eastern = easternFonts[language]?.windows
  const outlookFont =
    eastern === undefined ? '' : `; mso-fareast-font-family: ${eastern} !important`
  const table = 'role="presentation" cellspacing="0" cellpadding="0" border="0"'
  const cardStyle =
    `padding:20px;background:${light.card};border:1px solid ${light.line};border-radius:10px;` +
    (card?.style ?? '')
  return `<!doctype html>
<html lang="${escapedMarkup(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapedMarkup(title)}</title>
<!--[if mso]><style>body, td, p, a, h1 { font-family: "Segoe UI", Arial, sans-serif !important${outlookFont} }</style><![endif]-->
<style>
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
${darkStyles}${darkRules && `\n${darkRules}`}
}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${light.paper}">
<table ${table} class="paper" width="100%" bgcolor="${light.paper}" style="background:${light.paper}"><tr>
<td align="center" style="padding:24px 12px;font:16px/1.5 ${escapedMarkup(fontsOf(language))};color:${light.ink}" class="paper">
<!--[if mso]><table ${table} width="560"><tr><td><![endif]-->
<div style="max-width:560px;margin:0 auto;text-align:${start}">
${letterHead}
<table ${table} width="100%" style="border-collapse:separate"><tr>
<td class="card${card ? ` ${card.name}` : ''}" bgcolor="${light.card}" style="${cardStyle}">
${content}
</td></tr></table>
${below}</div>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** Keeps the text on one line, because strangers choose names. */
export function oneLine(words: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return words.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim()
}

/** Quotation marks of typewriters, so that most English letters are ASCII and a terminal shows them. */
function plainQuotes(text: string): string {
  return text.replace(/[\u201c\u201d]/g, '"').replace(/[\u2018\u2019]/g, "'")
}
