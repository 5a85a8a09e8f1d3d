// Reads the statements of a script in their order, and makes actions of what they do with the page.
//
// Source: https://playwright.dev/docs/api/class-page and https://playwright.dev/docs/api/class-locator
import type {
  AnyNode,
  CallExpression,
  Expression,
  MemberExpression,
  Pattern,
  SpreadElement,
  Statement,
} from 'acorn'
import { secretField } from '../../secret-mask.ts'
import type { Draft } from '../../steps/convert/draft.ts'
import { literalText } from '../../steps/convert/named-values.ts'
import {
  type ActionName,
  type BrowserAction,
  closeWord,
  completedAction,
  hiddenWord,
  waitMsMax,
} from '../action.ts'
import { readKey } from '../keys.ts'
import { nameIn, selectorProblem } from '../selector.ts'
import { expectedActions, type Subject } from './script-expectations.ts'
import { callIn, functionIn, pathOf, type ScriptPiece } from './script-outline.ts'
import { partOf, typedSelector } from './script-selectors.ts'
import { lineOf, unwrapped, wordsOf } from './script-syntax.ts'
import { urlPatternOf } from './script-urls.ts'
import {
  fieldOf,
  isTooLong,
  nothing,
  plainTextOf,
  type ReadWhat,
  readInStep,
  type ScriptFunction,
  type ScriptScope,
  type ScriptValue,
  templateOf,
  textValue,
  weightOf,
} from './script-values.ts'

/** An action with the line of the script that it is of. */
export interface FoundAction {
  readonly action: BrowserAction
  readonly line: number
  /** open: where it goes, if that is known now. */
  readonly url?: string | undefined
}

type Located = Extract<ScriptValue, { kind: 'locator' }>

/** Nothing here says what it does. */
class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** The reading has taken all its steps. */
class ReadingEnded extends Error {
  override readonly name = 'ReadingEnded'
}

/**
 * Steps of the reading of a script: statements, expressions, names and pieces of texts, each time that they are read.
 * They take up to a second. The settings of the file are read after it.
 */
export const readingStepsMax = 100_000
const settingsStepsMax = 10_000
const callDepthMax = 8
/** Expressions in each other, through the functions that they call. */
const levelsMax = 1_000

const networkNote = 'waits for the network are left out: actions wait by themselves'

/** Methods that do nothing which an action would not do by itself. */
const idle: ReadonlySet<string> = new Set([
  ...['waitForLoadState', 'waitForNavigation', 'waitForResponse', 'waitForRequest'],
])
const housekeeping: ReadonlySet<string> = new Set([
  ...['close', 'bringToFront', 'scrollIntoViewIfNeeded', 'screenshot', 'setDefaultTimeout'],
  ...[
    'setDefaultNavigationTimeout',
    'setViewportSize',
    'newContext',
    'newPage',
    'launch',
    'context',
  ],
])

/** Actions of a locator without a value, by the method. */
const plainActions: Readonly<Record<string, ActionName>> = {
  ...{ click: 'click', tap: 'click', dblclick: 'doubleClick', hover: 'hover' },
  ...{ check: 'check', uncheck: 'uncheck' },
}
const doing: ReadonlySet<string> = new Set([
  'clear',
  'press',
  'selectOption',
  'setInputFiles',
  'waitFor',
])
const writing: ReadonlySet<string> = new Set(['fill', 'type', 'pressSequentially'])
const reading: Readonly<Record<string, ReadWhat>> = {
  ...{ textContent: 'text', innerText: 'text', inputValue: 'text', count: 'count' },
  ...{ isVisible: 'visible', url: 'url', title: 'title' },
}
/** Options that change what an action does. */
const tellingOptions = ['button', 'modifiers', 'position', 'clickCount']

