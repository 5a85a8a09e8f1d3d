// Google Chat as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { googlechat } from '../../../src/channels/chat/googlechat.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const error = (code: number, status: string, message: string) => ({
  status: code,
  body: JSON.stringify({ error: { code, message, status } }, null, 2),
})

channelContract({
  definition: googlechat,
  accepts: { status: 200, body: '{"name":"spaces/AAAA/messages/BBBB"}' },
  answers: [
    {
      answer: error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
      means: { mayRetry: true, reason: /\(RESOURCE_EXHAUSTED: Resource has been exhausted/ },
    },
    {
      answer: error(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.'),
      means: {
        mayRetry: false,
        reason:
          'Google Chat refused the message (INVALID_ARGUMENT: Invalid JSON payload received).',
      },
    },
    {
      answer: error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
      means: { mayRetry: true },
    },
    { answer: error(403, 'PERMISSION_DENIED', 'No.'), means: { mayRetry: true } },
    { answer: error(404, 'NOT_FOUND', 'Space not found.'), means: { mayRetry: true } },
  ],
  fits(t, { body }) {
    t.ok(Buffer.byteLength(body) <= 32_000, `${Buffer.byteLength(body)} bytes`)
    const { fallbackText, cardsV2 } = JSON.parse(body)
    t.notMatch(fallbackText, '<users/all>')
    const { widgets } = cardsV2[0].card.sections[0]
    for (const { textParagraph } of widgets.slice(0, 2)) {
      t.notMatch(textParagraph.text, /<(?!\/?(b|font|a|br)\b)/, 'only tags of our own')
      t.notMatch(textParagraph.text, /&(?!(amp|lt|gt|quot);)/, 'no escape is cut in two')
    }
  },
})

t.test('news of one incident share a thread', async (t) => {
  const threadOf = (name: string) => {
    const message = messageFrom(samplePayloads[name] as NonNullable<(typeof samplePayloads)['x']>)
    const sign = () => ''
    const channel = { id: 'chn_1', orgId: 'org_1', name: '' } as never
    const [request] = [
      googlechat.render(message, googlechat.example, { nowMs: 0, sign, channel }),
    ].flat()
    return JSON.parse(request?.body ?? '{}').thread.threadKey
  }
  t.equal(threadOf('opened'), threadOf('resolved'))
  t.not(threadOf('opened'), threadOf('certificate'))
})
