// The types of channels, as the API's own schema describes them: title, instructions, fields.
import schema from 'schema:alert-channels.create'
import type { Body } from '../../api/client.ts'
import type { JsonSchema } from '../../parts/form/schema.ts'

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
export const channelTypes: readonly ChannelTypeInfo[] = (schema.oneOf ?? schema.anyOf ?? []).map(
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

/** The schema of a whole channel of one type, for a form. */
export function bodySchema({ type, config }: ChannelTypeInfo): JsonSchema {
  const { oneOf: _, anyOf: __, ...rest } = schema
  return { ...rest, properties: { ...rest.properties, type: { const: type }, config } }
}
