// The document around a page of the guide. It refers to nothing of other hosts, and has no script or
// style of its own, so it suits a strict policy and a folder on a disk alike.
import { escapedMarkup } from '../../src/base/formats/markup.ts'
import { markShapes, markUrl } from '../../src/pages/mark.ts'
import type { Language } from '../../src/texts/languages.ts'
import type { FrameWords } from './frame-words.ts'
import type { GuideSection } from './markdown.ts'

export interface GuideEntry {
  readonly title: string
  readonly href: string
}

export interface GuideFrame {
  readonly version: string
  /** Addresses of the style sheet, the scripts and the first page. */
  readonly style: string
  readonly script: string
  readonly search: string
  readonly index: string
  /** Whether the daemon serves it, and with it the console and the reference. */
  readonly isServed: boolean
  readonly groups: readonly { readonly title: string; readonly pages: readonly GuideEntry[] }[]
}

interface GuideTranslation {
  readonly language: Language
  /** What the language calls itself. */
  readonly name: string
  readonly href: string
}

export interface GuidePage extends GuideEntry {
  readonly language: Language
  readonly words: FrameWords
  /** The same page in every language, itself included; most are in English alone. */
  readonly translations: readonly GuideTranslation[]
  readonly markup: string
  readonly sections: readonly GuideSection[]
  readonly previous?: GuideEntry | undefined
  readonly next?: GuideEntry | undefined
}

const text = (plain: string) => escapedMarkup(plain, /[&<>"]/g)

export function guidePage(frame: GuideFrame, page: GuidePage): string {
  const { line, x, y } = markShapes.up
  const isIndex = page.href === frame.index
  const { words } = page
  const guide = `stillup ${words.guide}`
  const title = isIndex ? guide : `${page.title} · ${guide}`
  const here = contentsOf(page.sections)
  const hereLabel = text(words.here ?? page.title)
  const summary = page.sections.find(({ text }) => text !== '')?.text.slice(0, 160) ?? ''
  return `<!doctype html>
<html lang="${page.language}" dir="${page.language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${frame.isServed ? '<meta name="robots" content="noindex">\n' : ''}<title>${text(title)}</title>
<meta name="description" content="${text(summary)}">
<link rel="icon" href="${markUrl('up')}">
<link rel="stylesheet" href="${frame.style}">
<script src="${frame.script}" data-search="${frame.search}" data-copy="${text(words.copy)}" \
data-copied="${text(words.copied)}" data-found="${text(words.found)}" data-nothing="${text(words.nothing)}"></script>
</head>
<body>
<a class="skip" href="#text">${text(words.skip)}</a>
<header class="bar">
<a class="brand" href="${frame.index}"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="${line}"/>\
<circle cx="${x}" cy="${y}" r="4"/></svg>stillup <span>${text(words.guide)}</span></a>
<form class="search" role="search" hidden><input type="search" role="combobox" aria-expanded="false" \
aria-controls="found" aria-autocomplete="list" aria-label="${text(words.searchLabel)}" placeholder="${text(words.search)}" \
autocomplete="off" spellcheck="false" maxlength="200"><kbd aria-hidden="true">/</kbd>
<div class="found" id="found" role="listbox" lang="en" dir="ltr" aria-label="What was found" hidden></div>\
<p class="unseen" role="status"></p></form>
<nav class="elsewhere" aria-label="${text(words.elsewhere)}">\
<a class="to-pages" href="#pages">${text(words.pages)}</a>${
    frame.isServed ? `<a href="/app">${text(words.console)}</a><a href="/docs">API</a>` : ''
  }</nav>
</header>
<div class="columns">
<nav class="pages" id="pages" lang="en" dir="ltr" aria-label="Pages of the guide">
${frame.groups.map((group) => groupOf(group, page.href)).join('')}\
<p class="version">stillup ${text(frame.version)}</p>
</nav>
<main id="text" tabindex="-1">
<h1>${text(page.title)}</h1>
${translationsOf(page)}\
${here === '' || isIndex || !words.here ? '' : `<details class="here"><summary>${hereLabel}</summary>${here}</details>\n`}\
${page.markup}${onwardOf(page)}\
</main>
${here === '' || isIndex ? '' : `<nav class="aside" aria-label="${hereLabel}"><p>${hereLabel}</p>${here}</nav>\n`}\
</div>
</body>
</html>
`
}

function translationsOf({ language, words, translations }: GuidePage): string {
  if (translations.length === 0) return ''
  const links = translations.map((one) => {
    const isThis = one.language === language ? ' aria-current="page"' : ''
    return `<a href="${one.href}" lang="${one.language}" hreflang="${one.language}"${isThis}>${text(one.name)}</a>`
  })
  return `<nav class="languages" aria-label="${text(words.languages)}">${links.join('\n')}</nav>\n`
}

/** A translation stands beside the row of pages. */
function onwardOf({ previous, next }: GuidePage): string {
  if (!previous && !next) return ''
  return `<nav class="onward" aria-label="Next and previous page">
${previous ? onward(previous, 'prev', 'Previous') : ''}${next ? onward(next, 'next', 'Next') : ''}</nav>
`
}

function groupOf({ title, pages }: GuideFrame['groups'][number], here: string): string {
  const links = pages.map(
    (page) =>
      `<li><a href="${page.href}"${page.href === here ? ' aria-current="page"' : ''}>${text(page.title)}</a></li>`,
  )
  return `<h2>${text(title)}</h2>\n<ul>${links.join('\n')}</ul>\n`
}

/** The headings of a page; of a long page, those of the highest level only. */
function contentsOf(sections: readonly GuideSection[]): string {
  const headings = sections.filter(({ anchor }) => anchor !== '')
  const fine = headings.filter(({ level }) => level <= 3)
  const shown = fine.length <= headingsMax ? fine : fine.filter(({ level }) => level === 2)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ anchor, heading, level }) =>
      `<li${level > 2 ? ' class="deeper"' : ''}><a href="#${anchor}">${text(heading)}</a></li>`,
  )
  return `<ul>${items.join('\n')}</ul>`
}

const headingsMax = 24

const onward = ({ href, title }: GuideEntry, rel: string, label: string) =>
  `<a rel="${rel}" href="${href}"><span>${label}</span>${text(title)}</a>\n`
