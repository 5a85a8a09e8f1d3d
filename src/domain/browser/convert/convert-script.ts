// Actions of a browser check from a script of Playwright. The script is read and never run, because its author
// could do anything with it here. Notes name each part that no action can do, with its line.
import { clip } from '../../../base/clip.ts'
import { ForeignFileRefused } from '../../imports/foreign.ts'
import { limits } from '../../limits/limits.ts'
import { Draft } from '../../steps/convert/draft.ts'
import { placeholdersIn } from '../../steps/template.ts'
import {
  actionsMax,
  actionValueCharsMax,
  type BrowserAction,
  selectorCharsMax,
  type ViewportName,
  viewports,
} from '../action.ts'
import { actionProblems } from '../action-rules.ts'
import { outlineOf } from './script-outline.ts'
import { createScriptReader, type FoundAction, readingStepsMax } from './script-reader.ts'
import { parsedScript, scriptCharsMax } from './script-syntax.ts'
import { fieldOf, plainTextOf, ScriptScope, type ScriptValue } from './script-values.ts'

export interface ConvertedScript {
  /** A name for the monitor. */
  readonly name: string
  /** The URL of the monitor; '' if the script names no server. */
  readonly url: string
  readonly actions: readonly BrowserAction[]
  readonly viewport: ViewportName
  /** What was secret, and what the script takes from its environment. */
  readonly variables: Readonly<Record<string, string>>
  /** What was not taken over, or lacks a value. */
  readonly notes: readonly string[]
}

/** Throws ForeignFileRefused, which says what is wrong with the text. */
export function convertScript(text: string): ConvertedScript {
  if (text.length > scriptCharsMax) {
    throw new ForeignFileRefused(`must have at most ${scriptCharsMax} characters`)
  }
  const source = text.replace(/^\ufeff/, '')
  const program = parsedScript(source)
  const draft = new Draft()
  const reader = createScriptReader(source, draft)
  const outline = outlineOf(program, source, draft)
  const scope = new ScriptScope(globals)
  const { found, endedAt } = reader.read(outline.pieces, scope)
  const uses = outline.uses.map((one) => reader.valueIn(one, scope))
  if (found.length === 0 && endedAt !== undefined) {
    throw new ForeignFileRefused(`does nothing with a page before ${endOfReading(endedAt)}`)
  }
  if (found.length === 0) {
    throw new ForeignFileRefused('is no script of Playwright that does anything with a page')
  }
  const base = uses
    .map((one) => plainTextOf(fieldOf(one, 'baseURL')))
    .find((one) => one !== undefined)
  const { url, rest } = withoutFirstOpening(found, base)
  if (url === '') draft.note('the script names no server: give the monitor its URL')
  const variables = draft.variables()
  const actions = withinBounds(possible(rest, variables, draft), draft).map(({ action }) => action)
  const named = outline.name.replace(/\s+/g, ' ').trim() || URL.parse(url)?.host || 'Playwright'
  return {
    name: clip(named, limits.nameCharsMax),
    url,
    actions,
    viewport: uses.some(isPhone) ? 'phone' : 'desktop',
    variables: usedBy(actions, variables),
    notes: [...(endedAt === undefined ? [] : [endOfReading(endedAt)]), ...draft.notes()],
  }
}

function endOfReading(line: number): string {
  return `line ${line}, where the reading ends: the script takes more than ${readingStepsMax} steps`
}

/** What scripts use without a declaration, where their imports are left out. */
const globals: readonly [string, ScriptValue][] = [
  ...['playwright', 'chromium', 'firefox', 'webkit', 'devices', 'browser'].map(
    (name): [string, ScriptValue] => [name, { kind: 'library' }],
  ),
  ['page', { kind: 'page', tab: 0 }],
  ['context', { kind: 'context' }],
]

/** The monitor itself opens the first page. */
function withoutFirstOpening(found: readonly FoundAction[], base: string | undefined) {
  const at = found.findIndex(({ action }) => action.action === 'open')
  const opened = found[at]?.url
  const first = opened === undefined ? null : URL.parse(opened, base)
  const known = first ?? (base === undefined ? null : URL.parse(base))
  const isWeb = known !== null && /^https?:$/.test(known.protocol)
  if (!isWeb || known.href.length > limits.urlCharsMax) return { url: '', rest: found }
  return { url: known.href, rest: at === 0 && first !== null ? found.slice(1) : found }
}

/** The actions that a monitor may have; each of the others is named with its line. */
function possible(
  found: readonly FoundAction[],
  variables: Readonly<Record<string, string>>,
  draft: Draft,
): readonly FoundAction[] {
  return found.filter(({ action, line }) => {
    const [problem] = [...lengthProblems(action), ...actionProblems(action, variables)]
    if (problem !== undefined) {
      draft.note(`line ${line} is left out: ${problem.pointer.slice(1)} ${problem.message}`)
    }
    return problem === undefined
  })
}

function lengthProblems({ selector, value }: BrowserAction) {
  return [
    { pointer: '/selector', most: selectorCharsMax, chars: selector?.length ?? 0 },
    { pointer: '/value', most: actionValueCharsMax, chars: value?.length ?? 0 },
  ].flatMap(({ pointer, most, chars }) =>
    chars > most ? [{ pointer, message: `must have at most ${most} characters` }] : [],
  )
}

function withinBounds(found: readonly FoundAction[], draft: Draft): readonly FoundAction[] {
  if (found.length <= actionsMax) return found
  const fewer = found.filter(({ action }, at) => {
    const next = found[at + 1]?.action
    return !(
      action.action === 'click' &&
      next?.action === 'fill' &&
      next.selector === action.selector
    )
  })
  const more = found.length - Math.min(fewer.length, actionsMax)
  if (more > 0) {
    draft.note(`actions that are left out because a monitor has at most ${actionsMax}: ${more}`)
  }
  return fewer.slice(0, actionsMax)
}

function usedBy(
  actions: readonly BrowserAction[],
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const used = new Set(
    actions.flatMap(({ value }) => placeholdersIn(value ?? '').map(({ name }) => name)),
  )
  return Object.fromEntries(Object.entries(variables).filter(([name]) => used.has(name)))
}

/** A narrow window is one of a phone. */
function isPhone(use: ScriptValue): boolean {
  const width = fieldOf(fieldOf(use, 'viewport'), 'width')
  return width?.kind === 'number' && width.value <= phoneWidthMax
}
const phoneWidthMax = viewports.desktop.width / 2
