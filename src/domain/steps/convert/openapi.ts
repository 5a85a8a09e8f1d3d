// Descriptions of APIs as requests: OpenAPI 3.0 and 3.1, and Swagger 2.0. Each operation is one.
//
// Sources: https://spec.openapis.org/oas/v3.1.1.html, v3.0.4.html, v2.0.html
import { clip } from '../../../base/clip.ts'
import type { Assertion } from '../../assertions/expectation.ts'
import { schemaProblem } from '../../assertions/json-schema.ts'
import {
  type ForeignFields,
  ForeignFileRefused,
  fieldsOf,
  flagOf,
  listOf,
  textOf,
} from '../../imports/foreign.ts'
import { limits } from '../../limits/limits.ts'
import { stepsMax } from '../step.ts'
import type { Draft } from './draft.ts'
import { formBody, urlEncoded } from './form-data.ts'
import type { FoundRequest } from './made-steps.ts'
import { literalText, literalValue } from './named-values.ts'
import { type LocalReferences, referencesIn } from './openapi-references.ts'
import { answerSchema, createSamples } from './openapi-schemas.ts'

export function isOpenApi({ openapi, swagger }: ForeignFields): boolean {
  return openapi !== undefined || swagger !== undefined
}

interface DescribedApi {
  readonly name: string
  /** The server; undefined if none is named. */
  readonly base?: string
  readonly requests: readonly FoundRequest[]
}

/** What operations need of their document. */
interface OpenApiFrame {
  readonly document: ForeignFields
  readonly references: LocalReferences
  readonly sampleOf: (schema: unknown) => unknown
  readonly draft: Draft
  readonly isSwagger: boolean
}

interface ApiOperation {
  readonly path: string
  readonly method: string
  readonly item: ForeignFields
  readonly fields: ForeignFields
  readonly name: string
}

const operationMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export function fromOpenApi(document: ForeignFields, draft: Draft): DescribedApi {
  const version = textOf(document.openapi ?? document.swagger)
  const isSwagger = document.openapi === undefined
  if (!(isSwagger ? /^2(\.|$)/ : /^3\./).test(version)) {
    throw new ForeignFileRefused('is no description of OpenAPI 3 or Swagger 2')
  }
  const references = referencesIn(document, draft)
  const sampleOf = createSamples(references, draft)
  const frame = { document, references, sampleOf, draft, isSwagger }
  const chosen = firstOperations(operationsIn(frame), draft)
  const requests = chosen.map((operation) => requestOf(operation, frame))
  const server = serverOf(document, frame)
  const base = /^https?:\/\//i.test(server) ? { base: `${server}/` } : {}
  return { name: textOf(fieldsOf(document.info).title), ...base, requests }
}

function operationsIn({ document, references }: OpenApiFrame): readonly ApiOperation[] {
  return Object.entries(fieldsOf(document.paths)).flatMap(([path, given]) => {
    const item = references.resolved(given)
    return Object.entries(item).flatMap(([method, operation]): ApiOperation[] => {
      if (!operationMethods.includes(method) || !path.startsWith('/')) return []
      const fields = fieldsOf(operation)
      const verb = method.toUpperCase()
      const name = textOf(fields.summary) || textOf(fields.operationId) || `${verb} ${path}`
      return [{ path, method: verb, item, fields, name: name.replace(/\s+/g, ' ') }]
    })
  })
}

/** Where there are too many, those that change nothing come first. */
function firstOperations(all: readonly ApiOperation[], draft: Draft): readonly ApiOperation[] {
  if (all.length <= stepsMax) return all
  const isSafe = ({ method }: ApiOperation): boolean => method === 'GET' || method === 'HEAD'
  const sorted = [...all.filter(isSafe), ...all.filter((one) => !isSafe(one))]
  const names = sorted.slice(stepsMax).map(({ method, path }) => `${method} ${path}`)
  const shown = clip(names.join(', '), limits.foundCharsMax)
  draft.note(
    `operations that are left out because a monitor has at most ${stepsMax} steps: ${shown}`,
  )
  return sorted.slice(0, stepsMax)
}

/** The URL of the first server, without a slash at its end. */
function serverOf(owner: ForeignFields, { document, isSwagger }: OpenApiFrame): string {
  if (isSwagger) {
    const { host, basePath, schemes } = document
    const scheme = listOf(schemes).includes('https')
      ? 'https'
      : textOf(listOf(schemes)[0]) || 'https'
    const origin = textOf(host) === '' ? '' : `${scheme}://${textOf(host)}`
    return (origin + textOf(basePath)).replace(/\/$/, '')
  }
  const { url, variables } = fieldsOf(listOf(owner.servers)[0])
  return textOf(url)
    .replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      return textOf(fieldsOf(fieldsOf(variables)[name]).default) || whole
    })
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
}

