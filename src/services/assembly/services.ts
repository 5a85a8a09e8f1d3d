// Assembles the services: every operation that a caller may perform.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { BucketKeeper } from '../../actors/tasks/bucket-keeper.ts'
import type { LocationId, MaintenanceId, MonitorId } from '../../base/ids.ts'
import { createLimiter } from '../../base/limiter.ts'
import { needsMailServer } from '../../channels/registry.ts'
import type { LiveSettings } from '../../config/settings.ts'
import { limits } from '../../domain/limits/limits.ts'
import { createOidcProvider } from '../../oidc/provider.ts'
import type { DeviceSeal } from '../../seal/device.ts'
import type { DomainProofs } from '../../seal/domain-proof.ts'
import type { ShadowTokens } from '../../seal/id-token.ts'
import type { PageKeys } from '../../seal/page-key.ts'
import { createPasswords, type PasswordCost } from '../../seal/passwords.ts'
import type { SessionSeal } from '../../seal/session.ts'
import { mintSigningKey, mintWebhookSecret, publicKeyOf } from '../../seal/sign.ts'
import type { FieldHash } from '../../seal/tokens.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { SizeGuard } from '../../store/size.ts'
import type { SpaceGuard } from '../../store/space.ts'
import { createAlertPaths } from '../alerts/alert-paths.ts'
import { createAlertViews } from '../alerts/alert-views.ts'
import { createChannels } from '../alerts/channels.ts'
import { portableChannels } from '../alerts/portable-channels.ts'
import { createUnsubscribes } from '../alerts/unsubscribes.ts'
import type { Audit } from '../audit.ts'
import type { PresentBucket } from '../backups/backup-bucket.ts'
import { createPrivateAnswers } from '../checks/private-answers.ts'
import { createReadings } from '../checks/readings.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import type { Identity } from '../identity.ts'
import type { KycVault } from '../identity-verification/kyc-vault.ts'
import { createExplanations } from '../incidents/explanations.ts'
import { createIncidents } from '../incidents/incidents.ts'
import { portableTemplates } from '../incidents/portable-templates.ts'
import { createTellings } from '../incidents/tellings.ts'
import { createTemplates } from '../incidents/templates.ts'
import { createShadowLetters } from '../letters/shadow-letters.ts'
import type { Events } from '../live-events/events.ts'
import { portableLocations } from '../locations/portable-locations.ts'
import { portableWindows } from '../maintenance/portable-windows.ts'
import { createWindows } from '../maintenance/windows.ts'
import { portableMonitors } from '../monitors/portable-monitors.ts'
import { createImportTurns } from '../orgs/imports/import-turns.ts'
import { createImports } from '../orgs/imports/imports.ts'
import { createShadowComparison } from '../orgs/imports/shadow-comparison.ts'
import { createShadowRuns } from '../orgs/imports/shadow-runs.ts'
import { createUploads } from '../orgs/uploads/uploads.ts'
import { createAddressChanges } from '../pages/address-changes.ts'
import { createPageExports } from '../pages/export/page-exports.ts'
import { createPageLocks } from '../pages/page-locks.ts'
import { createPageStreams } from '../pages/page-streams.ts'
import { createPages } from '../pages/pages.ts'
import { portablePages } from '../pages/portable-pages.ts'
import type { Portables } from '../portable.ts'
import { createReplays } from '../replays.ts'
import { createObjectives } from '../reports/objectives.ts'
import type { ReportKeys } from '../reports/report-keys.ts'
import { createReports } from '../reports/reports.ts'
import { portableSecrets } from '../secrets/portable-secrets.ts'
import { createSecrets } from '../secrets/secrets.ts'
import type { AddressTrials } from '../system/address-trials.ts'
import type { SettingsLayers } from '../system/settings-layers.ts'
import { createAccess } from './access.ts'
import { createDomains } from './domains.ts'
import type { Engine } from './engine.ts'
import type { EngineDeps } from './engine-deps.ts'
import { startKyc } from './kyc.ts'
import { startLocations } from './locations.ts'
import { createMonitoring } from './monitors.ts'
import { createSubscriberServices } from './subscribers.ts'
import { type SystemDeps, startSystem } from './system.ts'
import { createTenants } from './tenants.ts'

export interface ServicesDeps extends EngineDeps {
  readonly engine: Engine
  readonly certificates: SystemDeps['certificates']
  readonly clusterView: SystemDeps['clusterView']
  readonly backupBucket: PresentBucket
  readonly layers: SettingsLayers
  readonly addressTrials: AddressTrials
  readonly vault: KycVault
  readonly passwordCost: PasswordCost
  readonly sessionSeal: SessionSeal
  readonly shadowTokens: ShadowTokens
  readonly deviceSeal: DeviceSeal
  readonly pageKeys: PageKeys
  readonly fieldHash: FieldHash
  readonly reportKeys: ReportKeys
  readonly domainProofs: DomainProofs
  readonly buckets: Pick<BucketKeeper, 'limiter'>
  readonly identity: Identity
  readonly events: Events
  readonly space: SpaceGuard
  readonly size: SizeGuard
  /** The connections that callers may have. */
  readonly connectionsMax: number
  /** Whether there is space for new objects. */
  readonly hasRoom: () => boolean
  /** Reads all stored data; resolves with a few words. */
  readonly checkData: (signal: AbortSignal) => Promise<string>
  readonly checkProgress: SystemDeps['checkProgress']
  /** It was too large to be read before it was opened. */
  readonly isUnchecked: boolean
  readonly errorsLogged: SystemDeps['errorsLogged']
}

