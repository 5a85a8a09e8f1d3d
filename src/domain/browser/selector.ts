// Selectors: how an action says what on the page it means. CSS, or what a person would say, as Playwright has it:
// `text=Sign in`, `label=E-mail`, `placeholder=Search`, `role=button[name="Sign in"]`, `testid=total`; and several,
// one inside the other: `role=listitem >> has-text=Tea >> role=button`.
import { patternProblem, readPattern, type TextPattern } from './text-pattern.ts'

const engines = [
  ...['css', 'xpath', 'text', 'label', 'placeholder', 'alt', 'title', 'testid', 'role'],
  ...['has-text', 'has-not-text', 'is', 'nth', 'enter-frame'],
] as const
type SelectorEngine = (typeof engines)[number]

/** How states of an element are told to screen readers. */
const states = ['level', 'checked', 'pressed', 'expanded', 'selected', 'disabled'] as const

export interface SelectorPart extends TextPattern {
  readonly by: SelectorEngine
  /** role: the accessible name. */
  readonly name?: TextPattern
  /** role: what else screen readers are told, such as the level of a heading. */
  readonly states?: Readonly<Record<string, string>>
}

/** Each part is looked for in what the one before it found; `has-text`, `is` and `nth` choose of that. */
export type Selector = readonly SelectorPart[]

const form = new RegExp(`^(${engines.join('|')})=([\\s\\S]*)$`)
const roleForm = new RegExp(
  `^([a-z]+)((?:\\[(?:${states.join('|')})=\\w+\\])*)(?:\\[name=([\\s\\S]*)\\])?$`,
)
/** SelectorEngines that say of what was found which is meant. */
const choosing: ReadonlySet<SelectorEngine> = new Set(['has-text', 'has-not-text', 'is', 'nth'])
/** The part behind the selector of a frame. */
const enterFrame = 'enter-frame'
const inPlainWords: ReadonlySet<SelectorEngine> = new Set(['css', 'xpath', 'is', 'nth'])

export function readSelector(selector: string): Selector {
  return partsOf(selector).map(readPart)
}

/** A text in quotes or between slashes may have the sign between parts. */
function partsOf(selector: string): readonly string[] {
  const parts: string[] = []
  let begin = 0
  for (let at = 0; at < selector.length; at += 1) {
    const char = selector.charAt(at)
    const isQuote = /["'/]/.test(char) && /[=(]/.test(selector.charAt(at - 1))
    if (isQuote) at = Math.max(at, selector.indexOf(char, at + 1))
    else if (selector.startsWith(' >> ', at)) {
      parts.push(selector.slice(begin, at))
      begin = at + 4
      at += 2
    }
  }
  return [...parts, selector.slice(begin)]
}

function readPart(part: string): SelectorPart {
  if (part.trim() === enterFrame) return { by: enterFrame, text: enterFrame, isExact: true }
  const [, engine, rest = ''] = form.exec(part.trim()) ?? []
  const by = engines.find((one) => one === engine)
  if (by === undefined) return { by: 'css', text: part.trim(), isExact: true }
  const text = rest.trim()
  if (by === 'role') return readRole(text)
  return inPlainWords.has(by) ? { by, text, isExact: true } : { by, ...readPattern(text) }
}

function readRole(whole: string): SelectorPart {
  const [, text = '', said = '', name] = roleForm.exec(whole) ?? []
  const found = [...said.matchAll(/\[(\w+)=(\w+)\]/g)].map(([, key = '', value = '']) => [
    key,
    value,
  ])
  return {
    ...{ by: 'role', text, isExact: true },
    ...(found.length === 0 ? {} : { states: Object.fromEntries(found) }),
    ...(name === undefined ? {} : { name: readPattern(name.trim()) }),
  }
}

/** The selectors of the frames that it goes into, from outside to inside, and what is looked for there. */
export function framesOf(selector: Selector): {
  readonly frames: readonly Selector[]
  readonly parts: Selector
} {
  const groups: SelectorPart[][] = [[]]
  for (const part of selector) {
    if (part.by === enterFrame) groups.push([])
    else groups.at(-1)?.push(part)
  }
  return { frames: groups.slice(0, -1), parts: groups.at(-1) ?? [] }
}

/** What is wrong with it, as a sentence without its subject, or null. Whether it is CSS, the browser says. */
export function selectorProblem(selector: string): string | null {
  const parts = readSelector(selector)
  for (const [at, part] of parts.entries()) {
    const isFirst = at === 0 || parts[at - 1]?.by === enterFrame
    if (!isFirst) continue
    if (part.by === enterFrame || choosing.has(part.by)) {
      return `must say first what is meant, before ${part.by}`
    }
  }
  if (parts.at(-1)?.by === enterFrame) return `must say after ${enterFrame} what is meant in it`
  for (const part of parts) {
    const problem = partProblem(part)
    if (problem !== null) return problem
  }
  return null
}

function partProblem(part: SelectorPart): string | null {
  const { by, text, name } = part
  if (by === 'role' && text === '') {
    return 'must name a role, such as role=button or role=button[name="Sign in"]'
  }
  if (text === '') return `must say something after ${by}=`
  if (by === 'nth' && !/^-?\d{1,4}$/.test(text)) {
    return 'must have a number after nth=: 0 is the first, -1 the last'
  }
  return patternProblem(part) ?? (name === undefined ? null : patternProblem(name))
}

/** What a person calls it: the text of `text=Sign in`, the name of `role=button[name=Sign in]`, else the selector. */
export function nameIn(selector: string): string {
  const parts = readSelector(selector)
  const last = parts.findLast(({ by }) => !choosing.has(by))
  if (last === undefined) return selector
  if (last.by === 'role') return last.name?.text ?? (parts.length === 1 ? selector : last.text)
  return inPlainWords.has(last.by) && parts.length === 1 ? selector : last.text
}
