// The guide, as scripts/guide/build.ts made it of the documents: which files it has, and how they are served.
import { extname } from 'node:path'
import { assetNames, readAsset } from '../../base/assets.ts'
import { frame } from '../frame.ts'
import { type Html, html } from '../html.ts'

/** Where the build of the guide lies among the files of the program. */
const folder = 'pages/guide/built'

/** Everything comes from this service, nothing is inline, and no form is sent anywhere. */
export const guidePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const contentTypes = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
} as const

export interface GuideFile {
  readonly contentType: string
  /** Its name has the hash of its bytes, so copies may be cached forever. */
  readonly isNamedByContent: boolean
  readonly isPicture: boolean
  /** Reads it anew. */
  readonly read: () => Buffer
}

/** Every file by its name, a page by its name without `.html`; undefined if the guide was not built. */
export function readGuide(): ReadonlyMap<string, GuideFile> | undefined {
  const names = namesOf()
  if (!names.includes('index.html')) return undefined
  return new Map(names.flatMap((name) => guideFileOf(name) ?? []))
}

function namesOf(): readonly string[] {
  try {
    return assetNames(folder)
  } catch {
    return []
  }
}

function guideFileOf(name: string): [[string, GuideFile]] | undefined {
  const ending = extname(name)
  if (!isKnown(ending)) return undefined
  const file: GuideFile = {
    contentType: contentTypes[ending],
    isNamedByContent: /\.[0-9a-f]{12}\.\w+$/.test(name),
    isPicture: ending === '.png',
    read: () => readAsset(`${folder}/${name}`),
  }
  return [[ending === '.html' ? pageOf(name) : name, file]]
}

const isKnown = (ending: string): ending is keyof typeof contentTypes => ending in contentTypes

/** The first page is that of the folder. */
function pageOf(name: string): string {
  const page = name.slice(0, -'.html'.length)
  return page === 'index' ? '' : page
}

/** The page for an address below /guide that leads to nothing. */
export function missingGuidePage(): Html {
  return frame({
    title: 'Page not found',
    isIndexed: false,
    body: html`<main class="lost">
<h1>The guide has no such page</h1>
<p class="about"><a href="/guide">All pages, and a search</a></p>
</main>`,
  })
}
