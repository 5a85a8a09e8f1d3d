// Reads what is to move in, a file or the API of another product, and asks what an import of it would do.
import { type Body, type Data, fetchData } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { orgId } from '../../stores/session.ts'
import { listed, words } from '../../words/words.ts'
import { type FileKind, headBytes, isKumaData, kindOfFile } from './kind-of-file.ts'
import { type FileText, type NamedFile, readable, severalTexts } from './several-files.ts'
import { forget, type Upload, uploaded } from './upload.ts'

type ImportDocument = Body<'orgs.import'>
type ImportTrial = Data<'orgs.tryImport'>
export type PlanLine = ImportTrial['plan'][number]
export type Note = Data<'orgs.convert'>['notes'][number]
type Converted = Data<'orgs.convert'>

/** What somebody chose: a file, or several that are read together. */
export interface ChosenFile {
  /** Their names. */
  readonly name: string
  readonly bytes: number
  /** The data of Uptime Kuma, which goes to the service as it is; else their texts. */
  readonly content: File | readonly FileText[]
  readonly kind: FileKind
  /** The variables that came along; undefined: none did. */
  readonly environment: string | undefined
}

/** Where an API is, with its key. */
export type Site = Body<'orgs.fetchForeign'>

/** What would come, and what is needed to bring it. */
export interface Found {
  /** Whose it is, for people: the name of the file, or the address. */
  readonly from: string
  readonly document: ImportDocument
  /** Whether it was converted: a document of this service has an error where a rule is broken. */
  readonly isConverted: boolean
  readonly notes: readonly Note[]
  readonly trial: ImportTrial
  readonly history: Converted['history']
  readonly upload: Upload | undefined
}

export type MovingStep = 'sending' | 'reading' | 'examining' | 'importing' | 'past'

export interface ReadingWatch {
  readonly signal: AbortSignal
  /** `share`: undefined where nobody knows how far it is. */
  onStep(step: MovingStep, share?: { readonly done: number; readonly total: number }): void
}

/** Files that are named; the others are only mentioned. */
const namedMax = 3

/** What Gatus needs besides its file. */
export interface GatusMore {
  readonly environment: string
  readonly installation: string
}

/** Throws ApiProblem. */
export async function asChosen(files: readonly NamedFile[]): Promise<ChosenFile> {
  const [first] = files
  if (!first || files.length > 1) return asChosenTogether(files)
  const { name, file } = first
  const own = { name, bytes: file.size, environment: undefined }
  const head = await readable(file.slice(0, headBytes).arrayBuffer())
  if (isKumaData(new Uint8Array(head))) {
    return { ...own, content: file, kind: 'kuma' }
  }
  const text = await readable(file.text())
  return { ...own, content: [{ name, text }], kind: kindOfFile(text) }
}

async function asChosenTogether(files: readonly NamedFile[]): Promise<ChosenFile> {
  const { texts, environment } = await severalTexts(files)
  const isPrometheus = texts.some(({ text }) => kindOfFile(text) === 'blackbox')
  // Gatus itself reads no other files of a folder.
  const content = isPrometheus ? texts : texts.filter(({ name }) => /\.ya?ml$/i.test(name))
  const name = listed(files.slice(0, namedMax).map((one) => one.name))
  return {
    name: files.length > namedMax ? words.value.moving.andOthers({ name }) : name,
    bytes: files.reduce((sum, { file }) => sum + file.size, 0),
    content: content.length === 0 ? texts : content,
    kind: isPrometheus ? 'blackbox' : 'gatus',
    environment,
  }
}

/** Throws ApiProblem, or what aborted the signal. */
export async function foundInFile(
  { name: from, content, kind }: ChosenFile,
  { environment, installation }: GatusMore,
  watch: ReadingWatch,
): Promise<Found> {
  const { signal } = watch
  const path = { orgId: orgId() }
  if (content instanceof File) return foundInUpload(content, watch)
  const [{ name, text } = { name: '', text: '' }, ...more] = content
  if (kind === 'stillup') {
    const document = asDocument(parsed(text))
    const none = { notes: [], history: [], upload: undefined }
    return examined({ from, document, isConverted: false, ...none }, watch)
  }
  watch.onStep('reading')
  const ofGatus = {
    ...(environment === '' ? {} : { environment }),
    ...(installation === '' ? {} : { installation }),
  }
  const body = {
    ...{ product: kind, text },
    ...(more.length === 0 ? {} : { name, more }),
    ...(kind === 'gatus' ? ofGatus : {}),
  }
  const converted = await fetchData('orgs.convert', { path, body, signal })
  return examined({ from, ...ready(converted), upload: undefined }, watch)
}

async function foundInUpload(file: File, watch: ReadingWatch): Promise<Found> {
  const { signal } = watch
  const onProgress = (done: number) => watch.onStep('sending', { done, total: file.size })
  onProgress(0)
  const upload = await uploaded(file, { signal, onProgress })
  watch.onStep('reading')
  try {
    const path = { orgId: orgId(), uploadId: upload.uploadId }
    const converted = await fetchData('uploads.convert', { path, signal })
    return await examined({ from: file.name, ...ready(converted), upload }, watch)
  } catch (error) {
    void forget(upload)
    throw error
  }
}

/** Throws ApiProblem, or what aborted the signal. */
export async function foundAtSite(site: Site, watch: ReadingWatch): Promise<Found> {
  watch.onStep('reading')
  const { signal } = watch
  const converted = await fetchData('orgs.fetchForeign', {
    path: { orgId: orgId() },
    body: site,
    signal,
  })
  return examined({ from: site.url, ...ready(converted), upload: undefined }, watch)
}

function ready({ document, notes, history }: Converted) {
  return { document: asDocument(document), isConverted: true, notes, history }
}

async function examined(found: Omit<Found, 'trial'>, watch: ReadingWatch): Promise<Found> {
  watch.onStep('examining')
  const { document } = found
  const trial = await fetchData('orgs.tryImport', {
    path: { orgId: orgId() },
    query: queryFor(found),
    body: document,
    signal: watch.signal,
  })
  return { ...found, trial }
}

/** One item that another product allows must not hinder the others. */
export function queryFor({ isConverted, document }: Omit<Found, 'trial'>) {
  return isConverted || document.source !== undefined ? { leavesOut: true } : {}
}

/** Whether anything but the past would come, or came. */
export function hasChanges({ plan, subscribers }: Pick<ImportTrial, 'plan' | 'subscribers'>) {
  return (
    subscribers.added > 0 || plan.some(({ action }) => action === 'create' || action === 'change')
  )
}

/** The API validates all of it. */
const asDocument = (value: unknown) => value as ImportDocument

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // The answer of the API, as a download has it, is a document inside of `data`.
    const isAnswer = typeof value === 'object' && value !== null && 'data' in value
    return isAnswer && !('format' in value) ? value.data : value
  } catch {
    throw new ApiProblem(words.value.moving.noJson, { status: 422, code: 'no_json' })
  }
}
