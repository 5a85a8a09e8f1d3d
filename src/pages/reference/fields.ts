// A schema as a list of fields, each with its type, its bounds and what it is for.
import { countText } from '../../base/sizes.ts'
import { type Html, html } from '../html.ts'
import type { OpenApiSchema } from './openapi-types.ts'
import { prose } from './prose.ts'

/** The fields of an object, of the entries of a list, or of each of several kinds. */
export function fieldsOf(schema: OpenApiSchema): Html | undefined {
  const { properties, oneOf = [] } = schema
  if (properties && Object.keys(properties).length > 0) {
    const required = new Set(schema.required)
    const rows = Object.entries(properties).map(([name, field]) =>
      fieldOf(name, field, required.has(name)),
    )
    const kinds = oneOf.filter(isTitled).map(kindOf)
    const { propertyName } = schema.discriminator ?? {}
    return html`<ul class="fields">${rows}</ul>
${propertyName && kinds.length > 0 && html`<p>What <code>${propertyName}</code> decides:</p>\n`}${kinds}`
  }
  const inner = schema.items ?? Object.values(schema.patternProperties ?? {})[0]
  if (inner) return fieldsOf(inner)
  const kinds = [...(schema.anyOf ?? []), ...oneOf].map(fieldsOf).filter((one) => one !== undefined)
  return kinds.length > 0 ? html`${kinds}` : undefined
}

const isTitled = ({ title }: OpenApiSchema) => title !== undefined

/** What a kind adds, such as the config of a channel type, with an example. */
function kindOf({ title, description, properties = {}, examples = [] }: OpenApiSchema): Html {
  const [example] = examples
  const rows = Object.entries(properties).map(([name, field]) => fieldOf(name, field, true, 'open'))
  return html`<details><summary>${title}</summary>
${description !== undefined && prose(description)}\
${example !== undefined && html`<pre>${JSON.stringify(example, null, 2)}</pre>\n`}\
<ul class="fields">${rows}</ul></details>
`
}

function fieldOf(name: string, schema: OpenApiSchema, isRequired: boolean, state?: 'open'): Html {
  const inner = fieldsOf(schema)
  const words = wordsOf(schema)
  return html`<li><div><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>\
${isRequired && html` <strong>required</strong>`}</div>
${words !== undefined && prose(words)}\
${inner && foldedFields(name, inner, state)}</li>
`
}

/** The description of a field. If the field may be null, the other choice may carry it. */
function wordsOf({ description, anyOf = [] }: OpenApiSchema): string | undefined {
  const [choice, ...more] = anyOf.filter(({ type }) => type !== 'null')
  return description ?? (more.length === 0 ? choice?.description : undefined)
}

function foldedFields(name: string, fields: Html, state?: 'open'): Html {
  const inside = html`<summary>Fields of ${name}</summary>\n${fields}`
  return state === 'open'
    ? html`<details open>${inside}</details>\n`
    : html`<details>${inside}</details>\n`
}

/** The type in words, with its bounds: `text, 1 to 120 characters, default "x"`. */
export function typeOf(schema: OpenApiSchema): string {
  const { default: usual } = schema
  const words = [kindWords(schema), ...boundsOf(schema)]
  if (usual !== undefined) words.push(`default ${JSON.stringify(usual)}`)
  return words.join(', ')
}

function kindWords(schema: OpenApiSchema): string {
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices && !schema.type) return [...new Set(choices.map(typeOf))].join(', or ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  const [values] = Object.values(schema.patternProperties ?? {})
  if (values) return `map of ${typeOf(values)}`
  const { type } = schema
  if (typeof type !== 'string') return type ? type.map(plainType).join(' or ') : 'any value'
  if (type === 'string') return idWords(schema) ?? formats[schema.format ?? ''] ?? 'text'
  return plainType(type)
}

/** Ids are known by their pattern: a prefix, and 26 characters. */
function idWords({ pattern = '' }: OpenApiSchema): string | undefined {
  const [, prefix] = /^\^([a-z]{3}_)\[0-7\]/.exec(pattern) ?? []
  return prefix && `id, ${prefix}…`
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'time (ISO 8601)',
  date: 'date (YYYY-MM-DD)',
  email: 'e-mail address',
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
}

function plainType(type: string): string {
  return plainTypes[type] ?? type
}

function boundsOf(schema: OpenApiSchema): string[] {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema
  return [
    rangeOf(minimum, maximum, ''),
    schema.format ? '' : rangeOf(minLength, maxLength, ' characters'),
    rangeOf(undefined, maxItems, ' entries'),
  ].filter((words) => words !== '')
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined)
    return `${countText(least)} to ${countText(most)}${unit}`
  if (most !== undefined) return `at most ${countText(most)}${unit}`
  return least === undefined ? '' : `at least ${countText(least)}${unit}`
}
