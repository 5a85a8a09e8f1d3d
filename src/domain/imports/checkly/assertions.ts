// Assertions of Checkly as ours.
//
// Sources, properties and comparisons: https://www.checklyhq.com/docs/detect/assertions/
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import { type ForeignFields, fieldsOf, listOf, type Note, textOf } from '../foreign.ts'

const sources: Readonly<Record<string, string>> = {
  STATUS_CODE: 'status',
  JSON_BODY: 'json',
  TEXT_BODY: 'body',
  HEADERS: 'header',
  RESPONSE_TIME: 'responseTime',
  RESPONSE_DATA: 'body',
  TEXT_ANSWER: 'body',
  TEXT_RESPONSE: 'body',
}

const types: Readonly<Record<string, string>> = {
  EQUALS: 'equals',
  NOT_EQUALS: 'notEquals',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'notContains',
  GREATER_THAN: 'greaterThan',
  LESS_THAN: 'lessThan',
  HAS_VALUE: 'contains',
  NOT_HAS_VALUE: 'notContains',
}

export interface CheckExpectation {
  readonly assertions: readonly object[]
  /** The statuses that it wants one of; empty: it says nothing of them. */
  readonly statuses: readonly string[]
  /** It says of the status something else than which one. */
  readonly isStatusJudged: boolean
}

export function expectationIn(given: unknown, note: Note): CheckExpectation {
  const assertions: object[] = []
  const statuses: string[] = []
  for (const one of listOf(given).map(fieldsOf)) {
    const target = textOf(one.target)
    const isStatus = one.source === 'STATUS_CODE' && one.comparison === 'EQUALS'
    // What Checkly wants of a name server without assertions.
    if (one.source === 'RESPONSE_CODE' && target === 'NOERROR') continue
    if (isStatus && /^[1-5]\d\d$/.test(target)) {
      statuses.push(target)
      continue
    }
    const assertion = assertionOf(one, target)
    if (assertion === undefined) note(`its assertion ${wordsOf(one)}`)
    else assertions.push(assertion)
  }
  if (assertions.length > limits.assertionsMax) note(`assertions beyond ${limits.assertionsMax}`)
  return {
    assertions: assertions.slice(0, limits.assertionsMax),
    statuses,
    isStatusJudged: listOf(given).some((one) => fieldsOf(one).source === 'STATUS_CODE'),
  }
}

function wordsOf({ source, property, comparison, target }: ForeignFields): string {
  const words = [source, property, comparison, target].map(textOf).filter((word) => word !== '')
  return clip(words.join(' '), 120)
}

/** The property is a path, the name of a header, or an expression whose match is compared. */
function assertionOf(one: ForeignFields, target: string): object | undefined {
  const source = sources[textOf(one.source)]
  const property = textOf(one.property)
  const comparison = textOf(one.comparison)
  if (source === undefined) return undefined
  // An expression that must be found in the text; what it finds is not compared.
  if (source === 'body' && property !== '') {
    return comparison === 'NOT_EMPTY' ? { source, type: 'regex', value: property } : undefined
  }
  const path = property === '' ? {} : { path: property }
  const where = { source, ...(source === 'json' || source === 'header' ? path : {}) }
  const type = types[comparison]
  if (type !== undefined) return { ...where, type, value: target }
  const isPathed = source === 'json' || source === 'header'
  switch (comparison) {
    case 'NOT_EMPTY':
      return isPathed ? { ...where, type: 'exists' } : { ...where, type: 'regex', value: '\\S' }
    case 'IS_EMPTY':
      return isPathed ? { ...where, type: 'notExists' } : undefined
    case 'IS_NULL':
      return source === 'json' ? { ...where, type: 'type', value: 'null' } : undefined
    case 'NOT_NULL':
      return source === 'json' ? { ...where, type: 'notEquals', value: 'null' } : undefined
    case 'HAS_KEY':
    case 'NOT_HAS_KEY': {
      if (source !== 'json' || !/^[A-Za-z_]\w*$/.test(target)) return undefined
      const kept = comparison === 'HAS_KEY' ? 'exists' : 'notExists'
      return { source, path: `${property || '$'}.${target}`, type: kept }
    }
    default:
      return undefined
  }
}
