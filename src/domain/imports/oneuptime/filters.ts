// The filters of OneUptime's criteria, such as "Response Time (in ms) Greater Than 500", as conditions.
// https://github.com/OneUptime/oneuptime: Common/Types/Monitor/CriteriaFilter.ts has the words, and
// Common/Server/Utils/Monitor/Criteria/ what they mean.
import { always, both, type Clauses, either, never, part, statusesWhere } from '../clauses.ts'
import { type ForeignFields, numberOf, textOf } from '../foreign.ts'
import { jsonPathOf } from '../gatus/conditions.ts'

/** Where a filter looks. */
type FilterReading =
  /** What is so anyway if a check of ours is good. */
  | { readonly is: boolean }
  | {
      readonly source: string
      readonly path?: string
      readonly isNumber?: true
      /** How many of theirs are one of ours. */
      readonly per?: number
      /** Our words for theirs; others have none. */
      readonly words?: Readonly<Record<string, string>>
    }
  | 'status'
  | 'header'
  | 'script'

export type FilterReadings = Readonly<Record<string, FilterReading>>

const isSo = { is: true } as const
const isNotSo = { is: false } as const
const time = { source: 'responseTime', isNumber: true } as const
const json = (path: string) => ({ source: 'json', path }) as const
const jsonNumber = (path: string) => ({ ...json(path), isNumber: true }) as const

const pageWords = {
  operational: 'operational',
  degraded_performance: 'degraded',
  partial_outage: 'partial_outage',
  major_outage: 'major_outage',
  full_outage: 'major_outage',
  under_maintenance: 'maintenance',
}

const reached: FilterReadings = {
  'Is Online': isSo,
  'Is Request Timeout': isNotSo,
  'Response Time (in ms)': time,
}

/** What the filters of a monitor can look at, by what it becomes. */
export const readings = {
  web: {
    ...reached,
    'Response Status Code': 'status',
    'Response Body': { source: 'body' },
    'Response Header': 'header',
    'JavaScript Expression': 'script',
  },
  host: reached,
  certificate: {
    ...reached,
    'Is Valid Certificate': isSo,
    'Is Not A Valid Certificate': isNotSo,
    'Is Self Signed Certificate': isNotSo,
    'Is Expired Certificate': isNotSo,
    'Expires In Days': { source: 'certificateDays', isNumber: true },
    'Expires In Hours': { source: 'certificateDays', isNumber: true, per: 24 },
  },
  dns: {
    ...reached,
    'DNS Is Online': isSo,
    'DNS Record Exists': isSo,
    'DNSSEC Is Valid': isSo,
    'DNS Response Time (in ms)': time,
    'DNS Record Value': json('$.records[*]'),
  },
  /** The records of these types have several fields, and a text. */
  dnsFields: {
    ...reached,
    'DNS Is Online': isSo,
    'DNS Record Exists': isSo,
    'DNSSEC Is Valid': isSo,
    'DNS Response Time (in ms)': time,
    'DNS Record Value': json('$.records[*].text'),
  },
  dnssec: {
    ...reached,
    'DNSSEC Chain Is Valid': isSo,
    'DNSSEC DNSKEY Record Exists': isSo,
    'DNSSEC DS Record Exists At Parent': isSo,
    'DNSSEC Signature Expires In Days': jsonNumber('$.dnssec.daysLeft'),
  },
  domain: {
    ...reached,
    'Domain Is Expired': isNotSo,
    'Domain Expires In Days': jsonNumber('$.daysLeft'),
    'Domain Registrar': json('$.registrar'),
    'Domain Name Server': json('$.nameServers[*]'),
    'Domain Status Code': json('$.status[*]'),
  },
  snmp: {
    ...reached,
    'SNMP Device Is Online': isSo,
    'SNMP OID Exists': isSo,
    'SNMP OID Value': json('$.value'),
    'SNMP Response Time (in ms)': time,
  },
  sql: {
    ...reached,
    'SQL Is Online': isSo,
    'SQL Query Error': isNotSo,
    'SQL Query Row Count': jsonNumber('$.rowCount'),
    'SQL Query Scalar Value': json('$.value'),
    'SQL Query Execution Time (in ms)': time,
  },
  page: {
    ...reached,
    'External Status Page Is Online': isSo,
    'External Status Page Active Incidents': json('$.incidents'),
    'External Status Page Component Status': {
      ...json('$.components[*].status'),
      words: pageWords,
    },
    'External Status Page Response Time (in ms)': time,
  },
  script: { ...reached, Error: isNotSo, 'Execution Time (in ms)': time },
} as const satisfies Record<string, FilterReadings>

