// Incidents of Statuspage as outages of the components that they were about, and what is still to come of its
// scheduled maintenance.
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import {
  type ForeignFields,
  type ForeignHistory,
  type ForeignItem,
  type ForeignOutage,
  fieldsOf,
  listOf,
  type NotesOf,
  nameOf,
  textOf,
} from '../foreign.ts'
import { historiesOfSpells, type Spell } from '../spells.ts'
import { documentIdOf, type StatuspagePage } from './parts.ts'

export interface StatuspagePast {
  readonly history: readonly ForeignHistory[]
  readonly maintenance: readonly ForeignItem[]
}

const planned = new Set(['scheduled', 'in_progress', 'verifying', 'completed'])
const outages = new Set(['partial_outage', 'major_outage'])
const dayMs = 86_400_000
/** How far back the days are known to have been good where no incident says otherwise. */
const pastDays = 90
const outagesMax = 1_000
const textCharsMax = 2_000

export function pastOf(
  { name, page, components, incidents }: StatuspagePage,
  notesOf: NotesOf,
  readAtMs: number,
): StatuspagePast {
  const note = notesOf(name, `page/${textOf(page.id)}`)
  const isPlanned = ({ status }: ForeignFields) => planned.has(textOf(status))
  const windows = incidents.filter(isPlanned)
  const toCome = windows.filter(
    ({ status, scheduled_until }) =>
      textOf(status) !== 'completed' && timeOf(scheduled_until) > readAtMs,
  )
  if (windows.length > toCome.length) {
    note(`${windows.length - toCome.length} maintenances that are over stayed there`)
  }
  const matters = incidents.filter((one) => !isPlanned(one))
  const over = matters.filter(({ resolved_at }) => !Number.isNaN(timeOf(resolved_at)))
  for (const one of matters.filter(({ resolved_at }) => Number.isNaN(timeOf(resolved_at)))) {
    notesOf(nameOf(one.name, 'Incident'), originOf(one))('it is still open: declare it here')
  }
  tellRest(over, note)
  const byComponent = matterOf(over)
  const all = components.map(({ id, created_at, start_date }) => {
    const own = byComponent.get(textOf(id)) ?? []
    const since = [readAtMs - pastDays * dayMs, timeOf(start_date), timeOf(created_at)]
    const sinceMs = Math.max(...since.filter((ms) => !Number.isNaN(ms)))
    const outs = own.filter(({ isOut }) => isOut).map(({ outage }) => outage)
    const told = own
      .slice(-outagesMax)
      .map(({ outage, isOut }) => (isOut ? outage : { ...outage, isDegraded: true }))
    return {
      origin: `component/${textOf(id)}`,
      spells: spellsOf(outs, { sinceMs, readAtMs }),
      told,
    }
  })
  const days = new Map(historiesOfSpells(all, readAtMs).map((one) => [one.origin, one.days]))
  const history = all.map(({ origin, told }) => {
    return { origin, days: days.get(origin) ?? [], hours: [], outages: told }
  })
  const maintenance = toCome.flatMap((one) => {
    if (affected(one).size > 0) return [windowOf(one)]
    notesOf(
      nameOf(one.name, 'Maintenance'),
      originOf(one),
    )('left out: it is about no component, and a window without monitors would be for all')
    return []
  })
  return { history, maintenance }
}

interface ComponentMatter {
  readonly outage: ForeignOutage
  readonly isOut: boolean
}

/** What each component had, oldest first. */
function matterOf(
  incidents: readonly ForeignFields[],
): ReadonlyMap<string, readonly ComponentMatter[]> {
  const found = new Map<string, ComponentMatter[]>()
  const all = incidents.map((incident) => ({ incident, outage: outageOf(incident) }))
  for (const { incident, outage } of all.toSorted((a, b) => a.outage.fromMs - b.outage.fromMs)) {
    const updates = updatesOf(incident)
    for (const id of affected(incident)) {
      const isOut = outages.has(worstOf(incident, updates, id))
      const known = found.get(id)
      if (known) known.push({ outage, isOut })
      else found.set(id, [{ outage, isOut }])
    }
  }
  return found
}

