// Generates the OpenAPI 3.1 document from the schemas that validate requests and pick responses.

import Type, { type TObject, type TSchema } from 'typebox'
import { assert } from '../../base/assert.ts'
import { idPattern, kindTitles } from '../../base/ids.ts'
import { isRevised, usualKey } from '../../base/schema/schema.ts'
import { countText, sizeText } from '../../base/sizes.ts'
import { limits } from '../../domain/limits/limits.ts'
import { pageQuery } from '../input/paging.ts'
import { documentedKey } from '../routing/documented.ts'
import { type AccessRule, paramKind, type Route } from '../routing/route.ts'
import { withComponents } from './components.ts'
import {
  comparesRevisions,
  errorsOf,
  headTooLong,
  type OpenApiNode,
  otherProblems,
  problemSchema,
  responsesOf,
} from './openapi-problems.ts'
import { describedTags } from './tags.ts'

/** Increased manually when the API changes in a way that callers must know. */
const apiVersion = '1.0.0'

export interface OpenApiFacts {
  readonly baseUrl: string
  /** The version of the program. */
  readonly version: string
}

/** The description of the routes. */
export function openApiDocument(
  routes: readonly Route[],
  { baseUrl, version }: OpenApiFacts,
): OpenApiNode {
  const paths: Record<string, OpenApiNode> = {}
  for (const route of routes) {
    const template = route.path.replace(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operationOf(route) }
  }
  const { node, schemas } = withComponents(paths)
  return {
    openapi: '3.1.0',
    info: {
      title: 'stillup',
      version: apiVersion,
      'x-program-version': version,
      contact: { name: 'The operator of this service', url: baseUrl },
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Uptime monitoring. Success is always 200 with `success`, `data` and often `message`; ' +
        'everything else is a problem document (RFC 9457). Fields omitted from a body take the ' +
        'default stated here. A PATCH is a merge patch: omitted fields stay as they are.',
    },
    servers: [{ url: baseUrl }],
    tags: describedTags(routes),
    paths: node,
    components: {
      schemas: { Problem: problemSchema, ...schemas },
      responses: responsesOf(paths),
      securitySchemes,
      headers,
    },
  }
}

function operationOf(route: Route): OpenApiNode {
  const { spec, name, tag, method } = route
  const readsBody = spec.body !== undefined && method !== 'GET'
  const words = [spec.description ?? '', accessNote(spec.who)].filter((one) => one !== '').join(' ')
  return {
    operationId: name,
    tags: [tag],
    summary: spec.summary ?? spec.message ?? name,
    description: words,
    security: securityOf(spec.who),
    parameters: [
      ...pathParameters(route.path, spec.patterns),
      ...queryParameters(route.isList ? pageQuery(spec.query) : spec.query),
      ...headerParameters(route),
    ],
    ...(readsBody ? { requestBody: requestBodyOf(route) } : {}),
    responses: answersOf(route),
  }
}

/** Who may call it, in a sentence or two. */
function accessNote(who: AccessRule): string {
  if ('public' in who) return 'No credential is needed.'
  if ('visitor' in who) return 'No credential is needed; a valid session is taken into account.'
  if ('pathToken' in who) return 'The token in the path is the only credential.'
  if ('optional' in who) return 'A credential is optional; a wrong one is refused.'
  if ('credential' in who) return 'Requires a session or an API key.'
  const recent = 'sudo' in who && who.sudo ? ' The sign-in must be at most 15 minutes old.' : ''
  if ('user' in who) {
    const place = who.tokenHeader ? ', with its value in the header `auth-token`' : ''
    return `Requires a session${place}.${recent}`
  }
  if ('role' in who) {
    const only = who.sessionOnly ? ' Sessions only, no API keys.' : ''
    return `Requires the role ${who.role} or a higher one.${only}${recent}`
  }
  return `Requires the system administrator or the system token.${recent}`
}

function securityOf(who: AccessRule): OpenApiNode[] {
  const session = { session: [] }
  const key = [{ apiKey: [] }, { bearer: [] }]
  if ('public' in who || 'pathToken' in who) return []
  if ('optional' in who) return [{}, session, ...key]
  if ('visitor' in who) return [{}, session]
  if ('user' in who) return [who.tokenHeader ? { sessionHeader: [] } : session]
  if ('system' in who) return [session, { bearer: [] }]
  const isByPersonOnly = 'role' in who && (who.sessionOnly || who.sudo)
  return isByPersonOnly ? [session] : [session, ...key]
}

function pathParameters(
  path: string,
  patterns: Readonly<Record<string, string>> = {},
): OpenApiNode[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const kind = paramKind(name)
    const pattern = kind ? idPattern(kind) : patterns[name]
    const schema = { type: 'string', ...(pattern === undefined ? {} : { pattern }) }
    return { name, in: 'path', description: pathWords(name, path), required: true, schema }
  })
}

