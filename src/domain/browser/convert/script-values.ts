// What expressions of a script stand for, as far as an action needs it.
import type { ArrowFunctionExpression, FunctionDeclaration, FunctionExpression } from 'acorn'
import type { Draft } from '../../steps/convert/draft.ts'
import { literalText } from '../../steps/convert/named-values.ts'

/** A value of a variable of the environment, or one whose name says that it is secret. */
interface NamedText {
  readonly name: string
  /** What the script says that it is otherwise. */
  readonly value: string | undefined
}

type TextPiece = string | NamedText

export type ScriptFunction = ArrowFunctionExpression | FunctionDeclaration | FunctionExpression

export type ScriptValue =
  | { readonly kind: 'text'; readonly pieces: readonly TextPiece[] }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'regex'; readonly source: string; readonly flags: string }
  | { readonly kind: 'list'; readonly items: readonly ScriptValue[] }
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, ScriptValue> }
  | { readonly kind: 'function'; readonly node: ScriptFunction; readonly scope: ScriptScope }
  | { readonly kind: 'context' | 'library' | 'response' | 'status' }
  /** `tab`: 0 is the first, 1 what it opened, and so on. */
  | { readonly kind: 'page' | 'keyboard'; readonly tab: number }
  | { readonly kind: 'locator'; readonly selector: string; readonly tab: number }
  /** A frame, by the selector of its element. */
  | { readonly kind: 'frame'; readonly selector: string; readonly tab: number }
  /** The tab that a click opens, before it does. */
  | { readonly kind: 'popup' }
  /** What the script reads of the page, to compare it. */
  | {
      readonly kind: 'read'
      readonly what: ReadWhat
      readonly selector: string | null
      readonly tab: number
    }
  | { readonly kind: 'environment' | 'nothing' }

export type ReadWhat = 'url' | 'title' | 'text' | 'count' | 'visible' | 'state'

/** The names of a block: its own, and those of what is around it, which nothing inside changes. */
export class ScriptScope {
  readonly #own: Map<string, ScriptValue>
  readonly #around: ScriptScope | undefined

  constructor(own: Iterable<readonly [string, ScriptValue]>, around?: ScriptScope) {
    this.#own = new Map(own)
    this.#around = around
  }

  get(name: string): ScriptValue | undefined {
    for (let at: ScriptScope | undefined = this; at !== undefined; at = at.#around) {
      const value = at.#own.get(name)
      if (value !== undefined) return value
    }
    return undefined
  }

  set(name: string, value: ScriptValue): void {
    this.#own.set(name, value)
  }

  inside(): ScriptScope {
    return new ScriptScope([], this)
  }
}

export const nothing: ScriptValue = { kind: 'nothing' }

export function textValue(text: string): ScriptValue {
  return { kind: 'text', pieces: [text] }
}

/** Characters of a text that a script puts together, and the pieces of it. */
const textCharsMax = 16 * 1024
const textPiecesMax = 1_000

/** Characters, pieces or items that are read in one step. */
export const readInStep = 64

/** How much there is to read in a value, in steps. */
export function weightOf(value: ScriptValue): number {
  if (value.kind === 'text') return (value.pieces.length + charsOf(value.pieces)) / readInStep
  if (value.kind === 'list') return value.items.length / readInStep
  return value.kind === 'record' ? value.fields.size / readInStep : 0
}

export function isTooLong(pieces: readonly TextPiece[]): boolean {
  return pieces.length > textPiecesMax || charsOf(pieces) > textCharsMax
}

function charsOf(pieces: readonly TextPiece[]): number {
  return pieces.reduce(
    (sum, piece) =>
      sum +
      (typeof piece === 'string' ? piece.length : piece.name.length + (piece.value?.length ?? 0)),
    0,
  )
}

/** The text itself; undefined if it is known only when a check is made. */
export function plainTextOf(value: ScriptValue | undefined): string | undefined {
  if (value?.kind === 'number') return String(value.value)
  if (value?.kind !== 'text') return undefined
  const texts = value.pieces.map((piece) => (typeof piece === 'string' ? piece : piece.value))
  return texts.includes(undefined) ? undefined : texts.join('')
}

/** The text with placeholders for what has a name, whose variables the draft gets; undefined: it is none. */
export function templateOf(value: ScriptValue | undefined, draft: Draft): string | undefined {
  if (value?.kind === 'number') return String(value.value)
  if (value?.kind !== 'text') return undefined
  const texts = value.pieces.map((piece) => {
    if (typeof piece === 'string') return literalText(piece, draft)
    if (piece.value !== undefined) return `{{${draft.variable(piece.name, piece.value)}}}`
    const name = draft.nameFor(piece.name)
    if (draft.valueOf(name) === undefined) draft.want(name)
    return `{{${name}}}`
  })
  return texts.join('')
}

export function fieldOf(value: ScriptValue | undefined, name: string): ScriptValue | undefined {
  return value?.kind === 'record' ? value.fields.get(name) : undefined
}
