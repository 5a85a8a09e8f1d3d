// What another product's webhook says: which of its monitors, and whether it is down. Each product has a form of its own, and
// people write some of them themselves, so what is looked for are the usual fields, in the usual places.
import { isRecord } from '../../../base/schema/pick.ts'
import { limits } from '../../limits/limits.ts'
import { type ForeignFields, fieldsOf, textOf } from '../foreign.ts'
import { keyOf } from '../gatus/key.ts'

/** One of its alerts. */
export interface SaidAlert {
  /** What the monitor may be in documents of the product, the likeliest first: `monitor/12`. */
  readonly origins: readonly string[]
  readonly names: readonly string[]
  readonly isDown: boolean
  readonly text: string
}

/** Alerts of one request that are taken. */
const alertsMax = 100

/** Nothing of a test message, nor of what says neither that something is down nor that it is up. */
export function saidAlerts(body: unknown): readonly SaidAlert[] {
  const fields = fieldsOf(body)
  // Alertmanager, and what speaks like it: https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
  const several = Array.isArray(fields.alerts) ? fields.alerts.slice(0, alertsMax) : [fields]
  return several.flatMap((one) => {
    const said = saidIn(fieldsOf(one))
    return said ? [said] : []
  })
}

/** Whether it is what Uptime Kuma sends to try an address: the fields of an alert, and nothing in them. */
export function isTest(body: unknown): boolean {
  const { heartbeat, monitor, msg } = fieldsOf(body)
  return heartbeat === null && monitor === null && typeof msg === 'string'
}

function saidIn(fields: ForeignFields): SaidAlert | undefined {
  const { heartbeat, monitor } = fields
  if (isRecord(heartbeat)) return ofKuma(heartbeat, fieldsOf(monitor), fields)
  const data = fieldsOf(fields.data)
  if (isRecord(data.attributes)) return ofBetterStack(data, data.attributes)
  const places = [fields, fieldsOf(monitor), fieldsOf(fields.check), fieldsOf(fields.endpoint)]
  places.push(fieldsOf(fields.labels), fieldsOf(fields.incident), data)
  return ofUptimeRobot(fields) ?? plainly(places)
}

/** The JSON of Kuma: `status` of the heartbeat is 0 for down and 1 for up. */
function ofKuma(
  heartbeat: ForeignFields,
  monitor: ForeignFields,
  { msg }: ForeignFields,
): SaidAlert | undefined {
  const status = textOf(heartbeat.status)
  if (status !== '0' && status !== '1') return undefined
  const id = textOf(monitor.id) || textOf(heartbeat.monitorID)
  const text = textOf(heartbeat.msg) || textOf(msg)
  return said({ ids: [id], names: [monitor.name], isDown: status === '0', text })
}

/** The JSON:API of Better Stack: the incident, and the monitor or heartbeat that it belongs to. */
function ofBetterStack(data: ForeignFields, about: ForeignFields): SaidAlert | undefined {
  const isDown = stateIn([about.status])
  if (isDown === undefined) return undefined
  const related = Object.entries(fieldsOf(data.relationships)).flatMap(([kind, one]) => {
    const id = textOf(fieldsOf(fieldsOf(one).data).id)
    return id === '' ? [] : [`${kind}/${id}`]
  })
  const alert = said({ ids: [], names: [about.name], isDown, text: textOf(about.cause) })
  return { ...alert, origins: related }
}

/** `alertType` is 1 for down and 2 for up: https://uptimerobot.com/help/web-hook-alert-contacts/ */
function ofUptimeRobot(fields: ForeignFields): SaidAlert | undefined {
  const type = textOf(fields.alertType)
  if (type !== '1' && type !== '2') return undefined
  const { monitorID, monitorFriendlyName, alertDetails } = fields
  const text = textOf(alertDetails)
  const ids = [textOf(monitorID)]
  return said({ ids, names: [monitorFriendlyName], isDown: type === '1', text })
}

const idFields = [
  'monitor_id',
  'monitorId',
  'monitorID',
  'check_id',
  'checkId',
  'key',
  'id',
  'code',
]
const nameFields = [
  ...['monitor_name', 'monitorName', 'monitorFriendlyName', 'check_name', 'checkName'],
  ...['endpoint', 'name', 'monitor', 'check', 'instance', 'title', 'alertname'],
]
const stateFields = [
  ...['status', 'state', 'current_state', 'currentState', 'alertTypeFriendlyName', 'alert_type'],
  ...['alertType', 'event', 'action'],
]
const textFields = [
  'description',
  'message',
  'msg',
  'reason',
  'cause',
  'details',
  'error',
  'summary',
]

/** The usual fields, in whichever place has them first. */
function plainly(places: readonly ForeignFields[]): SaidAlert | undefined {
  const all = (names: readonly string[]) =>
    places.flatMap((place) => names.map((name) => place[name]))
  const isDown = stateIn(all(stateFields))
  if (isDown === undefined) return undefined
  const texts = all(nameFields).filter((one) => textOf(one) !== '')
  const [name] = texts
  const text =
    all(textFields)
      .map(textOf)
      .find((one) => one !== '') ?? ''
  // Gatus knows an endpoint by its group and its name.
  const keys = 'group' in (places[0] ?? {}) ? [keyOf({ group: places[0]?.group, name })] : []
  return said({ ids: [...keys, ...all(idFields).map(textOf)], names: texts, isDown, text })
}

const downWords = new Set([
  ...['down', 'triggered', 'firing', 'alerting', 'critical', 'started', 'open', 'opened', 'fail'],
  ...['failing', 'failed', 'error', 'problem', 'offline', 'unhealthy', 'missed', 'alert_failure'],
])
const upWords = new Set([
  ...['up', 'resolved', 'ok', 'recovered', 'recovery', 'closed', 'online', 'success', 'passing'],
  ...['healthy', 'alert_recovery', 'operational'],
])

/** Undefined if none of them says one or the other. */
function stateIn(values: readonly unknown[]): boolean | undefined {
  for (const value of values) {
    // Uptime Kuma puts a sign before it.
    const word = textOf(value)
      .toLowerCase()
      .replace(/^[^a-z]+/, '')
    if (downWords.has(word)) return true
    if (upWords.has(word)) return false
  }
  return undefined
}

interface Found {
  readonly ids: readonly string[]
  readonly names: readonly unknown[]
  readonly isDown: boolean
  readonly text: string
}

/** What a monitor is called in documents of products: see their converters. */
const nouns = ['monitor', 'check', 'endpoint', 'external-endpoint', 'heartbeat', 'suite']
/** Ids and names that are tried. */
const triedMax = 5

function said({ ids, names, isDown, text }: Found): SaidAlert {
  const known = [...new Set(ids.filter((id) => id !== ''))].slice(0, triedMax)
  const called = [...new Set(names.map(textOf).filter((name) => name !== ''))].slice(0, triedMax)
  const fitting = called.filter((name) => name.length <= limits.nameCharsMax)
  const origins = known.flatMap((id) => nouns.map((noun) => `${noun}/${id}`))
  return { origins, names: fitting, isDown, text }
}
