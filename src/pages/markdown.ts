// Markdown that people write for readers of status pages, as markup of a safe subset.
//
// HTML in it is text. Images, tables, classes and styles do not exist; links lead to the web or to
// a mail address. What the library makes is checked again by `checkedMarkup`, tag by tag.
import { LRUCache } from 'lru-cache'
import type { default as Library, MarkdownIt, Token } from 'markdown-it'
import { requireLibrary } from '../base/assets.ts'
import { once } from '../base/per-object.ts'
import { checkedMarkup, type Html, html } from './html.ts'

/** The level of the page's heading above the text; headings in the text come below it. */
export type HeadingAbove = 1 | 2 | 3 | 4

/** The markup that is kept, of all texts together. */
const markdownCacheCharsMax = 4 * 1024 * 1024

const rendered = new LRUCache<string, Html>({
  maxSize: markdownCacheCharsMax,
  sizeCalculation: (_, key) => key.length * 3,
})

const { asOneDocument, isRead } = createDocumentBudget()

export { asOneDocument }

/** The longest text that is read as Markdown, and the longest markup made of it. */
export const markdownCharsMax = 16_384
export const markdownMarkupCharsMax = 131_072
/** All texts of one document that are read as Markdown. */
export const documentMarkdownCharsMax = 96 * 1024

/** How much of a document is read as Markdown. */
function createDocumentBudget() {
  let charsLeft = Number.POSITIVE_INFINITY
  return {
    /**
     * Makes a document: its texts are read as Markdown in their order, up to a bound for all of them; the
     * rest is shown as it was written. Otherwise a document with many long texts would take seconds.
     */
    asOneDocument<Made>(make: () => Made): Made {
      const before = charsLeft
      charsLeft = documentMarkdownCharsMax
      try {
        return make()
      } finally {
        charsLeft = before
      }
    },
    /** Also counts what is remembered, so that the same document is always the same. */
    isRead(text: string): boolean {
      charsLeft -= text.length
      return text.length <= markdownCharsMax && charsLeft >= 0
    },
  }
}

/** One block element, even for a single paragraph. Nothing for a text without a visible character. */
export function markdown(text: string, above: HeadingAbove): Html | null {
  if (text.trim() === '') return null
  if (!isRead(text)) return prose(asWritten(text))
  const key = `${above}${text}`
  const before = rendered.get(key)
  if (before) return before
  const made = prose(blocksOf(text, above))
  rendered.set(key, made)
  return made
}

function prose(blocks: Html): Html {
  return html`<div class="prose" dir="auto">${blocks}</div>`
}

/** The text without its marks, in one line: for titles, feeds and search engines. */
export function plainText(text: string): string {
  // The parser is loaded for a text only.
  if (text.trim() === '') return ''
  if (!isRead(text)) return text
  const words = parser()
    .parse(text, {})
    .flatMap((token) => {
      if (token.type === 'fence' || token.type === 'code_block') return [token.content]
      return token.children === null ? [] : [inlineText(token.children)]
    })
  return words.join(' ').replace(/\s+/g, ' ').trim()
}

function inlineText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
}

function blocksOf(text: string, above: HeadingAbove): Html {
  const md = parser()
  const tokens = md.parse(text.toWellFormed(), {})
  demoteHeadings(tokens, above)
  const markup = md.renderer.render(tokens, md.options, {})
  // Some short texts make very long markup.
  return markup.length > markdownMarkupCharsMax
    ? asWritten(text)
    : (checkedMarkup(markup) ?? asWritten(text))
}

function asWritten(text: string): Html {
  return html`<pre>${text}</pre>`
}

/** No level is skipped on the way down, because readers with screen readers go by levels. */
function demoteHeadings(tokens: readonly Token[], above: HeadingAbove): void {
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close')
  const used = [...new Set(headings.map(({ tag }) => tag))].toSorted()
  let level: number = above
  for (const heading of headings) {
    if (heading.type === 'heading_open') {
      level = Math.min(above + 1 + used.indexOf(heading.tag), level + 1, 6)
    }
    heading.tag = `h${level}`
  }
}

/** Loaded with the first text: it takes megabytes of memory that many installations never need. */
const parser = once(makeParser)

function makeParser(): MarkdownIt {
  const MarkdownParser = loadLibrary()
  const md = new MarkdownParser({ html: false, linkify: true, breaks: true, maxNesting: 20 })
  md.disable(['image', 'table'])
  // Only with a scheme: README.md is a file, although .md is a domain.
  md.linkify.set({ fuzzyLink: false })
  md.validateLink = (url) => /^(?:https?:\/\/|mailto:)/i.test(url)
  const { rules } = md.renderer
  const code = (content: string) => `<pre><code>${md.utils.escapeHtml(content)}</code></pre>\n`
  rules.fence = (tokens, at) => code(tokens[at]?.content ?? '')
  rules.code_block = rules.fence
  rules.link_open = (tokens, at) => {
    const href = md.utils.escapeHtml(String(tokens[at]?.attrGet('href') ?? ''))
    return `<a href="${href}" rel="nofollow noopener noreferrer">`
  }
  rules.ordered_list_open = (tokens, at) => {
    const start = tokens[at]?.attrGet('start')
    return start === null || start === undefined ? '<ol>\n' : `<ol start="${start}">\n`
  }
  return md
}

/** `require` knows no types. */
function loadLibrary(): typeof Library {
  return requireLibrary('markdown-it') as typeof Library
}
