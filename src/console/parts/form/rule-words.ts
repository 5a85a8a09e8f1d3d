// The sentence for each rule of a schema that a value breaks: the rule, and its limit.
import type { FieldProblem } from '../../api/problem.ts'
import type { JsonSchema } from '../../base/json-schema.ts'
import { valueAt } from '../../base/pointer.ts'
import type { Words } from '../../words/catalogue.ts'

/** What the validator finds. */
export interface Broken {
  readonly instanceLocation: string
  readonly keyword: string
  readonly keywordLocation: string
  readonly error: string
}

/** What a person reads; `lang` where the text is the API's own. */
export interface RuleText {
  readonly message: string
  readonly lang?: 'en'
}

type Texts = Words['form']

const sentences = {
  type: ({ type }, { rules }) => listed([type ?? []].flat().map((name) => typeText(name, rules))),
  const: ({ const: only }, { rules }) => rules.const({ only: String(only) }),
  // An empty word stands for "nothing".
  enum: ({ enum: all = [] }, { rules }) =>
    rules.enum({ all: listed(all.filter((one) => one !== '')) }),
  minimum: ({ minimum = 0 }, { rules }) => rules.minimum({ least: minimum }),
  maximum: ({ maximum = 0 }, { rules }) => rules.maximum({ most: maximum }),
  minLength: ({ minLength = 0 }, { rules }) => rules.minLength({ count: minLength }),
  maxLength: ({ maxLength = 0 }, { rules }) => rules.maxLength({ count: maxLength }),
  minItems: ({ minItems = 0 }, { rules }) => rules.minItems({ count: minItems }),
  maxItems: ({ maxItems = 0 }, { rules }) => rules.maxItems({ count: maxItems }),
  maxProperties: ({ maxProperties = 0 }, { rules }) => rules.maxItems({ count: maxProperties }),
  uniqueItems: (_, { rules }) => rules.uniqueItems,
  required: (_, { rules }) => rules.required,
  additionalProperties: (_, { rules }) => rules.unknownField,
  false: (_, { rules }) => rules.unknownField,
  oneOf: (_, { rules }) => rules.oneOf,
  not: (_, { rules }) => rules.not,
} satisfies Readonly<Record<string, (node: JsonSchema, texts: Texts) => string>>

/** Keywords whose problems are reported at the values that they hold. */
const containers: ReadonlySet<string> = new Set(
  '$ref properties patternProperties propertyNames items anyOf allOf'.split(' '),
)

/** The text for a keyword of a schema; undefined if the rule says nothing of its own. */
export function ruleText(keyword: string, node: JsonSchema, texts: Texts): RuleText | undefined {
  if (keyword === 'pattern' || keyword === 'format') return formText(keyword, node, texts)
  if (!Object.hasOwn(sentences, keyword)) return undefined
  return { message: sentences[keyword as keyof typeof sentences](node, texts) }
}

/** The text for the form of a string: the API's rule, in the language of the catalogue where it is known. */
function formText(keyword: 'pattern' | 'format', node: JsonSchema, texts: Texts) {
  const { 'x-rule': rule, format = '' } = node
  const known: Readonly<Record<string, string>> = texts.forms
  if (rule !== undefined) {
    const message = Object.hasOwn(known, rule) ? known[rule] : undefined
    const isTranslated = message !== undefined && message !== rule
    return isTranslated ? { message } : { message: rule, lang: 'en' as const }
  }
  const formats: Readonly<Record<string, string>> = texts.rules.formats
  if (keyword === 'pattern' || !Object.hasOwn(formats, format)) return undefined
  const message = formats[format]
  return message === undefined ? undefined : { message }
}

function typeText(name: string, { types }: Texts['rules']): string {
  const known: Readonly<Record<string, string>> = types
  return known[name] ?? name
}

const listed = (all: readonly unknown[]) => all.join(', ')

