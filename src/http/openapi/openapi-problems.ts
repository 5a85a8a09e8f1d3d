// The error responses in the OpenAPI document: the statuses of each route, with their descriptions.
import { required } from '../../base/assert.ts'
import { Fault, type FaultCode, faults } from '../../base/fault.ts'
import { problemGuide } from '../output/problem-guide.ts'
import { problemDocument } from '../output/problems.ts'
import type { Route, RouteSpec } from '../routing/route.ts'

export type OpenApiNode = Record<string, unknown>

/** The problems of an API route, by status. */
export function errorsOf({ spec, method, path }: Route): OpenApiNode {
  if (spec.unparsed) return problemsOf([429, 500, 503, ...(spec.problems ?? [])])
  const codes = [400, 429, 500, 503]
  // Routes for signing in are public, and may still refuse what was typed.
  const isOpen = 'public' in spec.who || 'visitor' in spec.who
  if (!isOpen || spec.rate === 'auth') codes.push(401, 403)
  if (path.includes(':')) codes.push(404)
  if (method !== 'GET') codes.push(409, 413, 415, 422)
  if (comparesRevisions({ spec, method })) codes.push(412)
  codes.push(...(spec.problems ?? []))
  return isForPeople(spec) ? pageProblemsOf(codes) : problemsOf(codes)
}

/** Whether the operation takes If-Match, and refuses with 412. */
export function comparesRevisions({ spec, method }: Pick<Route, 'spec' | 'method'>): boolean {
  return method !== 'GET' && method !== 'POST' && !spec.isOfMany
}

/** Whether the caller may be a person, who gets problems as a page. */
function isForPeople({ plain, takesForm }: RouteSpec): boolean {
  return takesForm === true || plain?.contentType?.startsWith('text/html') === true
}

/** Refused before anything else about the request is known, so without a problem document. */
export const headTooLong = {
  431: {
    description: 'Address and headers are too long: more than 8 KiB, unless configured otherwise.',
  },
}

/** Any problem, for routes that only browsers visit. */
export const otherProblems = {
  description: 'Any other problem, as a page for a browser.',
  content: { 'text/html': {} },
}

/** References to the problems of the statuses. */
function problemsOf(statuses: readonly number[]): OpenApiNode {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  )
}

function pageProblemsOf(statuses: readonly number[]): OpenApiNode {
  const problems = statuses.map((status) => {
    const { description, content } = required(responses[`Problem${status}`], `${status} is known`)
    return [status, { description, content: { ...content, 'text/html': {} } }]
  })
  return Object.fromEntries(problems)
}

export const problemSchema = {
  type: 'object',
  required: ['success', 'message', 'type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    success: { const: false },
    message: { type: 'string' },
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri-reference' },
    code: { type: 'string', enum: Object.keys(faults) },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'keyword', 'message'],
        properties: {
          pointer: { type: 'string', description: 'An RFC 6901 pointer into the request body.' },
          keyword: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
  },
  examples: [problemExample('validation_failed')],
}

/** The responses that the paths refer to, for `components`. */
export function responsesOf(paths: OpenApiNode): OpenApiNode {
  const text = JSON.stringify(paths)
  const isUsed = ([name]: readonly [string, unknown]) =>
    text.includes(`"#/components/responses/${name}"`)
  return Object.fromEntries(Object.entries(responses).filter(isUsed))
}

const responses = Object.fromEntries(
  [...new Set(Object.values(faults).map(({ status }) => status))].map((status) => {
    const codes = codesOf(status)
    const schema = { $ref: '#/components/schemas/Problem' }
    const examples = Object.fromEntries(
      codes.map((code) => [code, { summary: faults[code].title, value: problemExample(code) }]),
    )
    const content = { 'application/problem+json': { schema, examples } }
    const description = codes
      .map((code) => `\`${code}\`: ${problemGuide[code].meaning}`)
      .join('\n\n')
    return [`Problem${status}`, { description, content }]
  }),
)

// Object.keys loses the type of the codes.
function codesOf(status: number): readonly FaultCode[] {
  return (Object.keys(faults) as FaultCode[]).filter((code) => faults[code].status === status)
}

/** The problem document of a code, as an example. */
export function problemExample(code: FaultCode): object {
  const { detail, instance, errors = [] } = problemGuide[code]
  const requestId = 'req_01kas5w7y9a1c3e5g7j9m1p3r5'
  return problemDocument(new Fault(code, detail, { errors }), { path: instance, requestId })
}
