// A directory that holds the export of one page: written file by file, each at once or not at all.
import { chmod, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assert } from '../../../base/assert.ts'
import { Fault } from '../../../base/fault.ts'
import type { PageId } from '../../../base/ids.ts'

/** Marks a directory as ours, and names the files that may be overwritten and removed. */
const markerName = '.stillup-export.json'
const unfinishedName = '.stillup-export.tmp'

export interface ExportMarker {
  readonly pageId: PageId
  readonly files: readonly string[]
}

/** Null: the directory is not an export. */
export async function readMarker(dir: string): Promise<ExportMarker | null> {
  try {
    const marker: unknown = JSON.parse(await readFile(join(dir, markerName), 'utf8'))
    return isMarker(marker) ? marker : null
  } catch {
    return null
  }
}

function isMarker(value: unknown): value is ExportMarker {
  if (typeof value !== 'object' || value === null) return false
  const { pageId, files } = value as Partial<Record<keyof ExportMarker, unknown>>
  return typeof pageId === 'string' && Array.isArray(files) && files.every(isInside)
}

/** A relative path that leads nowhere else. */
function isInside(path: unknown): path is string {
  const isName = (name: string) => /^\w[\w-]*(?:\.[\w-]+)*$/.test(name)
  return typeof path === 'string' && path.split('/').every(isName)
}

export interface ExportDirectory {
  /** Whether the file was another one before. */
  write(path: string, body: Uint8Array): Promise<boolean>
  /** Removes files of earlier exports that were not written again. */
  finish(): Promise<void>
}

/**
 * Creates the directory if it is missing. Throws conflict if it holds something else, unless
 * `isForced`, or the export of another page.
 */
export async function openExportDirectory(
  dir: string,
  pageId: PageId,
  isForced: boolean,
): Promise<ExportDirectory> {
  await makeDirectory(dir)
  const before = await readMarker(dir)
  const isEmpty = (await readdir(dir)).length === 0
  if (!before && !isEmpty && !isForced) {
    throw new Fault('conflict', `${dir} is not empty and is no export of a page.`)
  }
  if (before && before.pageId !== pageId && !isForced) {
    throw new Fault('conflict', `${dir} holds the export of another page.`)
  }
  const former = before?.files ?? []
  const written = new Set<string>()
  const mark = (files: readonly string[]) =>
    replace(dir, markerName, Buffer.from(`${JSON.stringify({ pageId, files })}\n`))
  await mark(former)

  return {
    async write(path, body) {
      assert(isInside(path), 'files of an export are below its directory')
      written.add(path)
      await makeParents(dir, path)
      if (await isSame(join(dir, path), body)) return false
      await replace(dir, path, body)
      return true
    },
    async finish() {
      for (const path of former) if (!written.has(path)) await rm(join(dir, path), { force: true })
      await mark([...written].toSorted())
    },
  }
}

/** Removes an export, and nothing else that somebody put beside it. */
export async function removeExport(dir: string): Promise<void> {
  const marker = await readMarker(dir)
  if (!marker) return
  for (const path of marker.files) await rm(join(dir, path), { force: true })
  const folders = new Set(marker.files.map(dirname).filter((folder) => folder !== '.'))
  await rm(join(dir, markerName), { force: true })
  const deepest = [...folders, ...[...folders].map(dirname)].toSorted().toReversed()
  for (const folder of new Set([...deepest, '.'])) await removeEmpty(join(dir, folder))
}

async function removeEmpty(dir: string): Promise<void> {
  const isEmpty = await readdir(dir).then(
    (names) => names.length === 0,
    () => false,
  )
  if (isEmpty) await rm(dir, { recursive: true })
}

async function isSame(path: string, body: Uint8Array): Promise<boolean> {
  try {
    const found = await lstat(path)
    return found.isFile() && found.size === body.length && (await readFile(path)).equals(body)
  } catch {
    return false
  }
}

/** Web servers run as other users, and everything in an export is public. */
const fileMode = 0o644
const directoryMode = 0o755

/** Under its name there is always a whole file: the former or the new one. */
async function replace(dir: string, path: string, body: Uint8Array): Promise<void> {
  const unfinished = join(dir, unfinishedName)
  await rm(unfinished, { force: true })
  // Fails if there is a file or a link meanwhile.
  const file = await open(unfinished, 'wx', fileMode)
  try {
    await file.writeFile(body)
    await file.chmod(fileMode)
  } finally {
    await file.close()
  }
  await rename(unfinished, join(dir, path))
}

/** Throws conflict at a link, which could lead out of the directory. */
async function makeParents(dir: string, path: string): Promise<void> {
  const parts = path.split('/').slice(0, -1)
  for (const [at] of parts.entries())
    await makeDirectory(join(dir, ...parts.slice(0, at + 1)), true)
}

async function makeDirectory(dir: string, isBelow = false): Promise<void> {
  const found = await lstat(dir).catch(() => undefined)
  if (!found) {
    await mkdir(dir, { recursive: !isBelow })
    await chmod(dir, directoryMode)
  } else if (isBelow && !found.isDirectory()) {
    throw new Fault('conflict', `${dir} is not a directory.`)
  }
}
