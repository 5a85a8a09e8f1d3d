// Push reports on the wire: by POST, or as a plain GET or HEAD for cron's one-liners.
import { Fault, invalidField } from '../../base/fault.ts'
import {
  anything,
  integer,
  isoTime,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  text,
} from '../../base/schema/schema.ts'
import { createCheck } from '../../base/schema/validate.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { PushReport } from '../../domain/monitors/push.ts'
import { countedAddress } from '../../domain/network.ts'
import { tokenLooksRight } from '../../seal/tokens.ts'
import { needJsonType, parseJsonBody } from '../input/json-body.ts'
import { envelope } from '../output/respond.ts'
import type { RawRequest, RawRoute, RawSpec } from '../routing/raw-route.ts'
import type { Services } from '../routing/services.ts'

export const PushIn = object({
  status: optional(oneOf(['ok', 'error'])),
  message: optional(text({ charsMax: limits.pushMessageCharsMax })),
  metadata: optional(mapOf(anything, limits.jsonKeysMax)),
  durationMs: optional(integer(0, limits.pushDurationMsMax)),
})

const { metadata: _inBodyOnly, ...queryFields } = PushIn.properties
const PushOut = object({ nextDueAt: nullable(isoTime) })

interface Said extends Partial<PushReport> {
  readonly metadata?: object
}

const check = createCheck(PushIn, limits.jsonKeysMax)
const exitCode = /^(25[0-5]|2[0-4]\d|1\d\d|\d{1,2})$/

/** What the path's last word says: `ok`, `error`, or the exit code of the job. */
function statusOfWord(word: string): PushReport['status'] {
  if (word === 'ok' || word === '0') return 'ok'
  if (word === 'error' || exitCode.test(word)) return 'error'
  throw new Fault('not_found')
}

function bodyOf(request: RawRequest): Said {
  if (request.body.length === 0) return {}
  needJsonType('POST', request.header('content-type'))
  const value = parseJsonBody(request.body, { keysMax: limits.jsonKeysMax })
  return checked(value)
}

function queryOf(request: RawRequest): Said {
  if (request.query('runId') !== undefined) {
    const detail = 'The parameter runId is not supported'
    throw new Fault('invalid_parameter', detail)
  }
  const durationText = request.query('durationMs')
  const said: Record<string, unknown> = {}
  for (const name of ['status', 'message']) {
    const value = request.query(name)
    if (value !== undefined) said[name] = value
  }
  if (durationText !== undefined) {
    if (!/^\d+$/.test(durationText)) {
      throw invalidField('/durationMs', 'type', 'must be a whole number of milliseconds')
    }
    said.durationMs = Number(durationText)
  }
  return checked(said)
}

function checked(value: unknown): Said {
  const errors = check(value)
  const [first] = errors
  if (!first) return value as Said
  const name = first.pointer.slice(1).replaceAll('/', '.') || 'body'
  throw new Fault('validation_failed', `${name} ${first.message}`, { errors })
}

async function handle(request: RawRequest, { push }: Services) {
  const { token = '', word } = request.params
  // A report says one thing: the body, else the query; a word in the path speaks for the status.
  const { metadata, ...said } = { ...queryOf(request), ...bodyOf(request) }
  const status = word === undefined ? (said.status ?? 'ok') : statusOfWord(word)
  const metadataJson = metadata === undefined ? undefined : JSON.stringify(metadata)
  const { nextDueAtMs } = await push.report(token, { ...said, status }, metadataJson)
  const nextDueAt = nextDueAtMs === null ? null : new Date(nextDueAtMs).toISOString()
  return envelope({ nextDueAt }, 'Report accepted')
}

/** What could be no token is counted by its sender: the memory of the limits is for real ones. */
function counted(request: RawRequest): string {
  const { token = '' } = request.params
  return tokenLooksRight(token, 'spp') ? token : countedAddress(request.caller.address)
}

function described(summary: string): RawSpec {
  return {
    tag: 'push',
    summary,
    query: object(queryFields),
    body: PushIn,
    out: PushOut,
    message: 'Report accepted',
    patterns: { word: '^(ok|error|25[0-5]|2[0-4][0-9]|1[0-9]{2}|[0-9]{1,2})$' },
    problems: [400, 404, 410, 413, 415, 422],
  }
}

const report = described('Report ok, or what status says')
const word = described('Report ok, error, or the exit code of a job')

const shared = {
  rate: 'push',
  rateKey: counted,
  headers: ['content-type'],
  handle,
} as const

export const pushRoutes: readonly RawRoute[] = [
  {
    ...shared,
    name: 'push.report',
    spec: report,
    method: 'POST',
    path: '/api/v1/push/:token',
    bodyBytesMax: limits.pushBodyBytesMax,
  },
  {
    ...shared,
    name: 'push.reportByGet',
    spec: report,
    method: 'GET',
    path: '/api/v1/push/:token',
    bodyBytesMax: 0,
  },
  {
    ...shared,
    name: 'push.word',
    spec: word,
    method: 'POST',
    path: '/api/v1/push/:token/:word',
    bodyBytesMax: limits.pushBodyBytesMax,
  },
  {
    ...shared,
    name: 'push.wordByGet',
    spec: word,
    method: 'GET',
    path: '/api/v1/push/:token/:word',
    bodyBytesMax: 0,
  },
]
