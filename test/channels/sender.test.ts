// The sender goes by the channel's type, and survives a type that this version does not know.
import t from 'tap'
import { createSender } from '../../src/channels/sender.ts'
import { openedMessage } from '../contracts/sender.contract.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeChannel } from '../support/make-channel.ts'

t.test('a channel of an unknown type is sent nothing, and not tried again', async (t) => {
  const send = createSender({
    sign: () => '',
    request: () => Promise.reject(new Error('must not be called')),
  })
  const opened = { channel: makeChannel({ type: 'pigeon' }), config: {} }
  t.match(await send(openedMessage, opened, { clock: new FakeClock() }), {
    ok: false,
    mayRetry: false,
    reason: 'There is no channel type pigeon.',
  })
})
