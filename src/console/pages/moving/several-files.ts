// What somebody drops or chooses: a file, several, or a folder with all below it.
import { ApiProblem } from '../../api/problem.ts'
import { words } from '../../words/words.ts'

/** `name`: with the folders that it lies in, below what was dropped. */
export interface NamedFile {
  readonly name: string
  readonly file: File
}

/** What is wanted of a folder: a configuration, and the variables of its environment. */
const configurationEnding = /\.(ya?ml|json)$/i
const environmentName = /(^|\/)[^/]*\.env$/i
const kumaName = /(^|\/)kuma\.db$/i

const filesMax = 1_000
const bytesMax = 4 * 1024 * 1024

export const chosenFiles = (files: Iterable<File>): readonly NamedFile[] =>
  [...files].map((file) => ({ name: file.name, file }))

/** The entries are read at once: a browser forgets them after the event. Rejects with ApiProblem. */
export function droppedFiles(data: DataTransfer | null): Promise<readonly NamedFile[]> {
  const entries = [...(data?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const hasFolder = entries.some((entry) => entry.isDirectory)
  if (!hasFolder) return Promise.resolve(chosenFiles(data?.files ?? []))
  return filesBelow(entries)
}

async function filesBelow(entries: readonly FileSystemEntry[]): Promise<readonly NamedFile[]> {
  const found: NamedFile[] = []
  const waiting = [...entries]
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const name = entry.fullPath.replace(/^\/[^/]*\//, '')
    if (isFolder(entry)) waiting.push(...(await entriesOf(entry)))
    else if (kumaName.test(name)) throw notTogether()
    // Gatus passes over what Kubernetes keeps beside the files of a ConfigMap.
    else if (isFile(entry) && !name.includes('..') && isWanted(name)) {
      found.push({ name, file: await fileOf(entry) })
    }
    if (found.length + waiting.length > filesMax) throw notTogether()
  }
  if (found.length === 0) throw notTogether()
  return found.sort((one, other) => (one.name < other.name ? -1 : 1))
}

const isWanted = (name: string) => configurationEnding.test(name) || environmentName.test(name)
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

const fileOf = (entry: FileSystemFileEntry) =>
  readable(new Promise<File>((resolve, reject) => void entry.file(resolve, reject)))

/** A browser gives some at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await readable(
      new Promise<readonly FileSystemEntry[]>(
        (resolve, reject) => void reader.readEntries(resolve, reject),
      ),
    )
    if (some.length === 0) return all
    all.push(...some)
    if (all.length > filesMax) throw notTogether()
  }
}

export interface FileText {
  readonly name: string
  readonly text: string
}

interface SeveralTexts {
  readonly texts: readonly FileText[]
  /** Undefined: no file has it. */
  readonly environment: string | undefined
}

/** The texts of several files. Throws ApiProblem. */
export async function severalTexts(files: readonly NamedFile[]): Promise<SeveralTexts> {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  if (bytes > bytesMax || files.some(({ name }) => kumaName.test(name))) throw notTogether()
  const all = await Promise.all(
    files.map(async ({ name, file }) => ({ name, text: await readable(file.text()) })),
  )
  const texts = all.filter(({ name }) => configurationEnding.test(name))
  const environments = all.filter(({ name }) => environmentName.test(name))
  if (texts.length === 0 || texts.length + environments.length < all.length) throw notTogether()
  const environment = environments.map(({ text }) => text).join('\n')
  return { texts, environment: environments.length === 0 ? undefined : environment }
}

/** Throws ApiProblem in place of what a browser says of a file that it cannot read. */
export const readable = <Value>(reading: Promise<Value>) =>
  reading.catch(() => {
    const text = words.value.moving.unreadable
    throw new ApiProblem(text, { status: 422, code: 'unreadable' })
  })

const notTogether = () =>
  new ApiProblem(words.value.moving.severalFiles, { status: 422, code: 'several_files' })
