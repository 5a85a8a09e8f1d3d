// The monitors of the organization, live: loaded once, then kept current by events. Each monitor has
// a signal of its own, so that a result draws one row again and not the list.
import { batch, computed, type Signal, signal } from '@preact/signals'
import { type Data, fetchData } from '../api/client.ts'
import { onLive } from '../api/live.ts'
import type { AnyLiveEvent } from '../api/live-events.ts'
import type { ApiProblem } from '../api/problem.ts'
import { asProblem } from '../api/resource.ts'
import { paced } from '../base/paced.ts'
import { settled } from '../base/settled.ts'
import { shownConfirming, shownFailing } from './confirming.ts'
import { inNameOrder, withChanged } from './monitor-order.ts'
import { organization } from './session.ts'

type MonitorGlance = Data<'overview.all'>['monitors'][number]
export type MonitorState = MonitorGlance['state']
export type Recent = Data<'overview.recent'>['monitors'][number]

/** What the list is made and ordered from; it changes when a state does, not with every result. */
export interface MonitorEntry
  extends Pick<MonitorGlance, 'id' | 'name' | 'state' | 'tags' | 'checkType'> {
  readonly since: string
  /** A failure is being confirmed: its row stands above the rows of monitors that are well. */
  readonly isConfirming: boolean
  /** It is up, but fails from some of its locations. */
  readonly isPartly: boolean
  readonly glance: Signal<MonitorGlance>
}

interface Loaded {
  readonly orgId: string
  readonly byId: ReadonlyMap<string, MonitorEntry>
}

const none: ReadonlyMap<string, MonitorEntry> = new Map()
const loaded = signal<Loaded>({ orgId: '', byId: none })

export const areMonitorsLoaded = () =>
  loaded.value.orgId !== '' && loaded.value.orgId === organization.value?.id

/** The ids of monitors whose deletion waits, so that it can be taken back. */
const hidden = signal<ReadonlySet<string>>(new Set())

/** Shows monitors no more, or again. */
export function hideMonitors(ids: Iterable<string>, isHidden: boolean): void {
  const next = new Set(hidden.value)
  for (const id of ids) {
    if (isHidden) next.add(id)
    else next.delete(id)
  }
  hidden.value = next
}

/** The monitors by id, in the order of their names. Empty until the organization's are loaded. */
export const monitors = computed(() => {
  if (!areMonitorsLoaded()) return none
  const { byId } = loaded.value
  if (hidden.value.size === 0) return byId
  return new Map([...byId].filter(([id]) => !hidden.value.has(id)))
})
export const monitorsProblem = signal<ApiProblem | undefined>(undefined)

/** Whether they are here, or cannot be had: what matters less is asked for then. */
export const areMonitorsAnswered = () =>
  areMonitorsLoaded() || monitorsProblem.value !== undefined || organization.value === undefined

function show(byId: ReadonlyMap<string, MonitorEntry>): void {
  loaded.value = { orgId: loaded.value.orgId, byId }
}

function entryOf(glance: MonitorGlance): MonitorEntry {
  const { id, name, state, tags, checkType, stateSince: since } = glance
  const own = { id, name, state, tags, checkType, since, glance: signal(glance) }
  return { ...own, ...marksOf(glance) }
}

/** What orders and filters the list besides the state. */
const marksOf = (glance: MonitorGlance) => ({
  isConfirming: shownConfirming(glance) !== null,
  isPartly: shownFailing(glance) !== null,
})

let loading: AbortController | undefined
let askedOrgId = ''
/** What happens while they are loaded: the answer may not have it. */
let meanwhile: AnyLiveEvent[] = []
let retryTimer: ReturnType<typeof setTimeout> | undefined

const retryMs = 5_000
let openTimer: ReturnType<typeof setTimeout> | undefined
const streamWaitMs = 300

/**
 * Loads the monitors of the organization that is shown, as soon as its stream is open: what happens
 * between an answer and the stream would be lost, and thousands are not worth a second answer.
 */
export function openMonitors(): void {
  const id = organization.value?.id
  if (id === undefined || areMonitorsLoaded() || (loading && askedOrgId === id)) return
  clearTimeout(openTimer)
  openTimer = setTimeout(() => void loadMonitors(), streamWaitMs)
}

