// The rules of actions that no schema can express.
import type { FieldProblem } from '../../base/fault.ts'
import { placeholdersIn, templateProblem } from '../steps/template.ts'
import {
  actionShapes,
  type BrowserAction,
  closeWord,
  countMax,
  hiddenWord,
  stateNames,
  waitMsMax,
} from './action.ts'
import { isKey, keyRule } from './keys.ts'
import { selectorProblem } from './selector.ts'
import { patternProblem, readPattern, readUrlPattern, type TextPattern } from './text-pattern.ts'

interface ActionsInput {
  readonly actions: readonly BrowserAction[]
  readonly variables: Readonly<Record<string, string>>
}

/** Every rule that the actions break; pointers begin with `/actions`. */
export function actionsProblems({ actions, variables }: ActionsInput): FieldProblem[] {
  return actions.flatMap((action, index) =>
    actionProblems(action, variables).map(({ pointer, ...problem }) => ({
      pointer: `/actions/${index}${pointer}`,
      ...problem,
    })),
  )
}

/** The rules that one action breaks; pointers begin with `/selector` or `/value`. */
export function actionProblems(
  { action, selector, value }: BrowserAction,
  variables: ActionsInput['variables'],
): FieldProblem[] {
  const shape = actionShapes[action]
  const problems: FieldProblem[] = []
  for (const [name, given] of [
    ['selector', selector],
    ['value', value],
  ] as const) {
    const isGiven = given !== null
    const pointer = `/${name}`
    if (shape[name] === 'needed' && !isGiven) {
      problems.push({ pointer, keyword: 'required', message: `is required for ${action}` })
    } else if (shape[name] === 'none' && isGiven) {
      problems.push({ pointer, keyword: 'forbidden', message: `must be absent for ${action}` })
    }
  }
  if (problems.length > 0) return problems
  const say = (pointer: string, message: string | null): void => {
    if (message !== null) problems.push({ pointer, keyword: 'format', message })
  }
  if (selector !== null) say('/selector', selectorProblem(selector))
  const wrong = templateProblem(value ?? '') ?? unknownName(value ?? '', variables)
  if (wrong !== null) return [{ pointer: '/value', keyword: 'format', message: wrong }]
  switch (action) {
    case 'upload':
      say('/value', fileNameForm.test(value ?? '') ? null : fileRule)
      break
    case 'popup': {
      const isKnown = value === null || value === '' || value === closeWord
      say('/value', isKnown ? null : `must be absent, or ${closeWord}`)
      break
    }
    case 'press':
      say('/value', isKey(value ?? '') ? null : keyRule)
      break
    case 'wait':
      say('/value', waitProblem(selector, value))
      break
    case 'expect':
      if (selector === null && !value) say('/value', 'is required without a selector')
      else say('/value', expectedProblem(readPattern(value ?? '')))
      break
    case 'expectUrl':
      say('/value', expectedProblem(readUrlPattern(value ?? '')))
      break
    case 'expectTitle':
      say('/value', expectedProblem(readPattern(value ?? '')))
      break
    case 'expectCount':
      say('/value', isCount(value ?? '') ? null : `must be a number from 0 to ${countMax}`)
      break
    case 'expectState':
      say('/value', isState(value ?? '') ? null : `must be one of ${stateNames.join(', ')}`)
      break
    case 'open':
      say('/value', openProblem(value ?? ''))
      break
    default:
  }
  return problems
}

function unknownName(text: string, variables: ActionsInput['variables']): string | null {
  const unknown = placeholdersIn(text).find(
    ({ kind, name }) => kind === 'variable' && !Object.hasOwn(variables, name),
  )
  return unknown === undefined ? null : `names {{${unknown.name}}}, which is no variable`
}

function waitProblem(selector: string | null, value: string | null): string | null {
  if (selector !== null) {
    return value === null || value === '' || value === hiddenWord
      ? null
      : `must be absent, or ${hiddenWord}, where there is a selector`
  }
  const ms = /^\d{1,5}$/.test(value ?? '') ? Number(value) : 0
  return ms >= 1 && ms <= waitMsMax
    ? null
    : `must be milliseconds from 1 to ${waitMsMax}, where there is no selector`
}

/** A value would become a part of the expression. */
function expectedProblem(pattern: TextPattern): string | null {
  return pattern.flags !== undefined && placeholdersIn(pattern.text).length > 0
    ? 'must have no placeholders in a regular expression'
    : patternProblem(pattern)
}

const fileNameForm = /^[^/\\\p{Cc}]{1,100}(?:\n|$)/u
const fileRule = 'must begin with the name of a file in a line of its own, then have what is in it'

function isCount(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) <= countMax
}

function isState(value: string): boolean {
  return stateNames.some((name) => name === value)
}

/** A browser opens other things than pages: files of the machine, for one. */
function openProblem(value: string): string | null {
  const isOther = /^\s*[a-z][a-z\d+.-]*:/i.test(value) && !/^https?:\/\//i.test(value)
  return isOther || value === ''
    ? 'must be relative to the url of the monitor, or begin with http:// or https://'
    : null
}

/** Where `open` goes, as the URLs of steps: an absolute one names a server to which secrets may go. */
export function openings(
  actions: readonly BrowserAction[],
): readonly { readonly url: string; readonly index: number }[] {
  return actions.flatMap(({ action, value }, index) =>
    action === 'open' ? [{ url: value ?? '', index }] : [],
  )
}

/** The secrets of the organization that actions name. */
export function secretsNamedBy(actions: readonly BrowserAction[]): readonly string[] {
  const found = actions.flatMap(({ value }) => placeholdersIn(value ?? ''))
  return [...new Set(found.flatMap(({ kind, name }) => (kind === 'secret' ? [name] : [])))]
}
