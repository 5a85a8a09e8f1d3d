// Actions of what a script expects.
//
// Source: https://playwright.dev/docs/test-assertions
import type { Draft } from '../../steps/convert/draft.ts'
import {
  type ActionName,
  actionsMax,
  type BrowserAction,
  hiddenWord,
  type StateName,
} from '../action.ts'
import { isTaken, patternOf } from './script-selectors.ts'
import { urlPatternOf } from './script-urls.ts'
import { plainTextOf, type ScriptValue, templateOf } from './script-values.ts'

export interface Subject {
  readonly value: ScriptValue
  readonly isNot: boolean
}

type Actions = readonly Partial<BrowserAction>[]

/** The states that an assertion means, and what its opposite is; undefined: there is none. */
const states: Readonly<Record<string, readonly [StateName, StateName?]>> = {
  toBeChecked: ['checked', 'unchecked'],
  toBeEnabled: ['enabled', 'disabled'],
  toBeDisabled: ['disabled', 'enabled'],
  toBeEditable: ['editable'],
  toBeFocused: ['focused'],
  toBeEmpty: ['empty'],
  toBeAttached: ['attached'],
}
const seen: ReadonlySet<string> = new Set(['toBeVisible', 'toBeInViewport'])
const isTrue: ReadonlySet<string> = new Set(['toBeTruthy', 'toBeOK', 'toBeDefined'])
const same: ReadonlySet<string> = new Set(['toBe', 'toEqual', 'toStrictEqual'])
const containing: ReadonlySet<string> = new Set(['toContain', 'toMatch', 'toContainText'])
/** What a status below 400 may be held against: `open` asks for that by itself. */
const statusBound = 400

/** Undefined: no action says the same. */
export function expectedActions(
  { value: of, isNot }: Subject,
  method: string,
  given: readonly ScriptValue[],
  draft: Draft,
): Actions | undefined {
  const [first] = given
  switch (of.kind) {
    case 'page':
      return isNot ? undefined : ofPage(method, first, draft)
    case 'locator':
      return ofLocator(of.selector, isNot, method, given, draft)
    case 'read':
      return ofRead(of, isNot, method, first, draft)
    case 'response':
    case 'status':
      return isNot ? undefined : ofStatus(method, first)
    default:
      return undefined
  }
}

function only(action: ActionName, selector: string | null, value: string | null | undefined) {
  return value === undefined ? undefined : [{ action, selector, value }]
}

function ofPage(method: string, first: ScriptValue | undefined, draft: Draft): Actions | undefined {
  if (method === 'toHaveURL') return only('expectUrl', null, urlPatternOf(first, draft))
  if (method === 'toHaveTitle') return only('expectTitle', null, textOf(first, true, draft))
  return undefined
}

/** Text for `expect`, which may have placeholders, where the whole is meant in quotes. */
function textOf(
  value: ScriptValue | undefined,
  isWhole: boolean,
  draft: Draft,
): string | undefined {
  if (value?.kind === 'regex') return patternOf(value)
  const text = templateOf(value, draft)?.replace(/\s+/g, ' ').trim()
  if (text === undefined) return undefined
  if (isWhole) return `"${text}"`
  return isTaken(text) ? patternOf(value) : text
}

