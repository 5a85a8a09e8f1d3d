// Builds a letter as plain text and as HTML that loads nothing from elsewhere.
import { dark, light } from '../base/colors.ts'
import { escapedMarkup } from '../base/formats/markup.ts'

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
  /** A BCP 47 code; absent: English. */
  readonly language?: string
  /** Before the address of the button, in that language. */
  readonly openInstead?: string
  /** Small print: why the letter was sent, and what to do if it was not expected. */
  readonly footer: readonly string[]
}

/** Renders the letter in both forms. Subject and texts may contain text from strangers. */
export function letterOf(plan: LetterPlan): Letter {
  const { subject, paragraphs, button, footer, language = 'en' } = plan
  const { openInstead = 'Or open this address' } = plan
  const buttonLines = button ? [`${button.label}:\n${button.url}`] : []
  const text = [...paragraphs.map(oneLine), ...buttonLines, '-- ', ...footer.map(oneLine)]
  const blocks = [
    ...paragraphs.map((words) => `<p style="margin:0 0 16px">${escapedMarkup(oneLine(words))}</p>`),
    ...(button ? [buttonHtml(button, openInstead)] : []),
    ...footer.map(
      (words) => `<p class="soft" style="${footerStyle}">${escapedMarkup(oneLine(words))}</p>`,
    ),
  ]
  return {
    subject: oneLine(subject),
    text: `${plainQuotes(text.join('\n\n'))}\n`,
    html: page(oneLine(subject), blocks.join('\n'), language),
  }
}

const bodyStyle =
  `margin:0;padding:24px 12px;font:16px/1.5 Inter,system-ui,sans-serif;color:${light.ink};` +
  `background:${light.paper}`
const cardStyle =
  `max-width:560px;margin:0 auto;padding:20px;background:${light.card};` +
  `border:1px solid ${light.line};border-radius:10px`
const footerStyle = `margin:0 0 8px;font-size:13px;color:${light.soft}`
const buttonStyle =
  `display:inline-block;padding:11px 20px;border-radius:8px;background:${light.accent};` +
  `color:${light['on-accent']};text-decoration:none;font-weight:600`

/** Who writes; a picture would be asked for elsewhere. */
export const letterHead =
  '<div style="max-width:560px;margin:0 auto 12px;font-weight:700;letter-spacing:-0.02em">' +
  `stillup <span style="color:${light.up}">&#9679;</span></div>`

/** Takes precedence over the styles of the elements. */
const darkStyles = `@media (prefers-color-scheme: dark) {
body { background: ${dark.paper} !important; color: ${dark.ink} !important }
.card { background: ${dark.card} !important; border-color: ${dark.line} !important }
.soft { color: ${dark.soft} !important }
.go { background: ${dark.accent} !important; color: ${dark['on-accent']} !important }
}`

function buttonHtml(
  { label, url }: NonNullable<LetterPlan['button']>,
  openInstead: string,
): string {
  const href = escapedMarkup(url)
  const link = `<a class="go" href="${href}" style="${buttonStyle}">${escapedMarkup(label)}</a>`
  return [
    `<p style="margin:0 0 16px">${link}</p>`,
    `<p class="soft" style="${footerStyle}">${escapedMarkup(openInstead)}: ${href}</p>`,
  ].join('\n')
}

function page(title: string, content: string, language: string): string {
  const direction = language === 'ar' ? ' dir="rtl"' : ''
  return `<!doctype html>
<html lang="${language}"${direction}>
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark">\
<title>${escapedMarkup(title)}</title>
<style>
:root { color-scheme: light dark }
${darkStyles}
</style></head>
<body style="${bodyStyle}">
${letterHead}
<div class="card" style="${cardStyle}">
${content}
</div>
</body>
</html>
`
}

/** Keeps the text on one line, because strangers choose names. */
export function oneLine(words: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return words.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim()
}

/** Quotation marks of typewriters, so that most letters are ASCII and a terminal shows them. */
function plainQuotes(text: string): string {
  return text.replace(/[\u201c\u201d]/g, '"').replace(/[\u2018\u2019]/g, "'")
}
