// What an import is made of: a document of ours, a file of another product, or the data of one.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { isRecord } from '../../base/schema/pick.ts'
import {
  ForeignFileRefused,
  type ForeignHistory,
  type ForeignNote,
} from '../../domain/imports/foreign.ts'
import { countValues } from '../../domain/imports/value-count.ts'
import { limits } from '../../domain/limits/limits.ts'
import { convertApart } from '../../services/orgs/convert-apart.ts'
import {
  type ConvertedFile,
  type FolderFile,
  type ForeignFile,
  type ForeignProduct,
  isInFiles,
} from '../../services/orgs/foreign-files.ts'
import { databaseName } from '../../services/orgs/kuma-data/kuma-archive.ts'
import type { KumaDataServer } from '../../services/orgs/kuma-data/kuma-server.ts'
import { openKuma } from '../../services/orgs/open-kuma.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'
import { readDocument } from './document-file.ts'
import { fetchedText } from './fetched.ts'
import { isKumaServer, kumaServer } from './kuma-address.ts'
import { isKumaData } from './kuma-data.ts'
import { readNamedFiles } from './yaml-folder.ts'

export interface ImportSource {
  /** For the control socket, which says what is wrong in it. */
  readonly document: unknown
  readonly notes: readonly ForeignNote[]
  /** The past of its monitors, in parts that fit into a message. */
  history(): AsyncIterable<readonly ForeignHistory[]>
  /** Removes what was made for it. */
  close(): Promise<void>
}

export interface NamedSource {
  readonly file: string
  /** Undefined: a document of ours, unless the file is plainly another product's. */
  readonly product: ForeignProduct | undefined
  /** The file with the key of a service, if `file` is its address. */
  readonly keyFile?: string | undefined
  /** Healthchecks by its address: the file with its ping key. */
  readonly pingKeyFile?: string | undefined
  /** Gatus: the file with the variables of its environment. */
  readonly env?: string | undefined
  /** Gatus and Prometheus: what tells the installation from others. */
  readonly installation?: string | undefined
  /** Ends what runs apart. */
  readonly signal?: AbortSignal | undefined
}

/** Throws CommandFailure. */
export async function openSource(
  host: Host,
  configPath: string | undefined,
  { file, product, keyFile, pingKeyFile, signal, ...ofGatus }: NamedSource,
): Promise<ImportSource> {
  const path = resolve(host.cwd, file)
  refuseStray(product, ofGatus)
  try {
    const isAddress = /^https?:/i.test(file)
    if (product === 'gatus' && !isAddress) {
      return plainSource(await convertedFile(host, await gatusFile(host, path, ofGatus)))
    }
    if (product === 'blackbox' && !isAddress) {
      const { installation } = ofGatus
      return plainSource(await convertedFile(host, await prometheusFile(path, installation)))
    }
    if (product === 'kuma' && isKumaServer(file)) {
      const server = await kumaServer(host, file, keyFile)
      return await kumaSource(host, { file, path, product, signal, server })
    }
    if (!isAddress && (await isKumaData(path)))
      return await kumaSource(host, { file, path, product, signal })
    const text = isAddress
      ? await fetchedText(host, configPath, { product, url: file, keyFile, pingKeyFile })
      : await readDocument(path, limits.importBytesMax)
    if (product === undefined)
      return plainSource({ document: parsed(text), notes: [], history: [] })
    return plainSource(await convertedFile(host, { product, text }))
  } catch (error) {
    if (!(error instanceof ForeignFileRefused)) throw error
    const named = isKumaServer(file) ? 'the server' : file
    const isOther = product === undefined && error.message.endsWith(databaseName)
    const hint = isOther && (await isFolder(path)) ? `; ${needsProduct}` : ''
    throw new CommandFailure(exitCodes.failed, `${named} ${error.message}${hint}`, { cause: error })
  }
}

const needsProduct =
  'a folder with the YAML of Gatus needs --from gatus, one of Prometheus --from blackbox'

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

type OfGatus = Pick<NamedSource, 'env' | 'installation'>

function refuseStray(product: ForeignProduct | undefined, { env, installation }: OfGatus): void {
  if (product === 'gatus') return
  if (env !== undefined) {
    throw new CommandFailure(exitCodes.usage, '--env is for --from gatus alone')
  }
  if (installation === undefined || product === 'blackbox') return
  throw new CommandFailure(exitCodes.usage, '--source is for --from gatus and blackbox alone')
}

