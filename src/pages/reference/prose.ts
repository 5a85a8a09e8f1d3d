// Descriptions of the OpenAPI document as markup: paragraphs, lists and code, as they use them.
import { type Html, html } from '../html.ts'

/** Text with `code` between backticks, and links as `<https://example.com/>`. */
export function inline(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : linked(part)))}`
}

function linked(text: string): Html {
  const parts = text.split(/<(https:\/\/[^\s<>"]+)>/)
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))}`
}

/** Paragraphs between empty lines; lines that begin with a hyphen are a list. */
export function prose(text: string): Html {
  return html`${text.split('\n\n').map(blockOf)}`
}

function blockOf(block: string): Html {
  const lines = block.split('\n')
  const isItem = (line: string) => line.startsWith('- ')
  const words = lines.filter((line) => !isItem(line))
  const items = lines.filter(isItem)
  return html`${words.length > 0 && html`<p>${inline(words.join(' '))}</p>\n`}\
${items.length > 0 && html`<ul>${items.map((item) => html`<li>${inline(item.slice(2))}</li>`)}</ul>\n`}`
}