/** Whether a keyword needs no sentence, because the rules inside of it have theirs. */
export const isContainer = (keyword: string) => containers.has(keyword)

/** What is wrong with a value, by what the validator found. */
export function brokenIn(
  schema: JsonSchema,
  root: unknown,
  errors: readonly Broken[],
  texts: Texts,
): FieldProblem[] {
  const found = new Map<string, Broken[]>()
  // The deepest errors say most; the errors of the objects around them only say that something is wrong.
  const deepest = errors.toSorted((a, b) => b.instanceLocation.length - a.instanceLocation.length)
  for (const one of deepest) {
    const { keyword, keywordLocation, error } = one
    const location = pointerOf(one.instanceLocation)
    // Which alternative was meant is not known: what another one requires says more.
    if (keyword === 'const' && /\/(?:anyOf|oneOf)\//.test(keywordLocation)) continue
    const isAround = [...found.keys()].some((known) => known.startsWith(`${location}/`))
    if (isAround || keyword === 'properties' || keyword === 'items') continue
    const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
    const pointer = `${location}${missing === undefined ? '' : `/${missing}`}`
    found.set(pointer, [...(found.get(pointer) ?? []), one])
  }
  return [...found].map(([pointer, broken]) => {
    const value = valueAt(root, pointer)
    const isName = broken.some(({ keywordLocation }) => isOfName(keywordLocation))
    const isEmpty =
      value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    const text =
      isEmpty && !isName
        ? { message: texts.rules.required }
        : textOf(broken, { schema, value, texts })
    return { pointer, ...text }
  })
}

interface BrokenPlace {
  readonly schema: JsonSchema
  readonly value: unknown
  readonly texts: Texts
}

/** The text for what is wrong at one place: the rule that says most. */
function textOf(broken: readonly Broken[], { schema, value, texts }: BrokenPlace): RuleText {
  const found = broken.map((one) => ({ ...one, node: nodeAt(schema, one.keywordLocation) }))
  const types = found.flatMap(({ keyword, node }) => (keyword === 'type' ? (node.type ?? []) : []))
  if (typeof value === 'string' && types.some((name) => name === 'integer' || name === 'number')) {
    return { message: texts.rules.number }
  }
  // A rule of the alternative that was meant says more than rules that want another type.
  const rule = found.find(({ keyword }) => keyword !== 'type' && !isContainer(keyword))
  if (!rule) {
    const wanted = [...new Set(types.filter((name) => name !== 'null'))]
    return { message: sentences.type({ type: wanted }, texts) }
  }
  const text = ruleText(rule.keyword, rule.node, texts) ?? { message: rule.error, lang: 'en' }
  return isOfName(rule.keywordLocation)
    ? { ...text, message: texts.rules.name({ rule: text.message }) }
    : text
}

const isOfName = (keywordLocation: string) => keywordLocation.includes('/propertyNames/')

/** Where a problem is: the location is the fragment of an address. */
function pointerOf(instanceLocation: string): string {
  return decodeURIComponent(instanceLocation.slice(1))
}

/**
 * The schema that has a keyword, with the form in words where that stands around its alternatives.
 * `location` ends with the keyword.
 */
function nodeAt(schema: JsonSchema, location: string): JsonSchema {
  let node: unknown = schema
  let rule: string | undefined
  for (const part of location.split('/').slice(1, -1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (/^(?:anyOf|oneOf)$/.test(name)) rule = (node as JsonSchema)['x-rule'] ?? rule
    else if (!/^\d+$/.test(name)) rule = undefined
    const next = (node as Readonly<Record<string, unknown>>)[name]
    node = name === '$ref' ? schema.$defs?.[String(next).replace(/^.*\//, '')] : next
    if (typeof node !== 'object' || node === null) return {}
  }
  const found = node as JsonSchema
  return found['x-rule'] === undefined && rule !== undefined ? { ...found, 'x-rule': rule } : found
}
