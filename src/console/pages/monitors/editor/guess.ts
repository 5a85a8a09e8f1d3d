// What somebody means who types an address: the kind of check, the whole URL, and a name.
import type { MonitorGlance } from '../../../stores/monitors.ts'

export type CheckType = MonitorGlance['checkType']

export interface Guess {
  readonly checkType: CheckType
  readonly url: string
  /** The host alone: a name is shown where its port, path and scheme should not be. */
  readonly name: string
}

const schemes: Readonly<Record<string, CheckType>> = {
  'http:': 'endpoint',
  'https:': 'endpoint',
  'ws:': 'websocket',
  'wss:': 'websocket',
  'tcp:': 'tcp',
  'tls:': 'ssl',
  'ping:': 'ping',
  'dns:': 'dns',
  'smtp:': 'smtp',
  'smtps:': 'smtp',
  'domain:': 'domain',
}

/** The schemes of kinds whose scheme is not their own word. */
const otherSchemes: Readonly<Record<string, readonly string[]>> = {
  endpoint: ['https:', 'http:'],
  keyword: ['https:', 'http:'],
  health: ['https:', 'http:'],
  ssl: ['tls:', 'https:'],
  websocket: ['wss:', 'ws:'],
  smtp: ['smtp:', 'smtps:'],
}

/** Schemes that a kind takes; the first is written for an address that has another one. */
function schemesOf(kind: CheckType): readonly string[] {
  return otherSchemes[kind] ?? [`${kind}:`]
}

/** The usual ports of servers that are checked by a TCP connection. */
const portsOfServers: Readonly<Record<string, string>> = {
  'postgres:': '5432',
  'postgresql:': '5432',
  'mysql:': '3306',
  'mariadb:': '3306',
  'sqlserver:': '1433',
  'mongodb:': '27017',
  'redis:': '6379',
  'rediss:': '6379',
  'memcached:': '11211',
  'amqp:': '5672',
  'amqps:': '5671',
  'mqtt:': '1883',
  'mqtts:': '8883',
  'nats:': '4222',
  'ldap:': '389',
  'ldaps:': '636',
  'ssh:': '22',
}

const usualPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
}

const mailPorts = new Set(['25', '465', '587'])
const webPorts = new Set(['80', '443', '3000', '5000', '8000', '8080', '8443'])

const ipv4 = /^\d+\.\d+\.\d+\.\d+$/

/** Undefined while it is no address. */
export function guessMonitor(text: string): Guess | undefined {
  const typed = withoutCommand(text.trim())
  if (typed === '' || /\s/.test(typed)) return undefined
  if (/^(jdbc:)?[a-z]+:\/\//i.test(typed)) return ofUrl(typed.replace(/^jdbc:/i, ''))
  if (ipv4.test(typed)) return ofUrl(`ping://${typed}`)
  const port = /^[^/:]+:(\d+)$/.exec(typed)?.[1]
  if (port !== undefined && mailPorts.has(port)) return ofUrl(`smtp://${typed}`)
  if (port !== undefined && !webPorts.has(port)) return ofUrl(`tcp://${typed}`)
  if (/^[^/]+\.[a-z0-9-]+|^localhost/i.test(typed)) return ofUrl(`https://${typed}`)
  return undefined
}

/** Whether the text itself names a kind of check, by a scheme or a command: then it replaces a chosen kind. */
export function saysHow(text: string): boolean {
  return /^\s*[a-z:]+:\/\//i.test(text) || withoutCommand(text) !== text
}

/** The address of a text for a kind of check: with a scheme that it takes. */
export function addressFor(kind: CheckType, text: string): string {
  const guess = guessMonitor(text)
  if (kind === 'push' || !guess) return text
  const url = URL.parse(guess.url)
  const fitting = schemesOf(kind)
  if (!url || fitting.includes(url.protocol)) return guess.url
  const isPlain = url.protocol === 'http:' || url.protocol === 'ws:'
  const scheme = (isPlain ? fitting[1] : undefined) ?? fitting[0]
  return `${scheme}//${placeFor(kind, url, saysHow(text))}`
}

/** Whether the kind takes the address as it is. */
export function takes(kind: CheckType, url: string): boolean {
  const scheme = URL.parse(url)?.protocol ?? ''
  return kind !== 'push' && schemesOf(kind).includes(scheme)
}

/** A port is added only where the scheme that was typed implies it. */
function placeFor(kind: CheckType, url: URL, hasScheme: boolean): string {
  const { hostname, port, pathname, search, protocol } = url
  const path = pathname === '/' ? '' : pathname
  const withPort = port === '' ? hostname : `${hostname}:${port}`
  switch (kind) {
    case 'ping':
    case 'dns':
    case 'domain':
      return hostname
    case 'tcp':
    case 'ssl': {
      const implied = hasScheme ? usualPorts[protocol] : undefined
      return port === '' && implied !== undefined ? `${hostname}:${implied}` : withPort
    }
    case 'smtp':
      return mailPorts.has(port) ? withPort : hostname
    default:
      return `${withPort}${path}${search}`
  }
}

/** `ping 127.0.0.1`, `telnet db 5432`: the address that a command line checks. */
function withoutCommand(text: string): string {
  const [command = '', ...rest] = text.trim().split(/\s+/)
  const [host, port] = rest.slice(-2)
  switch (command.toLowerCase()) {
    case 'ping':
      return rest.length === 0 ? text : `ping://${rest.at(-1)}`
    case 'telnet':
    case 'nc':
      return port === undefined ? text : `tcp://${host}:${port}`
    case 'curl':
      return rest.find((word) => word.includes('://')) ?? rest.at(-1) ?? text
    default:
      return text
  }
}

function ofUrl(url: string): Guess | undefined {
  const parsed = URL.parse(url)
  if (!parsed || parsed.hostname === '') return undefined
  const { protocol, hostname, port } = parsed
  const name = hostname.replace(/^\[|\]$/g, '').slice(0, 120)
  const usualPort = portsOfServers[protocol]
  if (usualPort !== undefined) {
    // The user, the password and the database are left out: only the port is looked at.
    return { checkType: 'tcp', url: `tcp://${hostname}:${port || usualPort}`, name }
  }
  const checkType = schemes[protocol]
  return checkType && { checkType, url, name }
}
