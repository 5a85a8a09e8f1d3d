// What answers and their absence mean.
import t from 'tap'
import {
  httpOutcome,
  requestSummary,
  unansweredOutcome,
} from '../../../src/channels/model/outcome.ts'

const nowMs = Date.UTC(2026, 0, 1)

t.test(
  'each status has its meaning: delivered, tried again, or the end of the channel',
  async (t) => {
    const outcome = (status: number, headers: Record<string, string> = {}) =>
      httpOutcome({ kind: 'answered', status, headers, body: 'said' }, nowMs)
    for (const status of [200, 202, 204]) t.match(outcome(status), { ok: true, status })
    for (const status of [301, 307]) {
      t.match(outcome(status), { ok: false, mayRetry: true, reason: /redirects/ })
    }
    for (const status of [400, 401, 403, 404, 422, 500]) {
      t.match(outcome(status, { 'retry-after': '60' }), {
        mayRetry: true,
        status,
        response: 'said',
      })
      t.notOk('retryAfterMs' in outcome(status, { 'retry-after': '60' }))
    }
    for (const status of [429, 502, 503, 504]) {
      t.match(outcome(status, { 'retry-after': '60' }), { mayRetry: true, retryAfterMs: 60_000 })
      t.match(outcome(status, { 'retry-after': '9999999' }), { retryAfterMs: 86_400_000 })
    }
    t.match(outcome(410), { ok: false, mayRetry: false, disablesChannel: true })
  },
)

t.test('what nobody answered is tried again, and says why', async (t) => {
  t.match(unansweredOutcome({ kind: 'refused', reason: 'Not allowed.' }), {
    ok: false,
    mayRetry: true,
    class: 'not_allowed',
  })
  for (const cause of ['timeout', 'connection', 'tls'] as const) {
    t.match(unansweredOutcome({ kind: 'failed', cause, reason: 'x' }), { class: cause })
  }
})

t.test('a request is shown without its path, which may be a secret', async (t) => {
  const url = 'https://user:word@hooks.example.com:8443/services/T0/B0/secret?token=x'
  t.equal(requestSummary({ method: 'POST', url }), 'POST hooks.example.com:8443')
  t.equal(requestSummary({ method: 'PUT', url: 'nowhere' }), 'PUT an invalid URL')
})
