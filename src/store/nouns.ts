// The nouns in the store: the tables of each, how to count it, and how it is deleted with its
// organization. A missing one does not compile.
import type { OrgId } from '../base/ids.ts'
import type { NounName, QuotaNoun } from '../base/nouns.ts'
import type { Template } from '../domain/incidents/template.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Location } from '../domain/locations/location.ts'
import type { Env } from './engine/env.ts'
import { openRecords } from './engine/records.ts'
import type { Signals } from './engine/signals.ts'
import type { Tx } from './engine/write.ts'
import { openChannels } from './tables/alerts/channels.ts'
import { openChecks } from './tables/checks/checks.ts'
import { openIncidents } from './tables/incidents/incidents.ts'
import { openPlaced } from './tables/locations/placed.ts'
import { openProbes } from './tables/locations/probes.ts'
import { openWindows } from './tables/maintenance/windows.ts'
import { openMonitorStates } from './tables/monitors/monitor-states.ts'
import { openMonitors } from './tables/monitors/monitors.ts'
import { openApiKeys } from './tables/orgs/api-keys.ts'
import { openInvites } from './tables/orgs/invites.ts'
import { openMemberships } from './tables/orgs/memberships.ts'
import { openCustomDomains } from './tables/pages/custom-domains.ts'
import { openPages } from './tables/pages/pages.ts'
import { openOrgSecrets } from './tables/secrets/org-secrets.ts'
import { openEndedSubscriptions } from './tables/subscribers/ended-subscriptions.ts'
import { openSubscriberNews } from './tables/subscribers/subscriber-news.ts'
import { openSubscribers } from './tables/subscribers/subscribers.ts'

type NounTables = ReturnType<typeof openNounTables>

export function openNounTables(env: Env, signals: Signals) {
  const subscribers = openSubscribers(env)
  const subscriberNews = openSubscriberNews(env, signals, subscribers.hasActive)
  return {
    monitors: openMonitors(env, signals),
    monitorStates: openMonitorStates(env, { signals }),
    checks: openChecks(env),
    placed: openPlaced(env),
    incidents: openIncidents(env, signals, subscriberNews),
    channels: openChannels(env, signals),
    pages: openPages(env, signals),
    customDomains: openCustomDomains(env, signals),
    subscribers,
    subscriberNews,
    endedSubscriptions: openEndedSubscriptions(env),
    windows: openWindows(env, signals, subscriberNews),
    templates: openRecords<Template>(env, { name: 'templates' }),
    orgSecrets: openOrgSecrets(env, signals),
    locations: openRecords<Location>(env, { name: 'locations' }),
    probes: openProbes(env, signals),
    memberships: openMemberships(env, signals),
    apiKeys: openApiKeys(env, signals),
    invites: openInvites(env),
  }
}

/** Counts the objects of an organization. */
type Count = (tables: NounTables, orgId: OrgId) => number

export const nounCounts: Readonly<Record<QuotaNoun, Count>> = {
  monitors: ({ monitors }, orgId) => monitors.count(orgId),
  channels: ({ channels }, orgId) => channels.count(orgId),
  pages: ({ pages }, orgId) => pages.count(orgId),
  domains: ({ customDomains }, orgId) => customDomains.count(orgId),
  subscribers: ({ subscribers }, orgId) => subscribers.count(orgId),
  maintenance: ({ windows }, orgId) => windows.count(orgId),
  templates: ({ templates }, orgId) => templates.count(orgId),
  secrets: ({ orgSecrets }, orgId) => orgSecrets.count(orgId),
  locations: ({ locations }, orgId) => locations.count(orgId),
  probes: ({ probes }, orgId) => probes.count(orgId),
  keys: ({ apiKeys }, orgId) => apiKeys.count(orgId),
  members: ({ memberships }, orgId) => memberships.count(orgId),
  invites: ({ invites }, orgId) => invites.list(orgId).length,
}

/** Few objects that lead to the organization or act for it: deleted together with it. */
interface DeletedAtOnce {
  readonly atOnce: (tables: NounTables, tx: Tx, orgId: OrgId, nowMs: number) => void
}

/** Many objects: deleted in slices afterwards, at most `limit` at once. Returns how many were. */
interface DeletedInSlices {
  readonly inSlices: (tables: NounTables, tx: Tx, orgId: OrgId, limit: number) => number
  readonly limit: number
}

/** Monitors of a deleted organization that one transaction removes: each has several records. */
export const deleteSliceMonitors = 100

/** The deletions of each noun, in their order. */
export const nounDeletions: Readonly<Record<NounName, DeletedAtOnce | DeletedInSlices>> = {
  members: { atOnce: ({ memberships }, tx, orgId) => memberships.forget(tx, orgId) },
  keys: { atOnce: ({ apiKeys }, tx, orgId) => apiKeys.forget(tx, orgId) },
  secrets: { atOnce: ({ orgSecrets }, tx, orgId) => orgSecrets.forget(tx, orgId) },
  probes: { atOnce: ({ probes }, tx, orgId) => probes.forget(tx, orgId) },
  invites: { atOnce: ({ invites }, tx, orgId) => invites.forget(tx, orgId) },
  domains: { atOnce: ({ customDomains }, tx, orgId) => customDomains.forget(tx, orgId) },
  pages: { atOnce: ({ pages }, tx, orgId, nowMs) => pages.forget(tx, orgId, nowMs) },
  subscribers: {
    inSlices: ({ subscribers, subscriberNews, endedSubscriptions }, tx, orgId, limit) =>
      Math.max(
        subscribers.forget(tx, orgId, limit),
        subscriberNews.forget(tx, orgId, limit),
        endedSubscriptions.forget(tx, orgId, limit),
      ),
    limit: limits.deleteSliceRecords,
  },
  channels: {
    atOnce: ({ channels }, tx, orgId) => void channels.forget(tx, orgId, limits.quotaMax),
  },
  monitors: {
    inSlices({ monitors, monitorStates, checks, placed }, tx, orgId, limit) {
      const monitorIds = monitors.forget(tx, orgId, limit)
      for (const monitorId of monitorIds) {
        monitorStates.remove(tx, orgId, monitorId)
        checks.removeEvidence(tx, orgId, monitorId)
        placed.dropMonitor(tx, orgId, monitorId)
      }
      const links = monitors.forgetDependents(tx, orgId, limit)
      return Math.max(monitorIds.length, links)
    },
    limit: deleteSliceMonitors,
  },
  maintenance: {
    inSlices: ({ windows }, tx, orgId, limit) => windows.forget(tx, orgId, limit),
    limit: limits.deleteSliceRecords,
  },
  templates: {
    inSlices: ({ templates }, tx, orgId, limit) => templates.forget(tx, orgId, limit),
    limit: limits.deleteSliceRecords,
  },
  locations: {
    inSlices: ({ locations }, tx, orgId, limit) => locations.forget(tx, orgId, limit),
    limit: limits.deleteSliceRecords,
  },
  incidents: {
    inSlices: ({ incidents }, tx, orgId, limit) => incidents.forget(tx, orgId, limit),
    limit: limits.deleteSliceRecords,
  },
}
