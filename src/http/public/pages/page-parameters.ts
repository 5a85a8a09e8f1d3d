// The query of a document of a status page: parameters whose values may become part of a cache key.
import { Fault } from '../../../base/fault.ts'
import { parseQuery, type QueryPairs } from '../../input/query.ts'

/** The allowed values, the first of which is the default; or a text, which may be absent. */
type ParameterRule = readonly [string, ...string[]] | { readonly charsMax: number }

type ParameterValue<Rule extends ParameterRule> = Rule extends readonly string[]
  ? Rule[number]
  : string | null

/**
 * Each parameter with its value. Undefined if the query has another parameter, another value or a
 * parameter twice: then there is no such document.
 */
export function pageParameters<Spec extends Readonly<Record<string, ParameterRule>>>(
  queryText: string,
  spec: Spec,
): { readonly [Name in keyof Spec]: ParameterValue<Spec[Name]> } | undefined {
  const pairs = pairsOf(queryText)
  if (!pairs || pairs.some(([name]) => !Object.hasOwn(spec, name))) return undefined
  const values: Record<string, string | null> = {}
  for (const [name, rule] of Object.entries(spec)) {
    const sent = pairs.filter((pair) => pair[0] === name)
    if (sent.length > 1) return undefined
    const value = allowedValue(sent[0]?.[1], rule)
    if (value === undefined) return undefined
    values[name] = value
  }
  return valuesOf<Spec>(values)
}

/** Undefined if it is not allowed. */
function allowedValue(sent: string | undefined, rule: ParameterRule): string | null | undefined {
  if ('charsMax' in rule) {
    if (sent === undefined) return null
    return sent.length <= rule.charsMax && sent.isWellFormed() ? sent : undefined
  }
  const value = sent ?? rule[0]
  return rule.includes(value) ? value : undefined
}

/** Undefined if a percent escape is malformed. */
function pairsOf(queryText: string): QueryPairs | undefined {
  try {
    return parseQuery(queryText)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Every name of the spec was given one of its values. */
function valuesOf<Spec extends Readonly<Record<string, ParameterRule>>>(
  values: Readonly<Record<string, string | null>>,
) {
  return values as { readonly [Name in keyof Spec]: ParameterValue<Spec[Name]> }
}