/** The outages with the good times between them. */
function spellsOf(
  outs: readonly ForeignOutage[],
  { sinceMs, readAtMs }: { readonly sinceMs: number; readonly readAtMs: number },
): readonly Spell[] {
  const spells: Spell[] = []
  let atMs = sinceMs
  for (const out of outs) {
    const fromMs = Math.max(out.fromMs, atMs)
    const toMs = Math.max(out.toMs ?? readAtMs, fromMs)
    if (fromMs > atMs) spells.push({ fromMs: atMs, toMs: fromMs, isUp: true, text: '' })
    if (toMs > fromMs) spells.push({ fromMs, toMs, isUp: false, text: '' })
    atMs = Math.max(atMs, toMs)
  }
  if (readAtMs > atMs) spells.push({ fromMs: atMs, toMs: readAtMs, isUp: true, text: '' })
  return spells
}

function outageOf(incident: ForeignFields): ForeignOutage {
  const updates = updatesOf(incident).map(({ atMs, status, body }) => {
    const at = Number.isNaN(atMs) ? '' : `${new Date(atMs).toISOString().slice(0, 16)}Z `
    return `${at}${status}: ${body}`
  })
  const postmortem = textOf(incident.postmortem_body)
  const texts = [...updates, ...(postmortem === '' ? [] : [`Post-mortem: ${postmortem}`])]
  return {
    fromMs: beganAt(incident),
    toMs: timeOf(incident.resolved_at),
    text: clip(texts.join('\n'), textCharsMax),
    title: nameOf(incident.name, 'Incident'),
  }
}

interface Update {
  readonly atMs: number
  readonly status: string
  readonly body: string
  readonly components: readonly ForeignFields[]
}

/** Oldest first. */
function updatesOf({ incident_updates }: ForeignFields): readonly Update[] {
  return listOf(incident_updates)
    .map(fieldsOf)
    .map((one) => ({
      atMs: timeOf(one.display_at) || timeOf(one.created_at),
      status: textOf(one.status),
      body: textOf(one.body),
      components: listOf(one.affected_components).map(fieldsOf),
    }))
    .toSorted((one, other) => one.atMs - other.atMs)
}

/** What an incident says of its components: those that it lists now, and those of its updates. */
function affected(incident: ForeignFields): ReadonlySet<string> {
  const listed = listOf(incident.components).map((one) => textOf(fieldsOf(one).id))
  const told = updatesOf(incident).flatMap((one) => one.components.map(({ code }) => textOf(code)))
  return new Set([...listed, ...told])
}

const ranks = ['major_outage', 'partial_outage', 'degraded_performance']

/** The worst state that it gave to a component; its impact where no update says any. */
function worstOf(incident: ForeignFields, updates: readonly Update[], component: string): string {
  const states = updates.flatMap(({ components }) =>
    components
      .filter(({ code }) => textOf(code) === component)
      .map(({ new_status }) => textOf(new_status)),
  )
  const worst = ranks.find((rank) => states.includes(rank))
  if (worst !== undefined || states.length > 0) return worst ?? ''
  const impact = textOf(incident.impact_override) || textOf(incident.impact)
  return impact === 'critical' || impact === 'major' ? 'major_outage' : ''
}

function tellRest(over: readonly ForeignFields[], note: (text: string) => void): void {
  const unrelated = over.filter((one) => affected(one).size === 0).length
  if (unrelated > 0) note(`${unrelated} incidents that were about no component stayed there`)
  const wide = over.filter((one) => affected(one).size > 1).length
  if (wide > 0) note(`${wide} incidents of several components become one of each`)
}

function windowOf(incident: ForeignFields): ForeignItem {
  const [first] = updatesOf(incident)
  const description = clip(first?.body ?? '', limits.descriptionCharsMax)
  return {
    name: nameOf(incident.name, 'Maintenance'),
    origin: originOf(incident),
    monitorIds: [...affected(incident)].map(documentIdOf),
    isPublic: true,
    startsAt: new Date(timeOf(incident.scheduled_for) || 0).toISOString(),
    endsAt: new Date(timeOf(incident.scheduled_until)).toISOString(),
    ...(description === '' ? {} : { description }),
  }
}

const originOf = ({ id }: ForeignFields) => `incident/${textOf(id)}`

/** NaN for what is no time. */
function timeOf(value: unknown): number {
  const text = textOf(value)
  return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
}

function beganAt(incident: ForeignFields): number {
  const first = updatesOf(incident).at(0)?.atMs ?? Number.NaN
  const created = timeOf(incident.created_at)
  // An incident may be entered afterwards, with updates of the time before.
  return Number.isNaN(first) ? created || 0 : Math.min(first, created || first)
}