export function createScriptReader(source: string, draft: Draft) {
  const found: FoundAction[] = []
  let stepsLeft = readingStepsMax
  /** The line of the last statement that was read. */
  let lastLine = 1
  /** The tab that actions go on in. */
  let current = 0
  let depth = 0
  let levels = 0

  function spend(steps: number): void {
    stepsLeft -= steps
    if (stepsLeft < 0) throw new ReadingEnded()
  }

  function add(node: AnyNode, fields: Partial<BrowserAction>, url?: string): ScriptValue {
    const action = completedAction(fields)
    spend(1 + ((action.selector?.length ?? 0) + (action.value?.length ?? 0)) / readInStep)
    found.push({ action, line: lineOf(node), url })
    return nothing
  }

  function leftOut(node: AnyNode): void {
    draft.note(`line ${lineOf(node)} is left out: ${wordsOf(node, source)}`)
  }

  function readAll(body: readonly ScriptPiece[], scope: ScriptScope): void {
    spend(body.length)
    for (const one of body) {
      if (one.type !== 'FunctionDeclaration') continue
      scope.set(one.id.name, { kind: 'function', node: one, scope })
    }
    for (const piece of body) {
      if (piece.type === 'FunctionDeclaration') continue
      if (piece.type === 'ArrowFunctionExpression' || piece.type === 'FunctionExpression') {
        callFunction({ kind: 'function', node: piece, scope }, [])
      } else readOne(piece, scope)
    }
  }

  function readOne(statement: Statement, scope: ScriptScope): void {
    lastLine = lineOf(statement)
    spend(1)
    try {
      perform(statement, scope)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      leftOut(statement)
    }
  }

  function perform(statement: Statement, scope: ScriptScope): void {
    switch (statement.type) {
      case 'ExpressionStatement':
        valueAt(statement.expression, scope)
        return
      case 'VariableDeclaration':
        for (const { id, init } of statement.declarations) {
          if (init) bind(id, valueAt(init, scope), scope, init)
        }
        return
      case 'BlockStatement':
        readAll(statement.body, scope)
        return
      case 'TryStatement':
        readAll(statement.block.body, scope)
        if (statement.handler) leftOut(statement.handler)
        readAll(statement.finalizer?.body ?? [], scope)
        return
      case 'ReturnStatement':
        if (statement.argument) valueAt(statement.argument, scope)
        return
      case 'EmptyStatement':
        return
      case 'ForOfStatement': {
        const { left, right, body } = statement
        const all = valueAt(right, scope)
        const [named] = left.type === 'VariableDeclaration' ? left.declarations : []
        if (all.kind !== 'list' || named === undefined) throw new Unreadable()
        for (const item of all.items) {
          lastLine = lineOf(statement)
          spend(1)
          const inner = scope.inside()
          bind(named.id, item, inner)
          readOne(body, inner)
        }
        return
      }
      default:
        // What only TypeScript reads.
        if (!statement.type.startsWith('TS')) throw new Unreadable()
    }
  }

  /** Names a value. A text whose name says that it is secret becomes a variable. */
  function bind(to: Pattern, value: ScriptValue, scope: ScriptScope, init?: Expression): void {
    spend(1)
    if (to.type === 'Identifier') {
      const text = value.kind === 'text' ? value.pieces : []
      const [only] = text
      const isSecret = text.length === 1 && typeof only === 'string' && secretField.test(to.name)
      const named = isSecret && only !== '' ? [{ name: to.name, value: only }] : text
      const isNew = !(
        value.kind === 'nothing' &&
        init !== undefined &&
        scope.get(to.name) !== undefined
      )
      if (isNew) scope.set(to.name, value.kind === 'text' ? { ...value, pieces: named } : value)
    } else if (to.type === 'AssignmentPattern') {
      bind(to.left, value.kind === 'nothing' ? valueAt(to.right, scope) : value, scope)
    } else if (to.type === 'ArrayPattern') {
      spend(to.elements.length)
      const items = value.kind === 'list' ? value.items : []
      for (const [at, one] of to.elements.entries()) if (one) bind(one, items[at] ?? nothing, scope)
    } else if (to.type === 'ObjectPattern') {
      spend(to.properties.length)
      for (const one of to.properties) {
        if (one.type !== 'Property' || one.key.type !== 'Identifier') continue
        const field = fieldOf(value, one.key.name) ?? (value.kind === 'library' ? value : nothing)
        bind(one.value, field, scope)
      }
    }
  }

  const fixtures: ScriptValue = {
    kind: 'record',
    fields: new Map<string, ScriptValue>([
      ['page', { kind: 'page', tab: 0 }],
      ['context', { kind: 'context' }],
      ['browser', { kind: 'library' }],
    ]),
  }

  function callFunction(
    { node, scope }: Extract<ScriptValue, { kind: 'function' }>,
    given: readonly ScriptValue[],
    isOfTest = true,
  ): ScriptValue {
    if (depth >= callDepthMax) throw new Unreadable()
    depth += 1
    try {
      const inner = scope.inside()
      for (const [at, param] of node.params.entries()) {
        bind(param, given[at] ?? (isOfTest ? fixtures : nothing), inner)
      }
      if (node.body.type !== 'BlockStatement') return valueAt(node.body, inner)
      readAll(node.body.body, inner)
      const last = node.body.body.at(-1)
      const isGiven = last?.type === 'ReturnStatement' && last.argument?.type === 'Identifier'
      return isGiven ? valueAt(last.argument as Expression, inner) : nothing
    } finally {
      depth -= 1
    }
  }

  function valueAt(expression: Expression | SpreadElement | null, scope: ScriptScope): ScriptValue {
    if (expression === null || expression.type === 'SpreadElement') throw new Unreadable()
    spend(1)
    if (levels >= levelsMax) throw new Unreadable()
    levels += 1
    let value: ScriptValue
    try {
      value = valueInside(unwrapped(expression), scope)
    } finally {
      levels -= 1
    }
    spend(weightOf(value))
    const isOpened = value.kind === 'popup' && expression.type === 'AwaitExpression'
    return isOpened ? opened(expression) : value
  }

  function valueInside(node: Expression, scope: ScriptScope): ScriptValue {
    switch (node.type) {
      case 'Literal':
        return literalOf(node)
      case 'TemplateLiteral':
        return joined(
          node.quasis.flatMap(({ value }, at) => {
            const text = textValue(value.cooked ?? value.raw)
            const next = node.expressions[at]
            return next === undefined ? [text] : [text, valueAt(next, scope)]
          }),
        )
      case 'Identifier':
        return named(node.name, scope)
      case 'ArrayExpression':
        return { kind: 'list', items: node.elements.map((one) => valueAt(one, scope)) }
      case 'ObjectExpression':
        spend(node.properties.length)
        return {
          kind: 'record',
          fields: new Map(
            node.properties.flatMap((one): [string, ScriptValue][] => {
              if (one.type !== 'Property') return []
              const { key } = one
              const name =
                key.type === 'Identifier'
                  ? key.name
                  : key.type === 'Literal'
                    ? String(key.value)
                    : ''
              return [[name, valueAt(one.value, scope)]]
            }),
          ),
        }
      case 'BinaryExpression':
        if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') throw new Unreadable()
        return joined([valueAt(node.left, scope), valueAt(node.right, scope)])
      case 'LogicalExpression':
        return orElse(valueAt(node.left, scope), valueAt(node.right, scope))
      case 'UnaryExpression': {
        const value = valueAt(node.argument, scope)
        if (node.operator !== '-' || value.kind !== 'number') throw new Unreadable()
        return { kind: 'number', value: -value.value }
      }
      case 'AssignmentExpression': {
        const value = valueAt(node.right, scope)
        if (node.operator !== '=' || node.left.type !== 'Identifier') throw new Unreadable()
        bind(node.left, value, scope)
        return value
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return { kind: 'function', node, scope }
      case 'MemberExpression':
        return memberOf(node, scope)
      case 'CallExpression':
        return callOf(node, scope)
      default:
        throw new Unreadable()
    }
  }

  function named(name: string, scope: ScriptScope): ScriptValue {
    const known = scope.get(name)
    if (known !== undefined) return known
    if (name === 'undefined') return nothing
    if (name === 'process') return { kind: 'environment' }
    throw new Unreadable()
  }

  /** The script goes on in the tab that was opened. */
  function opened(from: Expression): ScriptValue {
    add(from, { action: 'popup' })
    current += 1
    return { kind: 'page', tab: current }
  }

  /** What is done next is done in this tab: those that were opened from it are closed. */
  function turnTo(tab: number, node: AnyNode): void {
    if (tab > current) throw new Unreadable()
    for (; current > tab; current -= 1) add(node, { action: 'popup', value: closeWord })
  }

  function memberOf(node: MemberExpression, scope: ScriptScope): ScriptValue {
    const name = keyOf(node, scope)
    if (node.object.type === 'Super' || name === undefined) throw new Unreadable()
    const of = valueAt(node.object, scope)
    if (of.kind === 'environment') {
      if (name === 'env') return of
      return { kind: 'text', pieces: [{ name, value: undefined }] }
    }
    if (of.kind === 'list') return of.items[Number(name)] ?? nothing
    if (of.kind === 'page' && name === 'keyboard') return { kind: 'keyboard', tab: of.tab }
    if (of.kind === 'library') return of
    const field = fieldOf(of, name)
    if (field === undefined) throw new Unreadable()
    return field
  }

  function keyOf({ property, computed }: MemberExpression, scope: ScriptScope): string | undefined {
    if (property.type === 'PrivateIdentifier') return undefined
    if (!computed) return property.type === 'Identifier' ? property.name : undefined
    return plainTextOf(valueAt(property, scope))
  }

  function callOf(node: CallExpression, scope: ScriptScope): ScriptValue {
    const { callee } = node
    spend(node.arguments.length)
    const path = pathOf(callee)
    if (path[0] === 'require' && scope.get('require') === undefined) return { kind: 'library' }
    if (path.join('.') === 'test.step') return stepOf(node, scope)
    if (path[0] === 'test') return nothing
    const own = callee.type === 'Super' ? undefined : functionOf(unwrapped(callee), scope)
    if (own !== undefined) {
      const given = node.arguments.map((one) => valueAt(one, scope))
      return callFunction(own, given, false)
    }
    if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') throw new Unreadable()
    const method = keyOf(callee, scope) ?? ''
    const expected = expectationIn(callee, scope)
    if (expected !== undefined) {
      const given = node.arguments.map((one) => valueAt(one, scope))
      const actions = expectedActions(expected, method, given, draft)
      if (actions === undefined) throw new Unreadable()
      if ('tab' in expected.value) turnTo(expected.value.tab, node)
      for (const action of actions) add(node, action)
      return nothing
    }
    if (path.join('.') === 'Buffer.from') return valueAt(node.arguments[0] ?? null, scope)
    if (path.join('.') === 'Promise.all') {
      const all = valueAt(node.arguments[0] ?? null, scope)
      if (all.kind !== 'list') throw new Unreadable()
      const items = all.items.map((one) => (one.kind === 'popup' ? opened(node) : one))
      return { kind: 'list', items }
    }
    const of = valueAt(callee.object, scope)
    return methodOf(of, method, node, scope)
  }

  function functionOf(callee: Expression, scope: ScriptScope) {
    const inline = functionIn(callee)
    if (inline !== undefined) return { kind: 'function' as const, node: inline, scope }
    const value = callee.type === 'Identifier' ? scope.get(callee.name) : undefined
    return value?.kind === 'function' ? value : undefined
  }

  function stepOf(node: CallExpression, scope: ScriptScope): ScriptValue {
    const inside: ScriptFunction | undefined = node.arguments.map(functionIn).find((one) => one)
    if (inside === undefined) throw new Unreadable()
    return callFunction({ kind: 'function', node: inside, scope }, [], false)
  }

  /** `expect(subject).not` before its method; undefined: it is none. */
  function expectationIn(callee: MemberExpression, scope: ScriptScope): Subject | undefined {
    let isNot = false
    let at = callee.object
    while (at.type === 'MemberExpression' && at.property.type === 'Identifier') {
      if (at.property.name === 'not') isNot = !isNot
      else if (at.property.name !== 'resolves') return undefined
      at = at.object
    }
    if (at.type === 'Super') return undefined
    const call = callIn(at)
    const [root, kind] = call === undefined ? [] : pathOf(call.callee)
    if (call === undefined || root !== 'expect' || !['soft', undefined].includes(kind)) {
      return undefined
    }
    return { isNot, value: valueAt(call.arguments[0] ?? null, scope) }
  }

  function methodOf(
    of: ScriptValue,
    method: string,
    node: CallExpression,
    scope: ScriptScope,
  ): ScriptValue {
    if (of.kind === 'library' || of.kind === 'context') {
      if (method === 'waitForEvent' && of.kind === 'context') return { kind: 'popup' }
      if (method === 'newPage') return { kind: 'page', tab: 0 }
      if (method === 'newContext') return { kind: 'context' }
      if (of.kind === 'library' || housekeeping.has(method)) return of
      throw new Unreadable()
    }
    if (of.kind === 'response') return { kind: 'status' }
    const given = () => node.arguments.map((one) => valueAt(one, scope))
    if (of.kind === 'text' && method === 'trim') return of
    if (of.kind === 'keyboard') {
      turnTo(of.tab, node)
      return keyboardOf(method, given(), node)
    }
    if (of.kind === 'page') return pageOf(of.tab, method, given, node)
    if (of.kind === 'frame') return frameOf(of, method, given())
    if (of.kind === 'locator') return locatorOf(of, method, given(), node)
    throw new Unreadable()
  }

  function pageOf(
    tab: number,
    method: string,
    given: () => readonly ScriptValue[],
    node: CallExpression,
  ): ScriptValue {
    if (idle.has(method)) {
      draft.note(networkNote)
      return nothing
    }
    if (method === 'close' && tab === current && tab > 0) {
      turnTo(tab - 1, node)
      return nothing
    }
    if (housekeeping.has(method)) return { kind: 'context' }
    const what = Object.hasOwn(reading, method) ? reading[method] : undefined
    const values = given()
    const [first, ...more] = values
    if ((what === 'url' || what === 'title') && first === undefined) {
      return { kind: 'read', what, selector: null, tab }
    }
    if (/^(?:goto|waitForTimeout|waitForURL)$/.test(method)) turnTo(tab, node)
    if (method === 'goto') return gotoOf(first, node)
    if (method === 'waitForTimeout') return waitOf(first, node)
    if (method === 'waitForURL') {
      const value = urlPatternOf(first, draft)
      if (value === undefined) throw new Unreadable()
      return add(node, { action: 'expectUrl', value })
    }
    if (method === 'waitForEvent' && plainTextOf(first) === 'popup') return { kind: 'popup' }
    const part = method === 'filter' ? undefined : partOf(method, values)
    if (part !== undefined) {
      return method === 'frameLocator' ? { kind: 'frame', selector: part, tab } : located(part, tab)
    }
    const selector = typedSelector(plainTextOf(first) ?? '')
    if (selector === undefined) throw new Unreadable()
    const of = method === 'waitForSelector' ? 'waitFor' : method
    return locatorOf(located(selector, tab), of, more, node)
  }

  function located(selector: string, tab: number): Located {
    spend(selector.length / readInStep)
    if (selectorProblem(selector) !== null) throw new Unreadable()
    return { kind: 'locator', selector, tab }
  }

  /** What is looked for in a frame; `first` and its like choose the frame itself. */
  function frameOf(
    { selector, tab }: Pick<Located, 'selector' | 'tab'>,
    method: string,
    given: readonly ScriptValue[],
  ): ScriptValue {
    const part = partOf(method, given)
    if (part === undefined) throw new Unreadable()
    if (part.startsWith('nth=')) return { kind: 'frame', selector: `${selector} >> ${part}`, tab }
    const inside = `${selector} >> enter-frame >> ${part}`
    return method === 'frameLocator'
      ? { kind: 'frame', selector: inside, tab }
      : located(inside, tab)
  }

  function gotoOf(where: ScriptValue | undefined, node: CallExpression): ScriptValue {
    const known = plainTextOf(where)
    const value = known === undefined ? templateOf(where, draft) : literalText(known, draft)
    if (value === undefined) throw new Unreadable()
    add(node, { action: 'open', value }, known)
    return { kind: 'response' }
  }

  function waitOf(time: ScriptValue | undefined, node: CallExpression): ScriptValue {
    if (time?.kind !== 'number' || !(time.value > 0)) throw new Unreadable()
    const ms = Math.round(Math.min(time.value, waitMsMax))
    if (ms < time.value) {
      draft.note(`line ${lineOf(node)} waits longer than an action may, which is ${waitMsMax} ms`)
    }
    return add(node, { action: 'wait', value: String(Math.max(1, ms)) })
  }

  function keyboardOf(
    method: string,
    [what]: readonly ScriptValue[],
    node: CallExpression,
  ): ScriptValue {
    if (method === 'press') return pressOf(null, what, node)
    const value = templateOf(what, draft)
    if (!['type', 'insertText'].includes(method) || value === undefined) throw new Unreadable()
    return add(node, { action: 'fill', selector: ':focus', value })
  }

  function pressOf(
    selector: string | null,
    what: ScriptValue | undefined,
    node: CallExpression,
  ): ScriptValue {
    const key = (plainTextOf(what) ?? '').replace('ControlOrMeta', 'Control')
    if (readKey(key) === undefined) throw new Unreadable()
    return add(node, { action: 'press', selector, value: key })
  }

  function locatorOf(
    { selector, tab }: Pick<Located, 'selector' | 'tab'>,
    method: string,
    given: readonly ScriptValue[],
    node: CallExpression,
  ): ScriptValue {
    const [first] = given
    const plain = Object.hasOwn(plainActions, method) ? plainActions[method] : undefined
    if (plain !== undefined || writing.has(method)) turnTo(tab, node)
    if (plain !== undefined) {
      for (const name of tellingOptions) {
        const value = fieldOf(first, name)
        if (value === undefined || plainTextOf(value) === 'left') continue
        draft.note(`line ${lineOf(node)}: its option ${name} is left out`)
      }
      return add(node, { action: plain, selector })
    }
    if (writing.has(method)) {
      const value = templateOf(hidden(selector, first), draft)
      if (value === undefined) throw new Unreadable()
      return add(node, { action: 'fill', selector, value })
    }
    const what = Object.hasOwn(reading, method) ? reading[method] : undefined
    if (what !== undefined) return { kind: 'read', what, selector, tab }
    if (doing.has(method)) turnTo(tab, node)
    switch (method) {
      case 'clear':
        return add(node, { action: 'fill', selector })
      case 'press':
        return pressOf(selector, first, node)
      case 'selectOption': {
        const one = fieldOf(first, 'label') ?? fieldOf(first, 'value') ?? first
        const value = templateOf(one?.kind === 'list' ? one.items[0] : one, draft)
        if (value === undefined || (one?.kind === 'list' && one.items.length > 1)) {
          throw new Unreadable()
        }
        return add(node, { action: 'select', selector, value })
      }
      case 'setInputFiles': {
        const name = plainTextOf(fieldOf(first, 'name') ?? first)
          ?.split('/')
          .at(-1)
        const content = templateOf(fieldOf(first, 'buffer'), draft)
        if (name === undefined) throw new Unreadable()
        if (content === undefined) draft.note(`the content of the file ${name} is left out`)
        const value = content ? `${literalText(name, draft)}\n${content}` : name
        return add(node, { action: 'upload', selector, value })
      }
      case 'waitFor': {
        const state = plainTextOf(fieldOf(first, 'state')) ?? 'visible'
        if (state === 'attached')
          return add(node, { action: 'expectState', selector, value: state })
        const isGone = state === 'hidden' || state === 'detached'
        return add(node, { action: 'wait', selector, value: isGone ? hiddenWord : null })
      }
      case 'scrollIntoViewIfNeeded':
      case 'focus':
        // What is done with it next does that.
        return nothing
      default: {
        if (method === 'contentFrame') return { kind: 'frame', selector, tab }
        const part = partOf(method, given)
        if (part === undefined) throw new Unreadable()
        const inside = `${selector} >> ${part}`
        return method === 'frameLocator'
          ? { kind: 'frame', selector: inside, tab }
          : located(inside, tab)
      }
    }
  }

  /** What is written into a field whose name says that it is secret becomes a variable. */
  function hidden(selector: string, value: ScriptValue | undefined): ScriptValue | undefined {
    const name = nameIn(selector)
    const isSecret = name.split(/[^\p{L}\d_-]+/u).some((word) => secretField.test(word))
    const text = plainTextOf(value)
    if (!isSecret || value?.kind !== 'text' || text === undefined || text === '') return value
    if (value.pieces.some((piece) => typeof piece !== 'string')) return value
    return { kind: 'text', pieces: [{ name, value: text }] }
  }

  return {
    /** `endedAt`: the line where its steps were taken, if they were. */
    read(
      pieces: readonly ScriptPiece[],
      scope: ScriptScope,
    ): { readonly found: readonly FoundAction[]; readonly endedAt?: number } {
      try {
        readAll(pieces, scope)
        return { found }
      } catch (error) {
        if (!(error instanceof ReadingEnded)) throw error
        return { found, endedAt: lastLine }
      } finally {
        stepsLeft = settingsStepsMax
      }
    },
    /** A value of the settings of the script; nothing if it cannot be read. */
    valueIn(expression: Expression, scope: ScriptScope): ScriptValue {
      try {
        return valueAt(expression, scope)
      } catch (error) {
        if (error instanceof Unreadable || error instanceof ReadingEnded) return nothing
        throw error
      }
    },
  }
}

function literalOf({ value, ...more }: Extract<Expression, { type: 'Literal' }>): ScriptValue {
  if (more.regex) return { kind: 'regex', source: more.regex.pattern, flags: more.regex.flags }
  if (typeof value === 'string') return textValue(value)
  if (typeof value === 'number') return { kind: 'number', value }
  return typeof value === 'boolean' ? { kind: 'truth', value } : nothing
}

function joined(values: readonly ScriptValue[]): ScriptValue {
  const pieces = values.flatMap((value) => {
    if (value.kind === 'number') return [String(value.value)]
    if (value.kind !== 'text') throw new Unreadable()
    return value.pieces
  })
  if (isTooLong(pieces)) throw new Unreadable()
  return { kind: 'text', pieces }
}

/** `process.env.NAME || 'otherwise'`, whichever is there. */
function orElse(value: ScriptValue, otherwise: ScriptValue): ScriptValue {
  if (value.kind === 'nothing') return otherwise
  const [only, ...more] = value.kind === 'text' ? value.pieces : []
  const isOpen = typeof only === 'object' && only.value === undefined && more.length === 0
  if (!isOpen) return value
  const text = plainTextOf(otherwise)
  return text === undefined ? value : { kind: 'text', pieces: [{ ...only, value: text }] }
}
