// The types of channels, as the API's own schema describes them: title, instructions, fields.
import schema from 'schema:alert-channels.create'
import type { Body, Data } from '../../api/client.ts'
import type { JsonSchema } from '../../base/json-schema.ts'
import { secretMask } from '../../base/secret-mask.ts'
import { listed, words } from '../../words/words.ts'

export type ChannelBody = Body<'alert-channels.create'>
export type ChannelType = ChannelBody['type']

export interface ChannelTypeInfo {
  readonly type: ChannelType
  readonly title: string
  /** How to get what the fields ask for. */
  readonly description: string
  readonly config: JsonSchema
}

function resolved(alternative: JsonSchema): JsonSchema {
  const name = alternative.$ref?.replace(/^.*\//, '')
  return (name === undefined ? undefined : schema.$defs?.[name]) ?? alternative
}

/** In the order of the API. */
const channelTypes: readonly ChannelTypeInfo[] = (schema.oneOf ?? schema.anyOf ?? []).map(
  (alternative) => {
    const { title = '', description = '', properties } = resolved(alternative)
    return {
      type: properties?.type?.const as ChannelType,
      title,
      description,
      config: properties?.config ?? {},
    }
  },
)

export const channelType = (type: string) => channelTypes.find((one) => one.type === type)

/** The schema of a whole channel of one type, for a form. Stored secrets come as masks. */
export function bodySchema({ type, config }: ChannelTypeInfo): JsonSchema {
  const { oneOf: _, anyOf: __, ...rest } = schema
  const fields = Object.entries(config.properties ?? {}).map(([name, field]) => {
    if (field['x-secret'] !== true) return [name, field]
    return [name, { ...field, ...orMask(field) }]
  })
  const orMasked = { ...config, properties: Object.fromEntries(fields) }
  return { ...rest, properties: { ...rest.properties, type: { const: type }, config: orMasked } }
}

/** What a new channel of the type begins with: names that nobody else may guess. */
export function proposedConfig({ config }: ChannelTypeInfo): ChannelBody['config'] {
  const fields = Object.entries(config.properties ?? {}).flatMap(([name, field]) => {
    const start = field['x-proposed']
    return start === undefined ? [] : [[name, start + randomName()]]
  })
  return Object.fromEntries(fields)
}

const nameChars = 10

/** Letters and digits that are typed on a phone: 51 bits. */
function randomName(): string {
  const values = crypto.getRandomValues(new Uint32Array(nameChars))
  return Array.from(values, (value) => (value % 36).toString(36)).join('')
}

/** The mask has a length and a form of its own. */
function orMask({ pattern, minLength = 0 }: JsonSchema): Partial<JsonSchema> {
  return {
    ...(pattern === undefined ? {} : { pattern: `(?:${pattern})|^${secretMask}$` }),
    ...(minLength === 0 ? {} : { minLength: Math.min(minLength, secretMask.length) }),
  }
}

/** A type, and the settings of the service without which nothing can be sent to it. */
export interface TypeChoice {
  readonly info: ChannelTypeInfo
  readonly missingSettings: readonly string[]
}

/** The types by title; types that the service cannot send to are the last. */
export function typeChoices(states: Data<'alert-channels.types'>): readonly TypeChoice[] {
  const missing = new Map(states.map((one) => [one.type, one.missingSettings]))
  return channelTypes
    .map((info) => ({ info, missingSettings: missing.get(info.type) ?? [] }))
    .toSorted(
      (a, b) =>
        Number(a.missingSettings.length > 0) - Number(b.missingSettings.length > 0) ||
        a.info.title.localeCompare(b.info.title),
    )
}

/** Whether a channel of the type may have a server of its own in place of the service's. */
export const mayBringServer = ({ config }: ChannelTypeInfo) =>
  config.properties?.server !== undefined

/** What a channel of the type needs that the service lacks, in a sentence. */
export function needsOf({ info, missingSettings }: TypeChoice): string {
  const { needs, needsOrOwnServer } = words.value.channels
  return (mayBringServer(info) ? needsOrOwnServer : needs)({
    names: listed(missingSettings),
  })
}