/** What a path parameter is. Most are ids, whose name says of what. */
function pathWords(name: string, path: string): string {
  if (name === 'token') {
    return path.startsWith('/api/v1/push/')
      ? 'The token of the push monitor: the end of its `pushUrl`.'
      : path.startsWith('/api/v1/shadow/')
        ? 'The end of the `reportUrl` of a shadow run.'
        : 'The token of the invitation.'
  }
  const words = otherPathWords[name]
  if (words !== undefined) return words
  const kind = paramKind(name)
  assert(kind !== undefined, `${name} is described`)
  return `The id of the ${kindTitles[kind]}.`
}

const otherPathWords: Readonly<Record<string, string>> = {
  statusPageId: 'The id of the status page.',
  customDomainId: 'The id of the custom domain.',
  backupName: 'The name of the backup, as the list has it: the UTC time at which it was taken.',
  hash: 'The `hash` of the ping key, as the list has it.',
  name: 'The name of the task, as the list has it.',
  number: 'The number of the run, as the list has it.',
  pictureKind: '`logo`, `cover` (above everything) or `favicon` (in the tab of the browser).',
  provider: 'The `name` of the provider in the settings.',
  word: '`start`, `ok`, `error` or `fail`, `log`, or an exit code from 0 to 255, of which 0 is a success.',
}

function queryParameters(query: TObject | undefined): OpenApiNode[] {
  if (!query) return []
  const required = new Set(query.required as readonly string[] | undefined)
  return Object.entries<TSchema>(query.properties).map(([name, whole]) => {
    // The reference expects descriptions beside the schema, not in it.
    const { description, ...schema } = whole as TSchema & { readonly description?: string }
    return {
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      required: required.has(name) && !('default' in schema),
      schema,
      ...((schema as { type?: string }).type === 'array' ? { explode: false } : {}),
    }
  })
}

function headerParameters(route: Route): OpenApiNode[] {
  const { spec, method, creates } = route
  const header = (name: string, description: string, schema: OpenApiNode = {}) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string', ...schema },
  })
  if (creates) {
    const words =
      'Repeating a request with the same key and body within a day returns the first response, ' +
      'also after a crash of the service. Use ASCII only: the HTTP parser drops bytes above 127 at ' +
      'the ends of the value, so that `é7` and `7` are one key; in between they are refused.'
    return [header('Idempotency-Key', words, { pattern: idempotencyKeyPattern })]
  }
  if (comparesRevisions({ spec, method })) {
    const words = 'The ETag that was read; the request is refused if the version changed since.'
    return [header('If-Match', words)]
  }
  if (method === 'GET' && hasRevision(route)) {
    const words = 'The ETag of the copy that the caller has; 304 if that is still current.'
    return [header('If-None-Match', words)]
  }
  return []
}

/** Printable characters, bare or as a structured string; an empty one counts as none. */
const idempotencyKeyPattern = ((charsMax: number) =>
  `^([ !#-~]{0,${charsMax}}|"[ !#-~]{1,${charsMax}}")$`)(limits.idempotencyKeyCharsMax)

function requestBodyOf({ spec, method }: Route): OpenApiNode {
  const schema = requestSchema(spec.body ?? {}) as OpenApiNode
  const { example } = spec
  if (spec.takesBytes) {
    const description = `Bytes. At most ${sizeText(spec.bodyBytesMax ?? limits.bodyBytesMax)}.`
    return { description, required: true, content: { 'application/octet-stream': {} } }
  }
  const content = { schema, ...(example === undefined ? {} : { example }) }
  if (spec.unparsed) {
    const { takesText } = spec
    const text = { schema: { type: 'string' }, example: takesText }
    const texts = takesText === undefined ? {} : { 'text/plain': text }
    return { required: false, content: { 'application/json': content, ...texts } }
  }
  return {
    description: `At most ${sizeText(spec.bodyBytesMax ?? limits.bodyBytesMax)}.`,
    // No body counts as an empty object.
    required: ['required', 'anyOf', 'oneOf'].some((rule) => rule in schema),
    content: {
      'application/json': content,
      ...(method === 'PATCH' ? { 'application/merge-patch+json': content } : {}),
      ...(spec.takesForm ? { 'application/x-www-form-urlencoded': content } : {}),
    },
  }
}

/**
 * The schema of a body for callers, with its documentation. For a handler a field with a default is
 * always present; a caller may omit it, even if the schema does not fill in the default.
 */
function requestSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => requestSchema(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: OpenApiNode = {}
  for (const [name, value] of Object.entries(schema)) {
    if (name === usualKey) copy.default = value
    else if (name === documentedKey) Object.assign(copy, value)
    else copy[name] = requestSchema(value)
  }
  const { required, properties } = copy as {
    required?: unknown
    properties?: Record<string, OpenApiNode>
  }
  if (!Array.isArray(required) || !properties) return copy
  const left = required.filter((name) => !('default' in (properties[name] ?? {})))
  if (left.length > 0) return { ...copy, required: left }
  const { required: _none, ...rest } = copy
  return rest
}

