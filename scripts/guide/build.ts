// Builds the guide from the documents of this repository: pages, pictures, a search that needs no server.
// The daemon serves them at /guide; an archive has them as files that a browser opens from a disk.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { build as bundle, type Metafile } from 'esbuild'
import packageFile from '../../package.json' with { type: 'json' }
import { dark, light } from '../../src/base/colors.ts'
import { inBothModes } from '../../src/pages/color-modes.ts'
import { fontFiles, typefaces } from '../../src/pages/fonts.ts'
import { languageFiles } from '../../src/texts/text-files.ts'
import { replaceFolder } from '../replace-folder.ts'
import {
  firstSteps,
  firstStepsFile,
  guideFilePaths,
  guideGroups,
  indexFile,
  pageNameOf,
} from './contents.ts'
import { frameWords } from './frame-words.ts'
import { type GuideDocument, type GuideLinks, guideDocument } from './markdown.ts'
import { type GuideEntry, type GuideFrame, type GuidePage, guidePage } from './page.ts'

const root = join(import.meta.dirname, '../..')
const outdir = join(root, 'src/pages/guide/built')
const browser = join(import.meta.dirname, 'browser')

/** Where the guide is: below /guide of a daemon, or in a folder. */
type GuideKind = 'served' | 'files'

/** Every file of the guide by its name, and what esbuild read for its scripts. */
interface Guide {
  readonly files: ReadonlyMap<string, Buffer>
  readonly metafile: Metafile
  /** What is wrong with the documents; it keeps nobody from the rest. */
  readonly problems: readonly string[]
}

