// The tables of an organization's whole history, as it leaves: their columns, with types.

/** `time` is in ms since 1970, in UTC. `integer` has 32 bits, `long` up to 53. `json` is a value of JSON. */
type HistoryType = 'text' | 'time' | 'integer' | 'long' | 'number' | 'flag' | 'json'

export interface HistoryColumn {
  readonly name: string
  readonly type: HistoryType
}

/** What each type is in a row. Every value may be null. */
interface HistoryValueOf {
  text: string
  time: number
  integer: number
  long: number
  number: number
  flag: boolean
  json: object
}

const text = <const Name extends string>(name: Name) => ({ name, type: 'text' }) as const
const time = <const Name extends string>(name: Name) => ({ name, type: 'time' }) as const
const integer = <const Name extends string>(name: Name) => ({ name, type: 'integer' }) as const
const long = <const Name extends string>(name: Name) => ({ name, type: 'long' }) as const
const number = <const Name extends string>(name: Name) => ({ name, type: 'number' }) as const
const flag = <const Name extends string>(name: Name) => ({ name, type: 'flag' }) as const
const json = <const Name extends string>(name: Name) => ({ name, type: 'json' }) as const

/** Which monitor a row is about, and what it was in the product that it came from. */
const ofMonitor = [
  text('monitorId'),
  text('monitorName'),
  text('monitorProduct'),
  text('monitorOrigin'),
] as const

const phases = [
  number('dnsMs'),
  number('connectMs'),
  number('tlsMs'),
  number('firstByteMs'),
  number('downloadMs'),
] as const

const tallied = [
  time('at'),
  ...(['upMs', 'degradedMs', 'downMs', 'pausedMs', 'maintenanceMs', 'unknownMs'] as const).map(
    integer,
  ),
] as const

const figures = [
  integer('checks'),
  integer('failures'),
  integer('resultsUp'),
  integer('resultsDegraded'),
  integer('resultsDown'),
  integer('resultsUnknown'),
  integer('responses'),
  number('minMs'),
  number('avgMs'),
  number('p50Ms'),
  number('p95Ms'),
  number('p99Ms'),
  number('maxMs'),
  ...phases,
] as const

/** Each table by its name. */
export const historyColumns = {
  results: [
    ...ofMonitor,
    text('location'),
    time('at'),
    text('outcome'),
    long('responseTimeMs'),
    integer('status'),
    text('errorKind'),
    text('message'),
    ...phases,
  ],
  hours: [...ofMonitor, ...tallied, ...figures],
  days: [...ofMonitor, ...tallied, ...figures],
  locationHours: [...ofMonitor, text('location'), ...tallied, ...figures],
  locationDays: [...ofMonitor, text('location'), ...tallied, ...figures],
  incidents: [
    text('id'),
    ...ofMonitor,
    json('monitorIds'),
    text('title'),
    text('cause'),
    text('severity'),
    flag('isDeclared'),
    text('state'),
    time('startedAt'),
    time('confirmedAt'),
    time('acknowledgedAt'),
    text('acknowledgedBy'),
    time('resolvedAt'),
    text('resolution'),
    long('durationMs'),
    flag('flapping'),
    flag('isPublic'),
    text('importId'),
    text('errorKind'),
    text('errorMessage'),
    json('evidence'),
    text('postmortem'),
  ],
  timeline: [
    text('incidentId'),
    ...ofMonitor,
    time('at'),
    text('kind'),
    text('status'),
    text('by'),
    flag('isPublic'),
    text('message'),
  ],
  deliveries: [
    text('id'),
    ...ofMonitor,
    text('incidentId'),
    text('channelId'),
    text('channelName'),
    text('channelType'),
    text('event'),
    text('webhookId'),
    text('state'),
    integer('attempts'),
    time('createdAt'),
    time('lastAttemptAt'),
    integer('lastStatus'),
    text('lastError'),
    time('deliveredAt'),
    long('dwellMs'),
    text('mergedIntoId'),
  ],
} as const satisfies Record<string, readonly HistoryColumn[]>

export type HistoryTable = keyof typeof historyColumns

type ColumnOf<Table extends HistoryTable> = (typeof historyColumns)[Table][number]

/** A row of a table. */
export type HistoryRow<Table extends HistoryTable = HistoryTable> = Table extends HistoryTable
  ? {
      readonly [Column in ColumnOf<Table> as Column['name']]: HistoryValueOf[Column['type']] | null
    }
  : never

/** The values of a row of any table, by the names of its columns. */
export type HistoryValues = Readonly<Record<string, string | number | boolean | object | null>>

/** The names of all tables, in the order in which they are written. */
export const historyTables = Object.keys(historyColumns) as HistoryTable[]

export const historyFormats = ['jsonl', 'csv', 'parquet'] as const
export type HistoryFormat = (typeof historyFormats)[number]

/** What the formats are on the wire: the media types of IANA, and that of newline-delimited JSON. */
export const historyMediaTypes = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
} as const satisfies Record<HistoryFormat, string>
