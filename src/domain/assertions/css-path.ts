// Paths into XML and HTML: a CSS selector, with an optional `@name` at its end for an attribute.
// Every query has a step budget, because both path and document may be hostile.
import type * as Library from 'css-select'
import { requireLibrary } from '../../base/assets.ts'
import { limits } from '../limits/limits.ts'
import { type Budget, grant, onBudget, type Selection, spend, wholeFor } from './budget.ts'
import type { Markup, MarkupElement, MarkupNode } from './markup.ts'

/** Reading this many characters of text takes about as long as one step. */
const charsPerStep = 64
/** The same for siblings that are passed, or that `:has` copies to look ahead. */
const siblingsPerStep = 6
const siblingsPerStepOfHas = 1

let siblingsPaidByStep = siblingsPerStep

function isElement(node: MarkupNode): node is MarkupElement {
  return typeof node !== 'string'
}

/** All text inside, in order. Not recursive: strangers choose the nesting depth. */
function textOf(node: MarkupNode): string {
  let text = ''
  const pending: MarkupNode[] = [node]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    spend(1)
    if (isElement(next)) {
      for (let i = next.children.length - 1; i >= 0; i--) pending.push(next.children[i] ?? '')
    } else {
      spend(next.length / charsPerStep)
      text += next
    }
  }
  return text
}

/** The library's lists are mutable, but it only reads them. */
function asList(nodes: readonly MarkupNode[]): MarkupNode[] {
  return nodes as MarkupNode[]
}

/** How the library accesses a document. All its work goes through here, so here it is charged. */
const adapter = {
  isTag: isElement,
  getName(element: MarkupElement) {
    spend(1)
    return element.name
  },
  getParent(element: MarkupElement) {
    spend(1)
    return element.parent
  },
  getChildren(node: MarkupNode) {
    if (!isElement(node)) return []
    spend(1 + node.children.length)
    return asList(node.children)
  },
  getSiblings(node: MarkupNode) {
    if (!isElement(node)) return []
    spend(node.siblings.length / siblingsPaidByStep)
    return asList(node.siblings)
  },
  prevElementSibling(node: MarkupNode) {
    spend(1)
    return isElement(node) ? node.previous : null
  },
  getAttributeValue(element: MarkupElement, name: string) {
    const value = element.attributes.get(name)
    spend(1 + (value?.length ?? 0) / charsPerStep)
    return value
  },
  hasAttrib(element: MarkupElement, name: string) {
    spend(1)
    return element.attributes.has(name)
  },
  getText: textOf,
  removeSubsets: (nodes: MarkupNode[]) => nodes,
}

interface CssPath {
  readonly selector: string
  /** Null if the path selects the text of an element. */
  readonly attribute: string | null
}

function taken(path: string): CssPath {
  const [, selector, attribute = ''] = /^(.*)@([\p{L}_:][\p{L}\p{N}_:.-]*)\s*$/su.exec(path) ?? []
  return selector === undefined ? { selector: path, attribute: null } : { selector, attribute }
}

type Matches = (element: MarkupElement) => boolean

/** Compiled each time, because a compiled selector keeps the document that it was last used on. */
function compiled(selector: string, format: Markup['format']): Matches {
  if (selector.trim() === '') throw new Error('an empty selector')
  const xmlMode = format === 'xml'
  // `require` knows no types.
  const { compile } = requireLibrary('css-select') as typeof Library
  return compile<MarkupNode, MarkupElement>(selector, { adapter, xmlMode })
}

/** What is wrong with a path, as a sentence without its subject; null if it is valid. */
export function cssPathProblem(path: string): string | null {
  if (path.length > limits.assertionPathCharsMax) {
    return `must be at most ${limits.assertionPathCharsMax} characters`
  }
  try {
    compiled(taken(path).selector, 'html')
    return null
  } catch (cause) {
    return `is not a valid CSS selector: ${wordsOf(cause)}`
  }
}

/** Nodes of a document that one CSS selector may visit, repeats included. */
const selectorStepsMax = 80_000

/**
 * The texts that a path selects, trimmed, in document order. A path that is too expensive is a
 * problem and does not throw. `chars`: the length of the document as text.
 */
export function selectCss(
  path: string,
  document: Markup,
  budget: Budget,
  chars = 0,
): Selection<string> {
  const { selector, attribute: said } = taken(path)
  // Letters may be written as escapes.
  siblingsPaidByStep = /has|\\/i.test(selector) ? siblingsPerStepOfHas : siblingsPerStep
  const attribute = document.format === 'html' ? (said?.toLowerCase() ?? null) : said
  let matches: Matches
  try {
    matches = compiled(selector, document.format)
  } catch (cause) {
    return { problem: wordsOf(cause) }
  }
  return onBudget(budget, wholeFor(selectorStepsMax, chars), () => {
    const values: string[] = []
    for (const element of document.elements) {
      spend(1)
      if (!matches(element)) continue
      const value = attribute === null ? textOf(element) : element.attributes.get(attribute)
      if (value !== undefined) values.push(value.trim())
    }
    return { values }
  })
}

function wordsOf(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : 'syntax error'
  // The library quotes what it found, which is empty at the end.
  return words.replace(/, found\s*$/, ', found the end of the selector')
}

/** The text of the whole document. */
export function textOfMarkup({ nodes }: Markup): string {
  grant(Number.POSITIVE_INFINITY)
  return nodes.map(textOf).join('').trim()
}