/** What a filter says, and its opposite. */
export interface FilterCondition {
  readonly holds: Clauses
  readonly fails: Clauses
}

const sure: FilterCondition = { holds: always, fails: never }
const impossible: FilterCondition = { holds: never, fails: always }

export function allOf(conditions: readonly FilterCondition[]): FilterCondition {
  return {
    holds: conditions.map(({ holds }) => holds).reduce(both, always),
    fails: conditions.map(({ fails }) => fails).reduce(either, never),
  }
}

export function anyOf(conditions: readonly FilterCondition[]): FilterCondition {
  return opposite(allOf(conditions.map(opposite)))
}

function opposite({ holds, fails }: FilterCondition): FilterCondition {
  return { holds: fails, fails: holds }
}

/** The words of a filter, for people. */
export function wordsOf({ checkOn, filterType, value }: ForeignFields): string {
  return [checkOn, filterType, value].map(textOf).filter(Boolean).join(' ')
}

/** Each comparison with ours, and with that of its opposite. */
const types: Readonly<Record<string, readonly [string, string]>> = {
  'Equal To': ['equals', 'notEquals'],
  'Not Equal To': ['notEquals', 'equals'],
  'Greater Than': ['greaterThan', 'lessOrEqual'],
  'Less Than': ['lessThan', 'greaterOrEqual'],
  'Greater Than Or Equal To': ['greaterOrEqual', 'lessThan'],
  'Less Than Or Equal To': ['lessOrEqual', 'greaterThan'],
  Contains: ['contains', 'notContains'],
  'Not Contains': ['notContains', 'contains'],
}

/** `isReached`: of an answer; else of a target that did not give one, of which only that much is known. */
export function conditionOf(
  filter: ForeignFields,
  readings: FilterReadings,
  isReached: boolean,
): FilterCondition {
  const reading = readings[textOf(filter.checkOn)]
  if (reading !== undefined && typeof reading !== 'string' && 'is' in reading) {
    const isMet = reading.is === isReached
    return isMet === isAffirmed(textOf(filter.filterType)) ? sure : impossible
  }
  if (!isReached) return impossible
  return read(filter, reading) ?? unread(wordsOf(filter))
}

function isAffirmed(filterType: string): boolean {
  return !['False', 'Is Empty', 'Not Equal To', 'Not Contains'].includes(filterType)
}

function unread(words: string): FilterCondition {
  return {
    holds: part(words, words, `not ${words}`),
    fails: part(`not ${words}`, `not ${words}`, words),
  }
}

function read(filter: ForeignFields, reading: Exclude<FilterReading, { is: boolean }> | undefined) {
  const filterType = textOf(filter.filterType)
  const value = textOf(filter.value)
  switch (reading) {
    case undefined:
      return undefined
    case 'status':
      return statusCondition(filterType, value)
    case 'header':
      return headerCondition(filterType, value)
    case 'script':
      return scriptCondition(value)
    default:
      return valueCondition(filter, reading)
  }
}

const tests: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  'Equal To': (one, other) => one === other,
  'Not Equal To': (one, other) => one !== other,
  'Greater Than': (one, other) => one > other,
  'Less Than': (one, other) => one < other,
  'Greater Than Or Equal To': (one, other) => one >= other,
  'Less Than Or Equal To': (one, other) => one <= other,
}

function statusCondition(filterType: string, value: string): FilterCondition | undefined {
  const test = tests[filterType]
  const wanted = numberOf(value)
  if (test === undefined || wanted === undefined) return undefined
  return {
    holds: statusesWhere((status) => test(status, wanted)),
    fails: statusesWhere((status) => !test(status, wanted)),
  }
}

function headerCondition(filterType: string, value: string): FilterCondition | undefined {
  const has = types[filterType]?.[0]
  if (has !== 'contains' && has !== 'notContains') return undefined
  if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(value)) return undefined
  const header = (type: string) => ({ source: 'header', path: value, type })
  const one = compared(header('exists'), header('notExists'))
  return has === 'contains' ? one : opposite(one)
}

function compared(assertion: object, contrary: object): FilterCondition {
  const [key, otherKey] = [JSON.stringify(assertion), JSON.stringify(contrary)]
  return {
    holds: part(key, key, otherKey, assertion),
    fails: part(otherKey, otherKey, key, contrary),
  }
}

