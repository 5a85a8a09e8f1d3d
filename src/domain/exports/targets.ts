// What monitors of ours look at, in the words that other products have: a page, a port, a machine.
import { hostText } from '../imports/foreign.ts'
import type { OutgoingMonitor } from './outgoing.ts'

/** Ports of the kinds whose URL may leave it out, plain and with TLS. */
const usualPorts: Readonly<Record<string, number>> = {
  smtp: 25,
  smtps: 465,
  postgres: 5_432,
  redis: 6_379,
  rediss: 6_379,
  mqtt: 1_883,
  mqtts: 8_883,
  ssh: 22,
  grpc: 50_051,
  grpcs: 443,
  amqp: 5_672,
  amqps: 5_671,
  mysql: 3_306,
  mariadb: 3_306,
  sqlserver: 1_433,
  mssql: 1_433,
  imap: 143,
  imaps: 993,
  pop3: 110,
  pop3s: 995,
  ftp: 21,
  ftps: 990,
  kafka: 9_092,
  kafkas: 9_093,
  ldap: 389,
  ldaps: 636,
  mongodb: 27_017,
  ntp: 123,
  snmp: 161,
  radius: 1_812,
  http: 80,
  ws: 80,
  https: 443,
  wss: 443,
}

export interface TargetPlace {
  readonly scheme: string
  /** IPv6 in brackets. */
  readonly host: string
  /** Undefined where the URL has none, and its kind no usual one. */
  readonly port: number | undefined
  readonly path: string
  readonly query: URLSearchParams
}

/** Where the URL of a monitor leads. Undefined if it names no host. */
export function placeOf(url: string): TargetPlace | undefined {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]{0,30}):\/\/(.*)$/is.exec(url) ?? []
  // With a scheme that the standard does not know, hosts stay as they are written.
  const parsed = URL.parse(`x-target://${rest}`)
  if (scheme === '' || parsed === null || parsed.hostname === '') return undefined
  const known = scheme.toLowerCase()
  return {
    scheme: known,
    host: hostText(parsed.hostname),
    port: parsed.port === '' ? usualPorts[known] : Number(parsed.port),
    path: parsed.pathname,
    query: parsed.searchParams,
  }
}

export const isWeb = (monitor: Pick<OutgoingMonitor, 'is'>) =>
  monitor.is('endpoint', 'keyword', 'health')

/** Kinds that speak over TCP with what answers: where nothing speaks their language, the port says something. */
const portKinds = new Set([
  ...['tcp', 'postgres', 'redis', 'mqtt', 'ssh', 'grpc', 'amqp', 'mysql', 'sqlserver', 'imap'],
  ...['pop3', 'ftp', 'kafka', 'ldap', 'mongodb', 'smtp', 'websocket'],
])

/** The port of a kind that is more than one; undefined if a port says nothing of it. */
export function portOf(monitor: OutgoingMonitor): { host: string; port: number } | undefined {
  const place = placeOf(monitor.text('url'))
  if (!portKinds.has(monitor.checkType) || place?.port === undefined) return undefined
  return { host: place.host, port: place.port }
}

/** Statuses from the first to the last of each pair, in order and apart. */
export type StatusRanges = readonly (readonly [first: number, last: number])[]

export const [statusMin, statusMax] = [100, 599]

/** The statuses that a request accepts. */
export function statusesOf(expectedStatus: number, accepted: readonly string[]): StatusRanges {
  const pairs = [String(expectedStatus), ...accepted]
    .map((entry) => entry.split('-').map(Number))
    .map(([first = 0, last = first]): [number, number] => [
      Math.max(first, statusMin),
      Math.min(last, statusMax),
    ])
    .toSorted(([one], [other]) => one - other)
  const ranges: [number, number][] = []
  for (const [first, last] of pairs) {
    const before = ranges.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else if (first <= last) ranges.push([first, last])
  }
  return ranges
}

/** Every status of the ranges. */
export function eachStatus(ranges: StatusRanges): readonly number[] {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  )
}
