// The result of a test in a sentence, for every kind of answer.
import t from 'tap'
import type { Outcome } from '../../../src/domain/alerts/delivery.ts'
import { testSentence } from '../../../src/services/alerts/test-words.ts'

type Failure = Extract<Outcome, { ok: false }>

const answered = (status: number, response = '', more: Partial<Failure> = {}) =>
  testSentence(
    {
      ok: false,
      mayRetry: true,
      status,
      response,
      reason: `The receiver answered ${status}.`,
      ...more,
    },
    20,
  )
const failed = (reason: string) => testSentence({ ok: false, mayRetry: true, reason }, 20)

t.test('a delivered test says what the receiver answered, and how long it took', async (t) => {
  t.equal(
    testSentence({ ok: true, status: 204 }, 31),
    'Test delivered: the receiver answered 204 after 31 ms.',
  )
  t.equal(
    testSentence({ ok: true }, 31),
    'Test delivered: the receiver accepted it after 31 ms.',
    'mail has no HTTP status',
  )
  t.equal(
    testSentence({ ok: true, status: 200, warning: 'b@example.com does not exist.' }, 31),
    'Test delivered: the receiver answered 200 after 31 ms. Not for all: b@example.com does not exist.',
  )
})

t.test('a refusal says what to do, and quotes the other side', async (t) => {
  t.equal(
    answered(401, '{"error":\n "invalid_token"}'),
    'Test not delivered. The receiver answered 401. It does not accept the credentials: check the ' +
      'secrets of the channel. It said: {"error": "invalid_token"}',
  )
  t.match(answered(403), /whether it may write there\.$/)
  t.match(answered(302), /Enter the address that it leads to/)
  t.match(answered(410), /switches the channel off\.$/)
  t.match(answered(200, '<html>'), /Check the address in the config of the channel\.$/)
  t.match(answered(404), /There is nothing at this address/)
  t.match(answered(400, 'no text'), /does not understand the message.* It said: no text$/)
  t.match(answered(405), /this HTTP method/)
  t.match(answered(413), /too long/)
  t.match(answered(429, '', { retryAfterMs: 29_500 }), /for now; it asks to wait 30 s\.$/)
  t.match(answered(429), /no more messages for now\.$/)
  t.match(answered(503), /It is in trouble itself\.$/)
  t.match(
    answered(554, '554 5.7.1 no', {
      request: 'letter to ann@example.com through mail.example.com',
    }),
    /tried again for a day.* It said: 554 5\.7\.1 no$/,
  )
})

t.test('the reply of a mail server is not taken for an HTTP status', async (t) => {
  const replied = (status: number, mayRetry: boolean) =>
    testSentence({ ok: false, mayRetry, status, reason: `The mail server said ${status}.` }, 20)
  t.equal(
    replied(550, false),
    'Test not delivered. The mail server said 550. Check the address; the log of the mail server ' +
      'says more.',
  )
  t.match(replied(451, true), /tried again for a day/)
})

t.test('pages are not quoted, nor what the reason says already', async (t) => {
  t.notMatch(answered(404, '<html>Not found</html>'), /It said/)
  t.equal(
    answered(200, 'invalid_payload', { reason: 'Slack says: invalid_payload.' }),
    'Test not delivered. Slack says: invalid_payload. Check the address in the config of the channel.',
  )
  t.ok(answered(400, 'x'.repeat(5_000)).length < 400)
})

t.test('a failure without an answer is told as it is', async (t) => {
  for (const reason of [
    'No answer within 20 seconds.',
    'There is no such name as hooks.example.com.',
    'The certificate has expired.',
    'The URL leads to a private address, which is not allowed.',
  ]) {
    t.equal(failed(reason), `Test not delivered. ${reason}`)
  }
})
