// What endpoints and suites of Gatus have in common: a request, and the conditions on its answer.
import { methods } from '../../checks/check-type.ts'
import { limits } from '../../limits/limits.ts'
import { type ForeignFields, fieldsOf, listOf, type Note, textOf } from '../foreign.ts'
import { type ForeignAssertion, goSpanMs, readCondition } from './conditions.ts'

interface ExpectationFrame {
  readonly isDns: boolean
  readonly isWeb: boolean
  readonly note: Note
  readonly implied: string | undefined
}

/** Every condition that has an equivalent; the others are noted. */
export function expectationOf(
  item: ForeignFields,
  { isDns, isWeb, note, implied }: ExpectationFrame,
) {
  const assertions: ForeignAssertion[] = []
  let statuses: readonly string[] | undefined
  let bodyContains: string | undefined
  let domainDays: number | undefined
  let isUpsideDown = false
  const conditions = listOf(item.conditions)
  for (const one of conditions) {
    const text = textOf(one)
    if (text === implied) continue
    const found = readCondition(text, isDns)
    switch (found.kind) {
      case 'statuses':
        statuses = found.statuses
        break
      case 'assertion':
        assertions.push(found.assertion)
        break
      case 'contains':
        bodyContains = found.text
        break
      case 'domain':
        domainDays = found.days
        break
      case 'fails':
        isUpsideDown = conditions.length === 1
        if (!isUpsideDown) note(`its condition ${text}`)
        break
      case 'implied':
        break
      case 'unknown':
        note(`its condition ${text}`)
    }
  }
  const range = statuses === undefined ? takenRange(assertions) : undefined
  statuses ??= range
  const kept = assertions.slice(0, limits.assertionsMax)
  if (kept.length < assertions.length) note(`conditions beyond ${limits.assertionsMax}`)
  const expectation = {
    // Gatus accepts every status that no condition is about.
    ...(isWeb
      ? {
          expectedStatus: Number(statuses?.[0]?.slice(0, 3) ?? 200),
          acceptedStatuses: statuses ?? ['100-599'],
        }
      : {}),
    ...(bodyContains === undefined ? {} : { bodyContains }),
    ...(kept.length > 0 ? { assertions: kept } : {}),
    ...(isUpsideDown ? { isUpsideDown } : {}),
  }
  return { expectation, domainDays }
}

/** Takes the conditions for the first and the last status out of the list: `200-299`. Undefined without both. */
function takenRange(assertions: ForeignAssertion[]): readonly string[] | undefined {
  const about = assertions.filter(({ source }) => source === 'status')
  const bound = (type: string) =>
    about.find((one) => one.type === type && /^[1-5]\d\d$/.test(one.value ?? ''))
  const [first, last] = [bound('greaterOrEqual'), bound('lessOrEqual')]
  const isRange = first && last && Number(first.value) <= Number(last.value)
  if (!isRange || about.length > 2) return undefined
  for (const one of about) assertions.splice(assertions.indexOf(one), 1)
  return [`${first.value}-${last.value}`]
}

export function requestOf(item: ForeignFields, note: Note): ForeignFields {
  const method = textOf(item.method).toUpperCase() || 'GET'
  const isKnown = methods.some((one) => one === method)
  if (!isKnown) note(`its method ${method}: GET is used`)
  const headers = Object.fromEntries(
    Object.entries(fieldsOf(item.headers)).map(([name, value]) => [name, textOf(value)]),
  )
  const body = typeof item.body === 'string' ? item.body : ''
  const isGraphql = item.graphql === true
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return {
    method: isKnown ? method : 'GET',
    headers: isGraphql && !hasType ? { ...headers, 'Content-Type': 'application/json' } : headers,
    ...(body === '' ? {} : { body: isGraphql ? JSON.stringify({ query: body }) : body }),
  }
}

/** Undefined if it is no span of Go. */
export function secondsOf(value: unknown): number | undefined {
  const spanMs = goSpanMs(textOf(value))
  return spanMs === undefined ? undefined : spanMs / 1_000
}
