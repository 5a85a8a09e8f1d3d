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
import { transactionOf } from './transaction.ts'
import { windowOf } from './windows.ts'

/**
 * `answers`: of `/checks`, and with it those of `/checks/<id>`, `/alerting/teams`, `/alerting/contacts` and
 * `/maintenance`; or one object with all of them, as `pingdomApi` reads them. `outages` are the answers of
 * `/summary.outage/<id>` by the id of the check, `reports` those of `/tms/check/<id>/report/status`, read at `readAt`,
 * an ISO time. `transactions` are answers of `/tms/check/<id>`.
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
  const transactions = lists('transactions').map(withNames)
  const people = peopleOf(
    [...whole, ...transactions],
    { teams: lists('teams'), contacts: lists('contacts') },
    notes.of,
  )
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
  const played = transactions.flatMap((item) => {
    const there = textOf(item.id)
    const id = documentIdOf(there, '1')
    const name = nameOf(item.name, 'Transaction')
    const origin = `transaction/${there}`
    const note = notes.of(name, origin)
    const target = transactionOf(item, note)
    if (!target || id === undefined) return []
    return {
      there,
      id,
      origin,
      monitor: { id, origin, name, ...monitorOf(item, target, people, note) },
    }
  })
  const ids = {
    uptime: new Map(made.map(({ there, id }) => [there, id])),
    tms: new Map(played.map(({ there, id }) => [there, id])),
  }
  const past = [
    ...made.map(({ there, origin }) => ({
      origin,
      spells: pages.flatMap(({ outages }) => spellsOf(fieldsOf(outages)[there])),
    })),
    ...played.map(({ there, origin }) => ({
      origin,
      spells: pages.flatMap(({ reports }) => reportedSpells(fieldsOf(reports)[there])),
    })),
  ].filter(({ spells }) => spells.length > 0)
  return {
    // The ids are those of the whole service.
    source: { product: 'pingdom', installation: 'pingdom.com' },
    ...(people.channels.length === 0
      ? {}
      : { channels: people.channels, secretsOmitted: people.secretsOmitted }),
    monitors: [...made, ...played].map(({ monitor }) => monitor),
    maintenance: lists('maintenance').flatMap(
      (one) => windowOf(one, ids, readAtMs, notes.of) ?? [],
    ),
    history: readAtMs === 0 ? [] : historiesOfSpells(past, readAtMs),
    notes: notes.all(),
  }
}

/** The ids of Pingdom are numbers; checks and transactions are counted apart. */
function documentIdOf(there: string, mark = '0'): string | undefined {
  return /^\d{1,20}$/.test(there) ? `mon_${mark}${there.padStart(25, '0')}` : undefined
}

/** A transaction with the names that the same fields of a check have. */
function withNames(item: ForeignFields): ForeignFields {
  return {
    ...item,
    resolution: item.interval,
    paused: item.active === false,
    // The state of a check: that of a transaction has other words.
    status: '',
    sendnotificationwhendown: item.send_notification_when_down,
    ...(Array.isArray(item.team_ids) ? { teams: item.team_ids } : {}),
    userids: item.contact_ids,
    integrationids: item.integration_ids,
    probe_filters: textOf(item.region) === '' ? [] : [`region: ${textOf(item.region)}`],
  }
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

/** The states of a transaction, which say why it failed. */
function reportedSpells(answer: unknown): readonly Spell[] {
  const { states } = fieldsOf(fieldsOf(answer).report)
  return listOf(states)
    .map(fieldsOf)
    .flatMap(({ status, from, to, message, error_in_step }) => {
      const [fromMs, toMs] = [Date.parse(textOf(from)), Date.parse(textOf(to))]
      const isUp = status === 'up'
      if (!(fromMs > 0 && toMs > fromMs) || (!isUp && status !== 'down')) return []
      const step = textOf(error_in_step) === '' ? '' : `step ${textOf(error_in_step)}: `
      return {
        fromMs,
        toMs,
        isUp,
        text: isUp ? '' : `${step}${textOf(message) || 'down in Pingdom'}`,
      }
    })
    .sort((a, b) => a.fromMs - b.fromMs)
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
