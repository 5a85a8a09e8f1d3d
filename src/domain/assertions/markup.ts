// Parses untrusted XML and HTML into a tree: within bounds, without custom entities.

import type * as Library from 'htmlparser2'
import { requireLibrary } from '../../base/assets.ts'
import { once } from '../../base/per-object.ts'
import { runSteps, type Steps } from '../../base/waiting/steps.ts'
import { smallDocumentChars, wholeFor } from './budget.ts'

export interface MarkupElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly MarkupNode[]
  readonly parent: MarkupElement | null
  /** The list that contains the element itself. */
  readonly siblings: readonly MarkupNode[]
  readonly previous: MarkupElement | null
}

/** An element, or a piece of text. */
export type MarkupNode = MarkupElement | string

export interface Markup {
  readonly format: 'xml' | 'html'
  readonly nodes: readonly MarkupNode[]
  /** All elements in document order. */
  readonly elements: readonly MarkupElement[]
}

/** Why a text is not a valid document, as a sentence without its subject. */
class MalformedMarkup extends Error {
  override readonly name = 'Malformed'
}

/**
 * The document, or what is wrong with it. HTML is never malformed: it can only have no element, or
 * be too large or too deep.
 */
export function parseMarkup(text: string, format: 'xml' | 'html'): Markup | { problem: string } {
  return runSteps(markupSteps(text, format))
}

/** The same in steps, one for each piece of the text. */
export function* markupSteps(
  text: string,
  format: 'xml' | 'html',
): Steps<Markup | { problem: string }> {
  const tree = new MarkupTree(text.length)
  try {
    yield* format === 'xml' ? readXml(text, tree) : readHtml(text, tree)
  } catch (cause) {
    if (cause instanceof MalformedMarkup) return { problem: cause.message }
    throw cause
  }
  return { format, nodes: tree.nodes, elements: tree.elements }
}

/** Elements, attributes and texts in an XML or HTML document, and how deep they nest. */
const markupNodesMax = 100_000
/** The same in a small document, which is read in one turn of the event loop. */
const markupNodesSmallMax = 15_000
const markupDepthMax = 512

/** Builds a tree, one token after the other. */
class MarkupTree {
  readonly nodes: MarkupNode[] = []
  readonly elements: MarkupElement[] = []
  readonly #open: OpenLevel[] = []
  #top: OpenLevel = { element: null, children: this.nodes, last: null }
  readonly #nodesMax: number
  #count = 0

  constructor(chars: number) {
    this.#nodesMax = Math.min(wholeFor(markupNodesSmallMax, chars), markupNodesMax)
  }

  /** The innermost open element, or null outside of all. */
  get innermost(): MarkupElement | null {
    return this.#top.element
  }

  open(name: string): void {
    this.#charge()
    if (this.#open.length >= markupDepthMax) {
      throw new MalformedMarkup(`is nested deeper than ${markupDepthMax} elements`)
    }
    const parent = this.#top
    const children: MarkupNode[] = []
    const element: OpenElement = {
      name,
      attributes: noAttributes,
      children,
      parent: parent.element,
      siblings: parent.children,
      previous: parent.last,
    }
    parent.children.push(element)
    parent.last = element
    this.elements.push(element)
    this.#open.push(parent)
    this.#top = { element, children, last: null }
  }

  /** Adds an attribute to the innermost element; false if it already has it. */
  attribute(name: string, value: string): boolean {
    this.#charge()
    const { element } = this.#top
    if (element === null || element.attributes.has(name)) return false
    // Most elements have no attributes, and creating a map for each is what takes time.
    if (element.attributes === noAttributes) element.attributes = new Map()
    element.attributes.set(name, value)
    return true
  }

  text(piece: string): void {
    this.#charge()
    this.#top.children.push(piece)
  }

  /** A closing tag, whether or not it closes an element. */
  closing(): void {
    this.#charge(this.#open.length / levelsPerNode)
  }

  close(): void {
    this.#top = this.#open.pop() ?? this.#top
  }

  /** Deep nesting takes longer, because each tag searches and moves the open elements. */
  #charge(nodes = 1): void {
    this.#count += nodes + this.#open.length / levelsPerNode
    if (this.#count <= this.#nodesMax) return
    throw new MalformedMarkup(
      `has more than ${Math.floor(this.#nodesMax)} elements, attributes and texts`,
    )
  }
}

/** Passing this many open elements takes as long as one element. */
const levelsPerNode = 128

const noAttributes = new Map<string, string>()

type OpenElement = MarkupElement & { attributes: Map<string, string> }

interface OpenLevel {
  readonly element: OpenElement | null
  readonly children: MarkupNode[]
  last: MarkupElement | null
}

/** Loaded with the first document. */
const parsers = once(() => {
  // `require` knows no types.
  const { Parser, Tokenizer } = requireLibrary('htmlparser2') as typeof Library

  /** A parser that also charges for closing tags, which the parser does not report if they close nothing. */
  class CountingParser extends Parser {
    readonly #tree: MarkupTree

    constructor(tree: MarkupTree, handler: Partial<Library.Handler>) {
      super(handler)
      this.#tree = tree
    }

    override onclosetag(start: number, end: number): void {
      this.#tree.closing()
      super.onclosetag(start, end)
    }
  }

  return { CountingParser, Tokenizer }
})

