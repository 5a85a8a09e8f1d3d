// The actions of a browser check, one after another: what a person would do on the page, and should see there.
import { unreachable } from '../../base/assert.ts'
import { nameIn } from './selector.ts'
import { readPattern } from './text-pattern.ts'

export const actionNames = [
  ...[
    'open',
    'click',
    'doubleClick',
    'hover',
    'fill',
    'press',
    'select',
    'check',
    'uncheck',
    'upload',
    'popup',
    'wait',
  ],
  ...['expect', 'expectUrl', 'expectTitle', 'expectCount', 'expectState'],
] as const
export type ActionName = (typeof actionNames)[number]

export interface BrowserAction {
  readonly action: ActionName
  /** What on the page is meant (selector.ts). Null: the whole page, or what has the focus. */
  readonly selector: string | null
  /** A URL, a text, a key or an option, with placeholders for what is secret. */
  readonly value: string | null
}

export const actionsMax = 30
export const selectorCharsMax = 500
export const actionValueCharsMax = 2_000
/** How long `wait` may wait without looking at anything. */
export const waitMsMax = 10_000

/** The size of the window, in CSS pixels, and whether pages take it for a phone. */
export const viewports = {
  desktop: { width: 1280, height: 800, mobile: false, deviceScaleFactor: 1 },
  phone: { width: 390, height: 844, mobile: true, deviceScaleFactor: 2 },
} as const
export const viewportNames = ['desktop', 'phone'] as const
export type ViewportName = (typeof viewportNames)[number]

/** What the console and the reference say of a field: needed, possible, or not there. */
type Need = 'needed' | 'possible' | 'none'

interface ActionShape {
  readonly selector: Need
  readonly value: Need
}

export const actionShapes: Readonly<Record<ActionName, ActionShape>> = {
  open: { selector: 'none', value: 'needed' },
  click: { selector: 'needed', value: 'none' },
  doubleClick: { selector: 'needed', value: 'none' },
  hover: { selector: 'needed', value: 'none' },
  fill: { selector: 'needed', value: 'possible' },
  press: { selector: 'possible', value: 'needed' },
  select: { selector: 'needed', value: 'needed' },
  check: { selector: 'needed', value: 'none' },
  uncheck: { selector: 'needed', value: 'none' },
  upload: { selector: 'needed', value: 'needed' },
  popup: { selector: 'none', value: 'possible' },
  wait: { selector: 'possible', value: 'possible' },
  expect: { selector: 'possible', value: 'possible' },
  expectUrl: { selector: 'none', value: 'needed' },
  expectTitle: { selector: 'none', value: 'needed' },
  expectCount: { selector: 'needed', value: 'needed' },
  expectState: { selector: 'needed', value: 'needed' },
}

/** `wait` for something to go away. */
export const hiddenWord = 'hidden'

/** `popup`: the tab is closed, and what opened it goes on. */
export const closeWord = 'close'

/** What `expectState` may ask for; `attached`: it is in the page, seen or not. */
export const stateNames = [
  ...['checked', 'unchecked', 'enabled', 'disabled', 'editable', 'focused', 'empty', 'attached'],
] as const
export type StateName = (typeof stateNames)[number]

/** Things of one selector that `expectCount` may ask for. */
export const countMax = 10_000

type ActionFields = { readonly [Field in keyof BrowserAction]?: BrowserAction[Field] | null }

/** An action as callers send it; '' means null. */
export function completedAction({ action, selector, value }: ActionFields): BrowserAction {
  return { action: action ?? 'expect', selector: selector || null, value: value ?? null }
}

/** An action in words, with the names of placeholders in place of what is secret: `click “Sign in”`. */
export function actionInWords({ action, selector, value }: BrowserAction): string {
  const what = selector === null ? '' : ` “${nameIn(selector)}”`
  const shown = value === null || value === '' ? '' : `“${textIn(value)}”`
  switch (action) {
    case 'open':
      return `open ${value}`
    case 'fill':
    case 'click':
    case 'hover':
    case 'select':
    case 'check':
    case 'uncheck':
      return `${action}${what}`
    case 'doubleClick':
      return `double click${what}`
    case 'upload':
      return `upload ${value?.split('\n', 1).join('')} to${what}`
    case 'popup':
      return value === closeWord ? 'close the new tab' : 'go on in the new tab'
    case 'press':
      return `press ${value}${what === '' ? '' : ` in${what}`}`
    case 'wait':
      if (selector === null) return `wait ${value} ms`
      return value === hiddenWord ? `wait until${what} is gone` : `wait for${what}`
    case 'expect':
      if (selector === null) return `expect ${shown}`
      return shown === '' ? `expect${what}` : `expect ${shown} in${what}`
    case 'expectUrl':
      return `expect the URL ${value}`
    case 'expectTitle':
      return `expect the title ${shown}`
    case 'expectCount':
      return `expect ${value} of${what}`
    case 'expectState':
      return `expect${what} to be ${value}`
    default:
      return unreachable(action)
  }
}

/** What is meant as a whole, without its quotes. */
function textIn(value: string): string {
  const { text, isExact } = readPattern(value)
  return isExact ? text : value
}
