// Writes src/console/generated/operations.ts, the types of the API for the console, from the OpenAPI
// document; the type check does it first: node scripts/console/api-types.ts
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const prefix = '/api/v1'
const typesFile = join(import.meta.dirname, '../../src/console/generated/operations.ts')

export const apiDocument = () =>
  openApiDocument(apiRoutes, { baseUrl: '', version: '' }) as unknown as ApiDocument

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

/** The method and the path of every operation, below /api/v1, by its name. */
export function routesOf({ paths }: ApiDocument): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [
        operationId,
        `${method.toUpperCase()} ${path.slice(prefix.length)}`,
      ]),
    ),
  )
}

function typesOf({ paths, components }: ApiDocument): string {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const types = operations.map((one) => `  ${literal(one.operationId)}: ${operationType(one)}`)
  const named = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}`,
  )
  return `// The types of the API, made by scripts/console/api-types.ts: not edited, and not kept in Git.

type Empty = Readonly<Record<never, never>>

${named.join('\n\n')}

/** Every operation: its parameters, its body, and the data of its answer. */
export interface Operations {
${types.join('\n')}
}
`
}

function main(): void {
  mkdirSync(dirname(typesFile), { recursive: true })
  writeFileSync(typesFile, typesOf(apiDocument()))
}

if (import.meta.main) main()