/** Loads them again; what is shown stays meanwhile. */
export async function loadMonitors(): Promise<void> {
  const id = organization.value?.id
  if (id === undefined) return
  loading?.abort()
  clearTimeout(openTimer)
  clearTimeout(retryTimer)
  const own = new AbortController()
  loading = own
  meanwhile = []
  if (askedOrgId !== id) monitorsProblem.value = undefined
  askedOrgId = id
  try {
    const { monitors: all } = await fetchData('overview.all', {
      path: { orgId: id },
      signal: own.signal,
    })
    changed.clear()
    batch(() => {
      if (loaded.value.orgId !== id) recents.clear()
      const byId = new Map(inNameOrder(all).map((glance) => [glance.id, entryOf(glance)]))
      loaded.value = { orgId: id, byId }
      monitorsProblem.value = undefined
    })
    loading = undefined
    follow(meanwhile)
    meanwhile = []
  } catch (error) {
    if (own.signal.aborted) return
    const problem = asProblem(error)
    monitorsProblem.value = problem
    loading = undefined
    meanwhile = []
    // What it should have shown is not told again: a new monitor would stay unseen.
    if (isPassing(problem)) {
      const waitMs = (problem.retryAfterSeconds ?? 0) * 1_000 || retryMs
      retryTimer = setTimeout(() => void loadMonitors(), waitMs)
    }
  }
}

/** The network, the service, or a limit: not that somebody may not see the organization. */
const isPassing = ({ status }: ApiProblem) => status === 0 || status === 429 || status >= 500

/** Entries that the list does not show yet. */
const changed = new Map<string, MonitorEntry>()

// A row shows its state in the next frame. The order of the rows and the counts follow a few times a
// second: hundreds of changes would otherwise move the rows in each frame.
const orderEveryMs = 250

const order = paced(() => {
  if (changed.size === 0) return
  const next = withChanged(loaded.value.byId, changed)
  changed.clear()
  show(next)
}, orderEveryMs)

function follow(events: readonly AnyLiveEvent[]): void {
  if (loading) meanwhile.push(...events)
  if (!areMonitorsLoaded()) {
    // The stream is open. An answer that is on its way may be from before that.
    if (events.some(({ type }) => type === 'stream.gap')) void loadMonitors()
    return
  }
  let isStale = false
  const deleted = new Set<string>()
  batch(() => {
    for (const event of events) {
      if (event.type === 'stream.gap') isStale = true
      if (event.type === 'monitor.changed') {
        const { monitorId, name, change } = event.data
        const entry = changed.get(monitorId) ?? loaded.value.byId.get(monitorId)
        if (change === 'deleted') deleted.add(monitorId)
        else isStale = true
        // The rest of the change comes with the list.
        if (change === 'changed' && entry && name !== null && name !== entry.name) {
          entry.glance.value = { ...entry.glance.value, name }
          changed.set(monitorId, { ...entry, name })
        }
      }
      if (event.type !== 'check.completed' && event.type !== 'monitor.state') continue
      const { monitorId } = event.data
      const entry = changed.get(monitorId) ?? loaded.value.byId.get(monitorId)
      // A monitor that somebody made meanwhile.
      if (!entry) isStale = true
      else if (event.type === 'check.completed') {
        const { outcome, responseTimeMs, error, confirming, failingFrom } = event.data
        const glance = {
          ...entry.glance.value,
          lastOutcome: outcome as MonitorGlance['lastOutcome'],
          responseTimeMs,
          lastError: error?.message ?? null,
          confirming,
          failingFrom,
        }
        entry.glance.value = glance
        const marks = marksOf(glance)
        const isMarked =
          marks.isConfirming !== entry.isConfirming || marks.isPartly !== entry.isPartly
        if (isMarked) changed.set(monitorId, { ...entry, ...marks })
      } else {
        const state = event.data.state as MonitorState
        const { name, at } = event.data
        const glance = { ...entry.glance.value, state, name, stateSince: at }
        entry.glance.value = glance
        changed.set(monitorId, { ...entry, state, name, since: at, ...marksOf(glance) })
        turned.add(monitorId)
      }
    }
    if (changed.size > 0) order()
  })
  if (deleted.size > 0) dropMonitors(deleted)
  if (turned.size > 0) renewRecents()
  if (isStale) reload()
}