function valueCondition(
  { filterType, value: given }: ForeignFields,
  { source, path, isNumber, per = 1, words }: Extract<FilterReading, { source: string }>,
): FilterCondition | undefined {
  const [type, contrary] = types[textOf(filterType)] ?? []
  if (type === undefined || contrary === undefined) return undefined
  const place = { source, ...(path === undefined ? {} : { path }) }
  if (path === '$.incidents') return noneCondition(place, type, textOf(given))
  const value = words ? words[textOf(given)] : textOf(given)
  if (value === undefined || value === '') return undefined
  const isOfNumbers = isNumber || type.startsWith('greater') || type.startsWith('less')
  if (source === 'body' && isOfNumbers) return undefined
  const number = numberOf(value)
  if (isOfNumbers && (number === undefined || type.endsWith('ontains'))) return undefined
  const wanted = per === 1 ? value : String(Math.ceil((number ?? 0) / per))
  return compared({ ...place, type, value: wanted }, { ...place, type: contrary, value: wanted })
}

/** Whether there is one at all. */
function noneCondition(place: object, type: string, value: string): FilterCondition | undefined {
  const [none, some] = [
    { ...place, type: 'lengthEquals', value: '0' },
    { ...place, path: '$.incidents[0]', type: 'exists' },
  ]
  const isAny = ['greaterThan 0', 'greaterOrEqual 1', 'notEquals 0'].includes(`${type} ${value}`)
  if (isAny) return compared(some, none)
  const isNone = ['equals 0', 'lessThan 1', 'lessOrEqual 0'].includes(`${type} ${value}`)
  return isNone ? compared(none, some) : undefined
}

/** Terms of an expression; more are no expression that is read. */
const termsMax = 10
const termCharsMax = 500

/** A term: a placeholder, perhaps in quotes, a sign, and a plain value. */
const termForm =
  /^["'`]?\{\{(response(?:Body|Headers|StatusCode|TimeInMs))([^{}]*)\}\}["'`]? ?([=!<>]{1,3}) ?(?:"([^"\\]*)"|'([^'\\]*)'|(-?\d+(?:\.\d+)?|true|false|null))$/

const signs: Readonly<Record<string, string>> = {
  '===': 'Equal To',
  '==': 'Equal To',
  '!==': 'Not Equal To',
  '!=': 'Not Equal To',
  '>': 'Greater Than',
  '>=': 'Greater Than Or Equal To',
  '<': 'Less Than',
  '<=': 'Less Than Or Equal To',
}

/** `"{{responseBody.state}}" === "ok" && {{responseStatusCode}} < 300`; undefined for other JavaScript. */
function scriptCondition(script: string): FilterCondition | undefined {
  const joins = [' && ', ' || '].filter((join) => spaced(script).includes(join))
  const [join = ' && ', other] = joins
  const terms = spaced(script).split(join)
  if (other !== undefined || terms.length > termsMax) return undefined
  const conditions = terms.map(termCondition)
  if (!conditions.every((one) => one !== undefined)) return undefined
  return join === ' && ' ? allOf(conditions) : anyOf(conditions)
}

function spaced(script: string): string {
  const text = script.length > termsMax * termCharsMax ? '' : script
  return text
    .replace(/&&|\|\|/g, ' $& ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/;$/, '')
}

function termCondition(term: string): FilterCondition | undefined {
  const trimmed = term.trim()
  const found = trimmed.length > termCharsMax ? null : termForm.exec(trimmed)
  const [, what = '', rest = '', sign = '', double, single, bare] = found ?? []
  const filterType = signs[sign]
  const value = double ?? single ?? bare
  if (filterType === undefined || value === undefined) return undefined
  if (what === 'responseStatusCode')
    return rest === '' ? statusCondition(filterType, value) : undefined
  const path = jsonPathOf(rest.trim())
  if (path === undefined) return undefined
  switch (what) {
    case 'responseTimeInMs':
      return path === '$' ? valueCondition({ filterType, value }, time) : undefined
    case 'responseHeaders': {
      const [, plain, name = plain] = /^\$\.(\w+)$|^\$\['([\w-]+)'\]$/.exec(path) ?? []
      if (name === undefined) return undefined
      return valueCondition({ filterType, value }, { source: 'header', path: name })
    }
    default: {
      const place = path === '$' ? { source: 'body' } : json(path)
      return valueCondition({ filterType, value }, place)
    }
  }
}
