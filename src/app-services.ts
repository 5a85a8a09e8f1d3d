// The services, put together: every verb that a caller may perform.
import { createAccess } from './app-access.ts'
import type { Engine, EngineDeps } from './app-engine.ts'
import type { ChannelId, OrgId } from './base/ids.ts'
import { createLimiter } from './base/limiter.ts'
import { limits } from './domain/limits.ts'
import type { Keyring } from './seal/keyring.ts'
import { mintWebhookSecret } from './seal/sign.ts'
import { createAudit } from './services/audit.ts'
import { createChannels } from './services/channels.ts'
import { createIncidents } from './services/incidents.ts'
import { createMonitors } from './services/monitors.ts'
import { createPages } from './services/pages.ts'
import { createPush } from './services/push.ts'
import { createReadings } from './services/readings.ts'
import { createReplays } from './services/replays.ts'
import type { Services } from './services/services.ts'
import type { SetupToken } from './services/setup.ts'

export interface ServicesDeps extends Omit<EngineDeps, 'stack'> {
  readonly engine: Engine
  readonly keyring: Keyring
}

export interface Assembled {
  readonly services: Services
  readonly setupToken: SetupToken
}

export function createServices(deps: ServicesDeps): Assembled {
  const { settings, baseUrl, clock, store, box, engine } = deps
  const { fleet, commit, guard, sender, enqueue, outbox, publicPages } = engine
  const audit = createAudit({ store, clock })
  const post = { owe() {}, wake() {} }
  const access = createAccess({ ...deps, audit, post, accessChanged() {} })
  const base = { store, clock, box, audit, quotas: access.quotas }
  const channels = createChannels({
    ...{ ...base, sender, mintSecret: mintWebhookSecret, judgeUrl: guard.judgeUrl },
    wake: outbox.wake,
    testLimiter: createLimiter(limits.channelTests, limits.rateKeysMax),
  })
  const incidents = createIncidents({
    ...{ ...base, enqueue },
    announce(orgId: OrgId, channelIds: readonly ChannelId[]) {
      publicPages.invalidate(orgId)
      for (const channelId of channelIds) outbox.wake(orgId, channelId)
    },
  })
  const readings = createReadings(base)
  const services: Services = {
    ...access.services,
    channels,
    incidents,
    readings,
    monitors: createMonitors({
      ...{ ...base, fleet, incidents, readings, judgeUrl: guard.judgeUrl },
      unknownChannel: channels.channelIdsProblem,
      pushUrl: (token) => `${baseUrl}/api/v1/push/${token}`,
      changed: publicPages.forget,
    }),
    pages: createPages({
      ...{ ...base, baseUrl, statusDomain: settings.http.statusDomain },
      changed: publicPages.forget,
    }),
    publicPages,
    baseUrl,
    push: createPush({ store, clock, commit, fleet }),
    replays: createReplays(base),
  }
  return { services, setupToken: access.setupToken }
}