/** The parser's own rules decide what closes what; entities are those of HTML. */
function* readHtml(text: string, tree: MarkupTree): Steps<void> {
  const parser = new (parsers().CountingParser)(tree, {
    // In lower case, including SVG, as selectors on HTML expect.
    onopentagname: (name) => tree.open(name.toLowerCase()),
    onattribute: (name, value) => void tree.attribute(name, value),
    ontext: (piece) => tree.text(piece),
    onclosetag: () => tree.close(),
  })
  for (const piece of piecesOf(text)) {
    parser.write(piece)
    yield
  }
  parser.end()
  if (tree.elements.length === 0) throw new MalformedMarkup('has no element')
}

function* piecesOf(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; at += smallDocumentChars) {
    yield text.slice(at, at + smallDocumentChars)
  }
}

const xmlName = /^[\p{L}_:][\p{L}\p{M}\p{N}_:.\u00b7-]*$/u

/**
 * Reads tokens, because the parser accepts what XML forbids: every tag must be closed by its own
 * name, attributes are quoted and unique, and there is one root with only white space around it.
 * Stray `<` and `&`, and entities that only a document type could define, are kept as written.
 */
function* readXml(source: string, tree: MarkupTree): Steps<void> {
  const text = withoutProlog(source)
  let name = ''
  let value = ''
  const addText = (piece: string): void => {
    if (tree.innermost !== null) tree.text(piece)
    else if (piece.trim() !== '') throw new MalformedMarkup('has text outside of its root element')
  }
  const nameAt = (start: number, end: number): string => {
    const found = text.slice(start, end)
    if (xmlName.test(found)) return found
    throw new MalformedMarkup('has an invalid tag or attribute name')
  }
  const tokenizer = new (parsers().Tokenizer)(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname(start, end) {
        if (tree.innermost === null && tree.elements.length > 0) {
          throw new MalformedMarkup('has more than one root element')
        }
        tree.open(nameAt(start, end))
      },
      onattribname(start, end) {
        name = nameAt(start, end)
        value = ''
      },
      onattribdata: (start, end) => (value += text.slice(start, end)),
      onattribentity: (codepoint) => (value += String.fromCodePoint(codepoint)),
      onattribend(quote: Library.QuoteType) {
        if (quote < firstQuote)
          throw new MalformedMarkup('has an attribute whose value is not quoted')
        if (!tree.attribute(name, value))
          throw new MalformedMarkup('has an attribute twice in one tag')
      },
      onopentagend() {},
      onselfclosingtag: () => tree.close(),
      onclosetag(start, end) {
        if (tree.innermost?.name !== text.slice(start, end)) {
          throw new MalformedMarkup('has a closing tag without an opening tag')
        }
        tree.close()
      },
      ontext: (start, end) => addText(text.slice(start, end)),
      ontextentity: (codepoint) => addText(String.fromCodePoint(codepoint)),
      oncdata: (start, end, endOffset) => addText(text.slice(start, end - endOffset)),
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
  for (const piece of piecesOf(text)) {
    tokenizer.write(piece)
    yield
  }
  tokenizer.end()
  if (tree.innermost !== null) throw new MalformedMarkup('ends within an element')
  if (tree.elements.length === 0) throw new MalformedMarkup('has no root element')
}

/** The first real kind of quotes in the tokenizer; lower ones mean no quotes or no value. */
const firstQuote = 2

/** The text from its root on: document types are not read, and their entities not expanded. */
function withoutProlog(text: string): string {
  const blanks = /[\s\ufeff]*/y
  let at = 0
  for (;;) {
    blanks.lastIndex = at
    at += blanks.exec(text)?.[0].length ?? 0
    if (text.startsWith('<?', at)) at = after(text, '?>', at)
    else if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4)
    else if (text.startsWith('<!DOCTYPE', at)) at = afterDoctype(text, at)
    else return text.slice(at)
  }
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  if (at < 0) throw new MalformedMarkup('ends before its root element')
  return at + mark.length
}

/** A document type ends with its own angle bracket; brackets in quotes and comments do not count. */
function afterDoctype(text: string, start: number): number {
  const marks = /["'<>]/g
  marks.lastIndex = start + 1
  for (let depth = 1; depth > 0; ) {
    const mark = marks.exec(text)
    if (mark === null) throw new MalformedMarkup('ends before its root element')
    const [sign] = mark
    const { index } = mark
    if (sign === '>') depth -= 1
    else if (sign !== '<') marks.lastIndex = after(text, sign, index + 1)
    else if (text.startsWith('<!--', index)) marks.lastIndex = after(text, '-->', index + 4)
    else if (text.startsWith('<?', index)) marks.lastIndex = after(text, '?>', index)
    else depth += 1
  }
  return marks.lastIndex
}
