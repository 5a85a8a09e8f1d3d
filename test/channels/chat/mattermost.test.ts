// Mattermost as it is called: requests compared with golden files, its limits, its answers.
import { mattermost } from '../../../src/channels/chat/mattermost.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

const error = (status: number, id: string, message: string) => ({
  status,
  body: JSON.stringify({ id, message, detailed_error: '', status_code: status }),
})

channelContract({
  definition: mattermost,
  answers: [
    {
      answer: error(400, 'web.incoming_webhook.invalid.app_error', 'Invalid webhook.'),
      means: {
        mayRetry: true,
        disablesChannel: undefined,
        reason: 'Mattermost refused the message (400: Invalid webhook).',
      },
    },
    {
      answer: error(400, 'web.incoming_webhook.parse.app_error', 'Unable to parse incoming data.'),
      means: { mayRetry: false },
    },
    {
      answer: error(404, 'app.channel.get.existing.app_error', 'Unable to find the channel.'),
      means: { mayRetry: true },
    },
    {
      answer: error(501, 'web.incoming_webhook.disabled.app_error', 'Webhooks are disabled.'),
      means: { mayRetry: true },
    },
    { answer: { status: 413 }, means: { mayRetry: false } },
  ],
  fits(t, { body }) {
    const [{ fallback, text }] = JSON.parse(body).attachments
    t.ok(text.length <= 16_383 && fallback.length <= 1_000)
    t.notMatch(`${fallback}\n${text}`, /[@<](?!\u200b)/, 'nobody is mentioned')
    t.notMatch(text, /(^|[^\\])(\\\\)*\\$/, 'no escape is cut in two')
  },
})
