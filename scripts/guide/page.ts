// The document around a page of the guide. It refers to nothing of other hosts, and has no script or
// style of its own, so it suits a strict policy and a folder on a disk alike.
import { escapedMarkup } from '../../src/base/formats/markup.ts'
import { markShapes, markUrl } from '../../src/pages/mark.ts'
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

export interface GuidePage extends GuideEntry {
  readonly markup: string
  readonly sections: readonly GuideSection[]
  readonly previous: GuideEntry | undefined
  readonly next: GuideEntry | undefined
}

const text = (plain: string) => escapedMarkup(plain, /[&<>"]/g)

export function guidePage(frame: GuideFrame, page: GuidePage): string {
  const { line, x, y } = markShapes.up
  const isIndex = page.href === frame.index
  const title = isIndex ? 'stillup guide' : `${page.title} · stillup guide`
  const here = contentsOf(page.sections)
  const summary = page.sections.find(({ text }) => text !== '')?.text.slice(0, 160) ?? ''
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${frame.isServed ? '<meta name="robots" content="noindex">\n' : ''}<title>${text(title)}</title>
<meta name="description" content="${text(summary)}">
<link rel="icon" href="${markUrl('up')}">
<link rel="stylesheet" href="${frame.style}">
<script src="${frame.script}" data-search="${frame.search}"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header class="bar">
<a class="brand" href="${frame.index}"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="${line}"/>\
<circle cx="${x}" cy="${y}" r="4"/></svg>stillup <span>guide</span></a>
<form class="search" role="search" hidden><input type="search" role="combobox" aria-expanded="false" \
aria-controls="found" aria-autocomplete="list" aria-label="Search the guide" placeholder="Search" \
autocomplete="off" spellcheck="false" maxlength="200"><kbd aria-hidden="true">/</kbd>
<div class="found" id="found" role="listbox" aria-label="What was found" hidden></div>\
<p class="unseen" role="status"></p></form>
<nav class="elsewhere" aria-label="Elsewhere"><a class="to-pages" href="#pages">Pages</a>${
    frame.isServed ? '<a href="/app">Console</a><a href="/docs">API</a>' : ''
  }</nav>
</header>
<div class="columns">
<nav class="pages" id="pages" aria-label="Pages of the guide">
${frame.groups.map((group) => groupOf(group, page.href)).join('')}\
<p class="version">stillup ${text(frame.version)}</p>
</nav>
<main id="text" tabindex="-1">
<h1>${text(page.title)}</h1>
${here === '' || isIndex ? '' : `<details class="here"><summary>On this page</summary>${here}</details>\n`}\
${page.markup}<nav class="onward" aria-label="Next and previous page">
${page.previous ? onward(page.previous, 'prev', 'Previous') : ''}\
${page.next ? onward(page.next, 'next', 'Next') : ''}</nav>
</main>
${here === '' || isIndex ? '' : `<nav class="aside" aria-label="On this page"><p>On this page</p>${here}</nav>\n`}\
</div>
</body>
</html>
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
