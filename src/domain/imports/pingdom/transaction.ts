// Transactions of Pingdom as the actions of a browser.
//
// The words of their steps: "TMS Steps Vocabulary" of https://docs.pingdom.com/api/
import { clip } from '../../../base/clip.ts'
import {
  type ActionName,
  actionsMax,
  actionValueCharsMax,
  selectorCharsMax,
  waitMsMax,
} from '../../browser/action.ts'
import { selectorProblem } from '../../browser/selector.ts'
import { type ForeignFields, fieldsOf, listOf, type Note, numberOf, textOf } from '../foreign.ts'

interface StepAction {
  readonly action: ActionName
  readonly selector?: string
  readonly value?: string
}

type MadeStep = StepAction | string

/** An action, or why there is none, by the name of a step. Those of recordings have a mark before it. */
const steps: Readonly<Record<string, (args: ForeignFields) => MadeStep>> = {
  go_to: ({ url }) => ({ action: 'open', value: addressOf(url) }),
  click: ({ element }) => ({ action: 'click', selector: thing(element) }),
  click_xy: ({ element }) => ({ action: 'click', selector: thing(element) }),
  fill: ({ input, value }) => ({ action: 'fill', selector: field(input), value: textOf(value) }),
  check: ({ checkbox }) => ({ action: 'check', selector: field(checkbox) }),
  uncheck: ({ checkbox }) => ({ action: 'uncheck', selector: field(checkbox) }),
  sleep: waiting,
  wait: waiting,
  select_radio: ({ radio }) => ({ action: 'check', selector: named('input', radio) }),
  select: ({ select, option }) => chosen('select', select, option),
  select_dropdown: ({ select, option }) => chosen('select', select, option),
  basic_auth: () => 'a sign-in before the page is not there: open an address that needs none',
  submit: ({ form }) => ({
    action: 'click',
    selector: `${isPlain(form) ? named('form', form) : textOf(form)} [type="submit"]`,
  }),
  wait_for_element: ({ element }) => ({ action: 'wait', selector: thing(element) }),
  wait_for_contains: containing,
  move_mouse_to_element: ({ element }) => ({ action: 'hover', selector: thing(element) }),
  close_tab: () => ({ action: 'popup', value: 'close' }),
  url: ({ url }) => ({ action: 'expectUrl', value: `"${textOf(url)}"` }),
  exists: ({ element }) => ({ action: 'expectState', selector: thing(element), value: 'attached' }),
  not_exists: ({ element }) => ({ action: 'expectCount', selector: thing(element), value: '0' }),
  contains: containing,
  contains_timeout: containing,
  not_contains: lacking,
  not_contains_timeout: lacking,
  field_contains: ({ input, value }) => ({
    ...{ action: 'expect', selector: field(input) },
    value: patternOf(value),
  }),
  field_not_contains: () => 'that a field does not contain a text cannot be asked for',
  is_checked: ({ checkbox }) => stateOf(checkbox, 'checked'),
  is_not_checked: ({ checkbox }) => stateOf(checkbox, 'unchecked'),
  radio_selected: ({ radio }) => ({
    action: 'expectState',
    selector: `${named('input', radio)}:checked`,
    value: 'attached',
  }),
  dropdown_selected: ({ select, option }) => chosen('expect', select, option),
  dropdown_not_selected: () => 'that something is not chosen cannot be asked for',
}

/** What the monitor of a transaction looks at; undefined, with a note, if it opens no page. */
export function transactionOf(item: ForeignFields, note: Note): ForeignFields | undefined {
  const given = listOf(item.steps).map(fieldsOf)
  let url = ''
  let guessed = 0
  const actions: StepAction[] = []
  for (const [index, step] of given.entries()) {
    const name = textOf(step.fn)
    const args = fieldsOf(step.args)
    const word = name.replace(/^wpm_/, '')
    const make = Object.hasOwn(steps, word) ? steps[word] : undefined
    const made = make?.(args) ?? 'it has no equivalent'
    const problem = typeof made === 'string' ? made : problemOf(made)
    if (typeof made !== 'string' && problem === undefined) {
      if (made.action === 'open' && url === '') url = made.value ?? ''
      else actions.push(made)
      if (Object.values(args).some(isGuessed)) guessed += 1
    } else note(`its step ${index + 1} (${clip(name, 40)}): ${problem}`)
  }
  if (url === '') {
    note(
      given.length === 0
        ? 'what it does is not told: a transaction was left out'
        : 'it opens no page by its address: a transaction was left out',
    )
    return undefined
  }
  if (actions.length > actionsMax) note(`its actions beyond ${actionsMax}: make a second monitor`)
  if (guessed > 0) {
    note(`${guessed} of its steps name labels or names: look whether their selectors find these`)
  }
  noteFrame(fieldsOf(item.metadata), note)
  const width = numberOf(fieldsOf(item.metadata).width) ?? 1_280
  note(
    item.active === false
      ? 'it is switched off there: it is paused'
      : 'its browser: list one with checks.browsers, then resume the monitor',
  )
  const kept = actions.slice(0, actionsMax)
  return {
    ...{ checkType: 'browser', url, isActive: false },
    ...(width < phoneWidth ? { viewport: 'phone' } : {}),
    ...(kept.length === 0 ? {} : { actions: kept }),
  }
}

