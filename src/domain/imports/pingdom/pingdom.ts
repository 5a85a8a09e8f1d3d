// Checks of Pingdom: answers of version 3.1 of its API.
//
// The fields: https://docs.pingdom.com/api/
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignMonitor,
  fieldsOf,
  itemsOf,
  listOf,
  type Note,
  nameOf,
  numberOf,
  tagsOf,
  textOf,
  within,
} from '../foreign.ts'
import { historiesOfSpells, type Spell } from '../spells.ts'
import { alertedBy, type PingdomPeople, peopleOf } from './people.ts'
import { targetOf } from './target.ts'
import { windowOf } from './windows.ts'

/**
 * `answers`: of `/checks`, and with it those of `/checks/<id>`, `/alerting/teams`, `/alerting/contacts` and
 * `/maintenance`; or one object with all of them, as `pingdomApi` reads them. `outages` are the answers of
 * `/summary.outage/<id>` by the id of the check, read at `readAt`, an ISO time.
 */
export function fromPingdom(answers: readonly unknown[]): ForeignDocument {
  const pages = answers.map(fieldsOf)
  const lists = (name: string) => pages.flatMap((page) => listOf(page[name])).map(fieldsOf)
  const details = [...lists('details'), ...pages].map(({ check }) => fieldsOf(check))
  const detailed = new Map(details.map((one) => [textOf(one.id), one]))
  const listed = lists('checks')
  // Only what is told of each check has its type as an object.
  const checks =
    listed.length === 0 ? [...detailed.values()].filter(({ id }) => textOf(id)) : listed
  const items = itemsOf(checks, 'checks')
  const notes = createNotes()
  const readAtMs = Math.max(...pages.map(({ readAt }) => Date.parse(textOf(readAt)) || 0), 0)
  const whole = items.map((item) => ({ ...item, ...detailed.get(textOf(item.id)) }))
  const people = peopleOf(whole, { teams: lists('teams'), contacts: lists('contacts') }, notes.of)
  const made = whole.flatMap((item, index) => {
    const there = textOf(item.id)
    const id = documentIdOf(there)
    const name = nameOf(item.name, textOf(item.hostname) || `Check ${index + 1}`)
    const origin = `check/${there}`
    const note = notes.of(name, origin)
    const target = targetOf(item, note)
    if (!target || id === undefined) return []
    const monitor = { id, origin, name, ...monitorOf(item, target, people, note) }
    return { there, id, origin, monitor }
  })
  for (const one of lists('transactions')) {
    const note = notes.of(nameOf(one.name, 'Transaction'), `transaction/${textOf(one.id)}`)
    note('a transaction was left out: record it as a monitor of the kind browser')
  }
  const ids = new Map(made.map(({ there, id }) => [there, id]))
  const past = made.flatMap(({ there, origin }) => {
    const spells = pages.flatMap(({ outages }) => spellsOf(fieldsOf(outages)[there]))
    return spells.length === 0 ? [] : [{ origin, spells }]
  })
  return {
    // The ids are those of the whole service.
    source: { product: 'pingdom', installation: 'pingdom.com' },
    ...(people.channels.length === 0
      ? {}
      : { channels: people.channels, secretsOmitted: people.secretsOmitted }),
    monitors: made.map(({ monitor }) => monitor),
    maintenance: lists('maintenance').flatMap(
      (one) => windowOf(one, ids, readAtMs, notes.of) ?? [],
    ),
    history: readAtMs === 0 ? [] : historiesOfSpells(past, readAtMs),
    notes: notes.all(),
  }
}

/** The ids of Pingdom are numbers. */
function documentIdOf(there: string): string | undefined {
  return /^\d{1,20}$/.test(there) ? `mon_${there.padStart(26, '0')}` : undefined
}

function monitorOf(
  item: ForeignFields,
  target: ForeignFields,
  people: PingdomPeople,
  note: Note,
): Omit<ForeignMonitor, 'name'> {
  const minutes = numberOf(item.resolution) ?? 5
  const intervalSeconds = within(minutes * 60, limits.intervalSecondsMin, limits.intervalSecondsMax)
  const times = numberOf(item.sendnotificationwhendown)
  const again = (numberOf(item.notifyagainevery) ?? 0) * minutes
  const tags = tagsOf(listOf(item.tags).map((tag) => fieldsOf(tag).name ?? tag))
  const description = clip(textOf(item.custom_message), limits.descriptionCharsMax)
  noteOthers(item, note)
  return {
    intervalSeconds,
    timeoutMs: timeoutOf(item, intervalSeconds),
    ...target,
    ...(item.ipv6 === true ? { ipFamily: 'ipv6' } : {}),
    isActive: textOf(item.status) !== 'paused' && item.paused !== true && target.isActive !== false,
    ...(times === undefined ? {} : { failureThreshold: within(times, 1, limits.thresholdMax) }),
    ...(again > 0 ? { reminderMinutes: within(again, 1, limits.reminderMinutesMax) } : {}),
    ...(tags.length === 0 ? {} : { tags }),
    ...(description === '' ? {} : { description }),
    ...alertedBy(item, people),
  }
}

/** What takes longer is down there, too. */
function timeoutOf({ responsetime_threshold }: ForeignFields, intervalSeconds: number): number {
  const timeoutMs = numberOf(responsetime_threshold) ?? 30_000
  return within(
    timeoutMs,
    limits.timeoutMsMin,
    Math.min(limits.timeoutMsMax, intervalSeconds * 1_000),
  )
}

function noteOthers(item: ForeignFields, note: Note): void {
  const probes = listOf(item.probe_filters).map(textOf).filter(Boolean)
  if (probes.length > 0) {
    note(`that it is checked from ${clip(probes.join(', '), 100)}: choose locations`)
  }
  const integrations = listOf(item.integrationids).map(textOf).filter(Boolean)
  if (integrations.length > 0) {
    const which = clip(integrations.join(', '), 100)
    note(`its integrations ${which}: what they are is not told, so create alert channels for them`)
  }
  if (item.notifywhenbackup === false) {
    note('that nobody is told when it is up again: choose the events of its channels')
  }
  if (textOf(item.severity_level).toUpperCase() === 'LOW') {
    note('that its importance is low: only what contacts have for low alerts is used there')
  }
}

/** States follow each other; in one that is unknown nobody looked. */
function spellsOf(answer: unknown): readonly Spell[] {
  const { states } = fieldsOf(fieldsOf(answer).summary)
  return listOf(states)
    .map(fieldsOf)
    .flatMap(({ status, timefrom, timeto }) => {
      const fromMs = (numberOf(timefrom) ?? 0) * 1_000
      const toMs = (numberOf(timeto) ?? 0) * 1_000
      const isUp = status === 'up'
      if (!(fromMs > 0 && toMs > fromMs) || (!isUp && status !== 'down')) return []
      return { fromMs, toMs, isUp, text: isUp ? '' : 'down in Pingdom' }
    })
    .sort((a, b) => a.fromMs - b.fromMs)
}
