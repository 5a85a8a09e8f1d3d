// The services, put together: every verb that a caller may perform.
import type { Engine, EngineDeps } from './app-engine.ts'
import type { ChannelId, OrgId } from './base/ids.ts'
import { createLimiter } from './base/limiter.ts'
import { limits } from './domain/limits.ts'
import { deriveKey, type Keyring } from './seal/keyring.ts'
import { createPasswords } from './seal/passwords.ts'
import { createSessionSeal } from './seal/session.ts'
import { mintWebhookSecret } from './seal/sign.ts'
import { createChannels } from './services/channels.ts'
import { createIdentity } from './services/identity.ts'
import { createIncidents } from './services/incidents.ts'
import { createKeys } from './services/keys.ts'
import { createMonitors } from './services/monitors.ts'
import { createOrgs } from './services/orgs.ts'
import { createPages } from './services/pages.ts'
import { createPeople } from './services/people.ts'
import { createPush } from './services/push.ts'
import { createReadings } from './services/readings.ts'
import { createReplays } from './services/replays.ts'
import type { Services } from './services/services.ts'
import { createSetupToken, type SetupToken } from './services/setup.ts'

export interface ServicesDeps extends Omit<EngineDeps, 'stack'> {
  readonly engine: Engine
  readonly keyring: Keyring
}

export interface Assembled {
  readonly services: Services
  readonly setupToken: SetupToken
}

export function createServices(deps: ServicesDeps): Assembled {
  const { settings, baseUrl, clock, store, box, keyring, engine } = deps
  const { fleet, commit, guard, sender, enqueue, outbox, publicPages } = engine
  const base = { store, clock, box }
  const sessionSeal = createSessionSeal(deriveKey(keyring, 'sessions'))
  const setupToken = createSetupToken({ ...base, configured: settings.auth.setupToken })
  const orgs = createOrgs(base)
  const channels = createChannels({
    ...{ ...base, sender, mintSecret: mintWebhookSecret, judgeUrl: guard.judgeUrl },
    wake: outbox.wake,
    testLimiter: createLimiter(limits.channelTests, limits.rateKeysMax),
  })
  const incidents = createIncidents({
    ...{ store, clock, enqueue },
    announce(orgId: OrgId, channelIds: readonly ChannelId[]) {
      publicPages.invalidate(orgId)
      for (const channelId of channelIds) outbox.wake(orgId, channelId)
    },
  })
  const readings = createReadings(base)
  const services: Services = {
    identity: createIdentity({ store, sessionSeal }),
    people: createPeople({
      ...{ store, clock, sessionSeal, setupToken, orgs, passwords: createPasswords() },
      registration: settings.auth.registration,
    }),
    orgs,
    keys: createKeys(base),
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
      ...{ store, clock, baseUrl, statusDomain: settings.http.statusDomain },
      changed: publicPages.forget,
    }),
    publicPages,
    baseUrl,
    push: createPush({ store, clock, commit, fleet }),
    replays: createReplays(base),
  }
  return { services, setupToken }
}
