// Evaluates a compiled JSONPath on a document. The library that parses the paths could do it too,
// but it does not bound the work and reads inherited properties; this code counts steps and reads
// own ones.
import { type JSONPathQuery, jsonpath } from 'json-p3'
import { limits } from '../limits/limits.ts'
import { GivenUp, spend } from './budget.ts'
import {
  comparisons,
  documentPattern,
  isFound,
  literalPattern,
  type Nothing,
  sizeOf,
  spendOnKeys,
} from './json-path-work.ts'
import { cheapKeysMax, type Json } from './json-value.ts'

const { expressions, selectors } = jsonpath
type Segment = jsonpath.JSONPathSegment
type PathSelector = jsonpath.JSONPathSelector
type Expression = jsonpath.expressions.FilterExpression
type FunctionExtension = jsonpath.expressions.FunctionExtension

/**
 * The values that a path selects, in the order of RFC 9535. Throws GivenUp if that takes too many
 * steps, and a RangeError if values are nested too deeply to compare.
 */
export type PathWalk = (document: Json) => Json[]

/** Throws if the path uses something outside RFC 9535. */
export function walkOf(query: JSONPathQuery): PathWalk {
  const nodes = nodesOf(query)
  return (document) => {
    try {
      return nodes(document, document)
    } finally {
      listed = new Map()
    }
  }
}

/** The values of objects with many keys, which are slow to list: once per evaluation is enough. */
let listed = new Map<Json, readonly Json[]>()

/** `current` is the value that a path starts from, `root` the whole document. */
type NodeFunction<T> = (current: Json, root: Json) => T
type Select = (node: Json, root: Json, into: Json[]) => void

function nodesOf({ segments }: JSONPathQuery): NodeFunction<Json[]> {
  const ways = segments.map(segmentOf)
  return (current, root) => {
    let nodes = [current]
    for (const way of ways) {
      spend(1 + nodes.length)
      const found: Json[] = []
      for (const node of nodes) way(node, root, found)
      nodes = found
    }
    return nodes
  }
}

function segmentOf(segment: Segment): Select {
  const ways = segment.selectors.map(selectorOf)
  const children: Select = (node, root, into) => {
    for (const way of ways) way(node, root, into)
  }
  return segment instanceof Descendants ? descent(children) : children
}

/** The library does not export the class of this segment. */
const Descendants = Object(
  new jsonpath.JSONPathEnvironment().compile('$..*').segments[0],
).constructor

function descent(select: Select): Select {
  const visit = (node: Json, root: Json, into: Json[], depth: number): void => {
    spend(1)
    if (typeof node !== 'object' || node === null) return
    if (depth > limits.jsonDepthMax) throw new GivenUp('the document is nested too deep for ..')
    select(node, root, into)
    for (const child of childrenOf(node)) visit(child, root, into, depth + 1)
  }
  return (node, root, into) => visit(node, root, into, 1)
}

function childrenOf(node: Json): readonly Json[] {
  if (Array.isArray(node)) return node
  if (typeof node !== 'object' || node === null) return []
  const known = listed.get(node)
  if (known !== undefined) return known
  const values: Json[] = []
  // With many keys, Object.values would take half as long again. JSON inherits no properties.
  for (const key in node) values.push(node[key] ?? null)
  spendOnKeys(values.length)
  if (values.length > cheapKeysMax) listed.set(node, values)
  return values
}

function selectorOf(selector: PathSelector): Select {
  if (selector instanceof selectors.NameSelector || selector instanceof selectors.IndexSelector) {
    const child = childOf(selector)
    return (node, _root, into) => {
      const value = child(node)
      if (value !== undefined) into.push(value)
    }
  }
  if (selector instanceof selectors.WildcardSelector) {
    return (node, _root, into) => {
      const children = childrenOf(node)
      spend(1 + children.length)
      for (const child of children) into.push(child)
    }
  }
  if (selector instanceof selectors.SliceSelector) return sliceOf(selector)
  if (selector instanceof selectors.FilterSelector) {
    const test = testOf(selector.expression)
    return (node, root, into) => {
      for (const child of childrenOf(node)) {
        spend(1)
        if (test(child, root)) into.push(child)
      }
    }
  }
  throw new Error('unknown selector: not in RFC 9535')
}

type OneChild = (node: Json) => Json | Nothing

function childOf(selector: PathSelector): OneChild {
  if (selector instanceof selectors.NameSelector) {
    const { name } = selector
    return (node) => {
      spend(1)
      if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined
      return Object.hasOwn(node, name) ? node[name] : undefined
    }
  }
  if (selector instanceof selectors.IndexSelector) {
    const { index } = selector
    return (node) => {
      spend(1)
      return Array.isArray(node) ? node.at(index) : undefined
    }
  }
  throw new Error('a selector that may match more than one value')
}

