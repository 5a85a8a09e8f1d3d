// The criteria of a monitor of OneUptime: the first that its answer meets gives it a state, else it has the
// default one. Ours has expectations, of which each must hold.
import { limits } from '../../limits/limits.ts'
import {
  always,
  both,
  type Clauses,
  demandedBy,
  either,
  never,
  TooManyClauses,
} from '../clauses.ts'
import {
  type ForeignFields,
  fieldsOf,
  listOf,
  type Note,
  numberOf,
  textOf,
  within,
} from '../foreign.ts'
import { allOf, anyOf, conditionOf, type FilterReadings, wordsOf } from './filters.ts'

export type OneuptimeState = 'up' | 'degraded' | 'down'

/** The states of a project by their ids; undefined: the file does not have it. */
export type StateOf = (id: string) => OneuptimeState | undefined

interface Criterion {
  readonly name: string
  /** Null: it changes nothing. */
  readonly state: OneuptimeState | null
  readonly filters: readonly ForeignFields[]
  readonly isAny: boolean
  readonly opensIncident: boolean
}

export interface JudgedStep {
  readonly readings: FilterReadings
  readonly stateOf: StateOf
  /** The id of the state in which no criterion is met. */
  readonly defaultId: string
  readonly intervalSeconds: number
  readonly timeoutMs: number
  readonly note: Note
}

/** What a step's criteria expect, as fields of a monitor; the statuses only if they are about one. */
export function expectationOf(step: ForeignFields, judged: JudgedStep): ForeignFields {
  const { readings, defaultId, note } = judged
  const criteria = criteriaOf(step, judged)
  const isDownByDefault = stateBy(defaultId, judged) === 'down'
  for (const { name, state } of criteria) {
    if (state === null) note(`its criterion "${name}" changes no state`)
  }
  const warned = warningsOf(criteria, judged)
  const pace = windowOf(criteria, judged)
  const clausesOf = (isReached: boolean): Clauses =>
    criteria.reduceRight<Clauses>(
      (rest, { state, filters, isAny }) => {
        // Ours is down first, and degraded only if it is not.
        if (state === null || (state === 'degraded' && !isDownByDefault)) return rest
        const conditions = filters.map((filter) => conditionOf(filter, readings, isReached))
        const { holds, fails } = isAny ? anyOf(conditions) : allOf(conditions)
        return state === 'down' ? both(fails, rest) : either(holds, rest)
      },
      isDownByDefault ? never : always,
    )
  try {
    const demanded = demandedBy(clausesOf(true))
    if (demanded.isImpossible) return { ...impossible(clausesOf(false), note), ...pace }
    for (const words of demanded.others) {
      const quoted = words.map((one) => `"${one}"`).join(' or ')
      note(`its criteria demand ${quoted}: add an assertion`)
    }
    const assertions = demanded.assertions.slice(0, limits.assertionsMax)
    if (assertions.length < demanded.assertions.length) {
      note(`what its criteria demand beyond ${limits.assertionsMax} assertions`)
    }
    const { statuses } = demanded
    return {
      ...(statuses ? { acceptedStatuses: statuses } : {}),
      ...(assertions.length > 0 ? { assertions } : {}),
      ...warned,
      ...pace,
    }
  } catch (error) {
    if (!(error instanceof TooManyClauses)) throw error
    note('its criteria: they have too many conditions')
    return pace
  }
}

/** No answer is good: the target must be out of reach, or nothing is right. */
function impossible(unreached: Clauses, note: Note): ForeignFields {
  if (!demandedBy(unreached).isImpossible) return { isUpsideDown: true }
  note('its criteria: no answer meets them; the monitor is paused')
  return { isActive: false }
}

/** More criteria or filters of a step are none that people made. */
const criteriaMax = 50

function criteriaOf(step: ForeignFields, judged: JudgedStep): readonly Criterion[] {
  const { monitorCriteriaInstanceArray: given } = untyped(step.monitorCriteria)
  const enabled = listOf(given)
    .map(untyped)
    .filter(({ isEnabled }) => isEnabled !== false)
  const listed = enabled.slice(0, criteriaMax)
  if (listed.length < enabled.length) judged.note(`its criteria beyond ${criteriaMax}`)
  return listed.map((one, index) => ({
    name: textOf(one.name) || `Criterion ${index + 1}`,
    state: stateFor(one, judged),
    filters: listOf(one.filters).slice(0, criteriaMax).map(fieldsOf),
    isAny: textOf(one.filterCondition) === 'Any',
    opensIncident: one.createIncidents === true,
  }))
}

