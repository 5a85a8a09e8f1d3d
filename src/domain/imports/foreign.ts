// What other products' documents become: monitors of our own import document, and what is left out.
import { hash } from 'node:crypto'
import { clip } from '../../base/clip.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { limits } from '../limits/limits.ts'
import type { TagColor } from '../orgs/tag-colors.ts'

/**
 * An item of a list of an import document; its fields are validated by the import. `id` is for references
 * within the document. `origin` is what the item is in the other product, such as `monitor/12`: the same in
 * each import from it, so that a second one changes what the first one made.
 */
export type ForeignItem = Readonly<Record<string, unknown>> & {
  readonly name: string
  readonly id?: string | undefined
  readonly origin?: string
}

/**
 * `keptAddresses`: paths at which senders report to it, as they are in the other product, such as
 * `/api/push/<token>`.
 */
export type ForeignMonitor = ForeignItem & { readonly keptAddresses?: readonly string[] }

/** Which product wrote the document, and which installation of it: the same in each import from it. */
export interface ForeignSource {
  readonly product: string
  readonly installation: string
  /** The installation as a later document called it that has marks, where the first one had none. */
  readonly marks?: string
}

/** Between the marks of an installation that has several. */
const markEnd = '+'

/** An installation by several marks, each a hash: it is the same one as long as one of them stays. */
export function installationOf(marks: readonly string[]): string {
  return marks.join(markEnd)
}

export function isSameInstallation(one: ForeignSource, other: ForeignSource): boolean {
  if (one.product !== other.product) return false
  if (one.installation === other.installation) return true
  const marks = marksOf(one)
  return marksOf(other).some((mark) => marks.includes(mark))
}

/** Begins the name of an installation of which nothing is known but its items. */
const byItems = 'items-'

/** What to call an installation that has no mark of its own, from a text about its items. */
export function installationByItems(items: string): string {
  return `${byItems}${hash('sha256', items, 'hex').slice(0, 32)}`
}

/** Whether only its items are known of it. */
export function isUnmarked({ installation, marks }: ForeignSource): boolean {
  return installation.startsWith(byItems) && marks === undefined
}

/** None of a name that people gave. */
function marksOf({ installation, marks = installation }: ForeignSource): readonly string[] {
  const found = marks.split(markEnd)
  return found.every((mark) => /^[0-9a-f]{32}$/.test(mark)) ? found : []
}

export interface ForeignNote {
  /** Whose it is: the name of an item; null for the document. */
  readonly name: string | null
  /** What was not taken over, or taken over in another way. */
  readonly text: string
  /** The item in the other product, such as `notification/3`; absent if it has no origin. */
  readonly origin?: string
}

/** A secret that monitors name, and the hosts that they send it to; no document has its value. */
export interface ForeignSecret {
  readonly name: string
  readonly hosts: readonly string[]
}

/** A UTC day or hour of a monitor in the other product. Times are in ms and sum up to what was looked at. */
export interface ForeignPeriod {
  readonly startMs: number
  readonly upMs: number
  readonly downMs: number
  readonly maintenanceMs: number
  readonly checks: number
  readonly failures: number
  /** How long the checks took that were up; null if there were none, or they were not measured. */
  readonly latencyMs: { readonly mean: number; readonly min: number; readonly max: number } | null
}

/** A time in which a monitor was down there; `toMs` null: it still is. */
export interface ForeignOutage {
  readonly fromMs: number
  readonly toMs: number | null
  /** What was said of its beginning. */
  readonly text: string
  /** What people called it; absent: after the monitor. */
  readonly title?: string
  /** It worked, but less than fully. */
  readonly isDegraded?: boolean
}

/** The past of the monitor with this origin, oldest first. */
export interface ForeignHistory {
  readonly origin: string
  readonly days: readonly ForeignPeriod[]
  readonly hours: readonly ForeignPeriod[]
  readonly outages: readonly ForeignOutage[]
}

export interface ForeignDocument {
  readonly source?: ForeignSource
  readonly channels?: readonly ForeignItem[]
  /** Pointers to what its items lack, and somebody enters after the import. */
  readonly secretsOmitted?: readonly string[]
  readonly secrets?: readonly ForeignSecret[]
  readonly tagColors?: readonly TagColor[]
  /** Ping keys of Healthchecks, with which reports make monitors. */
  readonly keptPingKeys?: readonly string[]
  readonly monitors: readonly ForeignMonitor[]
  /** Fields of monitors that this kind of file cannot tell: one that lacks them leaves what is there. */
  readonly untoldFields?: readonly string[]
  readonly statusPages?: readonly ForeignItem[]
  readonly maintenance?: readonly ForeignItem[]
  readonly templates?: readonly ForeignItem[]
  readonly notes: readonly ForeignNote[]
  readonly history?: readonly ForeignHistory[]
}

