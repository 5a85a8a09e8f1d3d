// A table with a row for each monitor, under the columns that an import of such a table reads.
import { csvLine } from '../../base/formats/csv.ts'
import { type ForeignWriting, noteUnsaid, type OutgoingMonitor, outgoing } from './outgoing.ts'
import { isWeb } from './targets.ts'

const columns = [
  ...['id', 'name', 'type', 'url', 'method', 'statuses', 'keyword', 'keyword type'],
  ...['interval', 'timeout', 'failures', 'grace', 'schedule', 'time zone'],
  ...['paused', 'group', 'tags', 'description', 'not in this table'],
]

export function* csvTable(document: object): ForeignWriting {
  const { monitors, channels, groupsOf, notes } = outgoing(document, [
    ...['channels', 'statusPages', 'maintenance', 'templates', 'locations', 'secrets'],
  ])
  // A monitor without channels of its own alerts the default ones.
  if (channels.length > 0) for (const monitor of monitors) monitor.texts('notifyChannelIds')
  const rows: string[] = []
  for (const monitor of monitors) {
    const row = rowOf(monitor, groupsOf(monitor)[0]?.name ?? null)
    if (row) rows.push(csvLine([...row, monitor.notes().join('; ') || null]))
    yield
  }
  const text = csvLine(columns) + rows.join('')
  const contentType = 'text/csv; charset=utf-8'
  return { files: [{ name: 'monitors.csv', contentType, text }], notes: notes.all() }
}

/** Kinds of which a table has no words for what they look at. */
const indescribable = ['group', 'game']

function rowOf(
  monitor: OutgoingMonitor,
  group: string | null,
): readonly (string | number | null)[] | undefined {
  const { checkType } = monitor
  if (indescribable.includes(checkType)) {
    monitor.note(
      `left out: a row says no more than an address, and of a ${checkType} that is not enough`,
    )
    return undefined
  }
  const isTable = isWeb(monitor) || monitor.is('steps') || monitor.is('browser')
  const [word, wordType] = isTable && !monitor.is('browser') ? wordOf(monitor) : [null, null]
  const statuses = isWeb(monitor)
    ? [monitor.text('expectedStatus'), ...monitor.texts('acceptedStatuses')]
    : []
  const isPush = monitor.is('push')
  const tags = monitor.texts('tags')
  const split = tags.filter((tag) => /[;,|]/.test(tag))
  if (split.length > 0)
    monitor.note(`its tags ${split.join(' and ')} fall apart where they have commas`)
  const isWhole = monitor.omitted.length === 0
  if (!isWhole) monitor.note(`paused until it has its ${monitor.omitted.join(', ')}`)
  if (monitor.is('steps')) monitor.note('it became a request of its address: its steps are lost')
  const row = [
    ...[monitor.id, monitor.name, typeOf(monitor), monitor.text('url') || null],
    isWeb(monitor) ? monitor.text('method') : null,
    [...new Set(statuses)].join(';') || null,
    ...[word, wordType],
    monitor.intervalSeconds(),
    isPush ? null : monitor.number('timeoutMs') / 1_000,
    isPush ? null : monitor.number('failureThreshold'),
    isPush ? monitor.number('graceSeconds') : null,
    isPush ? monitor.text('schedule') || null : null,
    isPush && monitor.peek('schedule') ? monitor.text('timezone') : null,
    monitor.flag('isActive') && isWhole ? null : 'yes',
    group,
    tags.join(';') || null,
    monitor.text('description') || null,
  ]
  noteUnsaid(monitor)
  return row
}

/** What others call such a monitor, or our own kind. */
function typeOf(monitor: OutgoingMonitor): string {
  if (monitor.is('endpoint', 'steps')) return 'http'
  if (monitor.is('tcp')) return 'port'
  return monitor.is('push') ? 'heartbeat' : monitor.checkType
}

/** UptimeRobot alerts if the word exists, or if it does not. */
function wordOf(monitor: OutgoingMonitor): readonly [word: string | null, type: string | null] {
  if (monitor.peek('bodyContains')) return [monitor.text('bodyContains'), 'not exists']
  if (monitor.peek('bodyNotContains')) return [monitor.text('bodyNotContains'), 'exists']
  return [null, null]
}
