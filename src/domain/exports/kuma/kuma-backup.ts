// The backup of Uptime Kuma 1.23 for an organization: what its page Settings, Backup imports. Version 2 reads none;
// an installation of 1.23 that imported it can be upgraded.
//
// https://github.com/louislam/uptime-kuma/blob/1.23.17/server/server.js (uploadBackup)
import { type ForeignFields, textOf } from '../../imports/foreign.ts'
import {
  type ForeignWriting,
  noteUnsaid,
  type Outgoing,
  type OutgoingMonitor,
  outgoing,
} from '../outgoing.ts'
import { kumaNotificationOf } from './kuma-notifications.ts'
import { kumaTarget } from './kuma-targets.ts'

const kumaVersion = '1.23.17'

export function* kumaBackup(document: object): ForeignWriting {
  const own = outgoing(document, [
    'statusPages',
    'maintenance',
    'templates',
    'locations',
    'secrets',
  ])
  const channelNumbers = new Map<string, number>()
  const notificationList = own.channels.flatMap((channel) => {
    const made = kumaNotificationOf(channel, channelNumbers.size + 1)
    if (made) channelNumbers.set(channel.id, channelNumbers.size + 1)
    return made ?? []
  })
  const numbers = new Map(own.monitors.map(({ id }, index) => [id, index + 1]))
  const monitorList: ForeignFields[] = []
  for (const monitor of own.monitors) {
    const item = itemOf(monitor, own, { numbers, channelNumbers })
    if (item) monitorList.push(item)
    yield
  }
  const notes = own.notes.all()
  const said = notes.map(({ name, text }) => (name === null ? text : `"${name}": ${text}`))
  const backup = { version: kumaVersion, notes: said, notificationList, monitorList, proxyList: [] }
  const contentType = 'application/json; charset=utf-8'
  const text = `${JSON.stringify(backup, null, 2)}\n`
  return { files: [{ name: 'uptime-kuma.json', contentType, text }], notes }
}

interface KumaNumbers {
  readonly numbers: ReadonlyMap<string, number>
  readonly channelNumbers: ReadonlyMap<string, number>
}

/** Kuma asks no more often. */
const secondsMin = 20

function itemOf(
  monitor: OutgoingMonitor,
  { channelsOf, groupsOf, colorOf }: Outgoing,
  { numbers, channelNumbers }: KumaNumbers,
): ForeignFields | undefined {
  const target = kumaTarget(monitor)
  if (target === undefined) {
    monitor.note(`left out: Kuma has nothing like ${monitor.checkType}`)
    return undefined
  }
  const { lacks = [], unsaid = [], ...fields } = target
  const parent = groupsOf(monitor)
    .map(({ id }) => numbers.get(id))
    .find((number) => number !== undefined && number !== numbers.get(monitor.id))
  const bound = channelsOf(monitor).flatMap(({ id }) => channelNumbers.get(id) ?? [])
  const { unread, missed } = unreadIn(monitor, fields)
  const needs = [...lacks, ...monitor.omitted, ...missed]
  if (needs.length > 0) monitor.note(`switched off until it has: ${needs.join(', ')}`)
  const item = {
    id: numbers.get(monitor.id),
    name: monitor.name,
    ...common,
    ...fields,
    ...paceOf(monitor),
    ...(parent === undefined ? {} : { parent }),
    description: monitor.text('description') || null,
    upsideDown: monitor.flag('isUpsideDown'),
    active: monitor.flag('isActive') && needs.length === 0 ? 1 : 0,
    tags: monitor.texts('tags').map((tag) => tagOf(tag, colorOf(tag))),
    notificationIDList: Object.fromEntries(bound.map((number) => [String(number), true])),
  }
  noteUnsaid(monitor, unsaid)
  const passed = [...unread, ...(parent === undefined ? [] : ['parent'])]
  if (passed.length > 0) monitor.note(`the import of Kuma 1.23 passes over: ${passed.join(', ')}`)
  return item
}

/** What Kuma has where nothing is set. */
const common = {
  url: 'https://',
  method: 'GET',
  hostname: null,
  port: null,
  weight: 2_000,
  ignoreTls: false,
  maxredirects: 10,
  accepted_statuscodes: ['200-299'],
  dns_resolve_type: 'A',
  dns_resolve_server: '1.1.1.1',
  expiryNotification: false,
  keyword: null,
  invertKeyword: false,
}

