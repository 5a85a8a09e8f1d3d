// The store: one environment, its writer and its tables, opened and closed together.
import type { Clock } from '../base/clock.ts'
import { openEnv } from './env.ts'
import { openApiKeys } from './tables/api-keys.ts'
import { openAudit } from './tables/audit.ts'
import { openBuckets } from './tables/buckets.ts'
import { openChannels } from './tables/channels.ts'
import { openChecks } from './tables/checks.ts'
import { openDecoys } from './tables/decoys.ts'
import { openDeliveries } from './tables/deliveries.ts'
import { openErrors } from './tables/errors.ts'
import { openFactors } from './tables/factors.ts'
import { openGarbage } from './tables/garbage.ts'
import { openIdentities } from './tables/identities.ts'
import { openIncidents } from './tables/incidents.ts'
import { openInvites } from './tables/invites.ts'
import { openKycCallbacks } from './tables/kyc-callbacks.ts'
import { openLetters } from './tables/letters.ts'
import { openLinks } from './tables/links.ts'
import { openMemberships } from './tables/memberships.ts'
import { openMeta } from './tables/meta.ts'
import { openMonitors } from './tables/monitors.ts'
import { openOrgs } from './tables/orgs.ts'
import { openPages } from './tables/pages.ts'
import { openReferrals } from './tables/referrals.ts'
import { openReplays } from './tables/replays.ts'
import { openSecrets } from './tables/secrets.ts'
import { openSessions } from './tables/sessions.ts'
import { openSpentFlows } from './tables/spent-flows.ts'
import { openStandings } from './tables/standings.ts'
import { openTallies } from './tables/tallies.ts'
import { openTasks } from './tables/tasks.ts'
import { openTold } from './tables/told.ts'
import { openUsers } from './tables/users.ts'
import { openVerifications } from './tables/verifications.ts'
import { createWriter, type Writer } from './write.ts'

export interface StoreOptions {
  readonly dir: string
  readonly clock: Clock
  /** How long a write that nobody waits for may lie before it is committed. */
  readonly commitDelayMs: number
  /** The disk failed: the process must end and be restarted. */
  readonly onFatal: (error: unknown) => void
}

export type Store = ReturnType<typeof openStore>

export function openStore(options: StoreOptions) {
  const env = openEnv(options.dir)
  const writer: Writer = createWriter(env, options)
  return {
    ...writer,
    meta: openMeta(env),
    orgs: openOrgs(env),
    users: openUsers(env),
    sessions: openSessions(env),
    memberships: openMemberships(env),
    apiKeys: openApiKeys(env),
    invites: openInvites(env),
    secrets: openSecrets(env),
    audit: openAudit(env),
    links: openLinks(env),
    decoys: openDecoys(env),
    referrals: openReferrals(env),
    letters: openLetters(env),
    buckets: openBuckets(env),
    factors: openFactors(env),
    identities: openIdentities(env),
    spentFlows: openSpentFlows(env),
    monitors: openMonitors(env),
    standings: openStandings(env),
    checks: openChecks(env),
    days: openTallies(env, 'days'),
    hours: openTallies(env, 'hours'),
    incidents: openIncidents(env),
    garbage: openGarbage(env),
    pages: openPages(env),
    replays: openReplays(env),
    channels: openChannels(env),
    deliveries: openDeliveries(env),
    told: openTold(env),
    errors: openErrors(env),
    tasks: openTasks(env),
    verifications: openVerifications(env),
    kycCallbacks: openKycCallbacks(env),
    async close(): Promise<void> {
      await writer.flush()
      await env.close()
    },
  }
}
