// The API of push reports: by POST, or as a plain GET or HEAD for cron's one-liners.
import { Fault, notFound } from '../../../base/fault.ts'
import * as s from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { PushReport } from '../../../domain/schedule/push-deadline.ts'
import { needJsonType, parseJsonBody } from '../../input/json-body.ts'
import { parseQuery } from '../../input/query.ts'
import { get, post, resource, type SentRequest } from '../../routing/route.ts'
import type { Services } from '../../routing/services.ts'

export const PushIn = s.object({
  status: s.optional(s.oneOf(['ok', 'error'])),
  message: s.optional(s.text({ charsMax: limits.pushMessageCharsMax })),
  metadata: s.optional(s.mapOf(s.anything, limits.jsonKeysMax)),
  durationMs: s.optional(s.integer(0, limits.pushDurationMsMax)),
})

const { metadata: _inBodyOnly, ...queryFields } = PushIn.properties
const PushOut = s.object({ nextDueAt: s.nullable(s.isoTime) })

/** The content of a report, from any source. */
interface PushMessage extends Partial<PushReport> {
  readonly metadata?: object
}

const check = createCheck(PushIn, limits.jsonKeysMax)
const exitCode = /^(25[0-5]|2[0-4]\d|1\d\d|\d{1,2})$/

/** The meaning of the path's last word: `ok`, `error`, or the exit code of the job. */
function statusOfWord(word: string): PushReport['status'] {
  if (word === 'ok' || word === '0') return 'ok'
  if (word === 'error' || exitCode.test(word)) return 'error'
  throw notFound('push address')
}

function bodyOf(sent: SentRequest): PushMessage {
  needJsonType('POST', sent.header('content-type'))
  return checked(parseJsonBody(sent.body, { keysMax: limits.jsonKeysMax }))
}

/** Other parameters are ignored, because cron services add their own. */
function queryOf(queryText: string): PushMessage {
  const sent = new Map<string, string>()
  for (const [name, value] of parseQuery(queryText)) if (!sent.has(name)) sent.set(name, value)
  if (sent.has('runId')) {
    const detail = 'The parameter runId is not supported'
    throw new Fault('invalid_parameter', detail)
  }
  const message: Record<string, unknown> = {}
  for (const name of ['status', 'message']) if (sent.has(name)) message[name] = sent.get(name)
  const durationText = sent.get('durationMs')
  if (durationText !== undefined) {
    if (!/^\d+$/.test(durationText)) {
      throw new Fault('invalid_parameter', 'durationMs must be a whole number of milliseconds')
    }
    message.durationMs = Number(durationText)
  }
  return checked(message, 'invalid_parameter')
}

/** The value as a message, validated by its schema. Throws the code. */
function checked(
  value: unknown,
  code: 'validation_failed' | 'invalid_parameter' = 'validation_failed',
): PushMessage {
  const errors = check(value)
  const [first] = errors
  if (!first) return value as PushMessage
  const name = first.pointer.slice(1).replaceAll('/', '.') || 'body'
  throw new Fault(code, `${name} ${first.message}`, { errors })
}

interface PushCall {
  readonly params: { readonly token: string; readonly word?: string }
  readonly sent: SentRequest
}

async function handle({ params, sent }: PushCall, { push }: Services) {
  const { token, word } = params
  const asked = sent.queryText === '' ? undefined : queryOf(sent.queryText)
  const body = sent.body.length === 0 ? undefined : bodyOf(sent)
  // A field of the body takes precedence over the query, and a word in the path over both.
  const { metadata, ...message } = { ...asked, ...body }
  const status = word === undefined ? (message.status ?? 'ok') : statusOfWord(word)
  const metadataJson = metadata === undefined ? undefined : JSON.stringify(metadata)
  const report = { ...message, status, ...(metadataJson === undefined ? {} : { metadataJson }) }
  const { nextDueAtMs } = await push.report(token, report)
  return { nextDueAt: s.toIsoOrNull(nextDueAtMs) }
}

const spec = {
  who: { pathToken: 'spp' },
  rate: 'push',
  unparsed: { headers: ['content-type'] },
  bodyBytesMax: limits.pushBodyBytesMax,
  query: s.object(queryFields),
  body: PushIn,
  out: PushOut,
  message: 'Report accepted',
  patterns: { word: '^(ok|error|25[0-5]|2[0-4][0-9]|1[0-9]{2}|[0-9]{1,2})$' },
  problems: [400, 404, 410, 413, 415, 422],
} as const

const ofReport = { ...spec, summary: 'Report ok, or what status says' } as const
const ofWord = { ...spec, summary: 'Report ok, error, or the exit code of a job' } as const

export const push = resource('/push', {
  report: post('/:token', ofReport).handledBy(handle),
  reportByGet: get('/:token', ofReport).handledBy(handle),
  word: post('/:token/:word', ofWord).handledBy(handle),
  wordByGet: get('/:token/:word', ofWord).handledBy(handle),
})
