// Templates: texts with placeholders for values that are known only when a check is made.
import { secretMask } from '../secret-mask.ts'

/** How a value is written into a text: percent-encoded, as inside a JSON string, in Base64. */
const filters = {
  url: (value: string) => encodeURIComponent(value.toWellFormed()),
  json: (value: string) => JSON.stringify(value).slice(1, -1),
  base64: (value: string) => Buffer.from(value).toString('base64'),
} as const

/** Values that are made anew for each check, so that the same name has the same value in all its steps. */
export const madeNames = ['uuid', 'timestamp', 'isoTimestamp', 'randomInt'] as const
export type MadeName = (typeof madeNames)[number]

/** The names of variables, captures and secrets. */
export const namePattern = '[A-Za-z_][A-Za-z0-9_]{0,63}'
export const nameRule = 'must be a letter or _ and then up to 63 letters, digits or _'

export type Placeholder = {
  readonly filter: keyof typeof filters | null
} & (
  | { readonly kind: 'variable' | 'secret'; readonly name: string }
  | { readonly kind: 'made'; readonly name: MadeName }
)

/** One that is longer is none: no name is that long. */
const placeholder = /\{\{([^{}]{0,100})\}\}/g

const form = new RegExp(
  `^(?:(${namePattern})|secret\\.(${namePattern})|\\$(${madeNames.join('|')}))$`,
)

/** What is wrong with a template, as a sentence without its subject; null if it is valid. */
export function templateProblem(text: string): string | null {
  for (const [whole, inner = ''] of text.matchAll(placeholder)) {
    if (readPlaceholder(inner) === undefined)
      return `has ${whole}, which is no placeholder: ${forms}`
  }
  return null
}

const forms =
  `they are {{name}}, {{secret.NAME}} and {{$${madeNames.join('}}, {{$')}}}, ` +
  `the first two also with |${Object.keys(filters).join(', |')}`

function readPlaceholder(inner: string): Placeholder | undefined {
  const [said = '', filterName, ...more] = inner.split('|').map((part) => part.trim())
  const filter = filterName === undefined ? null : filterName
  if (more.length > 0 || (filter !== null && !isFilter(filter))) return undefined
  const [, variable, secret, made] = form.exec(said) ?? []
  if (variable !== undefined) return { kind: 'variable', name: variable, filter }
  if (secret !== undefined) return { kind: 'secret', name: secret, filter }
  return made === undefined ? undefined : { kind: 'made', name: made as MadeName, filter }
}

function isFilter(name: string): name is keyof typeof filters {
  return Object.hasOwn(filters, name)
}

/** The placeholders of a valid template, in order. */
export function placeholdersIn(text: string): readonly Placeholder[] {
  return [...text.matchAll(placeholder)].flatMap(([, inner = '']) => readPlaceholder(inner) ?? [])
}

/** The text with its values; null: the mask. `write`: how a value is written, after its filter. */
export function rendered(
  text: string,
  valueFor: (one: Placeholder) => string | null,
  write: (value: string) => string = (value) => value,
): string {
  return text.replace(placeholder, (whole: string, inner: string) => {
    const found = readPlaceholder(inner)
    if (found === undefined) return whole
    const value = valueFor(found)
    if (value === null) return secretMask
    return write(found.filter === null ? value : filters[found.filter](value))
  })
}

/** The text with a word in place of each value, to judge what surrounds them. */
export function filledIn(text: string, word: string): string {
  return text.replace(placeholder, () => word)
}
