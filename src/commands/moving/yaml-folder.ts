// The YAML files of a folder, in the order in which Gatus reads them (filepath.WalkDir of Go).
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { CommandFailure } from '../model/failure.ts'
import { readDocument } from './document-file.ts'

const folderFilesMax = 1_000
const folderDepthMax = 20

/**
 * The texts of a file, or of all YAML files in a folder and below it. Throws CommandFailure if one cannot be
 * read, there is none, or they are too many or too large.
 */
export async function readYamlFiles(path: string, bytesMax: number): Promise<readonly string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return [await readDocument(path, bytesMax)]
  const files = await yamlFilesIn(path, 0)
  if (files.length === 0) throw refused(`${path} has no file that ends in .yaml or .yml`)
  if (files.length > folderFilesMax) throw refused(`${path} has more than ${folderFilesMax} files`)
  const texts: string[] = []
  let bytesLeft = bytesMax
  for (const file of files) {
    const text = await readDocument(file, bytesLeft)
    bytesLeft -= Buffer.byteLength(text)
    texts.push(text)
  }
  return texts
}

/** A link to a folder is not followed; one to a file is. */
async function yamlFilesIn(folder: string, depth: number): Promise<readonly string[]> {
  if (depth > folderDepthMax) throw refused(`${folder} is nested too deeply`)
  const entries = await readdir(folder, { withFileTypes: true })
  const files: string[] = []
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    // Gatus passes over what Kubernetes keeps beside the files of a ConfigMap.
    if (entry.name.includes('..')) continue
    if (entry.isDirectory()) files.push(...(await yamlFilesIn(path, depth + 1)))
    else if (['.yaml', '.yml'].includes(extname(entry.name))) files.push(path)
    if (files.length > folderFilesMax) return files
  }
  return files
}

function refused(message: string): CommandFailure {
  return new CommandFailure(exitCodes.failed, message)
}
