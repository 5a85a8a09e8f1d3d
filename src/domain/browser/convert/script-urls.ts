// What a script says of the URL that a page should have.
import type { Draft } from '../../steps/convert/draft.ts'
import { patternOf } from './script-selectors.ts'
import { type ScriptValue, templateOf } from './script-values.ts'

/** A pattern for `expectUrl`, of a URL, a glob of Playwright or a regular expression; undefined: it is none. */
export function urlPatternOf(value: ScriptValue | undefined, draft: Draft): string | undefined {
  if (value?.kind === 'regex') return patternOf(value)
  const text = templateOf(value, draft)
  if (text === undefined || text === '') return undefined
  if (!/[*{[]/.test(text.replace(/\{\{\w+\}\}/g, ''))) return `"${text}"`
  return text.includes('{{') ? undefined : `/${globExpression(text)}/`
}

/** https://playwright.dev/docs/network#glob-url-patterns */
function globExpression(glob: string): string {
  const pieces = glob.match(/\*\*\/?|\*|\{[^{}]*\}|[^*{]+|\{/g) ?? []
  const expressions = pieces.map((piece, at) => {
    if (piece === '**/') return at === 0 ? '.*' : '(?:.*/)?'
    if (piece === '**') return '.*'
    if (piece === '*') return '[^/]*'
    if (/^\{.*\}$/s.test(piece)) return `(${piece.slice(1, -1).split(',').map(escaped).join('|')})`
    return escaped(piece)
  })
  return `^${expressions.join('')}$`
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