/** The YAML of a file or a folder, and what belongs to it. */
async function gatusFile(
  host: Host,
  path: string,
  { env, installation }: OfGatus,
): Promise<ForeignFile> {
  const endings = ['.yaml', '.yml']
  const files = await readNamedFiles(path, { bytesMax: limits.importBytesMax, endings })
  const environment = env && (await readDocument(resolve(host.cwd, env), limits.importBytesMax))
  return { product: 'gatus', ...inFolder(files), environment, installation }
}

/** The files of Prometheus and of its exporter; targets may be in JSON. */
async function prometheusFile(path: string, installation?: string): Promise<ForeignFile> {
  const endings = ['.yaml', '.yml', '.json']
  const files = await readNamedFiles(path, { bytesMax: limits.importBytesMax, endings })
  return { product: 'blackbox', ...inFolder(files), installation }
}

function inFolder([first = { name: '', text: '' }, ...more]: readonly FolderFile[]) {
  return { ...first, more }
}

async function* inOnePart(history: readonly ForeignHistory[]) {
  if (history.length > 0) yield history
}

function plainSource({
  document,
  notes,
  history,
}: Pick<ConvertedFile, 'notes' | 'history'> & { document: unknown }): ImportSource {
  return { document, notes, history: () => inOnePart(history), close: async () => {} }
}

async function kumaSource(
  { clock }: Pick<Host, 'clock'>,
  { file, path, product, signal, server }: NamedSource & { path: string; server?: KumaDataServer },
): Promise<ImportSource> {
  if (product !== undefined && product !== 'kuma') {
    const what = `${file} is a folder, an archive or a database: only of Uptime Kuma one is read`
    throw new CommandFailure(exitCodes.failed, what)
  }
  const frame = { clock, signal, nowMs: clock.nowMs() }
  const { converted, past, close } = await openKuma(
    { path, server },
    { ...bounds, past: pastBounds },
    frame,
  )
  const { document, notes } = converted
  return { document, notes, history: () => past({ signal }), close }
}

/**
 * A conversion by the command line, which has the machine to itself: its processor time, its time
 * in all, and the memory of its objects.
 */
const conversionCommandCpuMsMax = 60_000
const conversionCommandMsMax = 10 * 60_000
const conversionCommandHeapMbMax = 512
const conversionCommandAnswerBytesMax = 64 * 1024 * 1024

const bounds = {
  cpuMsMax: conversionCommandCpuMsMax,
  msMax: conversionCommandMsMax,
  heapMbMax: conversionCommandHeapMbMax,
  answerBytesMax: conversionCommandAnswerBytesMax,
}

/** The past of Uptime Kuma: version 1 has nothing but each single check, in gigabytes, of which days are made. */
const pastBounds = { ...bounds, cpuMsMax: 20 * 60_000, msMax: 2 * 60 * 60_000 }

/** YAML by the command line. */
const foreignYamlCommandCharsMax = 1024 * 1024

async function convertedFile(
  { clock, convert = convertApart }: Pick<Host, 'clock' | 'convert'>,
  file: ForeignFile,
): Promise<ConvertedFile> {
  const { product, text, more = [] } = file
  const chars = more.reduce((sum, one) => sum + one.text.length, text.length)
  if (isInFiles(product) && chars > foreignYamlCommandCharsMax) {
    const most = `must have at most ${foreignYamlCommandCharsMax} characters of YAML`
    throw new ForeignFileRefused(`${most}: split it`)
  }
  // What `convertFile` returned there.
  return JSON.parse(await convert(file, bounds, { clock })) as ConvertedFile
}

function parsed(text: string): unknown {
  let document: unknown
  try {
    document = JSON.parse(text)
    // The answer of the API, as a download has it, is a document inside of `data`.
    if (isRecord(document) && !('format' in document)) document = document.data ?? document
  } catch (error) {
    throw new ForeignFileRefused(`is not JSON: ${errorText(error)}`, { cause: error })
  }
  // The control socket, which may carry it, has no bound on values and depth.
  countValues(document)
  return document
}