function ofLocator(
  selector: string,
  isNot: boolean,
  method: string,
  [first, second]: readonly ScriptValue[],
  draft: Draft,
): Actions | undefined {
  const gone = [{ action: 'wait', selector, value: hiddenWord }] as const
  if (seen.has(method)) return isNot ? gone : [{ action: 'expect', selector }]
  if (method === 'toBeHidden') return isNot ? [{ action: 'expect', selector }] : gone
  const pair = Object.hasOwn(states, method) ? states[method] : undefined
  if (pair !== undefined) {
    if (isNot && method === 'toBeAttached') return only('expectCount', selector, '0')
    return only('expectState', selector, isNot ? pair[1] : pair[0])
  }
  if (isNot) return undefined
  switch (method) {
    case 'toHaveText':
    case 'toContainText':
      if (first?.kind === 'list') return ofEach(selector, method, first.items, draft)
      break
    default:
  }
  switch (method) {
    case 'toHaveText':
    case 'toHaveValue': {
      const value = textOf(first, true, draft)
      return value === '""'
        ? only('expectState', selector, 'empty')
        : only('expect', selector, value)
    }
    case 'toContainText':
      return only('expect', selector, textOf(first, false, draft) || undefined)
    case 'toHaveCount':
      return only(
        'expectCount',
        selector,
        first?.kind === 'number' ? String(first.value) : undefined,
      )
    case 'toHaveAttribute': {
      const [name, value] = [plainTextOf(first), plainTextOf(second)]
      const isPlain = name !== undefined && /^[\w-]+$/.test(name) && !/["\\\n]/.test(value ?? '')
      if (!isPlain || (second !== undefined && value === undefined)) return undefined
      const css = value === undefined ? `[${name}]` : `[${name}="${value}"]`
      return [{ action: 'expect', selector: `${selector} >> is=${css}` }]
    }
    case 'toHaveId': {
      const id = plainTextOf(first)
      if (id === undefined || /["\\\n]/.test(id)) return undefined
      return [{ action: 'expect', selector: `${selector} >> is=[id="${id}"]` }]
    }
    case 'toHaveClass':
    case 'toContainClass': {
      const names = first?.kind === 'regex' ? first.source : plainTextOf(first)
      if (names === undefined || !/^[\w -]+$/.test(names)) return undefined
      const css = names.trim().split(/\s+/).join('.')
      return [{ action: 'expect', selector: `${selector} >> is=.${css}` }]
    }
    default:
      return undefined
  }
}

/** As many of them as texts, in this order. */
function ofEach(
  selector: string,
  method: string,
  texts: readonly ScriptValue[],
  draft: Draft,
): Actions | undefined {
  // More than a monitor may have, or lists in each other, which are no texts.
  if (texts.length >= actionsMax || texts.some(({ kind }) => kind === 'list')) return undefined
  const each = texts.map((text, at) =>
    ofLocator(`${selector} >> nth=${at}`, false, method, [text], draft),
  )
  if (each.includes(undefined)) return undefined
  const count = { action: 'expectCount', selector, value: String(texts.length) } as const
  return [count, ...each.flatMap((actions) => actions ?? [])]
}

/** What the script read before it compared: the action waits until it is so. */
function ofRead(
  { what, selector }: Extract<ScriptValue, { kind: 'read' }>,
  isNot: boolean,
  method: string,
  first: ScriptValue | undefined,
  draft: Draft,
): Actions | undefined {
  if (what === 'visible') {
    const isMeant =
      isTrue.has(method) || (same.has(method) && first?.kind === 'truth' && first.value)
    const isFalse = method === 'toBeFalsy' || (same.has(method) && !isMeant)
    if (!isMeant && !isFalse) return undefined
    const isSeen = isMeant !== isNot
    return [
      { action: isSeen ? 'expect' : 'wait', selector, ...(isSeen ? {} : { value: hiddenWord }) },
    ]
  }
  if (isNot) return undefined
  const isWhole = same.has(method)
  if (what === 'count') {
    const isCount = first?.kind === 'number' && isWhole
    return only('expectCount', selector, isCount ? String(first.value) : undefined)
  }
  if (!isWhole && !containing.has(method)) return undefined
  if (what === 'url') {
    const part = isWhole ? urlPatternOf(first, draft) : textOf(first, false, draft)
    return only('expectUrl', null, part || undefined)
  }
  const value = textOf(first, isWhole, draft) || undefined
  return what === 'title' ? only('expectTitle', null, value) : only('expect', selector, value)
}

/** Nothing: it follows from the opening of the page. Undefined: it does not. */
function ofStatus(method: string, first: ScriptValue | undefined): Actions | undefined {
  if (isTrue.has(method)) return []
  const bound = first?.kind === 'number' ? first.value : 0
  const isBound = method === 'toBeLessThan' || method === 'toBeLessThanOrEqual'
  return isBound && bound >= statusBound - 1 ? [] : undefined
}