const phoneWidth = 600

function noteFrame({ authentications, disableWebSecurity }: ForeignFields, note: Note): void {
  if (listOf(fieldsOf(authentications).httpAuthentications).length > 0)
    note('its sign-in before the page: open an address that needs none')
  if (disableWebSecurity === true) note('that its browser takes no heed of origins')
}

function problemOf({ selector, value = '' }: StepAction): string | undefined {
  if (selector !== undefined && (selector.length > selectorCharsMax || selectorProblem(selector)))
    return 'what it means on the page cannot be said here'
  if (value.length > actionValueCharsMax) return 'its text is too long'
  return value.includes('{{') ? 'its text has {{, which begins a name here' : undefined
}

function addressOf(value: unknown): string {
  const url = textOf(value)
  return /^https?:\/\//i.test(url) || url === '' ? url : `http://${url}`
}

function waiting({ seconds }: ForeignFields): MadeStep {
  const ms = Math.round((numberOf(seconds) ?? 0) * 1_000)
  if (ms > waitMsMax) return `it waits longer than ${waitMsMax / 1_000} s`
  return ms < 1 ? 'it waits for no time' : { action: 'wait', value: String(ms) }
}

function chosen(action: 'select' | 'expect', select: unknown, option: unknown): MadeStep {
  return { action, selector: field(select), value: textOf(option) }
}

function stateOf(checkbox: unknown, value: string): MadeStep {
  return { action: 'expectState', selector: field(checkbox), value }
}

function containing({ element, value, useRegularExpression }: ForeignFields): MadeStep {
  const isRegex = useRegularExpression === true || textOf(useRegularExpression) === 'true'
  const wanted = isRegex ? `/${textOf(value)}/` : patternOf(value)
  return { action: 'expect', selector: thing(element), value: wanted }
}

function lacking({ element, value, useRegularExpression }: ForeignFields): MadeStep {
  if (useRegularExpression === true || textOf(useRegularExpression) === 'true')
    return 'that an expression does not fit cannot be asked for'
  const selector = `${thing(element)} >> has-text=${patternOf(value)}`
  return { action: 'expectCount', selector, value: '0' }
}

/** A text between slashes or in quotes would be read in another way. */
function patternOf(value: unknown): string {
  const text = textOf(value)
  return /^["'/]/.test(text) ? `"${text}"` : text
}

/** Words, and not CSS: a label, or the value of `name`. */
function isPlain(value: unknown): boolean {
  const text = textOf(value)
  return text !== '' && !/[#.[\]>*=:()]/.test(text) && !elements.has(text.toLowerCase())
}

function isGuessed(value: unknown): boolean {
  return typeof value === 'string' && isPlain(value) && !value.includes('/')
}

/** Elements that a selector of CSS often is. */
const elements = new Set(
  'a body button footer form h1 h2 h3 h4 header html img input label li main nav p select span table title ul'.split(
    ' ',
  ),
)

function thing(value: unknown): string {
  return isPlain(value) ? `text=${patternOf(value)}` : textOf(value)
}

/** One word in small letters is the name of a field, all else its label. */
function field(value: unknown): string {
  const text = textOf(value)
  if (!isPlain(text)) return text
  return /^[a-z][a-z\d_-]*$/.test(text) ? named('', text) : `label=${patternOf(text)}`
}

function named(element: string, value: unknown): string {
  return `${element}[name="${textOf(value).replaceAll(/["\\]/g, '\\$&')}"]`
}
