// Answers in JSON: read whatever they are, quoted in one sentence without URLs.
import t from 'tap'
import {
  basicAuth,
  below,
  codedOutcome,
  failure,
  jsonFields,
  jsonPost,
  quotedOutcome,
  unexpected,
} from '../../../src/channels/model/json-api.ts'
import { classOf } from '../../../src/domain/alerts/attempt.ts'

const answer = { kind: 'answered' as const, status: 400, headers: {}, body: 'no', timings: {} }

t.test('a body that is no JSON object has no fields', async (t) => {
  t.same(jsonFields('{"code": 1}'), { code: 1 })
  for (const text of ['', '<html>', 'null', '7', '"text"']) t.same(jsonFields(text), {}, text)
})

t.test('a failure quotes the code and the words of the platform', async (t) => {
  t.same(failure(answer, { platform: 'X', code: 7, words: 'no such chat.', mayRetry: false }), {
    ok: false,
    class: 'refused',
    mayRetry: false,
    status: 400,
    response: 'no',
    reason: 'X refused the message (7: no such chat).',
  })
  t.match(failure(answer, { platform: 'X', mayRetry: true }), {
    mayRetry: true,
    reason: 'X refused the message (400).',
  })
  t.match(failure(answer, { platform: 'X', mayRetry: true, isGone: true }), {
    mayRetry: false,
    disablesChannel: true,
    reason: 'The receiver at X is gone (400).',
  })
  t.match(failure(answer, { platform: 'X', mayRetry: true, waitSeconds: 1e9 }), {
    class: 'rate_limited',
    mayRetry: true,
    retryAfterMs: 24 * 3_600_000,
  })
})

t.test('the words are short, on one line, and without URLs', async (t) => {
  const words = `bad\nkey, see https://x.test/?key=secret ${'漢😀'.repeat(200)}`
  const outcome = failure(answer, { platform: 'X', words, mayRetry: true })
  if (outcome.ok) throw new Error('it is a failure')
  t.match(outcome.reason, /^X refused the message \(400: bad key, see … 漢/)
  t.ok(outcome.reason.length < 200 && outcome.reason.isWellFormed())
})

t.test(
  'a failure is judged by the words of the platform, unless it passes by itself',
  async (t) => {
    const outcomeOf = (status: number, given = {}, headers = {}) =>
      quotedOutcome({ ...answer, status, headers }, 0, {
        platform: 'X',
        words: 'no',
        mayRetry: false,
        ...given,
      })
    t.match(outcomeOf(200), { ok: true })
    t.match(outcomeOf(302), { mayRetry: true, reason: /redirects/ })
    t.match(outcomeOf(400), { mayRetry: false, reason: 'X refused the message (400: no).' })
    t.match(outcomeOf(403, { mayRetry: true }), { mayRetry: true, disablesChannel: undefined })
    t.match(outcomeOf(404, { isGone: true }), { mayRetry: false, disablesChannel: true })
    t.match(outcomeOf(410, { mayRetry: true }), { mayRetry: false, disablesChannel: true })
    t.match(outcomeOf(500), { mayRetry: true })
    t.match(outcomeOf(429, { waitSeconds: 1.5 }), { mayRetry: true, retryAfterMs: 1_500 })
    t.match(outcomeOf(429, { waitSeconds: 9 }, { 'retry-after': '2' }), { retryAfterMs: 2_000 })
    t.match(outcomeOf(429, { waitSeconds: 1e9 }), { retryAfterMs: 86_400_000 })
    for (const waitSeconds of [-1, 'soon', Number.NaN]) {
      t.equal('retryAfterMs' in outcomeOf(429, { waitSeconds }), false, String(waitSeconds))
    }
  },
)

t.test('success that is not confirmed is tried again', async (t) => {
  t.match(unexpected({ ...answer, status: 200 }, 'X'), {
    ok: false,
    mayRetry: true,
    reason: 'X answered 200 but did not say that it accepted the message.',
  })
})

t.test('a request has a JSON body and lower-case headers', async (t) => {
  t.equal(basicAuth('user', 'päss'), 'Basic dXNlcjpww6Rzcw==')
  t.equal(below('https://x.test/', 'a/b'), 'https://x.test/a/b')
  t.match(jsonPost('https://x.test', { a: 1 }, { 'x-key': 'k' }), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-key': 'k' },
    body: '{"a":1}',
  })
})

t.test('where the code decides, 200 alone is not enough', async (t) => {
  const given = { platform: 'X', words: 'no', mayRetry: false }
  const coded = (status: number, code?: unknown) =>
    codedOutcome({ ...answer, status }, 0, { ...given, code })
  t.match(coded(200, 0), { ok: true })
  t.match(coded(200, 7), { ok: false, mayRetry: false, reason: 'X refused the message (7: no).' })
  t.equal(
    classOf(codedOutcome({ ...answer, status: 200 }, 0, { ...given, code: 7, mayRetry: true })),
    'client_error',
  )
  t.match(coded(200), { ok: false, mayRetry: true, reason: /did not say/ })
  t.match(coded(503, 7), { ok: false, mayRetry: true })
  t.match(coded(403), { ok: false, mayRetry: true })
  t.match(coded(400), { ok: false, mayRetry: false })
  t.match(coded(503, 0), { ok: false, mayRetry: true })
})