function requestOf(operation: ApiOperation, frame: OpenApiFrame): FoundRequest {
  const { path, method, item, fields, name } = operation
  const { document, draft } = frame
  const owner = [fields, item, document].find(({ servers }) => listOf(servers).length > 0)
  const server = serverOf(owner ?? document, frame)
  const parameters = parametersOf(operation, frame)
  const sent = sentParts(parameters, frame)
  const signIn = signInParts(fields.security ?? document.security, frame)
  const query = [...sent.query, ...signIn.query].join('&')
  const cookies = [...sent.cookies, ...signIn.cookies].join('; ')
  const filled = path.replace(/\{([^{}]+)\}/g, (_, part: string) => {
    return sent.path.get(part) ?? `{{${draft.nameFor(part)}|url}}`
  })
  const { body, contentType } = bodyOf(operation, parameters, frame)
  const { expected, answer, accept } = expectationOf(operation, frame)
  const headers = [
    ...(accept === undefined ? [] : [['Accept', accept] as const]),
    ...sent.headers,
    ...signIn.headers,
    ...(cookies === '' ? [] : [['Cookie', cookies] as const]),
    ...(contentType === undefined ? [] : [['Content-Type', contentType] as const]),
  ]
  const url = `${server}${filled}${query === '' ? '' : `?${query}`}`
  return { name, method, url, headers, body, ...expected, assertions: answer }
}

/** Parameters of the operation outweigh those of its path. */
function parametersOf(
  { item, fields }: ApiOperation,
  { references }: OpenApiFrame,
): readonly ForeignFields[] {
  const all = [...listOf(item.parameters), ...listOf(fields.parameters)].map(references.resolved)
  const byKey = new Map(all.map((one) => [`${textOf(one.in)} ${textOf(one.name)}`, one]))
  return [...byKey.values()]
}

