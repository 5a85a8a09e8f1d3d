// A table of monitors: its first row names the fields. The form is our own, and takes the export of UptimeRobot.
import { clip } from '../../../base/clip.ts'
import { isGroup, isTold, methods } from '../../checks/check-type.ts'
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  ForeignFileRefused,
  type ForeignMonitor,
  hostText,
  type Note,
  nameOf,
  numberOf,
  pushPace,
  tagsOf,
  within,
} from '../foreign.ts'
import { csvRows } from './csv-rows.ts'

/** The fields, each with the names of columns that mean it: without case, spaces and signs. */
const columns = {
  id: ['id', 'monitorid', 'uuid'],
  name: ['name', 'friendlyname', 'monitorname', 'title', 'label'],
  url: ['url', 'urlip', 'address', 'target', 'host', 'hostname', 'website', 'endpoint'],
  type: ['type', 'monitortype', 'kind', 'checktype'],
  interval: ['interval', 'intervalseconds', 'checkinterval', 'frequency', 'period'],
  timeout: ['timeout', 'timeoutseconds'],
  grace: ['grace', 'graceperiod', 'graceseconds'],
  port: ['port'],
  method: ['method', 'httpmethod'],
  statuses: ['statuses', 'statuscodes', 'acceptedstatuses', 'expectedstatus'],
  failures: ['failures', 'failurethreshold', 'confirmations'],
  schedule: ['schedule', 'cron'],
  timezone: ['timezone'],
  keyword: ['keyword', 'keywordvalue'],
  keywordType: ['keywordtype'],
  tags: ['tags', 'labels'],
  group: ['group', 'folder', 'category'],
  description: ['description', 'notes', 'comment'],
  paused: ['paused', 'ispaused'],
  active: ['active', 'enabled', 'isactive', 'isenabled'],
  /** What an export of ours has no other column for. */
  left: ['notinthistable'],
} as const

type TableField = keyof typeof columns
type Row = Readonly<Partial<Record<TableField, string>>>

const columnsMax = 200

/** Throws ForeignFileRefused without a column for names or addresses. */
export function fromCsv(text: string): ForeignDocument {
  const [head = [], ...body] = csvRows(text, {
    rowsMax: limits.importMonitorsMax + 1,
    fieldsMax: columnsMax,
  })
  const named = head.map(columnOf)
  if (!named.includes('name') && !named.includes('url')) {
    throw new ForeignFileRefused(
      'must begin with a row that names its columns, such as name,url,type',
    )
  }
  const notes = createNotes()
  const unknown = head.filter((title, index) => title !== '' && named[index] === undefined)
  for (const title of unknown)
    notes.of(null)(`the column "${clip(title, 60)}": no field has this name`)
  const origins = new Set<string>()
  const monitors = body.flatMap((values, index) => {
    const row = rowOf(named, values)
    const name = nameOf(row.name, row.url || `Row ${index + 2}`)
    const origin = clip(`row/${row.id || name}`, originCharsMax)
    const isFirst = !origins.has(origin)
    origins.add(origin)
    const note = isFirst ? notes.of(name, origin) : notes.of(name)
    const monitor = monitorOf(row, name, note)
    return monitor ? { ...(isFirst ? { origin } : {}), ...monitor } : []
  })
  return { source: { product: 'csv', installation: 'csv' }, monitors, notes: notes.all() }
}

const originCharsMax = 200

function columnOf(title: string): TableField | undefined {
  const plain = title.toLowerCase().replace(/[^a-z0-9]/g, '')
  const found = Object.entries(columns).find(([, names]) => names.some((one) => one === plain))
  // Object.entries loses the type of the names.
  return found?.[0] as TableField | undefined
}

