// A text with parameters: the parts of an ICU message, made into a function. It needs nothing of Node,
// so the console uses it, too.

/** What is said between values, a value, or one of several texts. */
export type Part = string | Value | CaseChoice

interface Value {
  readonly name: string
  /** Where the text itself says that it is a number. */
  readonly by?: 'number'
}

interface CaseChoice {
  readonly name: string
  readonly by: 'plural' | 'select'
  /** By a word, the form of a number (`few`), or a number itself (`=0`); `other` for the rest. */
  readonly cases: Readonly<Record<string, readonly Part[]>>
}

type GivenValues = Readonly<Record<string, string | number>>
export type Phrase = (given: GivenValues) => string

/** How a language speaks of numbers. */
export interface NumberRules {
  /** The form of a word beside the number, such as `one` or `few`. */
  readonly formOf: (count: number) => string
  readonly textOf: (count: number) => string
}

export function phraseOf(parts: readonly Part[], rules: NumberRules): Phrase {
  const phrases = parts.map((part) => partPhrase(part, rules))
  return (given) => {
    let text = ''
    for (const phrase of phrases) text += phrase(given)
    return text
  }
}

function partPhrase(part: Part, rules: NumberRules): Phrase {
  if (typeof part === 'string') return () => part
  const { name } = part
  if (!('cases' in part)) {
    return ({ [name]: value = '' }) =>
      part.by === 'number' ? rules.textOf(Number(value)) : contained(String(value))
  }
  const cases = new Map(
    Object.entries(part.cases).map(([word, parts]) => [word, phraseOf(parts, rules)]),
  )
  const other = cases.get('other') ?? (() => '')
  if (part.by === 'select') return (given) => (cases.get(String(given[name])) ?? other)(given)
  return (given) => {
    const count = Number(given[name])
    return (cases.get(`=${count}`) ?? cases.get(rules.formOf(count)) ?? other)(given)
  }
}

const directionSigns = /[\u202a-\u202e\u2066-\u2069]/g
const isolateEnd = '\u2069'

/**
 * A value whose signs of direction change nothing of what stands around it: strangers choose names. An isolate
 * ends with the value at the latest, and overrides, which nothing ends as safely, are left out.
 */
function contained(value: string): string {
  let open = 0
  const kept = value.replace(directionSigns, (sign) => {
    if (sign <= '\u202e' || (sign === isolateEnd && open === 0)) return ''
    open += sign === isolateEnd ? -1 : 1
    return sign
  })
  return kept + isolateEnd.repeat(open)
}

/** Texts by their names, in groups that nest. */
export interface TextTree<Text> {
  readonly [name: string]: Text | TextTree<Text>
}

/** The same tree with a phrase for each text, and without explanations, whose names begin with `@`. */
export function catalogueOf<Text extends string | readonly Part[]>(
  tree: TextTree<Text>,
  made: (text: Text) => string | Phrase,
): TextTree<string | Phrase> {
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([name]) => !name.startsWith('@'))
      .map(([name, node]) => [name, isGroup(node) ? catalogueOf(node, made) : made(node)]),
  )
}

function isGroup<Text extends string | readonly Part[]>(
  node: Text | TextTree<Text>,
): node is TextTree<Text> {
  return typeof node === 'object' && !Array.isArray(node)
}
