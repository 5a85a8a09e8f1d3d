// The conditions of Gatus, such as "[STATUS] == 200" or "len([BODY].items) > 2", as expectations.
import { comparisons } from '../foreign.ts'

/** What a condition becomes. */
export type ForeignCondition =
  | { readonly kind: 'statuses'; readonly statuses: readonly string[] }
  | { readonly kind: 'assertion'; readonly assertion: ForeignAssertion }
  /** DNS: a text that an answer must have. */
  | { readonly kind: 'contains'; readonly text: string }
  | { readonly kind: 'domain'; readonly days: number }
  /** Nothing must be reachable. */
  | { readonly kind: 'fails' }
  /** A check means it anyway. */
  | { readonly kind: 'implied' }
  | { readonly kind: 'unknown' }

export interface ForeignAssertion {
  readonly source: string
  readonly path?: string
  readonly type: string
  readonly value?: string
}

const unknown: ForeignCondition = { kind: 'unknown' }
const implied: ForeignCondition = { kind: 'implied' }

/** `isDns`: its body is the record, not a document. */
export function readCondition(text: string, isDns: boolean): ForeignCondition {
  const found = /\s(==|!=|>=|<=|>|<)\s/.exec(text)
  const type = comparisons[found?.[1] ?? '']
  if (!found || type === undefined) return unknown
  const left = text.slice(0, found.index).trim()
  const value = text.slice(found.index + found[0].length).trim()
  switch (left) {
    case '[STATUS]':
      return statusCondition(type, value)
    case '[RESPONSE_TIME]':
      return assertion({ source: 'responseTime', type, value })
    case '[IP]':
      return /^[\da-fA-F.:]+$/.test(value) ? assertion({ source: 'ip', type, value }) : unknown
    case '[CONNECTED]':
      return type !== 'equals' ? unknown : value === 'true' ? implied : { kind: 'fails' }
    case '[DNS_RCODE]':
      return type === 'equals' && value === 'NOERROR' ? implied : unknown
    case '[CERTIFICATE_EXPIRATION]':
    case '[DOMAIN_EXPIRATION]':
      return expiryCondition(left, type, value)
    default:
      return isDns ? dnsCondition(left, type, value) : bodyCondition(left, type, value)
  }
}

function assertion(one: ForeignAssertion): ForeignCondition {
  return { kind: 'assertion', assertion: one }
}

/** The arguments of `any(200, 201)`; undefined for anything else. */
function anyOf(value: string): string[] | undefined {
  const [, inside] = /^any\((.*)\)$/s.exec(value) ?? []
  return inside?.split(',').map((one) => one.trim())
}

function statusCondition(type: string, value: string): ForeignCondition {
  const wanted = anyOf(value) ?? [value]
  if (!wanted.every((one) => /^[1-5]\d\d$/.test(one))) return unknown
  if (type === 'equals') return { kind: 'statuses', statuses: wanted }
  const [only] = wanted
  if (wanted.length > 1 || only === undefined) return unknown
  return assertion({ source: 'status', type, value: only })
}

function expiryCondition(left: string, type: string, value: string): ForeignCondition {
  const spanMs = goSpanMs(value)
  if (spanMs === undefined || !type.startsWith('greater')) return unknown
  const days = Math.max(1, Math.ceil(spanMs / 86_400_000))
  if (left === '[DOMAIN_EXPIRATION]') return { kind: 'domain', days }
  return assertion({ source: 'certificateDays', type: 'greaterOrEqual', value: String(days) })
}

function dnsCondition(left: string, type: string, value: string): ForeignCondition {
  const isPlain = left === '[BODY]' && type === 'equals' && !/^(pat|any)\(/.test(value)
  return isPlain ? { kind: 'contains', text: value } : unknown
}

function bodyCondition(left: string, type: string, value: string): ForeignCondition {
  const [, call, inside = left] = /^(len|has)\((.*)\)$/s.exec(left) ?? []
  const [, rest] = /^\[BODY\](.*)$/s.exec(inside) ?? []
  const path = rest === undefined ? undefined : jsonPathOf(rest)
  if (path === undefined) return unknown
  if (call === 'has') {
    const wanted = { true: type === 'equals', false: type === 'notEquals' }[value]
    if (wanted === undefined || !/^(e|notE)quals$/.test(type)) return unknown
    return assertion({ source: 'json', path, type: wanted ? 'exists' : 'notExists' })
  }
  if (call === 'len') {
    if (type !== 'equals' || path === '$') return unknown
    return assertion({ source: 'json', path, type: 'lengthEquals', value })
  }
  const where = path === '$' ? { source: 'body' } : { source: 'json', path }
  const [, word] = /^pat\(\*([^*?[\]\\]+)\*\)$/s.exec(value) ?? []
  if (word !== undefined && /^(e|notE)quals$/.test(type)) {
    return assertion({
      ...where,
      type: type === 'equals' ? 'contains' : 'notContains',
      value: word,
    })
  }
  const pattern = patternOf(value)
  if (pattern === undefined) return assertion({ ...where, type, value })
  return type === 'equals' ? assertion({ ...where, type: 'regex', value: pattern }) : unknown
}

/** `.items[0].user-name` becomes `$.items[0]['user-name']`; undefined for filters and the like. */
export function jsonPathOf(rest: string): string | undefined {
  let path = '$'
  let left = rest
  while (left !== '') {
    const [found, name, index] = /^(?:\.([^.[\]]+)|\.?\[(\d+)\])/.exec(left) ?? []
    if (found === undefined) return undefined
    if (index !== undefined) path += `[${index}]`
    else if (/^[A-Za-z_]\w*$/.test(name ?? '')) path += `.${name}`
    else path += `['${(name ?? '').replace(/['\\]/g, '\\$&')}']`
    left = left.slice(found.length)
  }
  return path
}

/** `pat(*ok*)` and `any(a, b)` as an expression; undefined for a plain value. */
function patternOf(value: string): string | undefined {
  const [, glob] = /^pat\((.*)\)$/s.exec(value) ?? []
  if (glob !== undefined) return `^${glob.split('*').map(escaped).join('(?s:.*)')}$`
  const choices = anyOf(value)
  return choices && `^(?:${choices.map(escaped).join('|')})$`
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

/** A duration of Go, such as `1h30m`; undefined for another form. */
export function goSpanMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,15}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h)/gy)]
  if (parts.length === 0 || parts.map(([all]) => all).join('') !== text) return undefined
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0)
}
