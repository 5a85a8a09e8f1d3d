// The pictures in the documents: what each of them shows, and how to tell that it is out of date.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { consolePictures, frameSources } from './console-pictures.ts'
import { type Scene, shownIncidentId } from './shown-pages.ts'
import { serveShownSite } from './shown-site.ts'

export interface Picture {
  /** Its name in `docs/pictures/`, without the ending. */
  readonly name: string
  readonly scene: Scene
  /** Below the page. */
  readonly path: string
  readonly width: number
  readonly scheme: 'light' | 'dark'
}

export const pictures: readonly Picture[] = [
  { name: 'status-page', scene: 'calm', path: '', width: 1280, scheme: 'light' },
  { name: 'status-page-dark', scene: 'calm', path: '', width: 1280, scheme: 'dark' },
  { name: 'status-page-phone', scene: 'calm', path: '', width: 390, scheme: 'light' },
  { name: 'status-page-outage', scene: 'fire', path: '', width: 1280, scheme: 'light' },
  {
    name: 'incident-page',
    scene: 'calm',
    path: `/incidents/${shownIncidentId}`,
    width: 1280,
    scheme: 'light',
  },
]

export const picturesDir = join(import.meta.dirname, '../../docs/pictures')
const sourcesFile = join(picturesDir, 'sources.json')

/** By the name of a picture: the digest of the document, or of the sources, that it was taken of. */
export type PictureSources = Readonly<Record<string, string>>

export function storedSources(): PictureSources {
  return JSON.parse(readFileSync(sourcesFile, 'utf8')) as PictureSources
}

/** The same for the pages as they are now. The style sheet is part of it: its name is its hash. */
export async function currentSources(): Promise<PictureSources> {
  const digests: Record<string, string> = {}
  for (const scene of ['calm', 'fire'] as const) {
    const site = await serveShownSite(scene)
    for (const { name, path } of pictures.filter((picture) => picture.scene === scene)) {
      const page = await fetch(site.url(path))
      if (page.status !== 200) throw new Error(`${name}: status ${page.status}`)
      digests[name] = createHash('sha256')
        .update(await page.text())
        .digest('base64url')
    }
    await site.stop()
  }
  for (const { name, sources } of consolePictures) digests[name] = digestOf(sources)
  return digests
}

const root = join(import.meta.dirname, '../..')

/** The digest of the sources of a page that a script makes. */
function digestOf(sources: readonly string[]): string {
  const patterns = [...frameSources, ...sources.map((one) => `src/console/${one}`)]
  const files = [...new Set(globSync(patterns, { cwd: root }))].sort()
  const digest = createHash('sha256')
  for (const file of files) digest.update(`${file}\n`).update(readFileSync(join(root, file)))
  return digest.digest('base64url')
}
