// Rocket.Chat as it is called: requests compared with golden files, its limits, its answers.
import { rocketchat } from '../../../src/channels/chat/rocketchat.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

const error = (status: number, words: string) => ({
  status,
  body: JSON.stringify({ success: false, error: words }),
})

channelContract({
  definition: rocketchat,
  accepts: { status: 200, body: '{"success":true}' },
  answers: [
    { answer: { status: 200, body: '<html>a proxy</html>' }, means: { ok: false, mayRetry: true } },
    {
      answer: error(404, 'Invalid integration id or token provided.'),
      means: {
        mayRetry: true,
        reason: 'Rocket.Chat refused the message (404: Invalid integration id or token provided).',
      },
    },
    { answer: error(400, 'error-not-allowed'), means: { mayRetry: true } },
    {
      answer: error(400, 'error-message-size-exceeded'),
      means: { mayRetry: false, disablesChannel: undefined },
    },
    // A webhook that is switched off.
    { answer: { status: 503, body: 'Service Unavailable' }, means: { mayRetry: true } },
  ],
  fits(t, { body }) {
    const { text, attachments } = JSON.parse(body)
    t.ok(text.length <= 5_000 && attachments[0].text.length <= 5_000)
    const shown = `${text}\n${attachments[0].text}`
    t.notMatch(shown, /[@#<](?!\u200b)/, 'nobody is mentioned')
    t.notMatch(shown.replaceAll(/\]\(https:[^)]*\)/g, ''), /\](?!\u200b)/, 'only links of our own')
  },
})
