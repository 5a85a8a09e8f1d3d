// The YAML files of a folder, in the order in which Gatus reads them (filepath.WalkDir of Go).
import { readdir, stat } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import type { FolderFile } from '../../services/orgs/foreign-files.ts'
import { CommandFailure } from '../model/failure.ts'
import { readDocument } from './document-file.ts'

const folderFilesMax = 1_000
const folderDepthMax = 20

interface FilesWanted {
  readonly bytesMax: number
  readonly endings: readonly string[]
}

/**
 * A file, or all in a folder and below it that have these endings, with their names there. Throws CommandFailure if
 * one cannot be read, there is none, or they are too many or too large.
 */
export async function readNamedFiles(
  path: string,
  { bytesMax, endings }: FilesWanted,
): Promise<readonly FolderFile[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return [{ name: '', text: await readDocument(path, bytesMax) }]
  const files = await filesIn(path, endings, 0)
  if (files.length === 0) throw refused(`${path} has no file that ends in ${endings.join(' or ')}`)
  if (files.length > folderFilesMax) throw refused(`${path} has more than ${folderFilesMax} files`)
  const texts: FolderFile[] = []
  let bytesLeft = bytesMax
  for (const file of files) {
    const text = await readDocument(file, bytesLeft)
    bytesLeft -= Buffer.byteLength(text)
    texts.push({ name: relative(path, file), text })
  }
  return texts
}

/** A link to a folder is not followed; one to a file is. */
async function filesIn(
  folder: string,
  endings: readonly string[],
  depth: number,
): Promise<readonly string[]> {
  if (depth > folderDepthMax) throw refused(`${folder} is nested too deeply`)
  const entries = await readdir(folder, { withFileTypes: true })
  const files: string[] = []
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    // Gatus passes over what Kubernetes keeps beside the files of a ConfigMap.
    if (entry.name.includes('..')) continue
    if (entry.isDirectory()) files.push(...(await filesIn(path, endings, depth + 1)))
    else if (endings.includes(extname(entry.name))) files.push(path)
    if (files.length > folderFilesMax) return files
  }
  return files
}

function refused(message: string): CommandFailure {
  return new CommandFailure(exitCodes.failed, message)
}