/** The settings that sending alerts by mail needs. Without them, letters become files that reach no person. */
function missingForMail({ mail }: LiveSettings): readonly string[] {
  if (mail.smtpUrl !== null) return []
  return ['mail.smtpUrl', ...(mail.from === null ? ['mail.from'] : [])]
}

/** Passwords of status pages that are hashed at the same time, apart from those of people. */
const pagePasswordHashesMax = 1
/** Streams of all pages: at most this many, and at most this share of the connections. */
const pageStreamsMax = 10_000
const pageStreamsConnectionShare = 1 / 2

/** The services, and what only the daemon itself uses of them. */
export function createServices(deps: ServicesDeps) {
  const { settings, audit, baseUrl, clock, store, engine, events } = deps
  const { fleet, guard, sender, enqueue, outbox, publicPages } = engine
  const core: Core = deps
  const hasMailServer = () => deps.live.now().mail.smtpUrl !== null
  const isLimited = () => deps.live.now().http.rateApiPerMinute > 0
  const access = createAccess(core, {
    auth: settings.auth,
    registration: () => deps.live.now().auth.registration,
    providers: createLiveProviders(deps),
    passwords: createPasswords(deps.passwordCost),
    identity: deps.identity,
    sessionSeal: deps.sessionSeal,
    deviceSeal: deps.deviceSeal,
    enumerationSafeMailer: deps.mail.enumerationSafeMailer,
    limiter: deps.buckets.limiter,
    trustedDeviceDays: () => deps.live.now().auth.trustedDeviceDays,
    isThrottled: () => deps.live.now().http.rateAuthPerMinute > 0,
    hasMailServer,
    hasRoom: deps.hasRoom,
  })
  const tellings = createTellings(core, { isOff: (orgId) => isOrgOff(store, orgId) })
  const configs = {
    mintSecret: mintWebhookSecret,
    mintSigningKey,
    publicKeyOf,
    judgeUrl: guard.judgeUrl,
    judgeMailServer: (url: string) => engine.judgeTarget('smtp', url),
  }
  const channels = createChannels(core, {
    ...configs,
    sender,
    enqueue,
    noteArrived: outbox.noteArrived,
    missingSettings: (channel) => (needsMailServer(channel) ? missingForMail(deps.live.now()) : []),
    wake: outbox.wake,
    testLimiter: createLimiter(limits.channelTests, limits.rateKeysMax),
  })
  const incidents = createIncidents(core, { enqueue, fleet })
  const addresses = createAddressChanges(
    deps.buckets.limiter('page-addresses', limits.pageAddressChanges),
  )
  const portables: Portables = {
    channels: portableChannels(core, { ...configs, wake: outbox.wake }),
    locations: portableLocations(core),
    secrets: portableSecrets(core),
    monitors: portableMonitors(core, {
      fleet,
      incidents,
      publish: events.publish,
      judgeTarget: engine.judgeTarget,
      unknownChannel: channels.channelIdsProblem,
    }),
    statusPages: portablePages(core, { addresses, urls: engine.pageUrls }),
    maintenance: portableWindows(core),
    templates: portableTemplates(core),
  }
  const readings = createReadings(core, { found: engine.found })
  const comparison = createShadowComparison(core, readings)
  const objectives = createObjectives(core, { enqueue, uptimeOf: readings.uptimeOf })
  const verification = startKyc({ ...deps, request: engine.request })
  const { mustBeApproved } = verification.kyc
  const { customDomains, domainKeeper } = createDomains({
    ...deps,
    addresses,
    mustBeApproved,
  })
  const pageExports = createPageExports({
    store,
    clock,
    log: deps.log,
    publicPages,
    exportDir: settings.pages.exportDir,
  })
  deps.stack.push('page exports', () => pageExports.stop())
  const pageStreams = createPageStreams({
    clock,
    publicPages,
    streamsMax: Math.min(
      pageStreamsMax,
      Math.floor(deps.connectionsMax * pageStreamsConnectionShare),
    ),
  })
  deps.stack.push('page streams', () => pageStreams.stop())
  const ofSubscribers = createSubscriberServices({ ...deps, mustBeApproved })
  const privateAnswers = createPrivateAnswers(deps)
  const { runTask, backups, ...system } = startSystem({
    ...deps,
    privateAnswers,
    ...access.services,
    ...verification,
    ...ofSubscribers,
    objectives,
    shadowLetters: createShadowLetters({ ...core, comparison }),
    domainKeeper,
    pageExports,
  })
  const located = startLocations(deps)
  const own = {
    maintenance: createWindows(core),
    templates: createTemplates(core),
    secrets: createSecrets(core),
  }
  const pages = createPages(core, {
    urls: engine.pageUrls,
    addresses,
    listsPages: () => deps.live.now().auth.registration !== 'open',
    mustBeApproved,
  })
  // Requests record only what was refused; all else is recorded by the services themselves.
  const refusals: Pick<Audit, 'refused' | 'signInFailed'> = audit
  const monitoring = createMonitoring(core, {
    engine,
    identity: deps.identity,
    publish: events.publish,
    channels,
    incidents,
    readings,
    mustBeApproved,
    mayCreateByPingKey: () => deps.live.now().http.createByPingKey,
    isLimited,
  })
  const importTurns = createImportTurns()
  const imports = createImports(core, {
    portables,
    turns: importTurns,
    removals: {
      channels: channels.remove,
      locations: (scope, id) => located.locations.remove(scope, id as LocationId),
      secrets: own.secrets.remove,
      monitors: (scope, id) => monitoring.monitors.remove(scope, id as MonitorId),
      statusPages: pages.remove,
      maintenance: (scope, id) => own.maintenance.remove(scope, id as MaintenanceId),
      templates: own.templates.remove,
    },
  })
  const tenants = createTenants(core, {
    access: access.services,
    kyc: verification.kyc,
    portables,
    keepPingKeys: monitoring.pingKeys.keep,
    takeBack: imports.takeBack,
    importTurns,
    subscriberImports: ofSubscribers.subscriberImports,
    orgSwitch: engine.orgSwitch,
    backups,
    isLimited,
    requestWhole: engine.requestWhole,
    fieldHash: deps.fieldHash,
  })
  const uploads = createUploads(core, {
    dir: join(settings.data.dir, 'uploads'),
    bytesMax: () => deps.live.now().data.uploadMib * 1024 ** 2,
    freeBytes: deps.space.freeBytesNow,
    open: tenants.conversions.kuma,
    takePast: imports.takePast,
    identity: deps.identity,
  })
  deps.stack.push('uploads', () => uploads.stop())
  const services = {
    ...ofSubscribers,
    ...access.services,
    ...verification,
    ...tenants,
    ...system,
    audit: refusals,
    events,
    privateAnswers,
    channels,
    alertViews: createAlertViews(core, {
      alertLinks: deps.alertLinks,
      incidents,
      tellings,
    }),
    alertPaths: createAlertPaths(core, {
      tests: channels.tests,
      healthOf: channels.healthOf,
      isOff: (orgId) => isOrgOff(store, orgId),
      isSuspended: fleet.isSuspended,
    }),
    unsubscribes: createUnsubscribes(core, {
      links: deps.unsubscribeLinks,
      wake: outbox.wake,
      onDeserted: outbox.onDeserted,
    }),
    incidents,
    explanations: createExplanations(core, { readings, tellings }),
    ...own,
    imports,
    shadowRuns: createShadowRuns(core, {
      ...{ fleet, incidents, comparison, publish: events.publish },
      tokens: deps.shadowTokens,
      tellLive: engine.tellLive,
    }),
    uploads,
    /** The proxies of this machine that monitors of the organization may name. */
    proxiesOf: ({ orgId }: OrgScope) => guard.proxiesOf(orgId),
    ...located,
    readings,
    reportKeys: deps.reportKeys,
    objectives,
    reports: createReports(core, {
      keys: deps.reportKeys,
      uptimeOf: readings.uptimeOf,
      version: deps.version,
    }),
    ...monitoring,
    pages,
    customDomains,
    publicPages,
    pageStreams,
    pageLocks: createPageLocks({
      clock,
      // A queue of their own: guesses at a page must not delay anybody's sign-in.
      passwords: createPasswords(deps.passwordCost, pagePasswordHashesMax),
      keys: deps.pageKeys,
      limiter: deps.buckets.limiter,
    }),
    baseUrl,
    replays: createReplays(core),
  }
  return { services, setupToken: access.setupToken, runTask, pageExports }
}

/** The OpenID providers of the present settings; each keeps what it knows until they change. */
function createLiveProviders({ live, clock }: Pick<ServicesDeps, 'live' | 'clock'>) {
  let { oidc } = live.now().auth
  const make = () => (oidc ?? []).map((client) => createOidcProvider(client, clock))
  let providers = make()
  live.listen(({ auth }) => {
    if (isDeepStrictEqual(auth.oidc, oidc)) return
    oidc = auth.oidc
    providers = make()
  })
  return () => providers
}

/** All services by name, as the handlers of requests get them. */
export type Services = ReturnType<typeof createServices>['services']
