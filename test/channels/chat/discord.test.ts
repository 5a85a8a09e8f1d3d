// Discord as it is called: requests compared with golden files, its limits, its answers.
import { discord } from '../../../src/channels/chat/discord.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

channelContract({
  definition: discord,
  accepts: { status: 200, body: '{"id":"1","content":""}' },
  answers: [
    { answer: { status: 204 }, means: { ok: true } },
    {
      answer: { status: 404, body: '{"message":"Unknown Webhook","code":10015}' },
      means: {
        mayRetry: false,
        disablesChannel: true,
        reason: 'The receiver at Discord is gone (404: Unknown Webhook).',
      },
    },
    { answer: { status: 404, body: '404: Not Found' }, means: { mayRetry: true } },
    {
      answer: { status: 401, body: '{"message":"Invalid Webhook Token","code":50027}' },
      means: {
        mayRetry: true,
        reason: 'Discord refused the message (401: Invalid Webhook Token).',
      },
    },
    {
      answer: {
        status: 400,
        body: '{"code":50035,"message":"Invalid Form Body","errors":{"embeds":{}}}',
      },
      means: {
        mayRetry: false,
        disablesChannel: undefined,
        reason: 'Discord refused the message (400: Invalid Form Body).',
      },
    },
    {
      answer: {
        status: 429,
        headers: { 'retry-after': '65' },
        body: '{"message":"You are being rate limited.","retry_after":64.57,"global":false}',
      },
      means: {
        mayRetry: true,
        retryAfterMs: 65_000,
        reason: 'Discord refused the message (429: You are being rate limited).',
      },
    },
  ],
  fits(t, { url, body }) {
    t.match(url, /\?wait=true$/)
    const { embeds, allowed_mentions } = JSON.parse(body)
    t.same(allowed_mentions, { parse: [] })
    t.equal(embeds.length, 1)
    const [{ title, description }] = embeds
    t.ok(title.length > 0 && title.length <= 256, `${title.length} characters in the title`)
    t.ok(description.length <= 4_096, `${description.length} in the description`)
    t.ok(title.length + description.length <= 6_000)
    t.notMatch(description, /(^|[^\\])(\\\\)*<(?!t:\d+:F>)/, 'nothing but times is between < and >')
  },
})
