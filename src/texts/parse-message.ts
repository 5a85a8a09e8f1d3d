// Reads ICU messages: `{count, plural, one {# day} other {# days}}`.
//
// https://unicode-org.github.io/icu/userguide/format_parse/messages/
import type * as Library from '@formatjs/icu-messageformat-parser'
import { requireLibrary } from '../base/assets.ts'
import { once } from '../base/per-object.ts'
import type { Part, TextTree } from './message.ts'

const library = once(
  () => requireLibrary('@formatjs/icu-messageformat-parser') as Pick<typeof Library, 'parse'>,
)

/** A text without parameters is what it says. */
export type ParsedText = string | readonly Part[]

/** The same tree with parsed texts, and without explanations. */
export function parsedTree(tree: TextTree<string>): TextTree<ParsedText> {
  const entries = Object.entries(tree).filter(([name]) => !name.startsWith('@'))
  return Object.fromEntries(
    entries.map(([name, node]) => [
      name,
      typeof node === 'string' ? parsedText(node) : parsedTree(node),
    ]),
  )
}

function parsedText(text: string): ParsedText {
  const parts = parseMessage(text)
  const isPlain = parts.every((part) => typeof part === 'string')
  return isPlain ? parts.join('') : parts
}

/** Throws for what is no message, and for the forms that no text needs: dates, ordinals, offsets, styles of numbers. */
export function parseMessage(message: string): Part[] {
  const elements = library().parse(message, { ignoreTag: true, captureLocation: false })
  return elements.map((element) => partOf(element, ''))
}

/** `counted`: the number that `#` stands for. */
function partOf(element: Library.MessageFormatElement, counted: string): Part {
  switch (element.type) {
    case 0:
      return element.value
    case 1:
      return { name: element.value }
    case 2:
      if (element.style) break
      return { name: element.value, by: 'number' }
    case 5:
      return { name: element.value, by: 'select', cases: casesOf(element.options, counted) }
    case 6: {
      const { value: name, options, offset, pluralType } = element
      if (offset !== 0 || pluralType !== 'cardinal') break
      return { name, by: 'plural', cases: casesOf(options, name) }
    }
    case 7:
      return { name: counted, by: 'number' }
  }
  throw new Error('such a form is not known here')
}

function casesOf(options: Library.SelectElement['options'], counted: string) {
  return Object.fromEntries(
    Object.entries(options).map(([word, { value }]) => [
      word,
      value.map((element) => partOf(element, counted)),
    ]),
  )
}
