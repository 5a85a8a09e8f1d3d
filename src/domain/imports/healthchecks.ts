// Checks of Healthchecks: the answer of GET /api/v3/checks/ of its Management API.
import { limits } from '../limits/limits.ts'
import { cronProblem } from '../schedule/cron.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignMonitor,
  fieldsOf,
  itemsOf,
  type Note,
  nameOf,
  numberOf,
  pushPace,
  tagsOf,
  textOf,
} from './foreign.ts'

/** `document`: an object with `checks`, or the list itself. */
export function fromHealthchecks(document: unknown): ForeignDocument {
  const items = itemsOf(fieldsOf(document).checks ?? document, 'checks')
  const notes = createNotes()
  const monitors = items.flatMap((item, index) => {
    const name = nameOf(item.name, textOf(item.slug) || `Check ${index + 1}`)
    return monitorOf(item, name, notes.of(name)) ?? []
  })
  if (monitors.length > 0) {
    notes.of(null)('the ping addresses are new ones: change them in the senders')
  }
  if (items.some(({ channels }) => textOf(channels) !== '')) {
    notes.of(null)('the integrations: create alert channels for them')
  }
  return { monitors, notes: notes.all() }
}

function monitorOf(item: ForeignFields, name: string, note: Note): ForeignMonitor | undefined {
  const pace = paceOf(item, note)
  if (!pace) return undefined
  if (textOf(item.methods) === 'POST') note('that it takes POST only: any method is taken')
  const filters = ['filter_subject', 'filter_body', 'filter_http_body'] as const
  if (filters.some((field) => item[field] === true)) {
    note('its filters of words: report a failure at the address with /error instead')
  }
  const description = textOf(item.desc)
  return {
    name,
    checkType: 'push',
    ...pace,
    isActive: textOf(item.status) !== 'paused',
    tags: tagsOf(textOf(item.tags).split(/\s+/)),
    ...(description === '' ? {} : { description }),
  }
}

const daySeconds = 86_400

function paceOf(item: ForeignFields, note: Note): ForeignFields | undefined {
  const graceSeconds = numberOf(item.grace) ?? 3_600
  const schedule = textOf(item.schedule)
  if (schedule === '') {
    const timeout = numberOf(item.timeout) ?? daySeconds
    if (timeout > limits.intervalSecondsMax) {
      note(
        `its period of ${timeout} s became one day and a longer grace: it is missed at the same time`,
      )
    }
    return pushPace(timeout, graceSeconds)
  }
  const timezone = textOf(item.tz) || 'UTC'
  const found = cronProblem({ cron: schedule, timezone })
  if (found) {
    note(`its schedule "${schedule}" (${timezone}) ${found.rule}: it was left out`)
    return undefined
  }
  return { schedule, timezone, graceSeconds: Math.min(graceSeconds, limits.graceSecondsMax) }
}
