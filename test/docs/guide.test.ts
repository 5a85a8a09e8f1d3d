// The guide has every document, and whatever its pages name is there: on a disk as in the daemon.
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { buildGuide, writeGuide } from '../../scripts/guide/build.ts'
import { firstSteps, guideFilePaths } from '../../scripts/guide/contents.ts'

const root = join(import.meta.dirname, '../..')
const { files, problems } = await buildGuide()
const pages = [...files].filter(([name]) => name.endsWith('.html'))
const textOf = (name: string) => files.get(name)?.toString() ?? ''

t.test('every document is a page of the guide', async (t) => {
  const all = new Set([...guideFilePaths, ...firstSteps.keys()])
  const documents = globSync('docs/**/*.md', { cwd: root })
  t.same(
    documents.filter((path) => !all.has(path)),
    [],
  )
  t.equal(pages.length, all.size)
})

t.test('every link and picture of a page leads to something that exists', async (t) => {
  const broken: string[] = [...problems]
  for (const [name, bytes] of pages) {
    for (const [, href = ''] of bytes.toString().matchAll(/ (?:href|src|srcset)="([^"]+)"/g)) {
      if (!isThere(name, href)) broken.push(`${name} leads to ${href}`)
    }
  }
  t.same(broken, [])
})

t.test('the first steps say which language they are in, and lead to the others', async (t) => {
  t.match(textOf('first-steps-ar.html'), '<html lang="ar" dir="rtl">')
  for (const language of firstSteps.values()) {
    const page = textOf(language === 'en' ? 'first-steps.html' : `first-steps-${language}.html`)
    t.match(page, `<html lang="${language}"`)
    t.match(page, `lang="${language}" hreflang="${language}" aria-current="page">`)
    t.equal(
      page.match(/<nav class="languages".*?<\/nav>/s)?.[0].match(/<a /g)?.length,
      firstSteps.size,
    )
  }
  const german = textOf('first-steps-de.html')
  t.match(german, /href="\/guide\/backups" hreflang="en">Sichern und/)
  t.match(german, '>Zum Inhalt</a>')
  t.match(german, 'data-copy="Kopieren"')
  t.match(german, 'placeholder="Suchen (Englisch)"')
})

/** Pages of the daemon that are not of the guide. */
const elsewhere = /^(?:\/app|\/docs|data:|https?:|mailto:)/

function isThere(page: string, href: string): boolean {
  if (elsewhere.test(href)) return true
  const [path = '', anchor] = href.split('#')
  const file = path.replace(/^\/guide\/?/, '')
  const target = path === '' ? page : files.has(file) ? file : `${file || 'index'}.html`
  if (!files.has(target)) return false
  return !anchor || textOf(target).includes(` id="${anchor}"`)
}

t.test('a page has nothing inline, and asks no other host for anything', async (t) => {
  for (const [name, bytes] of pages) {
    const text = bytes.toString().replaceAll(/<code>.*?<\/code>/gs, '')
    t.notMatch(
      text,
      /<style|<script>|<script (?!src="\/guide\/)|\sstyle="|\son[a-z]+="|<iframe/,
      name,
    )
    t.notMatch(text, /(?:src|srcset)="(?:https?:)?\/\//, name)
  }
})

t.test('the search is small', async (t) => {
  const [search] = [...files.keys()].filter((name) => name.startsWith('search.'))
  const bytes = gzipSync(files.get(search ?? '') ?? '').length
  t.ok(bytes > 10_000 && bytes <= 180 * 1024, `${bytes} bytes`)
})

const isElsewhere = /^(?:https?:|mailto:|data:)/

t.test('as files of an archive, the guide needs no server', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stillup-guide-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  await writeGuide(folder)
  const names = new Set(readdirSync(folder))
  const style = [...names].find((name) => name.endsWith('.css')) ?? ''
  t.match(readFileSync(join(folder, style), 'utf8'), 'url("inter-latin.woff2")')
  t.ok(names.has('inter-latin.woff2'))
  for (const name of [...names].filter((name) => name.endsWith('.html'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    const links = [...text.matchAll(/ (?:href|src|srcset|data-search)="([^"#]+)/g)]
    const own = links.map(([, href = '']) => href).filter((href) => !isElsewhere.test(href))
    const broken = own.filter((href) => !names.has(href))
    t.same(broken, [], `${name}: each of its ${own.length} links leads somewhere`)
  }
})