/** The colour that Kuma offers first. */
const usualColor = '#4B5563'

function tagOf(tag: string, color = usualColor): ForeignFields {
  const at = tag.indexOf(': ')
  const [name, value] = at > 0 ? [tag.slice(0, at), tag.slice(at + 2)] : [tag, '']
  return { name, value, color }
}

function paceOf(monitor: OutgoingMonitor): ForeignFields {
  const seconds = monitor.intervalSeconds()
  const interval = Math.max(seconds, secondsMin)
  if (interval !== seconds) monitor.note(`its intervalSeconds of ${seconds} became ${interval}`)
  if (monitor.is('push')) {
    const grace = monitor.number('graceSeconds')
    if (monitor.text('schedule') !== '') {
      monitor.text('timezone')
      monitor.note(`its schedule ${monitor.text('schedule')}: Kuma knows intervals alone`)
    }
    monitor.note('its senders need the address that Kuma makes: open it there, and reset its token')
    return { interval, maxretries: grace > 0 ? 1 : 0, retryInterval: grace, resendInterval: 0 }
  }
  const failures = monitor.number('failureThreshold')
  const given = monitor.peek('retryIntervalSeconds')
  const retries = typeof given === 'number' ? monitor.number('retryIntervalSeconds') : undefined
  const usual = Math.min(30, interval / 2)
  const retryInterval = Math.max(Math.round(retries ?? usual), secondsMin)
  if (retries !== undefined && retries < secondsMin) {
    monitor.note(`its retryIntervalSeconds of ${retries} became ${secondsMin}`)
  }
  // Kuma is up again after the first good check.
  if (monitor.peek('recoveryThreshold') === 1) monitor.number('recoveryThreshold')
  const reminderMinutes = monitor.number('reminderMinutes')
  const resendInterval = Math.ceil((reminderMinutes * 60) / interval)
  if ((reminderMinutes * 60) % interval > 0) {
    monitor.note(`its reminderMinutes of ${reminderMinutes} became every ${resendInterval} checks`)
  }
  return {
    interval,
    maxretries: failures - 1,
    retryInterval,
    resendInterval,
    timeout: monitor.number('timeoutMs') / 1_000,
  }
}

/** The fields that the import of 1.23 passes on; of others, monitors there have none. */
const readFields = new Set([
  ...['id', 'name', 'description', 'type', 'url', 'method', 'body', 'headers', 'authMethod'],
  ...['basic_auth_user', 'basic_auth_pass', 'authWorkstation', 'authDomain', 'timeout', 'interval'],
  ...['retryInterval', 'resendInterval', 'hostname', 'maxretries', 'port', 'keyword'],
  ...['invertKeyword', 'ignoreTls', 'upsideDown', 'maxredirects', 'accepted_statuscodes', 'active'],
  ...[
    'dns_resolve_type',
    'dns_resolve_server',
    'notificationIDList',
    'pushToken',
    'tags',
    'weight',
  ],
])

/** The types of 1.23. */
const knownTypes = new Set([
  ...['http', 'keyword', 'json-query', 'port', 'ping', 'dns', 'push', 'group', 'docker', 'mqtt'],
  ...['real-browser', 'postgres', 'mysql', 'mongodb', 'redis', 'sqlserver', 'radius', 'gamedig'],
])

/** The fields without which a monitor is the same but for details. */
const details = new Set(['expiryNotification', 'httpBodyEncoding', 'ipFamily'])

/** What the import of 1.23 does not read of a monitor, and what it then cannot be without. */
function unreadIn(monitor: OutgoingMonitor, fields: ForeignFields) {
  const type = textOf(fields.type)
  const unread = Object.entries(fields).flatMap(([name, value]) => {
    const isSet = value !== null && value !== '' && value !== false
    return isSet && !readFields.has(name) ? [name] : []
  })
  if (knownTypes.has(type)) return { unread, missed: unread.filter((name) => !details.has(name)) }
  monitor.note(`${type} is a type of Kuma 2: make it there by its API or by hand`)
  return { unread, missed: ['Kuma 2'] }
}
