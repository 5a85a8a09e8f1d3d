// Brings in what was found: the items first, then their past in parts.
import { type Data, fetchData } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { orgId } from '../../stores/session.ts'
import { type Found, hasChanges, queryFor, type ReadingWatch } from './reading.ts'
import { forget, type Upload } from './upload.ts'

type Imported = Data<'orgs.import'>

/** Days, hours and outages of one part: its keys are fewer than the API takes. */
const partEntriesMax = 20_000
const pollMs = 700

/** Throws ApiProblem: then nothing was brought. */
export async function broughtItems(
  found: Found,
  isShadow: boolean,
  { onStep, signal }: ReadingWatch,
): Promise<Imported> {
  onStep('importing')
  const { document, notes } = found
  const path = { orgId: orgId() }
  const query = { ...queryFor(found), ...(isShadow ? { isShadow } : {}) }
  const made = await fetchData('orgs.import', { path, query, body: document, signal })
  // Those of an import that changed nothing stand at the one before it.
  if (notes.length > 0 && hasChanges(made)) {
    const kept = notes.map(({ name, origin = null, text }) => ({ name, origin, text }))
    const { importId } = made
    // Without them the import is as good: its page only has less to say.
    await fetchData('imports.keepNotes', {
      path: { ...path, importId },
      body: { notes: kept },
    }).catch(() => undefined)
  }
  return made
}

/** Throws ApiProblem: what was taken before stays, and the same may come again. */
export async function bringPast(
  { history, upload, document }: Found,
  importId: string,
  { onStep }: ReadingWatch,
): Promise<void> {
  if (upload) return takeUploaded(upload, importId, document.monitors?.length ?? 0, onStep)
  let done = 0
  for (const part of partsOf(history)) {
    onStep('past', { done, total: history.length })
    const path = { orgId: orgId(), importId }
    await fetchData('imports.takePast', { path, body: { history: part } })
    done += new Set(part.map(({ origin }) => origin)).size
  }
}

async function takeUploaded(
  upload: Upload,
  importId: string,
  total: number,
  onStep: ReadingWatch['onStep'],
): Promise<void> {
  const path = { orgId: orgId(), uploadId: upload.uploadId }
  let { past } = await fetchData('uploads.takePast', { path, body: { importId } })
  while (past?.state === 'running') {
    onStep('past', { done: past.monitors, total })
    await new Promise((resolve) => void setTimeout(resolve, pollMs))
    past = (await fetchData('uploads.get', { path })).past
  }
  await forget(upload)
  if (past?.problem)
    throw new ApiProblem(past.problem, { status: 422, code: 'no_past', lang: 'en' })
}

function* partsOf(history: Found['history']): Generator<Found['history']> {
  let part: Found['history'][number][] = []
  let entries = 0
  for (const one of history.flatMap(lessened)) {
    const more = one.days.length + one.hours.length + one.outages.length
    if (part.length > 0 && entries + more > partEntriesMax) {
      yield part
      part = []
      entries = 0
    }
    part.push(one)
    entries += more
  }
  if (part.length > 0) yield part
}

type MonitorPast = Found['history'][number]

/** Periods of a monitor that the API takes at once. */
const periodsMax = 700

/** A long past in several: days and hours may come apart. */
function lessened(one: MonitorPast): readonly MonitorPast[] {
  const all: MonitorPast[] = [{ ...one, days: one.days.slice(0, periodsMax), hours: [] }]
  for (let at = periodsMax; at < one.days.length; at += periodsMax) {
    all.push({ ...one, days: one.days.slice(at, at + periodsMax), hours: [], outages: [] })
  }
  for (let at = 0; at < one.hours.length; at += periodsMax) {
    all.push({ ...one, days: [], hours: one.hours.slice(at, at + periodsMax), outages: [] })
  }
  return all
}