async function makeGuide(kind: GuideKind): Promise<Guide> {
  const files = new Map<string, Buffer>()
  const problems: string[] = []
  const isServed = kind === 'served'
  const hrefOfFile = (name: string) => (isServed ? `/guide/${name}` : name)
  const hrefOf = (page: string) => {
    if (isServed) return page === '' ? '/guide' : `/guide/${page}`
    return `${page === '' ? 'index' : page}.html`
  }
  /** Its name changes with its bytes, so that browsers may keep it. Returns its address. */
  function add(name: string, bytes: Buffer): string {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    const ending = extname(name)
    const hashed = `${name.slice(0, -ending.length)}.${hash}${ending}`
    files.set(hashed, bytes)
    return hrefOfFile(hashed)
  }

  const pictures = new Map<string, string>()
  function pictureOf(path: string): string | undefined {
    const before = pictures.get(path)
    if (before !== undefined) return before
    if (!existsSync(join(root, path))) return undefined
    const href = add(posix.basename(path), readFileSync(join(root, path)))
    pictures.set(path, href)
    return href
  }

  const languageOf = (path: string) => firstSteps.get(path) ?? 'en'
  const translated = [...firstSteps.keys()].filter((path) => path !== firstStepsFile)
  const sources = new Map([...guideFilePaths, ...translated].map((path) => [path, sourceOf(path)]))
  const documents = guideFilePaths.map((path) => ({ path, document: documentOf(path) }))
  const titles = new Map(documents.map(({ path, document }) => [path, document.title]))

  function documentOf(path: string): GuideDocument {
    const folder = posix.dirname(path)
    const language = languageOf(path)
    const links: GuideLinks = {
      titleOf(href) {
        const target = posix.join(folder, href.replace(/#.*/, ''))
        return /^# (.+)$/m.exec(sources.get(target) ?? '')?.[1]
      },
      link(href) {
        if (/^(?:https?:|mailto:|#)/.test(href)) return { href }
        const [file = '', anchor] = href.split('#')
        const target = posix.join(folder, decodeURIComponent(file))
        const page = pageNameOf(target)
        // The front page of the repository has other headings.
        const fragment = anchor === undefined || target === 'README.md' ? '' : `#${anchor}`
        const other = languageOf(target)
        const isInOther = other !== language
        if (page !== undefined)
          return { href: `${hrefOf(page)}${fragment}`, ...(isInOther && { language: other }) }
        problems.push(`${path} leads to ${target}, which is no page of the guide`)
        return undefined
      },
      picture(src, alt) {
        const file = posix.join(folder, src)
        const href = pictureOf(file)
        if (href === undefined) {
          problems.push(`${path} shows ${file}, which does not exist`)
          return ''
        }
        const { width, height } = sizeOf(readFileSync(join(root, file)))
        const escaped = alt.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
        const inDark = pictureOf(file.replace(/\.png$/, '-dark.png'))
        const image = `<img src="${href}" alt="${escaped}" width="${width}" height="${height}" loading="lazy">`
        const source =
          inDark && `<source media="(prefers-color-scheme: dark)" srcset="${inDark}">${image}`
        return inDark ? `<picture>${source}</picture>` : image
      },
    }
    return guideDocument(sources.get(path) ?? '', links, frameWords(language).linkTo)
  }

  const entries: readonly Entry[] = documents.map(({ path, document }) => ({
    ...{ title: document.title, href: hrefOf(pageNameOf(path) ?? ''), document },
    isBackground: guideGroups.at(-1)?.files.includes(path) === true,
  }))
  // The first page leads to all others, and would be found for everything.
  const { style, script, search, metafile } = await looks(entries.slice(1), add, kind)
  const frame: GuideFrame = {
    version: packageFile.version,
    ...{ style, script, search, isServed },
    index: hrefOf(''),
    groups: guideGroups.map(({ title, files }) => ({
      title,
      pages: files.map((path) => ({
        title: path === indexFile ? 'What do you want to do?' : (titles.get(path) ?? ''),
        href: hrefOf(pageNameOf(path) ?? ''),
      })),
    })),
  }
  const translations = [...firstSteps].map(([path, language]) => ({
    ...{ language, name: languageFiles[language]?.name ?? language },
    href: hrefOf(pageNameOf(path) ?? ''),
  }))
  function addPage(path: string, page: Omit<GuidePage, 'language' | 'words'>): void {
    const language = languageOf(path)
    const text = guidePage(frame, { ...page, language, words: frameWords(language) })
    files.set(`${pageNameOf(path) || 'index'}.html`, Buffer.from(text))
  }
  for (const [at, { document, href, title }] of entries.entries()) {
    const { markup, sections } = document
    const path = documents[at]?.path ?? ''
    const page = { title, href, markup, sections, previous: entries[at - 1], next: entries[at + 1] }
    addPage(path, { ...page, translations: path === firstStepsFile ? translations : [] })
  }
  for (const path of translated) {
    const { title, markup, sections } = documentOf(path)
    addPage(path, { title, href: hrefOf(pageNameOf(path) ?? ''), markup, sections, translations })
  }
  files.set('headings.json', Buffer.from(JSON.stringify(headingsOf(entries))))
  return { files, metafile, problems }
}

interface Entry extends GuideEntry {
  readonly document: GuideDocument
  readonly isBackground: boolean
}

type Add = (name: string, bytes: Buffer) => string

/** The style sheet, the script of every page, and the search, which is asked for when somebody types. */
async function looks(entries: readonly Entry[], add: Add, kind: GuideKind) {
  const latin = fontFiles[0]
  const faces =
    kind === 'served'
      ? typefaces((path) => path)
      : typefaces((path) => (path === latin?.path ? 'inter-latin.woff2' : path))
  const sheets = [join(root, 'src/pages/ground.css'), join(browser, 'guide.css')]
  const css = [
    faces + inBothModes(light, dark),
    ...sheets.map((path) => readFileSync(path, 'utf8')),
  ]
  const scripts = await bundle({
    entryPoints: ['guide.js', 'search.js'].map((name) => join(browser, name)),
    bundle: true,
    write: false,
    metafile: true,
    absWorkingDir: root,
    minify: true,
    outdir: browser,
    format: 'iife',
    target: ['es2023', 'chrome123', 'firefox121', 'safari17.5'],
    legalComments: 'none',
    define: { guideSections: JSON.stringify(searched(entries)) },
  })
  const made = (name: string) => {
    const file = scripts.outputFiles.find(({ path }) => path.endsWith(`/${name}`))
    if (!file) throw new Error(`the build made no ${name}`)
    return add(name, Buffer.from(file.contents))
  }
  return {
    style: add('guide.css', Buffer.from(css.join('\n'))),
    script: made('guide.js'),
    search: made('search.js'),
    metafile: scripts.metafile,
  }
}

/** What is looked through: title and address of each page, and its sections. */
function searched(entries: readonly Entry[]) {
  return entries.map(({ title, href, isBackground, document }) => [
    title,
    href,
    isBackground,
    document.sections.map(({ anchor, heading, also, text }) => [
      anchor,
      heading,
      also,
      text.slice(0, searchedCharsMax),
    ]),
  ])
}

/** The characters of a section that are looked through: its beginning says what it is about. */
const searchedCharsMax = 1_200

/** For the palette of the console: the pages and headings, without their text. */
function headingsOf(entries: readonly Entry[]) {
  return entries.flatMap(({ title, href, document }) =>
    document.sections
      .filter(({ level }) => level <= 3)
      .map(({ anchor, heading, also }) => ({
        page: title,
        heading,
        also,
        href: anchor === '' ? href : `${href}#${anchor}`,
      })),
  )
}

/** A file that is no Markdown is shown as it is. */
function sourceOf(path: string): string {
  const source = readFileSync(join(root, path), 'utf8')
  if (path.endsWith('.md')) return source
  const name = posix.basename(path)
  const language = extname(path).slice(1)
  return `# ${name}\n\n\`\`\`${language}\n${source.trimEnd()}\n\`\`\`\n`
}

/** The size of a PNG or an SVG, as it says itself. */
function sizeOf(bytes: Buffer): { readonly width: number; readonly height: number } {
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  throw new Error('a picture is a PNG')
}

/** Writes what the daemon serves. */
export async function buildGuide(): Promise<Guide> {
  const guide = await makeGuide('served')
  replaceFolder(outdir, guide.files)
  return guide
}

/** Writes the guide as files into a folder. */
export async function writeGuide(folder: string): Promise<void> {
  for (const [name, bytes] of (await makeGuide('files')).files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  const latin = fontFiles[0]
  if (latin) writeFileSync(join(folder, 'inter-latin.woff2'), latin.bytes)
}

/** For tests: builds it only where it was never built. */
export async function ensureGuide(): Promise<void> {
  if (!existsSync(join(outdir, 'index.html'))) await buildGuide()
}

if (import.meta.main) await buildGuide()
