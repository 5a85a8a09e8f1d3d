// The conditions of a monitor of Uptime Kuma 2 (server/monitor-conditions), such as "record equals 192.0.2.1".
import { type ForeignFields, fieldsOf, listOf, type Note, numberOf, textOf } from '../foreign.ts'

const types: Readonly<Record<string, string>> = {
  equals: 'equals',
  not_equals: 'notEquals',
  contains: 'contains',
  not_contains: 'notContains',
  starts_with: 'regex',
  ends_with: 'regex',
  num_equals: 'equals',
  num_not_equals: 'notEquals',
  lt: 'lessThan',
  gt: 'greaterThan',
  lte: 'lessOrEqual',
  gte: 'greaterOrEqual',
}

/** Conditions within groups, at any depth, and how deep they may be. */
const depthMax = 10

/** Assertions on the part that its variables stand for, by `pathOf`; others are noted, and so are alternatives. */
export function conditionsOf(
  { conditions: given }: ForeignFields,
  pathOf: (variable: string) => string | undefined,
  note: Note,
): readonly object[] {
  const found = expressionsIn(given, 0)
  if (found === undefined) {
    note('its conditions: some are alternatives; add assertions')
    return []
  }
  return found.flatMap(({ variable, operator, value }) => {
    const path = pathOf(textOf(variable))
    const type = types[textOf(operator)]
    const text = textOf(value)
    const isNumber = numberOf(text) !== undefined
    const isComparable = !/^(num_|[lg]te?$)/.test(textOf(operator)) || isNumber
    if (path === undefined || type === undefined || text === '' || !isComparable) {
      note(`its condition ${[variable, operator, value].map(textOf).join(' ')}: add an assertion`)
      return []
    }
    const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const wanted =
      type !== 'regex' ? text : operator === 'starts_with' ? `^${literal}` : `${literal}$`
    return [{ source: 'json', path, type, value: wanted }]
  })
}

/** All of them must hold; undefined if they are alternatives, or no list. */
function expressionsIn(given: unknown, depth: number): readonly ForeignFields[] | undefined {
  const list = parsedList(given)
  if (list === undefined || depth > depthMax) return undefined
  const found: ForeignFields[] = []
  for (const [index, one] of list.entries()) {
    if (index > 0 && textOf(one.andOr) === 'or') return undefined
    const inner = one.type === 'group' ? expressionsIn(one.children, depth + 1) : [one]
    if (inner === undefined) return undefined
    for (const expression of inner) found.push(expression)
  }
  return found
}

/** A list, or its JSON. */
function parsedList(given: unknown): readonly ForeignFields[] | undefined {
  try {
    return listOf(typeof given === 'string' ? JSON.parse(given) : given).map(fieldsOf)
  } catch {
    return undefined
  }
}
