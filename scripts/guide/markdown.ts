// A document of the repository as a part of a page, with its sections for the contents and the search.
import MarkdownIt, { type Token } from 'markdown-it'
import type { Language } from '../../src/texts/languages.ts'

/** A part of a document, from one heading to the next. */
export interface GuideSection {
  /** '' for what stands above the first heading below the title. */
  readonly anchor: string
  readonly level: number
  readonly heading: string
  /** Words by which people look for it, of a comment `<!-- also: … -->`. */
  readonly also: string
  readonly text: string
}

export interface GuideDocument {
  readonly title: string
  readonly markup: string
  readonly sections: readonly GuideSection[]
}

interface GuideLink {
  readonly href: string
  /** The language of its page, if that is another one. */
  readonly language?: Language | undefined
}

/** What a document may lead to. */
export interface GuideLinks {
  /** What a link names; undefined if there is no such page: then its words stay. */
  readonly link: (href: string) => GuideLink | undefined
  /** The title of the document that a link names, if it names one. */
  readonly titleOf: (href: string) => string | undefined
  /** The markup of a picture. */
  readonly picture: (src: string, alt: string) => string
}

const comment = /^<!--\s*(?:(also):)?\s*(.*?)\s*-->$/

/** The address of a heading, as forges make it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** `linkTo` says of a link what heading it leads to. */
export function guideDocument(
  source: string,
  links: GuideLinks,
  linkTo: (heading: string) => string,
): GuideDocument {
  const { text, alsoAt } = withoutComments(source)
  const md = new MarkdownIt({ html: false, linkify: true })
  md.linkify.set({ fuzzyLink: false })
  const tokens = md.parse(text, {})
  nameDocuments(tokens, links)
  const sections = sectionsOf(tokens, alsoAt)
  const first = tokens.findIndex(({ type }) => type === 'heading_close')
  let table = 0
  const { rules } = md.renderer
  rules.heading_open = (all, at) => {
    const { tag = '', attrs } = all[at] ?? {}
    return `<${tag} id="${attrs?.[0]?.[1] ?? ''}">`
  }
  rules.heading_close = (all, at) => {
    const { tag = '' } = all[at] ?? {}
    const open = all[at - 2]
    const anchor = open?.attrGet('id') ?? ''
    const name = md.utils.escapeHtml(linkTo(plainOf(all[at - 1])))
    return ` <a class="anchor" href="#${anchor}" aria-label="${name}">#</a></${tag}>\n`
  }
  rules.fence = (all, at) => {
    const { info = '', content = '' } = all[at] ?? {}
    const [language = ''] = info.split(' ')
    const escaped = md.utils.escapeHtml(content)
    const shown = language === 'sh' ? withRemarks(escaped) : escaped
    return `<div class="code"><pre><code>${shown}</code></pre></div>\n`
  }
  rules.table_open = () => {
    table += 1
    return `<div class="wide" role="group" aria-label="Table ${table}"><table>\n`
  }
  rules.table_close = () => '</table></div>\n'
  rules.th_open = (all, at) => {
    const isEmpty = all[at + 1]?.content === ''
    return isEmpty ? '<td>' : `<th scope="col"${alignOf(all[at])}>`
  }
  rules.th_close = (all, at) => (all[at - 1]?.content === '' ? '</td>' : '</th>')
  rules.td_open = (all, at) => `<td${alignOf(all[at])}>`
  rules.image = (all, at) => {
    const token = all[at]
    return links.picture(String(token?.attrGet('src') ?? ''), token?.content ?? '')
  }
  // A picture that stands alone has its words below it.
  rules.paragraph_open = (all, at) => {
    if (all[at]?.hidden) return ''
    return pictureIn(all[at + 1]) ? '<figure>' : '<p>'
  }
  rules.paragraph_close = (all, at) => {
    if (all[at]?.hidden) return ''
    const words = pictureIn(all[at - 1])
    if (words === undefined) return '</p>\n'
    return `<figcaption>${md.utils.escapeHtml(words)}</figcaption></figure>\n`
  }
  rules.link_open = (all, at) => {
    const link = links.link(String(all[at]?.attrGet('href') ?? ''))
    if (!link) return '<a>'
    const { href, language } = link
    const away = /^https?:/.test(href) ? ' rel="noopener noreferrer"' : ''
    const named = language === undefined ? '' : ` hreflang="${language}"`
    // A link to a translation has words of that language.
    const lang = language === undefined || language === 'en' ? '' : ` lang="${language}"`
    return `<a href="${md.utils.escapeHtml(href)}"${away}${named}${lang}>`
  }
  return {
    title: plainOf(tokens[1]),
    markup: md.renderer.render(tokens.slice(first + 1), md.options, {}),
    sections,
  }
}

/** The words of the picture that is all there is in a paragraph. */
function pictureIn(token: Token | undefined): string | undefined {
  const [only, another] = token?.children ?? []
  return only?.type === 'image' && another === undefined ? only.content : undefined
}

/** A link that is the name of a file has the title of its page. */
function nameDocuments(tokens: readonly Token[], { titleOf }: GuideLinks): void {
  for (const { children } of tokens) {
    for (const [at, token] of (children ?? []).entries()) {
      const inside = children?.[at + 1]
      if (token.type !== 'link_open' || !inside || !/^[\w./-]+\.md$/.test(inside.content)) continue
      inside.content = titleOf(String(token.attrGet('href') ?? '')) ?? inside.content
    }
  }
}

const alignOf = (token: Token | undefined) =>
  String(token?.attrGet('style') ?? '').includes('right') ? ' class="figure"' : ''

/** What a line of a shell says to people is paler. */
function withRemarks(escaped: string): string {
  return escaped.replace(/^(#.*)$|( {2,}# .*)$/gm, (remark) => `<i>${remark}</i>`)
}

/** The comments go, except in code; `also` is kept by the number of the line above, which is a heading. */
function withoutComments(source: string) {
  const alsoAt = new Map<number, string>()
  const lines: string[] = []
  for (const line of source.split('\n')) {
    const found = comment.exec(line)
    if (!found) lines.push(line)
    else if (found[1])
      alsoAt.set(
        lines.findLastIndex((text) => text !== ''),
        found[2] ?? '',
      )
  }
  return { text: lines.join('\n'), alsoAt }
}

function sectionsOf(tokens: readonly Token[], alsoAt: ReadonlyMap<number, string>): GuideSection[] {
  const used = new Map<string, number>()
  const sections: (Omit<GuideSection, 'text'> & { words: string[] })[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = plainOf(tokens[at + 1])
      const level = Number(token.tag.slice(1))
      const slug = slugOf(heading)
      const before = used.get(slug) ?? 0
      used.set(slug, before + 1)
      const anchor = before === 0 ? slug : `${slug}-${before}`
      token.attrs = [['id', anchor]]
      const also = alsoAt.get(token.map?.[0] ?? -1) ?? ''
      sections.push({ anchor: level === 1 ? '' : anchor, level, heading, also, words: [] })
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      sections.at(-1)?.words.push(plainOf(token))
    } else if (token.type === 'fence') {
      sections.at(-1)?.words.push(token.content)
    }
  }
  return sections.map(({ words, ...section }) => ({
    ...section,
    text: words.join(' ').replace(/\s+/g, ' ').trim(),
  }))
}

function plainOf(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
}