/** The first of several columns that mean the same counts, unless it is empty. */
function rowOf(named: readonly (TableField | undefined)[], values: readonly string[]): Row {
  const row: Partial<Record<TableField, string>> = {}
  for (const [index, column] of named.entries()) {
    // What begins a formula has an apostrophe before it, for spreadsheets.
    if (column !== undefined) row[column] ||= (values[index] ?? '').replace(/^'(?=[=+\-@])/, '')
  }
  return row
}

function monitorOf(row: Row, name: string, note: Note): ForeignMonitor | undefined {
  const target = targetOf(row, note)
  if (!target) return undefined
  const description = row.description ?? ''
  const tags = tagsOf([...(row.tags ?? '').split(/[;,|]/), row.group ?? ''])
  return {
    name,
    ...target,
    isActive: !isSaid(row.paused) && (!row.active || isSaid(row.active)),
    ...(tags.length === 0 ? {} : { tags }),
    ...(description === '' ? {} : { description: clip(description, limits.descriptionCharsMax) }),
  }
}

function isSaid(value: string | undefined): boolean {
  return /^(1|true|yes|y|on|x)$/i.test(value ?? '')
}

/** The words that mean a kind, besides the kinds of ours that need nothing but an address. */
const typeWords: Readonly<Record<string, readonly string[]>> = {
  endpoint: [
    'http',
    'https',
    'httphttps',
    'https',
    'website',
    'web',
    'api',
    'url',
    'endpoint',
    'httprequest',
  ],
  keyword: ['keyword'],
  health: ['health'],
  ping: ['ping', 'icmp'],
  tcp: ['port', 'tcp', 'tcpport'],
  push: ['heartbeat', 'push', 'cron', 'job'],
  ssl: ['ssl', 'certificate', 'tls'],
  domain: ['domain', 'whois'],
  dns: ['dns'],
}

/** Kinds that are requests of HTTP. */
const webKinds = ['endpoint', 'keyword', 'health']

function targetOf(row: Row, note: Note): ForeignFields | undefined {
  const { url = '' } = row
  const word = (row.type ?? '').toLowerCase().replace(/[^a-z0-9]/g, '')
  const kind =
    word === ''
      ? kindOfAddress(url)
      : Object.keys(typeWords).find((one) => typeWords[one]?.includes(word))
  if (kind === 'push') return pushOf(row, note)
  const own = kind === undefined ? ownKindOf(row.type ?? '', url) : undefined
  if (own !== undefined) return { ...own, ...(isTold(own) ? {} : paceOf(row, note)) }
  const address = kind === undefined ? undefined : addressOf(kind, url, row.port ?? '')
  if (kind === undefined || address === undefined) {
    const what =
      kind === undefined ? `its type "${clip(row.type ?? '', 40)}"` : 'a row without an address'
    note(`${what} has no equivalent: the monitor was left out`)
    return undefined
  }
  return {
    checkType: kind === 'keyword' ? 'endpoint' : kind,
    url: address,
    ...paceOf(row, note),
    ...(webKinds.includes(kind) ? webOf(row, note) : {}),
  }
}

function pushOf(row: Row, note: Note): ForeignFields {
  const { schedule = '', timezone = '' } = row
  const graceSeconds = secondsOf(row.grace, note) ?? limits.importGraceSeconds
  note('its push address is a new one: change it in the sender')
  return {
    checkType: 'push',
    ...pushPace(secondsOf(row.interval, note) ?? 300, graceSeconds),
    ...(schedule === '' ? {} : { schedule: clip(schedule, limits.cronCharsMax) }),
    ...(timezone === '' ? {} : { timezone: clip(timezone, limits.timezoneCharsMax) }),
  }
}

/** Kinds of ours by their own names, whose address says all that they need, with the schemes that it has. */
const ownKinds: Readonly<Record<string, RegExp>> = {
  ...{ amqp: /^amqps?$/, browser: /^https?$/, command: /^command$/, container: /^container$/ },
  ...{ file: /^file$/, ftp: /^ftps?$/, grpc: /^grpcs?$/, host: /^host$/ },
  ...{ imap: /^imaps?$/, kafka: /^kafkas?$/, ldap: /^ldaps?$/, mongodb: /^mongodb$/ },
  ...{ mqtt: /^mqtts?$/, mysql: /^(mysql|mariadb)$/, ntp: /^ntp$/, pop3: /^pop3s?$/ },
  ...{ postgres: /^postgres$/, radius: /^radius$/, redis: /^rediss?$/, smtp: /^smtps?$/ },
  ...{ snmp: /^snmp$/, sqlserver: /^(sqlserver|mssql)$/, ssh: /^ssh$/ },
  ...{ 'status-page': /^https?$/, systemd: /^systemd$/, udp: /^udp$/, websocket: /^wss?$/ },
}

function ownKindOf(
  type: string,
  url: string,
): { readonly checkType: string; readonly url?: string } | undefined {
  const checkType = type.trim().toLowerCase()
  if (isTold({ checkType }) && !isGroup({ checkType })) return { checkType }
  const schemes = Object.hasOwn(ownKinds, checkType) ? ownKinds[checkType] : undefined
  const [, scheme = ''] = /^([a-z][a-z0-9]{0,19}):\/\//i.exec(url) ?? []
  return schemes?.test(scheme.toLowerCase()) ? { checkType, url } : undefined
}

function kindOfAddress(url: string): string {
  const [, scheme = 'https'] = /^([a-z]+):\/\//i.exec(url) ?? []
  const known = scheme.toLowerCase()
  return known === 'tcp' || known === 'ping' || known === 'dns' ? known : 'endpoint'
}

/** The address of a kind: its own form, or made of a host. */
function addressOf(kind: string, url: string, port: string): string | undefined {
  if (url === '') return undefined
  const hasScheme = /^[a-z]+:\/\//i.test(url)
  // Our own form of the address says more than a host.
  const isOwn = url.toLowerCase().startsWith(`${kind === 'ssl' ? 'tls' : kind}://`)
  if (isOwn && kind !== 'tcp') return url
  if (webKinds.includes(kind)) return hasScheme ? url : `https://${url}`
  const parsed = hasScheme ? URL.parse(url) : URL.parse(`x://${hostText(url)}`)
  const host = parsed?.hostname || url
  if (kind === 'tcp') return `tcp://${host}:${port || parsed?.port || ''}`
  return kind === 'ssl' ? `https://${host}:${port || parsed?.port || 443}` : `${kind}://${host}`
}

function paceOf(row: Row, note: Note): ForeignFields {
  const interval = secondsOf(row.interval, note)
  const timeout = secondsOf(row.timeout, note)
  const failures = numberOf(row.failures)
  return {
    ...(failures === undefined
      ? {}
      : { failureThreshold: within(failures, 1, limits.thresholdMax) }),
    ...(interval === undefined
      ? {}
      : {
          intervalSeconds: within(interval, limits.intervalSecondsMin, limits.intervalSecondsMax),
        }),
    ...(timeout === undefined
      ? {}
      : { timeoutMs: within(timeout * 1_000, limits.timeoutMsMin, limits.timeoutMsMax) }),
  }
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Seconds, or a number with its unit, such as `5m` or `30 sec`. */
function secondsOf(text: string | undefined, note: Note): number | undefined {
  if (!text) return undefined
  const [, count = '', unit = 's'] =
    /^(\d{1,9}(?:\.\d{1,3})?)\s{0,9}([smhd])?[a-z]{0,9}$/i.exec(text) ?? []
  const seconds = (numberOf(count) ?? Number.NaN) * (unitSeconds[unit.toLowerCase()] ?? 1)
  if (!Number.isNaN(seconds)) return seconds
  note(`"${clip(text, 40)}" is no number of seconds, such as 300 or 5m`)
  return undefined
}

function webOf(row: Row, note: Note): ForeignFields {
  const method = (row.method ?? '').toUpperCase()
  const known = methods.find((one) => one === method)
  if (method !== '' && known === undefined)
    note(`its method "${clip(method, 20)}": GET in place of it`)
  const keyword = row.keyword ?? ''
  const listed = (row.statuses ?? '').split(/[;,|\s]+/).filter((one) => one !== '')
  const statuses = listed.filter((one) => /^[1-5]\d\d(-[1-5]\d\d)?$/.test(one))
  if (statuses.length < listed.length) note(`of its statuses "${clip(row.statuses ?? '', 60)}"`)
  // UptimeRobot says when it alerts: if the word exists, or if it does not.
  const isUnwanted = /^(exists|1|notcontains|absent)$/i.test(
    (row.keywordType ?? '').replace(/\W/g, ''),
  )
  return {
    ...(known === undefined ? {} : { method: known }),
    ...(statuses.length === 0
      ? {}
      : { expectedStatus: Number(statuses[0]?.slice(0, 3)), acceptedStatuses: statuses }),
    ...(keyword === '' ? {} : { [isUnwanted ? 'bodyNotContains' : 'bodyContains']: keyword }),
  }
}