/** Forgets monitors that were deleted. */
export function dropMonitors(deleted: ReadonlySet<string>): void {
  for (const id of deleted) changed.delete(id)
  show(new Map([...loaded.value.byId].filter(([id]) => !deleted.has(id))))
}

// Many new monitors at once, such as an import, are one reason to load again.
/** Whether the organization has the monitor, as far as this tab knows. */
export function isMonitorThere(orgId: string, id: string): boolean {
  const known = loaded.peek()
  return known.orgId !== orgId || known.byId.has(id)
}

const reload = settled(loadMonitors, { quietMs: 150, everyMs: 3_000 })

onLive(follow)

/** How long the newest hours of a monitor are shown before they are asked for again. */
const recentFreshMs = 50_000
const recentsTogether = 50

interface KeptRecent {
  readonly value: Signal<Recent | undefined>
  askedAtMs: number
}

const recents = new Map<string, KeptRecent>()
let inView: readonly string[] = []
let wantedTimer: ReturnType<typeof setTimeout> | undefined
/** When they are asked for at the latest; 0: nothing is wanted. */
let askByMs = 0
/** The rows in view when that was set. */
let wantedFirst: ReadonlySet<string> = new Set()

/** The newest hours of a monitor: undefined until they are here. Asked for when `wantRecents` named it. */
export function recentOf(id: string): Signal<Recent | undefined> {
  let kept = recents.get(id)
  if (!kept) {
    kept = { value: signal(undefined), askedAtMs: 0 }
    recents.set(id, kept)
  }
  return kept.value
}

/** Asks for the newest hours of the monitors in view, if they are not known or old. None: no view. */
export function wantRecents(ids: readonly string[] = inView): void {
  inView = ids
  const nowMs = Date.now()
  if (!ids.some((id) => isWanted(id, nowMs))) return
  clearTimeout(wantedTimer)
  if (askByMs === 0 || !ids.some((id) => wantedFirst.has(id))) {
    askByMs = nowMs + settledMaxMs
    wantedFirst = new Set(ids)
  }
  wantedTimer = setTimeout(() => void askForRecents(), Math.min(settledMs, askByMs - nowMs))
}

/** The monitors whose state turned since their hours were asked for. */
const turned = new Set<string>()

// An hour in which a state turned looks different at once, but in a storm the rows have more to do.
const renewRecents = paced(() => {
  for (const id of turned) {
    const kept = recents.get(id)
    if (kept) kept.askedAtMs = 0
  }
  turned.clear()
  wantRecents()
}, 5_000)

// Rows that a fast scroll only passed are not worth a question.
const settledMs = 100
/** In a slow scroll that never ends, rows are asked for nevertheless: while one of the first is in view. */
const settledMaxMs = 500

function isWanted(id: string, nowMs: number): boolean {
  return nowMs - (recents.get(id)?.askedAtMs ?? 0) > recentFreshMs
}

async function askForRecents(): Promise<void> {
  const orgId = organization.value?.id
  const nowMs = Date.now()
  askByMs = 0
  const ids = inView.filter((id) => isWanted(id, nowMs)).slice(0, recentsTogether)
  if (orgId === undefined || ids.length === 0) return
  for (const id of ids) {
    recentOf(id)
    const kept = recents.get(id)
    if (kept) kept.askedAtMs = nowMs
  }
  try {
    const { monitors: found } = await fetchData('overview.recent', {
      path: { orgId },
      query: { monitorIds: ids.join(',') as never },
    })
    batch(() => {
      for (const recent of found) recentOf(recent.monitorId).value = recent
    })
    // A high screen shows more of them than one question may name.
    wantRecents()
  } catch {
    // The bars stay as they are; the rows say everything else.
    for (const id of ids) {
      const kept = recents.get(id)
      if (kept) kept.askedAtMs = 0
    }
  }
}
