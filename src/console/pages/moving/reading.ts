// Reads what is to move in, a file or the API of another product, and asks what an import of it would do.
import { type Body, type Data, fetchData } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { type FileKind, headBytes, isKumaData, kindOfFile } from './kind-of-file.ts'
import { forget, type Upload, uploaded } from './upload.ts'

type ImportDocument = Body<'orgs.import'>
type ImportTrial = Data<'orgs.tryImport'>
export type PlanLine = ImportTrial['plan'][number]
export type Note = Data<'orgs.convert'>['notes'][number]
type Converted = Data<'orgs.convert'>

/** A file that somebody chose. */
export interface ChosenFile {
  readonly file: File
  /** Undefined: it is no text, and goes to the service as it is. */
  readonly text: string | undefined
  readonly kind: FileKind
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

/** What Gatus needs besides its file. */
export interface GatusMore {
  readonly environment: string
  readonly installation: string
}

export async function chosenFile(file: File): Promise<ChosenFile> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  if (isKumaData(head)) return { file, text: undefined, kind: 'kuma' }
  const text = await file.text()
  return { file, text, kind: kindOfFile(text) }
}

/** Throws ApiProblem, or what aborted the signal. */
export async function foundInFile(
  { file, text, kind }: ChosenFile,
  { environment, installation }: GatusMore,
  watch: ReadingWatch,
): Promise<Found> {
  const { signal } = watch
  const path = { orgId: orgId() }
  if (text === undefined) return foundInUpload(file, watch)
  if (kind === 'stillup') {
    const document = asDocument(parsed(text))
    const none = { notes: [], history: [], upload: undefined }
    return examined({ from: file.name, document, isConverted: false, ...none }, watch)
  }
  watch.onStep('reading')
  const more = {
    ...(environment === '' ? {} : { environment }),
    ...(installation === '' ? {} : { installation }),
  }
  const body = { product: kind, text, ...(kind === 'gatus' ? more : {}) }
  const converted = await fetchData('orgs.convert', { path, body, signal })
  return examined({ from: file.name, ...ready(converted), upload: undefined }, watch)
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