function answersOf(route: Route): OpenApiNode {
  const answers = { ...successesOf(route), ...errorsOf(route), ...headTooLong }
  const hasSuccess = Object.keys(answers).some((status) => status.startsWith('2'))
  // A route that only redirects has no success of its own; `default` says what else may come.
  return hasSuccess ? answers : { ...answers, default: otherProblems }
}

/** A list has no revision, though its items have. */
function hasRevision({ spec, isList }: Route): boolean {
  return !isList && spec.out !== undefined && isRevised(spec.out)
}

/** The envelope, and further documented responses of a route. */
function successesOf(route: Route): OpenApiNode {
  const { spec, method } = route
  if (spec.streams) {
    const content = { 'text/event-stream': { schema: { type: 'string' } } }
    return { 200: { description: spec.summary ?? 'Events', content } }
  }
  if (spec.pours) {
    const content = Object.fromEntries(spec.pours.map((type) => [type, {}]))
    return { 200: { description: spec.summary ?? 'A file', content } }
  }
  // A route that only redirects or shows a page has no envelope, hence no message either.
  const hasEnvelope = !spec.plain || spec.out !== undefined || spec.message !== undefined
  const usual = {
    ...(hasEnvelope ? { 200: successOf(route) } : {}),
    ...(method === 'GET' && hasRevision(route) ? { 304: notModified } : {}),
  }
  if (!spec.plain) return usual
  const { status, contentType, orContentType } = spec.plain
  const types = [contentType, orContentType].filter((type) => typeof type === 'string')
  const bodies = Object.fromEntries(types.map((type) => [type, {}]))
  // The same success in two forms: as a document, and as a file.
  if (status === 200 && spec.out) return { ...usual, 200: successOf(route, bodies) }
  const content = types.length === 0 ? {} : { content: bodies }
  // Its description is the answer's, not that of the operation.
  const description = status === 303 ? redirectWords(route) : (spec.summary ?? 'Done')
  return { ...usual, [status]: { description, ...content } }
}

function redirectWords({ spec }: Route): string {
  return spec.takesForm && spec.message !== undefined
    ? 'The answer to an HTML form: a redirect to the page that comes next.'
    : 'A redirect to the page that comes next.'
}

const notModified = {
  description: 'The copy of the caller, named by `If-None-Match`, is current. There is no body.',
  headers: { ETag: { $ref: '#/components/headers/ETag' } },
}

/** `more`: the other forms of its content. */
function successOf(route: Route, more: OpenApiNode = {}): OpenApiNode {
  const { spec, isList, creates } = route
  const item = answerSchema(spec.out ?? Type.Object({}))
  const data = isList ? { type: 'array', items: item } : item
  const schema = {
    type: 'object',
    required: [
      'success',
      'data',
      ...(isList ? ['meta'] : []),
      ...(spec.message ? ['message'] : []),
    ],
    properties: {
      success: { const: true },
      data,
      ...(isList ? { meta: metaSchema } : {}),
      message: { type: 'string', ...(spec.message ? { examples: [spec.message] } : {}) },
    },
  }
  return {
    description: spec.message ?? 'Success',
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
      RateLimit: { $ref: '#/components/headers/RateLimit' },
      ...(hasRevision(route) ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
      ...(creates
        ? { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } }
        : {}),
      ...(isList ? { Link: { $ref: '#/components/headers/Link' } } : {}),
    },
    content: { 'application/json': { schema }, ...more },
  }
}

/** A response has every field, so keywords that apply only to requests are omitted. */
function answerSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => answerSchema(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([name]) => name !== usualKey && name !== documentedKey,
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, answerSchema(value)]))
}

const metaSchema = {
  type: 'object',
  required: ['limit', 'nextCursor'],
  properties: {
    limit: { type: 'integer' },
    nextCursor: {
      type: ['string', 'null'],
      description:
        'The value of `cursor` for the next page; null on the last one. A page may have ' +
        'fewer entries than its limit, or none, and still have a next page: a request reads at ' +
        `about ${countText(limits.listScanMax)} records, however few match its filters.`,
    },
  },
}

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'auth-token' },
  sessionHeader: { type: 'apiKey', in: 'header', name: 'auth-token' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  bearer: { type: 'http', scheme: 'bearer' },
}

const headers = {
  RequestId: {
    description: 'Identifies the request in the log of the service.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: { description: 'The quota and its window.', schema: { type: 'string' } },
  RateLimit: { description: 'What remains of the quota.', schema: { type: 'string' } },
  ETag: {
    description:
      'The version of the object: for `If-Match` with a change, `If-None-Match` with a GET.',
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    description: '`true`: this is the stored answer of the first request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: {
    description: 'The next page, `<…>; rel="next"`; absent on the last page.',
    schema: { type: 'string' },
  },
}
