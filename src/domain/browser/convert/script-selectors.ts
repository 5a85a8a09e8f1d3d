// Selectors of what Playwright's locators mean.
//
// Source: https://playwright.dev/docs/locators and https://playwright.dev/docs/other-locators
import { selectorCharsMax } from '../action.ts'
import { fieldOf, plainTextOf, type ScriptValue } from './script-values.ts'

/** A text or regular expression as a pattern for a part of a text; undefined if it is neither. */
export function patternOf(value: ScriptValue | undefined, isExact = false): string | undefined {
  if (value?.kind === 'regex') return regexPattern(value.source, value.flags)
  const text = plainTextOf(value)?.replace(/\s+/g, ' ').trim()
  if (text === undefined || text === '') return undefined
  if (isExact) return `"${text}"`
  return isTaken(text) ? `/${escaped(text)}/i` : text
}

/** It would be read as another pattern, or as two parts. */
export function isTaken(text: string): boolean {
  return /^(["']).*\1$|^\/.*\/[a-z]*$| >> /s.test(text)
}

/** What has no sign of an expression is a text. */
function regexPattern(source: string, flags: string): string {
  const plain = source.replace(/\\([/.,:;@!'"%&=#~ -])/g, '$1')
  const isPlain = /^[\p{L}\p{N}\s/.,:;@!'%&=#~_-]+$/u.test(plain)
  return isPlain && !isTaken(plain) ? plain : `/${source}/${flags.replace(/[^imsu]/g, '')}`
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

const engines: Readonly<Record<string, string>> = {
  ...{ getByText: 'text', getByLabel: 'label', getByPlaceholder: 'placeholder' },
  ...{ getByAltText: 'alt', getByTitle: 'title', getByTestId: 'testid' },
}

/** The part that a method of a page or locator adds; undefined: it is no such method, or cannot be said. */
export function partOf(
  method: string,
  [what, options]: readonly (ScriptValue | undefined)[],
): string | undefined {
  const exact = fieldOf(options, 'exact')
  const isExact = exact?.kind === 'truth' && exact.value
  if (method === 'getByRole') return rolePart(plainTextOf(what), options, isExact)
  if (method === 'locator' || method === 'frameLocator') return locatorPart(what, options)
  if (method === 'filter') return filterPart(what)
  if (method === 'first') return 'nth=0'
  if (method === 'last') return 'nth=-1'
  if (method === 'nth') return what?.kind === 'number' ? `nth=${what.value}` : undefined
  const engine = Object.hasOwn(engines, method) ? engines[method] : undefined
  const pattern = patternOf(what, isExact && method !== 'getByTestId')
  return engine === undefined || pattern === undefined ? undefined : `${engine}=${pattern}`
}

const stateOptions = ['level', 'checked', 'pressed', 'expanded', 'selected', 'disabled'] as const

function rolePart(
  role: string | undefined,
  options: ScriptValue | undefined,
  isExact: boolean,
): string | undefined {
  if (role === undefined) return undefined
  const states = stateOptions.map((state) => {
    const value = fieldOf(options, state)
    return value?.kind === 'number' || value?.kind === 'truth' ? `[${state}=${value.value}]` : ''
  })
  const name = fieldOf(options, 'name')
  if (name === undefined) return `role=${role}${states.join('')}`
  // Names of icons may be nothing that can be typed.
  if (plainTextOf(name) === '') return `role=${role}${states.join('')}`
  const pattern = patternOf(name, isExact)
  return pattern === undefined ? undefined : `role=${role}${states.join('')}[name=${pattern}]`
}

function filterPart(options: ScriptValue | undefined): string | undefined {
  if (options?.kind !== 'record') return undefined
  const parts = [...options.fields].map(([name, value]) => {
    if (name === 'hasText' || name === 'hasNotText') {
      const pattern = patternOf(value)
      const engine = name === 'hasText' ? 'has-text' : 'has-not-text'
      return pattern === undefined ? undefined : `${engine}=${pattern}`
    }
    if (name === 'visible') return value.kind === 'truth' && value.value ? 'is=*' : undefined
    if (name === 'has' || name === 'hasNot') {
      const inner = value.kind === 'locator' ? insidePart(value.selector) : undefined
      if (inner === undefined) return undefined
      if (inner.startsWith('has-')) return name === 'has' ? inner : undefined
      return name === 'has' ? `is=${inner}` : `is=:not(${inner})`
    }
    return undefined
  })
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(' >> ')
}

/** As a part that chooses: what has such a thing inside. */
function insidePart(selector: string): string | undefined {
  if (selector.includes(' >> ')) return undefined
  const [, text] = /^text=(.*)$/s.exec(selector) ?? []
  if (text !== undefined) return /^["']/.test(text) ? undefined : `has-text=${text}`
  return /^[\w-]+=/.test(selector) ? undefined : `:has(${selector})`
}

function locatorPart(
  what: ScriptValue | undefined,
  options: ScriptValue | undefined,
): string | undefined {
  const parts = typedSelector(plainTextOf(what) ?? '')
  if (parts === undefined || options === undefined) return parts
  const more = filterPart(options)
  return more === undefined ? undefined : `${parts} >> ${more}`
}

const ownPseudos =
  /:(?:has-text|text|text-is|text-matches|visible|nth-match|light|above|below|near|left-of|right-of)\b/

/** A selector as people type it for Playwright; undefined if it has what is unknown here. */
export function typedSelector(selector: string): string | undefined {
  if (selector.length > selectorCharsMax) return undefined
  const parts = selector.split('>>').map(typedPart)
  return parts.includes(undefined) ? undefined : parts.join(' >> ')
}

function typedPart(given: string): string | undefined {
  const part = given.trim()
  if (part === '') return undefined
  if (/^(?:\/\/|\.\.)/.test(part)) return `xpath=${part}`
  if (/^(["']).+\1$/.test(part)) return `text=${part}`
  const [, engine = '', rest = ''] = /^([a-z][\w:-]*)=(.*)$/s.exec(part) ?? []
  switch (engine) {
    case '':
      return cssPart(part)
    case 'css':
      return cssPart(rest)
    case 'id':
      return `[id="${rest}"]`
    case 'data-testid':
      return `testid=${rest}`
    case 'data-test-id':
    case 'data-test':
      return `[${engine}="${rest}"]`
    case 'visible':
      return 'is=*'
    case 'text':
    case 'xpath':
    case 'nth':
    case 'role':
      // Of attributes, only a name is said in the same way.
      return engine === 'role' && /\[(?!name=)/.test(rest) ? undefined : part
    default:
      return undefined
  }
}

function cssPart(css: string): string | undefined {
  const seen = css.replace(/:visible$/, '')
  const [, before = seen, pseudo, , text = ''] =
    /^([^"']*):(has-text|text|text-is)\((["'])(.*)\3\)$/s.exec(seen) ?? []
  const begin = before === '' ? '*' : before
  if (ownPseudos.test(begin)) return undefined
  if (pseudo === undefined) return begin
  if (begin === '*' && pseudo !== 'has-text') {
    return pseudo === 'text' ? `text=${text}` : `text="${text}"`
  }
  return `${begin} >> has-text=${pseudo === 'text-is' ? `"${text}"` : text}`
}