/** RFC 9535 §2.3.4.2.2. */
function sliceOf({ start, stop, step = 1 }: jsonpath.selectors.SliceSelector): Select {
  return (node, _root, into) => {
    spend(1)
    if (!Array.isArray(node) || step === 0) return
    const { length } = node
    const within = (at: number, low: number, high: number): number =>
      Math.min(Math.max(at < 0 ? length + at : at, low), high)
    const isForward = step > 0
    const first = isForward
      ? within(start ?? 0, 0, length)
      : within(start ?? length, -1, length - 1)
    const end = stop ?? (isForward ? length : -length - 1)
    const last = isForward ? within(end, 0, length) : within(end, -1, length - 1)
    for (let at = first; isForward ? at < last : at > last; at += step) {
      spend(1)
      into.push(node[at] ?? null)
    }
  }
}

/** Evaluates a filter for one value. */
function testOf(expression: Expression): NodeFunction<boolean> {
  if (expression instanceof expressions.LogicalExpression) return testOf(expression.expression)
  if (expression instanceof expressions.PrefixExpression) {
    const test = testOf(expression.right)
    return (current, root) => !test(current, root)
  }
  if (expression instanceof expressions.InfixExpression) {
    const { left, operator, right } = expression
    if (operator !== '&&' && operator !== '||') return comparisonOf(left, operator, right)
    const [one, other] = [testOf(left), testOf(right)]
    return operator === '&&'
      ? (current, root) => one(current, root) && other(current, root)
      : (current, root) => one(current, root) || other(current, root)
  }
  if (expression instanceof expressions.FunctionExtension) return matchOf(expression)
  const nodes = queryOf(expression)
  return (current, root) => nodes(current, root).length > 0
}

/** A path in a filter, which begins with `@` or `$`. */
function queryOf(expression: Expression | undefined): NodeFunction<Json[]> {
  if (expression instanceof expressions.RelativeQuery) return nodesOf(expression.path)
  if (!(expression instanceof expressions.RootQuery)) throw new Error('not a path')
  const nodes = nodesOf(expression.path)
  return (_current, root) => nodes(root, root)
}

function comparisonOf(
  left: Expression,
  operator: string,
  right: Expression,
): NodeFunction<boolean> {
  const [one, other] = [subjectOf(left), subjectOf(right)]
  const compare = comparisons[operator]
  if (compare === undefined) throw new Error('unknown operator: not in RFC 9535')
  return (current, root) => {
    spend(1)
    return compare(one(current, root), other(current, root))
  }
}

/** An operand: a literal, a path to at most one value, or a function. */
function subjectOf(expression: Expression | undefined): NodeFunction<Json | Nothing> {
  if (expression instanceof expressions.FunctionExtension) return functionOf(expression)
  if (expression instanceof expressions.NullLiteral) return () => null
  if (
    expression instanceof expressions.StringLiteral ||
    expression instanceof expressions.NumberLiteral ||
    expression instanceof expressions.BooleanLiteral
  ) {
    const { value } = expression
    return () => value
  }
  const isRelative = expression instanceof expressions.RelativeQuery
  if (!isRelative && !(expression instanceof expressions.RootQuery)) throw new Error('not a value')
  const ways = expression.path.segments.flatMap((segment) => segment.selectors.map(childOf))
  return (current, root) => {
    let value: Json | Nothing = isRelative ? current : root
    for (const way of ways) {
      if (value === undefined) return undefined
      value = way(value)
    }
    return value
  }
}

function functionOf({ name, args: [first] }: FunctionExtension): NodeFunction<Json | Nothing> {
  if (name === 'length') {
    const value = subjectOf(first)
    return (current, root) => sizeOf(value(current, root))
  }
  const nodes = queryOf(first)
  if (name === 'count') return (current, root) => nodes(current, root).length
  if (name !== 'value') throw new Error('unknown function: not in RFC 9535')
  return (current, root) => {
    const values = nodes(current, root)
    return values.length === 1 ? values[0] : undefined
  }
}

function matchOf({ name, args: [subject, pattern] }: FunctionExtension): NodeFunction<boolean> {
  const how = name === 'match' ? 'whole' : 'find'
  if (how === 'find' && name !== 'search') throw new Error('a function without a logical result')
  const one = subjectOf(subject)
  if (pattern instanceof expressions.StringLiteral) {
    // Compiled together with the path, because compiling is slow and the path does not change.
    const own = literalPattern(pattern.value)
    return (current, root) => isFound(own, one(current, root), how)
  }
  const other = subjectOf(pattern)
  return (current, root) => {
    const text = one(current, root)
    if (typeof text !== 'string') return false
    return isFound(documentPattern(other(current, root)), text, how)
  }
}