/** The text is not what the product writes. The message goes on with "the file". */
export class ForeignFileRefused extends Error {
  override readonly name = 'ForeignFileRefused'
}

/** The types of our assertions by the signs that others write. */
export const comparisons: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': 'notEquals',
  '>': 'greaterThan',
  '>=': 'greaterOrEqual',
  '<': 'lessThan',
  '<=': 'lessOrEqual',
}

export type ForeignFields = Readonly<Record<string, unknown>>

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): ForeignFields {
  return isRecord(value) ? value : {}
}

/**
 * The items of the list that monitors are made of. Throws ForeignFileRefused if it has more than an
 * import takes, before it looks at any.
 */
export function itemsOf(value: unknown, what: string): readonly ForeignFields[] {
  const items = listOf(value)
  if (items.length <= limits.importMonitorsMax) return items.map(fieldsOf)
  const most = `must have at most ${limits.importMonitorsMax} ${what}`
  throw new ForeignFileRefused(`${most}, and has ${items.length}`)
}

/** The items of a list, or the values of an object. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : Object.values(fieldsOf(value))
}

/** The text, without spaces around it; empty if there is none. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : ''
}

/** The number, also of a text; undefined if there is none. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Products of PHP and SQLite origin write 0 and 1. */
export function flagOf(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true'
}

export function within(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.round(value)))
}

/** A name that fits: one line of visible characters. */
export function nameOf(value: unknown, otherwise: string): string {
  const line = lineOf(value, limits.nameCharsMax)
  return line === '' ? clip(otherwise, limits.nameCharsMax) : line
}

export function tagsOf(values: readonly unknown[]): readonly string[] {
  const tags = values.map((one) => lineOf(one, limits.tagCharsMax)).filter((tag) => tag !== '')
  return [...new Set(tags)].slice(0, limits.tagsMax)
}

/** Cut first: the rest of a long text would only cost time. */
function lineOf(value: unknown, charsMax: number): string {
  return clip(textOf(value), charsMax).replace(/\p{Cc}+/gu, ' ')
}

/** Collects the first notes for one document, and counts the others. */
export function createNotes() {
  const notes: ForeignNote[] = []
  let more = 0
  return {
    all(): readonly ForeignNote[] {
      if (more === 0) return notes
      return [...notes, { name: null, text: `${more} more notes, which are not listed` }]
    },
    of: (name: string | null, origin?: string) => (text: string) => {
      const whose = { name, ...(origin === undefined ? {} : { origin }) }
      if (notes.length >= limits.importNotesMax) more += 1
      else notes.push({ ...whose, text: clip(text, limits.importNoteCharsMax) })
    },
  }
}

export type Note = (text: string) => void
export type NotesOf = ReturnType<typeof createNotes>['of']

/** The host as part of a URL: IPv6 in brackets. */
export function hostText(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/**
 * Interval and grace of a push monitor that is missed after the same time: what an interval may not
 * have is part of the grace.
 */
export function pushPace(intervalSeconds: number, graceSeconds: number) {
  const interval = within(intervalSeconds, limits.intervalSecondsMin, limits.intervalSecondsMax)
  const rest = Math.max(0, intervalSeconds - interval)
  return {
    intervalSeconds: interval,
    graceSeconds: within(graceSeconds + rest, 0, limits.graceSecondsMax),
  }
}

/** What is asked of the API of another product; somebody else makes the requests. */
export interface ForeignAsk {
  /** Below the address of the service, with its query; or a whole address there, as its answers name the next page. */
  readonly path: string
  /** The JSON to send; without it, the path is only read. */
  readonly json?: object
  /** All else is worth having without its answer. */
  readonly isOptional?: true
  /** What an optional answer has, in words: `status pages`. A note says that it is missing; absent: its converter does. */
  readonly what?: string
}

/**
 * Yields requests that may be made at the same time; gets the JSON of their answers in the same order, undefined for
 * an optional one that has none. Returns what the converter of the product reads; `unread` of it is a list of what was
 * left there because there is more than a bound (`withUnread`).
 */
export type ForeignAsks = Generator<readonly ForeignAsk[], object, readonly unknown[]>

/** How what of a list is beyond its bound is named in `unread`. */
export function beyondBound(what: string, most: number): string {
  return `${what} (beyond the first ${most})`
}

/** Asks for what all else is worth having without. */
export function optionalAsk(path: string, what: string): ForeignAsk {
  return { path, isOptional: true, what }
}

export interface ForeignApi {
  /** What every request proves itself with. */
  authorized(key: string): {
    readonly headers?: Readonly<Record<string, string>>
  }
  asks(nowMs: number): ForeignAsks
}
