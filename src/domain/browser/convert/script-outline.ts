// Which part of a script a monitor does: its test, what comes before each, and the settings of the file.
import type { CallExpression, Expression, ModuleDeclaration, Program, Statement } from 'acorn'
import type { Draft } from '../../steps/convert/draft.ts'
import { lineOf, unwrapped, wordsOf } from './script-syntax.ts'
import type { ScriptFunction } from './script-values.ts'

/** A list of statements, or a function whose statements are done. */
export type ScriptPiece = Statement | ScriptFunction

export interface ScriptOutline {
  /** The title of the test; '' if the script has none. */
  readonly name: string
  /** In this order: declarations, what comes before each test, the test. */
  readonly pieces: readonly ScriptPiece[]
  /** The arguments of `test.use`. */
  readonly uses: readonly Expression[]
}

type TopStatement = Statement | ModuleDeclaration

interface FoundTest {
  readonly title: string
  readonly test: ScriptFunction
}

/** What comes before, in lists: each group of tests has those of the groups around it. */
type Before = readonly (readonly ScriptPiece[])[]

/** Names of tests that a note lists. */
const namedMax = 10
const depthMax = 10
const skipping: ReadonlySet<string> = new Set(['skip', 'fixme'])
/** What says something of the run, or holds other calls, as methods of `test`. */
const settings: ReadonlySet<string> = new Set(['setTimeout', 'slow', 'configure', 'info'])

export function outlineOf(program: Program, source: string, draft: Draft): ScriptOutline {
  const uses: Expression[] = []
  let chosen: Pick<ScriptOutline, 'name' | 'pieces'> | undefined
  const others: string[] = []
  const skipped: string[] = []
  const names = testNames(program)

  function gather(body: readonly TopStatement[], around: Before, depth: number) {
    const pieces: ScriptPiece[] = []
    const before = [...around, pieces]
    const groups: (readonly TopStatement[])[] = []
    const found: FoundTest[] = []
    for (const statement of body) {
      if (isModuleStatement(statement)) continue
      const call =
        statement.type === 'ExpressionStatement' ? callIn(statement.expression) : undefined
      const path = call === undefined ? [] : pathOf(call.callee)
      if (call === undefined || !names.has(path[0] ?? '') || path[1] === 'step') {
        pieces.push(statement)
        continue
      }
      const fn = call.arguments.map(functionIn).find((one) => one !== undefined)
      const last = path.at(-1) ?? ''
      if (path[1] === 'use')
        uses.push(...call.arguments.filter((one) => one.type !== 'SpreadElement'))
      else if (path.includes('describe')) {
        if (fn?.body.type === 'BlockStatement' && depth < depthMax) groups.push(fn.body.body)
      } else if (last === 'beforeEach' || last === 'beforeAll') {
        if (fn !== undefined) pieces.push(fn)
      } else if (last === 'afterEach' || last === 'afterAll') {
        leftOut(statement)
      } else if (fn !== undefined) {
        const title = call.arguments[0]?.type === 'Literal' ? String(call.arguments[0].value) : ''
        const words = wordsOf(call.arguments[0] ?? call, source).replace(/^`|`$/g, '')
        const whole = title || words
        if (skipping.has(last)) skipped.push(whole)
        else found.push({ title: whole, test: fn })
      } else if (!settings.has(last)) leftOut(statement)
    }
    for (const { title, test } of found) {
      if (chosen === undefined) chosen = { name: title, pieces: [...before.flat(), test] }
      else others.push(title)
    }
    for (const group of groups) gather(group, before, depth + 1)
    if (depth === 0) chosen ??= { name: '', pieces }
  }

  function leftOut(statement: Statement): void {
    draft.note(`line ${lineOf(statement)} is left out: ${wordsOf(statement, source)}`)
  }

  gather(program.body, [], 0)
  const titles = [...others, ...skipped].slice(0, namedMax)
  if (titles.length > 0) {
    draft.note(`a monitor is one test; the others are left out: ${titles.join(', ')}`)
  }
  return { name: '', pieces: [], ...chosen, uses }
}

function isModuleStatement(statement: TopStatement): statement is ModuleDeclaration {
  // Those of types are of the plugin, and stand in no list.
  return /^(?:Import|Export|TS)/.test(statement.type)
}

/** What the script calls `test`, by its imports. */
function testNames({ body }: Program): ReadonlySet<string> {
  const names = new Set([
    'test',
    'it',
    'describe',
    'beforeEach',
    'beforeAll',
    'afterEach',
    'afterAll',
  ])
  for (const statement of body) {
    if (statement.type !== 'ImportDeclaration') continue
    for (const one of statement.specifiers) {
      const isTest =
        one.type === 'ImportSpecifier' &&
        one.imported.type === 'Identifier' &&
        one.imported.name === 'test'
      if (isTest) names.add(one.local.name)
    }
  }
  return names
}

export function callIn(expression: Expression): CallExpression | undefined {
  const inner = unwrapped(expression)
  return inner.type === 'CallExpression' ? inner : undefined
}

/** `test.describe.only` as its names; of anything else, none. */
export function pathOf(callee: CallExpression['callee']): readonly string[] {
  const names: string[] = []
  let at = callee
  for (; at.type === 'MemberExpression'; at = at.object) {
    if (at.property.type !== 'Identifier' || names.length > depthMax) return []
    names.unshift(at.property.name)
  }
  return at.type === 'Identifier' ? [at.name, ...names] : []
}

export function functionIn(node: CallExpression['arguments'][number]): ScriptFunction | undefined {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'
    ? node
    : undefined
}
