// Writes src/console/api/operations.ts, the types of the API for the console, from the OpenAPI
// document: node scripts/console/api-types.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiRoutes } from '../../src/http/api/api.ts'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly $ref?: string
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: { readonly 200?: { readonly content?: Content } }
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const prefix = '/api/v1'
export const typesFile = join(import.meta.dirname, '../../src/console/api/operations.ts')

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const literal = (value: unknown) => JSON.stringify(value)

/** The TypeScript type of a JSON schema. */
function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'unknown'
  if (schema.$ref) return schema.$ref.replace(/^.*\//, '')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  // Beside fields, alternatives only say which of them belong together.
  const alternatives = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf)
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' | ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => typeOf({ ...schema, type })).join(' | ')
  }
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `readonly (${typeOf(schema.items)})[]`
    case 'object':
      return objectType(schema)
    default:
      return 'unknown'
  }
}

function objectType({
  properties,
  patternProperties,
  additionalProperties,
  required = [],
}: Schema) {
  const [anyName] = Object.values(patternProperties ?? {})
  const named = Object.entries(properties ?? {})
  const values = anyName ?? (typeof additionalProperties === 'object' ? additionalProperties : null)
  if (named.length === 0) return `Readonly<Record<string, ${values ? typeOf(values) : 'unknown'}>>`
  const fields = named.map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?'
    return `readonly ${key(name)}${mark}: ${typeOf(field)}`
  })
  return `{ ${fields.join('; ')} }`
}

function parametersType(operation: Operation, place: string): string {
  const of = operation.parameters.filter((parameter) => parameter.in === place)
  if (of.length === 0) return 'Empty'
  const required = of.flatMap(({ name, required }) => (required ? [name] : []))
  const properties = Object.fromEntries(of.map(({ name, schema }) => [name, schema]))
  return objectType({ properties, required })
}

const jsonOf = (content: Content | undefined) => content?.['application/json']?.schema

function operationType(operation: Operation): string {
  const answer = jsonOf(operation.responses[200]?.content)
  const body = jsonOf(operation.requestBody?.content)
  return `{
    readonly path: ${parametersType(operation, 'path')}
    readonly query: ${parametersType(operation, 'query')}
    readonly body: ${body ? typeOf(body) : 'undefined'}
    readonly data: ${typeOf(answer?.properties?.data)}
    readonly isList: ${answer?.properties?.meta !== undefined}
  }`
}

/** The text of the module. */
export function apiTypes(): string {
  const document = openApiDocument(apiRoutes, { baseUrl: '', version: '' }) as unknown as Document
  const types: string[] = []
  const routes: string[] = []
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path.slice(prefix.length)}`
      types.push(`  ${literal(operation.operationId)}: ${operationType(operation)}`)
      routes.push(`  ${literal(operation.operationId)}: ${literal(route)},`)
    }
  }
  const named = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}`,
  )
  return `// Made from the OpenAPI document by scripts/console/api-types.ts: do not edit.

type Empty = Readonly<Record<never, never>>

${named.join('\n\n')}

/** Every operation: its parameters, its body, and the data of its answer. */
export interface Operations {
${types.join('\n')}
}

/** The method and the path of every operation, below /api/v1. */
export const operationRoutes = {
${routes.join('\n')}
} as const satisfies Record<keyof Operations, string>
`
}

if (import.meta.main) writeFileSync(typesFile, apiTypes())
