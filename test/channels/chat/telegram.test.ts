// Telegram as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { telegram } from '../../../src/channels/chat/telegram.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const errorOf = (error_code: number, description: string, parameters?: object) =>
  JSON.stringify({ ok: false, error_code, description, ...(parameters ? { parameters } : {}) })

channelContract({
  definition: telegram,
  config: { ...telegram.example, messageThreadId: 4 },
  // Telegram repeats the whole message, of which only the beginning is read.
  accepts: { status: 200, body: `{"ok":true,"result":{"text":"${'x'.repeat(4_000)}"}}` },
  answers: [
    {
      answer: {
        status: 429,
        body: errorOf(429, 'Too Many Requests: retry after 41', { retry_after: 41 }),
      },
      means: { mayRetry: true, retryAfterMs: 41_000 },
    },
    {
      answer: { status: 400, body: errorOf(400, 'Bad Request: chat not found') },
      means: {
        mayRetry: true,
        disablesChannel: undefined,
        reason: 'Telegram refused the message (400: Bad Request: chat not found).',
      },
    },
    {
      answer: {
        status: 400,
        body: errorOf(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
          migrate_to_chat_id: -1001111111111,
        }),
      },
      means: { mayRetry: true, reason: /chatId must be -1001111111111\)/ },
    },
    {
      answer: { status: 400, body: errorOf(400, "Bad Request: can't parse entities") },
      means: { mayRetry: false, disablesChannel: undefined },
    },
    {
      answer: { status: 403, body: errorOf(403, 'Forbidden: bot was kicked from the group chat') },
      means: { mayRetry: true, disablesChannel: undefined },
    },
    {
      answer: { status: 403, body: errorOf(403, 'Forbidden: bot was blocked by the user') },
      means: { mayRetry: true, disablesChannel: undefined },
    },
    {
      answer: { status: 403, body: errorOf(403, 'Forbidden: user is deactivated') },
      means: { mayRetry: false, disablesChannel: true, reason: /is gone/ },
    },
    {
      answer: { status: 403, body: errorOf(403, 'Forbidden: the group chat was deleted') },
      means: { mayRetry: false, disablesChannel: true },
    },
    {
      answer: { status: 401, body: errorOf(401, 'Unauthorized') },
      means: { mayRetry: true, reason: 'Telegram refused the message (401: Unauthorized).' },
    },
    { answer: { status: 404, body: errorOf(404, 'Not Found') }, means: { mayRetry: true } },
    { answer: { status: 200, body: errorOf(400, 'no') }, means: { ok: false, mayRetry: false } },
    {
      answer: { status: 200, body: '<html>a page</html>' },
      means: { ok: false, mayRetry: true, reason: /did not say that it accepted/ },
    },
    { answer: { status: 502, body: errorOf(502, 'Bad Gateway') }, means: { mayRetry: true } },
  ],
  fits(t, { body }) {
    const { text, reply_markup } = JSON.parse(body)
    const shown = text
      .replaceAll(/<\/?b>|<a href="[^"<>]*">|<\/a>/g, '')
      .replaceAll(/&(amp|lt|gt|quot);/g, '?')
    t.ok(shown.length > 0 && shown.length <= 4_096, `${shown.length} characters`)
    t.notMatch(shown, /[<>"&]/, 'all markup is ours')
    t.notMatch(shown, /(?<!\w)@\w/, 'nobody is mentioned')
    for (const [{ url }] of reply_markup?.inline_keyboard ?? []) t.ok(url.length <= 512)
  },
})

const context = {
  nowMs: 0,
  sign: () => '',
  channel: { id: 'chn_1' as never, orgId: 'org_1' as never, name: 'n' },
}

function bodyOf(name: string, url?: string) {
  const message = messageFrom(samplePayloads[name] as NonNullable<typeof samplePayloads.opened>)
  const links = message.links.map((link) => (url === undefined ? link : { ...link, url }))
  const [request] = [telegram.render({ ...message, links }, telegram.example, context)].flat()
  return JSON.parse(request?.body ?? '')
}

t.test('good news makes no sound', async (t) => {
  t.equal(bodyOf('resolved').disable_notification, true)
  t.equal(bodyOf('opened').disable_notification, false)
})

t.test('a host that Telegram refuses is written out, and is no button', async (t) => {
  for (const url of ['http://localhost:3000/a', 'http://10.0.0.5/a', 'http://[::1]/a']) {
    const { text, reply_markup } = bodyOf('opened', url)
    t.equal(reply_markup, undefined, url)
    t.match(text, `View and acknowledge: ${url}`)
  }
  t.equal(bodyOf('opened').reply_markup.inline_keyboard.length, 2)
})