/** A criterion that opens incidents is about a failure, and one that only alerts is a warning. */
function stateFor(criterion: ForeignFields, judged: JudgedStep): OneuptimeState | null {
  const id = textOf(criterion.monitorStatusId)
  const opensIncident = criterion.createIncidents === true
  const state =
    id === '' || criterion.changeMonitorStatus === false ? undefined : stateBy(id, judged)
  if (opensIncident && state !== 'degraded') return 'down'
  if (state !== undefined) return state
  if (criterion.createAlerts === true) return 'degraded'
  return id !== '' && criterion.changeMonitorStatus !== false ? 'down' : null
}

/** A state that the file does not have is good if monitors have it by default. */
function stateBy(id: string, { stateOf, defaultId }: JudgedStep): OneuptimeState | undefined {
  return stateOf(id) ?? (id === defaultId ? 'up' : undefined)
}

/** What `_type` says is left out: `{"_type": "URL", "value": …}`. */
export function untyped(typed: unknown): ForeignFields {
  return fieldsOf(fieldsOf(typed).value ?? typed)
}

const warnDaysMax = 10

/** What makes it degraded: a slow answer, or days that are left. */
function warningsOf(criteria: readonly Criterion[], judged: JudgedStep): ForeignFields {
  const { readings, note, timeoutMs } = judged
  const slowMs: number[] = []
  let opensIncident = false
  const days = { certificateDays: new Set<number>(), domainDays: new Set<number>() }
  for (const { name, state, filters, isAny, ...criterion } of criteria) {
    if (state !== 'degraded') continue
    const said = filters.filter((filter) => {
      const reading = readings[textOf(filter.checkOn)]
      return reading === undefined || typeof reading === 'string' || !('is' in reading)
    })
    const isOne = isAny || said.length === 1
    for (const filter of said) {
      const reading = readings[textOf(filter.checkOn)]
      const [source, path] =
        typeof reading === 'object' && 'source' in reading
          ? [reading.source, 'path' in reading ? reading.path : undefined]
          : []
      const type = textOf(filter.filterType)
      const value = numberOf(filter.value)
      const isSlow = source === 'responseTime' && type.startsWith('Greater')
      const kind =
        source === 'certificateDays' ? source : path === '$.daysLeft' ? 'domainDays' : null
      if (isOne && isSlow && value !== undefined && value > 0 && value < timeoutMs) {
        slowMs.push(value)
        opensIncident ||= criterion.opensIncident
      } else if (isOne && kind && type.startsWith('Less') && value !== undefined) {
        const per = typeof reading === 'object' && 'per' in reading ? (reading.per ?? 1) : 1
        days[kind].add(within(value / per, 1, limits.certificateWarnDaysMax))
      } else {
        note(`its criterion "${name}" for another state: ${wordsOf(filter)}`)
      }
    }
  }
  const warnDays = (found: ReadonlySet<number>) =>
    [...found].toSorted((one, other) => other - one).slice(0, warnDaysMax)
  const { certificateDays, domainDays } = days
  return {
    degradedThresholdMs: slowMs.length === 0 ? null : Math.round(Math.min(...slowMs)),
    ...(slowMs.length === 0 ? {} : { degradedThreshold: 1 }),
    ...(opensIncident ? { degradedOpensIncident: true } : {}),
    ...(certificateDays.size > 0 ? { certificateWarnDays: warnDays(certificateDays) } : {}),
    ...(domainDays.size > 0 ? { domainWarnDays: warnDays(domainDays) } : {}),
  }
}

/** "All values of five minutes" are so many failed checks in a row. */
function windowOf(criteria: readonly Criterion[], judged: JudgedStep): ForeignFields {
  const { intervalSeconds, note } = judged
  const filters = criteria.flatMap(({ state, filters }) => (state === 'down' ? filters : []))
  const minutes = filters.map((filter) => {
    const { timeValueInMinutes, evaluateOverTimeType } = fieldsOf(filter.evaluateOverTimeOptions)
    const isAll = textOf(evaluateOverTimeType) === 'All Values'
    return filter.evaluateOverTime === true && isAll ? (numberOf(timeValueInMinutes) ?? 0) : 0
  })
  const [first = 0] = minutes
  const checks = Math.ceil((first * 60) / intervalSeconds)
  const isSame = first > 0 && minutes.every((one) => one === first) && checks <= limits.thresholdMax
  for (const { filters: all, state } of criteria) {
    for (const filter of all) {
      if (filter.evaluateOverTime !== true || (isSame && state === 'down')) continue
      const { timeValueInMinutes, evaluateOverTimeType } = fieldsOf(filter.evaluateOverTimeOptions)
      const span = `${textOf(evaluateOverTimeType) || 'values'} of ${textOf(timeValueInMinutes)} minutes`
      if (state !== 'up') note(`its ${span} (${wordsOf(filter)}): each check counts by itself`)
    }
  }
  return isSame ? { failureThreshold: Math.max(1, checks) } : {}
}