interface SentParts {
  readonly path: ReadonlyMap<string, string>
  readonly query: readonly string[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly cookies: readonly string[]
}

/** OpenAPI 3.1.1, 4.8.12.1: parameters of these names are described elsewhere. */
const otherwiseDescribed = /^(?:accept|content-type|authorization)$/i

function sentParts(parameters: readonly ForeignFields[], frame: OpenApiFrame): SentParts {
  const path = new Map<string, string>()
  const query: string[] = []
  const headers: [string, string][] = []
  const cookies: string[] = []
  for (const parameter of parameters) {
    const name = textOf(parameter.name)
    const example = exampleOf(parameter, frame)
    if (example === undefined && !flagOf(parameter.required)) continue
    const wanted = `{{${frame.draft.nameFor(name)}}}`
    const values = example === undefined ? [wanted] : listed(example, frame.draft)
    const key = encodeURIComponent(name)
    switch (parameter.in) {
      case 'path':
        path.set(name, values.map(urlEncoded).join(','))
        break
      case 'query': {
        const isJoined = parameter.explode === false || parameter.collectionFormat === 'csv'
        if (isJoined) query.push(`${key}=${values.map(urlEncoded).join(',')}`)
        else query.push(...values.map((value) => `${key}=${urlEncoded(value)}`))
        break
      }
      case 'header':
        if (!otherwiseDescribed.test(name)) headers.push([name, values.join(',')])
        break
      case 'cookie':
        cookies.push(`${key}=${values.map(urlEncoded).join(',')}`)
        break
      default:
    }
  }
  return { path, query, headers, cookies }
}

/** What a parameter or a content gives as example; undefined if it gives none. */
function exampleOf(owner: ForeignFields, { references }: OpenApiFrame): unknown {
  const [named] = Object.values(fieldsOf(owner.examples))
  const schema = references.resolved(owner.schema)
  const given = [
    owner.example,
    references.resolved(named).value,
    owner['x-example'],
    schema.example,
    listOf(schema.examples)[0],
    owner.default,
    schema.default,
    listOf(owner.enum ?? schema.enum)[0],
  ]
  return given.find((one) => one !== undefined && one !== null)
}

function listed(example: unknown, draft: Draft): readonly string[] {
  const values = Array.isArray(example) ? example : [example]
  return values.map((value) => literalText(wordOf(value), draft))
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

interface SignInParts {
  readonly query: readonly string[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly cookies: readonly string[]
}

/** The first way to sign in that the operation names. */
function signInParts(
  security: unknown,
  { document, references, draft }: OpenApiFrame,
): SignInParts {
  const query: string[] = []
  const headers: [string, string][] = []
  const cookies: string[] = []
  const schemes = document.securityDefinitions ?? fieldsOf(document.components).securitySchemes
  for (const name of Object.keys(fieldsOf(listOf(security)[0]))) {
    const scheme = references.resolved(fieldsOf(schemes)[name])
    const type = textOf(scheme.type)
    const way = type === 'http' ? textOf(scheme.scheme).toLowerCase() : type
    if (way === 'basic') {
      const login = draft.nameFor('login')
      draft.note(`the variable ${login} is name and password, with a colon between them`)
      headers.push(['Authorization', `Basic {{${login}|base64}}`])
    } else if (way === 'apiKey') {
      const field = textOf(scheme.name)
      const value = `{{${draft.nameFor(field)}}}`
      if (scheme.in === 'header') headers.push([field, value])
      else if (scheme.in === 'query')
        query.push(`${encodeURIComponent(field)}=${urlEncoded(value)}`)
      else cookies.push(`${field}=${value}`)
    } else if (/^(?:bearer|oauth2|openIdConnect)$/.test(way)) {
      headers.push(['Authorization', `Bearer {{${draft.nameFor('token')}}}`])
    } else draft.note(`the sign-in ${clip(way || name, limits.quotedCharsMax)} is left out`)
  }
  return { query, headers, cookies }
}

interface DescribedBody {
  readonly body: string | null
  readonly contentType?: string
}

function bodyOf(
  operation: ApiOperation,
  parameters: readonly ForeignFields[],
  frame: OpenApiFrame,
): DescribedBody {
  const { fields, name } = operation
  const { references, draft, isSwagger } = frame
  const { content } = isSwagger
    ? swaggerContent(operation, parameters, frame)
    : references.resolved(fields.requestBody)
  const types = Object.entries(fieldsOf(content))
  const found = (pattern: RegExp) => types.find(([type]) => pattern.test(type))
  const [type, media] =
    found(jsonType) ?? found(/urlencoded/i) ?? found(/^multipart\//i) ?? types[0] ?? []
  if (type === undefined) return { body: null }
  const { schema, ...given } = fieldsOf(media)
  const said = exampleOf({ ...given, schema }, frame)
  const example = said === undefined ? frame.sampleOf(schema) : literalValue(said, draft)
  if (jsonType.test(type)) {
    if (example === undefined) return { body: null }
    return { body: JSON.stringify(example, null, 2), contentType: type }
  }
  if (/urlencoded/i.test(type)) {
    const pairs = Object.entries(fieldsOf(example)).map(([key, value]) => {
      return `${encodeURIComponent(key)}=${urlEncoded(wordOf(value))}`
    })
    return { body: pairs.join('&'), contentType: type }
  }
  if (/^multipart\/form-data/i.test(type)) {
    return formBody(
      Object.entries(fieldsOf(example)).map(([key, value]) => ({
        name: key,
        value: wordOf(value),
      })),
    )
  }
  if (typeof example === 'string' && example !== '') return { body: example, contentType: type }
  const shown = clip(type, limits.quotedCharsMax)
  draft.note(
    `the body of "${clip(name, limits.quotedCharsMax)}" is left out: ${shown} has no example`,
  )
  return { body: null }
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json\b/i

/** The body of Swagger 2.0 as that of OpenAPI 3. */
function swaggerContent(
  { fields }: ApiOperation,
  parameters: readonly ForeignFields[],
  { document }: OpenApiFrame,
): ForeignFields {
  const consumes = listOf(fields.consumes ?? document.consumes).map(textOf)
  const body = parameters.find((one) => one.in === 'body')
  if (body !== undefined) {
    return { content: { [consumes[0] ?? 'application/json']: { schema: body.schema } } }
  }
  const form = parameters.filter((one) => one.in === 'formData')
  if (form.length === 0) return {}
  const isMultipart = consumes.some((type) => /^multipart\//i.test(type))
  const type = isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const properties = Object.fromEntries(form.map((one) => [textOf(one.name), one]))
  const required = form.filter(({ required }) => flagOf(required)).map((one) => one.name)
  return { content: { [type]: { schema: { type: 'object', properties, required } } } }
}

interface DescribedAnswer {
  readonly expected: Pick<FoundRequest, 'expectedStatus' | 'acceptedStatuses'>
  readonly answer: readonly Assertion[]
  /** The header Accept. */
  readonly accept?: string
}

/** What the first answer of success is like. */
function expectationOf(operation: ApiOperation, frame: OpenApiFrame): DescribedAnswer {
  const { fields, method, name } = operation
  const { references, draft } = frame
  const answers = Object.entries(fieldsOf(fields.responses))
  const exact = answers.find(([status]) => /^2\d\d$/.test(status))
  const [status = '', said] = exact ?? answers.find(([key]) => /^(?:2XX|default)$/i.test(key)) ?? []
  const expected = exact
    ? { expectedStatus: Number(status) }
    : { expectedStatus: 200, acceptedStatuses: ['200-299'] }
  const answered = references.resolved(said)
  const produces = listOf(fields.produces ?? frame.document.produces).map(textOf)
  const types = frame.isSwagger
    ? [[produces[0] ?? 'application/json', answered] as const]
    : Object.entries(fieldsOf(answered.content))
  const [type, media] = types.find(([one]) => jsonType.test(one)) ?? []
  const { schema } = fieldsOf(media)
  if (type === undefined || schema === undefined || method === 'HEAD' || status === '204') {
    return { expected, answer: [] }
  }
  const value = JSON.stringify(answerSchema(schema, references))
  const problem = schemaProblem(value)
  if (problem === null) {
    return {
      expected,
      accept: type,
      answer: [{ source: 'json', path: null, type: 'jsonSchema', value }],
    }
  }
  draft.note(
    `the schema of the answer to "${clip(name, limits.quotedCharsMax)}" is left out: ${problem}`,
  )
  return { expected, accept: type, answer: [] }
}
