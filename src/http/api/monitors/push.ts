// The API of push reports: by POST, or as a plain GET or HEAD for cron's one-liners.
import { Fault, invalidParameter } from '../../../base/fault.ts'
import { asId } from '../../../base/ids.ts'
import * as s from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { cutLog, type SentReport } from '../../../domain/monitors/run.ts'
import type { Services } from '../../../services/assembly/services.ts'
import { needJsonType, parseJsonBody } from '../../input/json-body.ts'
import { parseQuery, type QueryPairs } from '../../input/query.ts'
import { get, post, resource, type SentRequest } from '../../routing/route.ts'

const pushMessageCharsMax = 1_024
const runIdCharsMax = 100

const PushIn = s.object({
  status: s.optional(
    s.oneOf(['ok', 'error', 'start', 'log']),
    '`ok` (default) or `error`: what the job reports. `start`: a run begins; its end follows. ' +
      '`log`: changes nothing.',
  ),
  message: s.optional(s.text({ charsMax: pushMessageCharsMax }), 'One sentence for people.'),
  metadata: s.optional(
    s.mapOf(s.anything, limits.jsonKeysMax),
    'Anything; kept of the newest report, for members.',
  ),
  durationMs: s.optional(
    s.integer(0, limits.pushDurationMsMax),
    'How long the job took. Default: the time since its start was reported.',
  ),
  runId: s.optional(
    s.text({ charsMin: 1, charsMax: runIdCharsMax }),
    'Names a run, so that overlapping starts and ends find each other.',
  ),
})

const { metadata: _inBodyOnly, ...queryFields } = PushIn.properties
const QueryIn = s.object({
  ...queryFields,
  rid: s.optional(PushIn.properties.runId, 'The same as runId.'),
  apiKey: s.optional(
    s.anyText,
    'For senders without a push token: an API key with role member, and the id of the monitor ' +
      'in the place of the token.',
  ),
})
const PushOut = s.object({
  nextDueAt: s.nullable(s.isoTime, 'When the next report, or the end of the run, becomes overdue.'),
})

/** The content of a report, from any source. */
interface PushMessage extends Omit<Partial<SentReport>, 'metadataJson' | 'exitCode'> {
  readonly metadata?: object
}

const check = createCheck(PushIn, limits.jsonKeysMax)
const exitCodePattern = /^(25[0-5]|2[0-4]\d|1\d\d|\d{1,2})$/
const words: Readonly<Record<string, SentReport['status']>> = {
  ok: 'ok',
  error: 'error',
  fail: 'error',
  start: 'start',
  log: 'log',
}

/** What the path's last word says: a status, or the exit code of the job. */
function meaningOf(word: string): Pick<SentReport, 'status' | 'exitCode'> {
  const status = Object.hasOwn(words, word) ? words[word] : undefined
  if (status) return { status }
  if (!exitCodePattern.test(word)) {
    const allowed = `${Object.keys(words).join(', ')} or an exit code from 0 to 255`
    throw new Fault('not_found', `The last word of a push address must be ${allowed}.`)
  }
  const exitCode = Number(word)
  return { status: exitCode === 0 ? 'ok' : 'error', exitCode }
}

/** JSON of a push report; the output of a job may be longer, and is cut. */
const pushBodyBytesMax = 16 * 1024
const pushOutputBytesMax = 128 * 1024

/** Fields as JSON, or the output of a job as text. */
function bodyOf({ body, ...sent }: { body: Buffer; contentType: string }): PushMessage {
  const { contentType } = sent
  if (isOutput(contentType)) return formFields(body, contentType) ?? { log: cutLog(body) }
  needJsonType('POST', contentType)
  if (body.length > pushBodyBytesMax) {
    const detail = `The body is larger than ${pushBodyBytesMax} bytes`
    throw new Fault('body_too_large', detail)
  }
  return checked(parseJsonBody(body, { keysMax: limits.jsonKeysMax }))
}

/** curl says of all data that it is a form, and some clients say nothing. */
function isOutput(contentType: string): boolean {
  const types = /^(text\/[\w.+-]+|application\/(x-www-form-urlencoded|octet-stream))? *(;|$)/i
  return types.test(contentType)
}

const formNames = new Set(['status', 'message', 'durationMs', 'runId'])

