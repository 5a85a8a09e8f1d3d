// The channels service over a temporary store, with the real way out and real secrets.
import type { Test } from 'tap'
import { createEnqueue } from '../../src/actors/alerts/enqueue.ts'
import type { ChannelId } from '../../src/base/ids.ts'
import { createLimiter } from '../../src/base/limiter.ts'
import type { SendAlertLetter } from '../../src/channels/model/letter.ts'
import { needsMailServer } from '../../src/channels/registry.ts'
import { createSender } from '../../src/channels/sender.ts'
import { working } from '../../src/domain/alerts/channel-health.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { createGuardedMailer, type SendThrough } from '../../src/mail/single-letter.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { createEgress } from '../../src/net/http-client/guarded-client.ts'
import { mintSigningKey, mintWebhookSecret, publicKeyOf, signWebhook } from '../../src/seal/sign.ts'
import { createChannels } from '../../src/services/alerts/channels.ts'
import { createAlertLetters } from '../../src/services/assembly/alert-letters.ts'
import { openCore } from './core.ts'
import { FakeClock } from './fake-clock.ts'

/** Sends letters through the mail servers of channels, and has none of the service. */
function lettersThrough(sendThrough: SendThrough): SendAlertLetter {
  return createAlertLetters({
    send: () => Promise.reject(new Error('must not be called')),
    sendThrough,
    from: () => ({ name: 'Stillup', address: 'up@up.test' }),
    baseUrl: 'https://up.test',
    unsubscribeToken: () => 'token',
    organizationName: () => 'Acme',
  })
}

export function openChannelsService(t: Test, targets: 'any' | 'public' = 'any') {
  // The libraries that verify signatures look at the real time.
  const core = openCore(t, { clock: new FakeClock(Date.now()) })
  const { store, clock, box } = core
  const guard = createGuard({ targets })
  const resolver = createResolver({ clock })
  const egress = createEgress({ clock, guard, resolver })
  const sendLetter = lettersThrough(createGuardedMailer({ clock, guard, resolver }))
  const woken: ChannelId[] = []
  const channels = createChannels(core, {
    mintSecret: mintWebhookSecret,
    mintSigningKey,
    publicKeyOf,
    judgeUrl: guard.judgeUrl,
    judgeMailServer: () => null,
    sender: createSender({ request: egress, sign: signWebhook, sendLetter }),
    testLimiter: createLimiter(limits.channelTests, 1_000),
    enqueue: createEnqueue({
      store,
      incidentUrl: () => 'https://up.test/alerts/x',
      wake: () => {},
    }),
    missingSettings: (channel) => (needsMailServer(channel) ? ['mail.smtpUrl'] : []),
    noteArrived(tx, orgId, channelId) {
      const before = store.channelHealth.get(orgId, channelId)
      store.channelHealth.put(tx, orgId, channelId, working(before, clock.nowMs()))
    },
    wake: (_, channelId) => woken.push(channelId),
  })
  return { core, store, clock, box, channels, woken }
}
