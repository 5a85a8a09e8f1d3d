// The monitors of Uptime Kuma that look at message brokers.
import {
  type ForeignFields,
  fieldsOf,
  flagOf,
  hostText,
  listOf,
  type Note,
  numberOf,
  textOf,
} from '../foreign.ts'

export interface KumaBroker {
  readonly checkType: string
  readonly [field: string]: unknown
}

interface KumaLogin {
  readonly username?: string
  readonly password?: string
}

function loginOf(username: unknown, password: unknown): KumaLogin {
  return {
    ...(textOf(username) === '' ? {} : { username: textOf(username) }),
    ...(textOf(password) === '' ? {} : { password: textOf(password) }),
  }
}

/** `json`: the assertions of a monitor with a JSON query. */
export function mqttOf(
  item: ForeignFields,
  note: Note,
  json: () => ForeignFields,
): KumaBroker | undefined {
  const [, scheme = 'mqtt', host = ''] =
    /^(?:(\w+):\/\/)?(.*?)\/*$/.exec(textOf(item.hostname).slice(0, 2_048)) ?? []
  if (!/^mqtts?$/i.test(scheme)) {
    note('its broker is behind a WebSocket: the monitor was left out')
    return undefined
  }
  const port = numberOf(item.port)
  const topic = textOf(item.mqttTopic).split('/').map(encodeURIComponent).join('/')
  // What stands for other levels is read better as it is.
  const path = topic.replaceAll('%2B', '+')
  if (listOf(item.conditions).length > 0) note('its conditions: add assertions to $.value')
  return {
    checkType: 'mqtt',
    url: `${scheme.toLowerCase()}://${hostText(host)}${port === undefined ? '' : `:${port}`}/${path}`,
    ...loginOf(item.mqttUsername, item.mqttPassword),
    ...(textOf(item.mqttCheckType) === 'json-query' ? json() : wordOf(item.mqttSuccessMessage)),
  }
}

function wordOf(word: unknown): ForeignFields {
  const value = textOf(word)
  if (value === '') return {}
  return { assertions: [{ source: 'json', path: '$.value', type: 'contains', value }] }
}

/** Kuma asks the management interface whether there is an alarm; so does a check of its address. */
export function rabbitmqOf(item: ForeignFields, note: Note): KumaBroker {
  const nodes = placesIn(item.rabbitmqNodes)
  if (nodes.length > 1) note(`its ${nodes.length} nodes: only the first is asked`)
  const login = `${textOf(item.rabbitmqUsername)}:${textOf(item.rabbitmqPassword)}`
  return {
    checkType: 'endpoint',
    url: `${(nodes[0] ?? '').replace(/\/$/, '')}/api/health/checks/alarms/`,
    headers: { Authorization: `Basic ${Buffer.from(login).toString('base64')}` },
  }
}

/** A list, or its JSON. */
function placesIn(value: unknown): readonly string[] {
  try {
    return listOf(typeof value === 'string' ? JSON.parse(value) : value).map(textOf)
  } catch {
    return []
  }
}

/** Kuma puts a message into the topic; the check looks whether the topic is as it should be. */
export function kafkaOf(item: ForeignFields, note: Note): KumaBroker {
  const brokers = placesIn(item.kafkaProducerBrokers)
  if (brokers.length > 1) note(`its ${brokers.length} brokers: the first is asked about all`)
  note('its message: nothing is put into the topic')
  const { mechanism, username, password } = fieldsOf(item.kafkaProducerSaslOptions)
  const sasl = textOf(mechanism).toLowerCase()
  const signsIn = Object.hasOwn(loginOf(username, password), 'username') && sasl !== 'none'
  const isOfAws = sasl === 'aws'
  if (isOfAws) note('its sign-in by AWS: it is paused until it has another one')
  const isKnown = /^(plain|scram-sha-(256|512))$/.test(sasl)
  const scheme = flagOf(item.kafkaProducerSsl) ? 'kafkas' : 'kafka'
  // Kafka's clients have no usual port with TLS.
  const broker = hasPort(brokers[0] ?? '') ? brokers[0] : `${brokers[0]}:9092`
  return {
    checkType: 'kafka',
    url: `${scheme}://${broker}/${textOf(item.kafkaProducerTopic)}${signsIn && isKnown ? `?sasl=${sasl}` : ''}`,
    ...(signsIn ? loginOf(username, password) : {}),
    ...(isOfAws ? { isActive: false } : {}),
  }
}

function hasPort(place: string): boolean {
  return /:\d+$/.test(place)
}