/** Only the fields of a report, each with a value, are a form; anything else is output. */
function formFields(body: Buffer, contentType: string): PushMessage | undefined {
  if (!/^application\/x-www-form-urlencoded/i.test(contentType)) return undefined
  const text = body.toString()
  const names = text.split('&').map((part) => part.split('=', 1)[0] ?? '')
  if (!text.includes('=') || !names.every((name) => formNames.has(name))) return undefined
  return fieldsOf(parseQuery(text))
}

/** Other names for the same, in the addresses of Healthchecks and Uptime Kuma. */
const otherNames: Readonly<Record<string, string>> = {
  rid: 'runId',
  msg: 'message',
  ping: 'durationMs',
}
const otherStatuses: Readonly<Record<string, string>> = { up: 'ok', down: 'error' }

/** Other parameters are ignored, because cron services add their own. */
function fieldsOf(pairs: QueryPairs): PushMessage {
  const sent = new Map<string, string>()
  for (const [given, value] of pairs) {
    const name = otherNames[given] ?? given
    // Monitors of Uptime Kuma send `ping=` without a value.
    if (sent.has(name) || (value === '' && name !== 'message')) continue
    sent.set(name, value)
  }
  const message: Record<string, unknown> = {}
  for (const name of ['status', 'message', 'runId']) {
    if (sent.has(name)) message[name] = sent.get(name)
  }
  const status = sent.get('status') ?? ''
  if (Object.hasOwn(otherStatuses, status)) message.status = otherStatuses[status]
  const durationText = sent.get('durationMs')
  if (durationText !== undefined) {
    if (!/^\d+$/.test(durationText)) {
      throw invalidParameter('durationMs', 'type', 'must be a whole number of milliseconds')
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
  const pairs = sent.queryText === '' ? [] : parseQuery(sent.queryText)
  const asked = pairs.length === 0 ? undefined : fieldsOf(pairs)
  const contentType = sent.body.length === 0 ? '' : sent.header('content-type')
  const body = sent.body.length === 0 ? undefined : bodyOf({ body: sent.body, contentType })
  // A field of the body takes precedence over the query, and a word in the path over both.
  const { metadata, status = 'ok', ...message } = { ...asked, ...body }
  const { nextDueAtMs } = await push.report(senderOf(token, pairs, sent), {
    ...message,
    ...(word === undefined ? { status } : meaningOf(word)),
    ...(metadata === undefined ? {} : { metadataJson: JSON.stringify(metadata) }),
  })
  return { nextDueAt: s.toIsoOrNull(nextDueAtMs) }
}

/** The token, or a monitor with an API key. */
function senderOf(token: string, pairs: QueryPairs, sent: SentRequest) {
  const monitorId = asId('monitor', token)
  if (monitorId === undefined) return token
  const [, apiKey = ''] = pairs.find(([name]) => name === 'apiKey') ?? []
  return { monitorId, apiKey, address: sent.address }
}

const outputKiB = pushOutputBytesMax / 1_024
const spec = {
  who: { pathToken: 'spp' },
  rate: 'push',
  unparsed: { headers: ['content-type'] },
  takesText: 'copied 4,211 files\n',
  bodyBytesMax: pushOutputBytesMax,
  query: QueryIn,
  body: PushIn,
  out: PushOut,
  message: 'Report accepted',
  description:
    'A body that is text, or what `curl --data` sends, is the output of the job: at most ' +
    `${outputKiB} KiB, of which the last ${limits.runLogBytesMax / 1_024} KiB are kept. ` +
    'In place of the token, the id of the monitor may stand, with `apiKey` of role member in the query.',
  patterns: {
    word: '^(ok|error|fail|start|log|25[0-5]|2[0-4][0-9]|1[0-9]{2}|[0-9]{1,2})$',
  },
  problems: [400, 404, 410, 413, 415, 422],
} as const

const message = 'Backup finished'
const durationMs = 84_000
const ofReport = {
  ...spec,
  example: { status: 'ok', message, durationMs, metadata: { files: 1_204, host: 'db-1' } },
  summary: 'Report ok, or what status says',
} as const
const ofWord = {
  ...spec,
  example: { message, durationMs },
  summary: 'Report start, ok, error (or fail), a log, or the exit code of a job',
} as const

export const push = resource('/push', {
  about:
    'Reports of jobs to a push monitor. The token in the path is the only credential, except that ' +
    'old senders may name the monitor and an API key.',
  report: post('/:token', ofReport).handledBy(handle),
  reportByGet: get('/:token', ofReport).handledBy(handle),
  word: post('/:token/:word', ofWord).handledBy(handle),
  wordByGet: get('/:token/:word', ofWord).handledBy(handle),
})
