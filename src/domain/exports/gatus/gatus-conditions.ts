// What we expect of an answer, as conditions of Gatus. What it cannot say is returned by name.
import { comparisons, type ForeignFields, textOf } from '../../imports/foreign.ts'
import type { OutgoingMonitor } from '../outgoing.ts'
import { eachStatus, type StatusRanges, statusesOf, statusMax, statusMin } from '../targets.ts'

export interface GatusConditions {
  readonly conditions: readonly string[]
  /** What the conditions are about, by the names of our fields. */
  readonly about: readonly string[]
  readonly unsaid: readonly string[]
}

const signs = Object.fromEntries(Object.entries(comparisons).map(([sign, type]) => [type, sign]))

/** The statuses as conditions: none if any is good. */
export function statusConditions(ranges: StatusRanges): readonly string[] {
  const [first, ...others] = ranges
  if (!first) return []
  const [from, to] = first
  if (others.length > 0) return [`[STATUS] == any(${eachStatus(ranges).join(', ')})`]
  if (from === to) return [`[STATUS] == ${from}`]
  if (from === statusMin && to === statusMax) return []
  return [`[STATUS] >= ${from}`, `[STATUS] <= ${to}`]
}

const healthy = '[BODY].status == any(ok, OK, up, UP, healthy, pass, passing, green)'

/** What a monitor expects; `hasStatus`: it speaks HTTP. */
export function conditionsOf(monitor: OutgoingMonitor, hasStatus: boolean): GatusConditions {
  const isDns = monitor.is('dns')
  const conditions: string[] = []
  const about: string[] = []
  const unsaid: string[] = []
  const say = (name: string, ...said: readonly (string | undefined)[]) => {
    const known = said.filter((condition) => condition !== undefined)
    if (known.length < said.length) unsaid.push(name)
    else if (known.length > 0) about.push(name)
    conditions.push(...known)
  }
  const statuses = [monitor.number('expectedStatus'), monitor.texts('acceptedStatuses')] as const
  if (hasStatus)
    say('expectedStatus, acceptedStatuses', ...statusConditions(statusesOf(...statuses)))
  if (monitor.is('health')) say('the state in its answer', healthy)
  const word = monitor.text('bodyContains')
  if (word !== '') {
    say(`bodyContains ${shown(word)}`, isDns ? plainCondition(word) : patternCondition('==', word))
  }
  const unwanted = monitor.text('bodyNotContains')
  if (unwanted !== '') {
    say(`bodyNotContains ${shown(unwanted)}`, isDns ? undefined : patternCondition('!=', unwanted))
  }
  for (const assertion of assertionsOf(monitor)) {
    const condition = isDns ? undefined : conditionOf(assertion)
    say(`of its assertions ${assertionText(assertion)}`, condition)
  }
  return { conditions, about, unsaid }
}

const shown = (text: string) => `"${text.slice(0, 40)}"`

/** The assertions of a monitor, with the one that has fields of its own. */
function assertionsOf(monitor: OutgoingMonitor): readonly ForeignFields[] {
  const type = monitor.text('responseAssertionType')
  const path = monitor.text('responseAssertionPath')
  const value = monitor.text('responseAssertionValue')
  const format = monitor.text('responseFormat')
  if (type === '') return monitor.list('assertions')
  const isJson = format === 'json' || (format === 'auto' && path.startsWith('$'))
  const source = isJson ? 'json' : path === '' ? 'body' : format
  return [{ source, path, type, value }, ...monitor.list('assertions')]
}

export function assertionText({ source, path, type, value }: ForeignFields): string {
  return [source, path, type, value]
    .map(textOf)
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, 80)
}

/** The condition of an assertion; undefined if Gatus has none. */
export function conditionOf(assertion: ForeignFields): string | undefined {
  const type = textOf(assertion.type)
  const value = typeof assertion.value === 'string' ? assertion.value : ''
  const sign = signs[type]
  switch (textOf(assertion.source)) {
    case 'status':
      return sign && `[STATUS] ${sign} ${value}`
    case 'responseTime':
      return sign && `[RESPONSE_TIME] ${sign} ${value}`
    case 'ip':
      return sign === '==' || sign === '!=' ? `[IP] ${sign} ${value}` : undefined
    case 'certificateDays': {
      const days = Number(value) + (type === 'greaterThan' ? 1 : 0)
      return sign?.startsWith('>') ? `[CERTIFICATE_EXPIRATION] >= ${days * 24}h` : undefined
    }
    case 'body':
      return textCondition('[BODY]', { type, value, sign })
    case 'json': {
      const path = bodyPathOf(textOf(assertion.path))
      return path === undefined ? undefined : jsonCondition(`[BODY]${path}`, { type, value, sign })
    }
    default:
      return undefined
  }
}

interface SaidOfText {
  readonly type: string
  readonly value: string
  readonly sign: string | undefined
}

function jsonCondition(left: string, said: SaidOfText): string | undefined {
  if (said.type === 'exists') return `has(${left}) == true`
  if (said.type === 'notExists') return `has(${left}) == false`
  if (said.type === 'lengthEquals')
    return left === '[BODY]' ? undefined : `len(${left}) == ${said.value}`
  return textCondition(left, said)
}

function textCondition(left: string, { type, value, sign }: SaidOfText): string | undefined {
  if (type === 'contains') return patternCondition('==', value, left)
  if (type === 'notContains') return patternCondition('!=', value, left)
  if (type === 'regex') return choiceCondition(left, value)
  return sign === undefined || !isPlain(value) ? undefined : `${left} ${sign} ${value}`
}

/** A text that Gatus takes as it is: no sign of a comparison, no function, no placeholder. */
function isPlain(text: string): boolean {
  return (
    text !== '' &&
    text === text.trim() &&
    !/\s(==|!=|>=|<=|>|<)\s/.test(text) &&
    !/\p{Cc}|^\[|\[CONTEXT\]|^(pat|any|len|has)\(/u.test(text)
  )
}

function plainCondition(text: string): string | undefined {
  return isPlain(text) ? `[BODY] == ${text}` : undefined
}

/** Signs of patterns would have to be escaped, and slashes are passed over on both sides. */
function patternCondition(sign: '==' | '!=', word: string, left = '[BODY]'): string | undefined {
  return isPlain(word) && !/[*?[\]\\]/.test(word) ? `${left} ${sign} pat(*${word}*)` : undefined
}

/** `^(?:a|b)$`, where each is a plain word. */
function choiceCondition(left: string, pattern: string): string | undefined {
  const [, inside] = /^\^\(\?:([\w |-]{1,500})\)\$$/.exec(pattern) ?? []
  return inside === undefined ? undefined : `${left} == any(${inside.split('|').join(', ')})`
}

/** `$.items[0]['user-name']` becomes `.items[0].user-name`; undefined for filters and the like. */
export function bodyPathOf(path: string): string | undefined {
  if (!path.startsWith('$')) return undefined
  let left = path.slice(1)
  let said = ''
  while (left !== '') {
    const [found, name, index, quoted] =
      /^(?:\.([A-Za-z_]\w*)|\[(\d{1,9})\]|\['([^'\\.[\]]{1,200})'\])/.exec(left) ?? []
    if (found === undefined) return undefined
    said += index === undefined ? `.${name ?? quoted}` : `[${index}]`
    left = left.slice(found.length)
  }
  return said
}
