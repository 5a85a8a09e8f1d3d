// The URLs of incoming webhooks.
import t from 'tap'
import { hookUrl } from '../../../src/channels/model/hook.ts'

t.test('the URL of a webhook says of which platform it is, and that it is secret', async (t) => {
  t.match(hookUrl('Chat', 'https://chat.test/hook'), {
    description: "the URL of an incoming webhook of Chat; it is the channel's secret",
    examples: ['https://chat.test/hook'],
  })
})
