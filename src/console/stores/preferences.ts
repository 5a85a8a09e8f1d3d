// What the person arranged: pinned monitors and views of the overview. The service keeps it.
import { computed, type ReadonlySignal } from '@preact/signals'
import { fetchData } from '../api/client.ts'
import { organization, type Session, session } from './session.ts'

type Preferences = Session['preferences']
export type SavedView = Preferences['views'][number]

const pinsMax = 20
const orderedMax = 1_000

/** The pins of all organizations, in the order in which they were set. */
export const pinnedIds: ReadonlySignal<readonly string[]> = computed(
  () => session.value?.preferences.pinnedMonitorIds ?? [],
)

/** The monitors of all organizations in the order that the person gave them. */
export const ownOrder: ReadonlySignal<readonly string[]> = computed(
  () => session.value?.preferences.orderedMonitorIds ?? [],
)

/** The views of the organization that is shown. */
export const savedViews: ReadonlySignal<readonly SavedView[]> = computed(() =>
  (session.value?.preferences.views ?? []).filter(({ orgId }) => orgId === organization.value?.id),
)

/** Shows it at once, and takes back what the service does not take. Throws ApiProblem. */
async function change(changes: Partial<Preferences>): Promise<void> {
  const before = session.peek()
  if (!before) return
  session.value = { ...before, preferences: { ...before.preferences, ...changes } }
  try {
    // The browser sends it also if the page is left meanwhile. It does not so send an order, which may be too large.
    const keepalive = changes.orderedMonitorIds === undefined
    await fetchData('user.changePreferences', { body: changes, keepalive })
  } catch (error) {
    const now = session.peek()
    if (now) session.value = { ...now, preferences: before.preferences }
    throw error
  }
}

/** Pins a monitor, or takes it off; the oldest goes where there are too many. Throws ApiProblem. */
export function pin(id: string, isPinned: boolean): Promise<void> {
  const others = pinnedIds.peek().filter((one) => one !== id)
  return change({ pinnedMonitorIds: isPinned ? [...others, id].slice(-pinsMax) : others })
}

/**
 * Keeps an order of the monitors of an organization before what was ordered elsewhere; what is too much at
 * its end is forgotten. Throws ApiProblem.
 */
export function orderMonitors(ids: readonly string[]): Promise<void> {
  const own = new Set(ids)
  const others = ownOrder.peek().filter((one) => !own.has(one))
  return change({ orderedMonitorIds: [...ids, ...others].slice(0, orderedMax) })
}

/** Keeps a view; one of the same name is replaced. Throws ApiProblem. */
export function saveView(view: SavedView): Promise<void> {
  return change({ views: [...withoutView(view), view] })
}

/** Throws ApiProblem. */
export function forgetView(view: SavedView): Promise<void> {
  return change({ views: withoutView(view) })
}

function withoutView({ orgId, name }: SavedView): SavedView[] {
  const all = session.peek()?.preferences.views ?? []
  return all.filter((one) => one.orgId !== orgId || one.name !== name)
}
