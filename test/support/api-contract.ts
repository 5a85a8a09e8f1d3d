// Holds every answer against the OpenAPI document: its status is listed, its body fits its schema,
// and what succeeded was asked for as the document says.
import { Compile, type Validator } from 'typebox/schema'
import { apiRoutes } from '../../src/http/api/api.ts'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'

/** An answer as it came. */
export interface Answered {
  readonly method: string
  /** With or without a query. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON that was asked with; undefined where there was no body, absent where unknown. */
  readonly sent?: unknown
}

// The document is JSON of many shapes.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = any

export interface ApiContract {
  readonly document: Json
  /** What the answer and the document disagree about; nothing where they agree. */
  problemsOf(answered: Answered): string[]
  /** Why a value does not fit a schema of the document; nothing where it does. */
  checked(name: string, schema: Json, value: unknown): string[]
}

const problemType = 'application/problem+json'

export function createContract(
  document: Json = JSON.parse(
    JSON.stringify(openApiDocument(apiRoutes, { baseUrl: 'http://127.0.0.1', version: '1.2.3' })),
  ),
): ApiContract {
  const templates = Object.keys(document.paths)
    // A literal part is meant before a parameter in its place.
    .toSorted((a, b) => a.split('{').length - b.split('{').length || a.localeCompare(b))
    .map((template) => ({
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
  const validators = new Map<string, Validator>()
  /** Responses with what they refer to in place, by the response of the document. */
  const wholes = new Map<Json, Json>()

  function whole(response: Json): Json {
    const known = wholes.get(response) ?? resolved(response, document)
    wholes.set(response, known)
    return known
  }

  function fits(name: string, schema: Json, value: unknown): string[] {
    const validator = validators.get(name) ?? Compile(resolved(schema, document))
    validators.set(name, validator)
    if (validator.Check(value)) return []
    const [, errors] = validator.Errors(value)
    return errors.map((error) => `${name}: ${error.instancePath} ${error.message}`)
  }

  function ofProblem(name: string, { status, headers, text }: Answered): string[] {
    const type = headers.get('content-type')
    if (type !== problemType) return [`${name}: a problem of the type ${type}`]
    const problem = JSON.parse(text)
    return [
      ...fits('Problem', document.components.schemas.Problem, problem),
      ...(problem.status === status ? [] : [`${name}: says ${problem.status} with ${status}`]),
      ...(problem.requestId === headers.get('x-request-id') ? [] : [`${name}: two request ids`]),
    ]
  }

  function ofSuccess(name: string, { requestBody }: Json, sent: unknown): string[] {
    if (!requestBody) return []
    if (sent === undefined) return requestBody.required ? [`${name}: no body, and taken`] : []
    const { schema } = requestBody.content['application/json']
    // As it went over the wire: without fields that are undefined.
    return fits(`${name} request`, schema, JSON.parse(JSON.stringify(sent)))
  }

  return {
    document,
    checked: fits,
    problemsOf(answered) {
      const { path, status, headers, text } = answered
      const [place = ''] = path.split('?')
      const method = answered.method === 'HEAD' ? 'get' : answered.method.toLowerCase()
      const found = templates.find(({ pattern }) => pattern.test(place))
      const operation = found && document.paths[found.template][method]
      const name = `${method} ${found?.template ?? place} ${status}`
      if (!operation) {
        // Whatever is not in the document is refused in the document's own words.
        if (method === 'options' || status < 400 || text === '') return []
        return ofProblem(name, answered)
      }
      const response = operation.responses[status]
      if (!response) return [`${name}: the status is not in the description`]
      const isTagged = response.headers?.ETag !== undefined
      if (isTagged !== headers.has('etag')) {
        return [`${name}: the ETag is described or sent, but not both`]
      }
      if (answered.method === 'HEAD') return text === '' ? [] : [`${name}: HEAD with a body`]
      if (isInItsOwnWords(whole(response), headers)) return []
      if (status === 304) return text === '' ? [] : [`${name}: 304 with a body`]
      if (status !== 200) return ofProblem(name, answered)
      const type = headers.get('content-type')
      if (type !== 'application/json') return [`${name}: the type is ${type}`]
      const body = JSON.parse(text)
      const known = ['success', 'data', 'message', 'meta']
      const strays = Object.keys(body).filter((key) => !known.includes(key))
      return [
        ...('sent' in answered ? ofSuccess(name, operation, answered.sent) : []),
        ...strays.map((key) => `${name}: an envelope with ${key}`),
        ...fits(name, response.content['application/json'].schema, body),
      ]
    },
  }
}

/** A redirect, a file or a page, where the description has one. */
function isInItsOwnWords(response: Json, headers: Headers): boolean {
  const types = Object.keys(response.content ?? {})
  if (types.length === 0) return headers.has('location')
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  const isPlain = (one: string) => one !== problemType && one !== 'application/json'
  return types.some((one) => isPlain(one) && one.split(';')[0] === type)
}

/** The schema with what it refers to in the place of the reference. */
function resolved(schema: Json, document: Json): Json {
  if (Array.isArray(schema)) return schema.map((item) => resolved(item, document))
  if (typeof schema !== 'object' || schema === null) return schema
  if (typeof schema.$ref === 'string') {
    const parts = schema.$ref.slice(2).split('/')
    return resolved(
      parts.reduce((at: Json, part: string) => at[part], document),
      document,
    )
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, resolved(value, document)]),
  )
}
