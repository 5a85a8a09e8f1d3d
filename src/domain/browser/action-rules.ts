// The rules of actions that no schema can express.
import type { FieldProblem } from '../../base/fault.ts'
import { actionShapes, type BrowserAction, hiddenWord, waitMsMax } from './action.ts'
import { isKey, keyRule } from './keys.ts'
import { selectorProblem } from './selector.ts'

/** Every rule that the actions break; pointers begin with `/actions`. */
export function actionsProblems(actions: readonly BrowserAction[]): FieldProblem[] {
  return actions.flatMap((action, index) =>
    actionProblems(action).map(({ pointer, ...problem }) => ({
      pointer: `/actions/${index}${pointer}`,
      ...problem,
    })),
  )
}

function actionProblems({ action, selector, value }: BrowserAction): FieldProblem[] {
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
      problems.push({ pointer, keyword: 'forbidden', message: `does not apply to ${action}` })
    }
  }
  if (problems.length > 0) return problems
  const say = (pointer: string, message: string | null): void => {
    if (message !== null) problems.push({ pointer, keyword: 'format', message })
  }
  if (selector !== null) say('/selector', selectorProblem(selector))
  switch (action) {
    case 'press':
      say('/value', isKey(value ?? '') ? null : keyRule)
      break
    case 'wait':
      say('/value', waitProblem(selector, value))
      break
    case 'expect':
      if (selector === null && !value) say('/value', 'is required without a selector')
      break
    case 'open':
      say('/value', openProblem(value ?? ''))
      break
    default:
  }
  return problems
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

/** A browser opens other things than pages: files of the machine, for one. */
function openProblem(value: string): string | null {
  const isOther = /^\s*[a-z][a-z\d+.-]*:/i.test(value) && !/^https?:\/\//i.test(value)
  return isOther || value === ''
    ? 'must be relative to the url of the monitor, or begin with http:// or https://'
    : null
}
