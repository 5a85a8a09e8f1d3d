// The syntax of a script in JavaScript or TypeScript. It is read, and never run.
import type * as Typescript from '@sveltejs/acorn-typescript'
import type * as Acorn from 'acorn'
import type { AnyNode, Expression, Program } from 'acorn'
import { requireLibrary } from '../../../base/assets.ts'
import { clip } from '../../../base/clip.ts'
import { ForeignFileRefused } from '../../imports/foreign.ts'

/** Characters of a script. To parse them takes up to half a second. */
export const scriptCharsMax = 128 * 1024

/**
 * Levels of the syntax: whatever reads it calls itself for what is inside. A link of a chain such as `a.b()` is two,
 * and people write some tens.
 */
export const syntaxDepthMax = 400

const wordsCharsMax = 80

/** Throws ForeignFileRefused, which names the place that is not understood or nests beyond `syntaxDepthMax`. */
export function parsedScript(text: string): Program {
  const program = parsed(text)
  boundDepth(program)
  return program
}

/** The parser reads a chain in a loop, and so makes trees that are deeper than a stack. */
function boundDepth(program: Program): void {
  let level: readonly AnyNode[] = [program]
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level
    if (depth > syntaxDepthMax && first !== undefined) {
      const place = `line ${lineOf(first)} has more than ${syntaxDepthMax} levels`
      throw new ForeignFileRefused(`is nested too deeply: ${place}`)
    }
    level = level.flatMap((node) => Object.values(node).flat().filter(isNode))
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function parsed(text: string): Program {
  const { Parser } = requireLibrary('acorn') as typeof Acorn
  const { tsPlugin } = requireLibrary('@sveltejs/acorn-typescript') as typeof Typescript
  try {
    return Parser.extend(tsPlugin()).parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
      allowHashBang: true,
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    })
  } catch (cause) {
    throw new ForeignFileRefused(problemIn(cause), { cause })
  }
}

function problemIn(cause: unknown): string {
  const said = cause instanceof Error ? cause.message : ''
  // The parser calls itself for what is nested, and reports a full stack as an error of the text.
  if (/stack/i.test(said)) return 'is nested too deeply'
  const [, reason = said, line = '1'] = /^(.*) \((\d+):\d+\)$/s.exec(said) ?? []
  return `is no JavaScript or TypeScript: line ${line}: ${reason}`
}

export function lineOf({ loc }: AnyNode): number {
  return loc?.start.line ?? 1
}

/** The source of a node in one short line. */
export function wordsOf({ start, end }: AnyNode, source: string): string {
  // Longer ones are cut anyway.
  const words = source.slice(start, Math.min(end, start + 4 * wordsCharsMax))
  return clip(words.replace(/\s+/g, ' ').trim(), wordsCharsMax)
}

const wrappers: ReadonlySet<string> = new Set([
  ...['ParenthesizedExpression', 'ChainExpression', 'TSAsExpression', 'TSNonNullExpression'],
  ...['TSSatisfiesExpression', 'TSTypeAssertion', 'TSInstantiationExpression'],
])

/** The expression inside `await`, brackets and what only TypeScript reads. */
export function unwrapped(node: Expression): Expression {
  let at = node
  for (;;) {
    if (at.type === 'AwaitExpression') at = at.argument
    else if (wrappers.has(at.type)) at = innerOf(at)
    else return at
  }
}

/** The types of the parser lack the nodes of its plugin, which all have this field. */
function innerOf(node: Expression): Expression {
  return (node as unknown as { readonly expression: Expression }).expression
}
