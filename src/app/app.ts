// Wiring: constructs everything once, in order, and stops it in the opposite order.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { LeaderLink } from '../actors/standby/leader-link.ts'
import { tellFormer } from '../actors/standby/tell-former.ts'
import { startBucketKeeper } from '../actors/tasks/bucket-keeper.ts'
import { sweepScratchFolders } from '../base/apart/scratch-folder.ts'
import type { RunningClock } from '../base/clock.ts'
import { exitCodes, StartFailure } from '../base/exit.ts'
import { countedLog, type Log } from '../base/log/log.ts'
import { giveMemoryBack } from '../base/memory/give-back.ts'
import { saveMemory } from '../base/memory/v8-flags.ts'
import { createMetrics } from '../base/metrics.ts'
import { openFilesMax } from '../base/open-files.ts'
import { createStack, type Stack } from '../base/stack.ts'
import { createLive, type Live } from '../config/live.ts'
import { problemLine, type StartSettings } from '../config/load.ts'
import { defaultBaseUrl, type LiveSettings, type Settings } from '../config/settings.ts'
import { incidentEvent } from '../domain/live-events/live-event.ts'
import type { Quotas } from '../domain/orgs/org.ts'
import { checksBeside, shareFiles } from '../domain/system/file-shares.ts'
import { apiRoutes } from '../http/api/api.ts'
import { probeRoutes } from '../http/api/probe/probe.ts'
import { holdPort } from '../http/edge/held-port.ts'
import { tokenTest } from '../http/pipeline/auth.ts'
import type { RateSettings } from '../http/pipeline/rate.ts'
import { domainAnswerRoute } from '../http/public/pages/domain-answer.ts'
import { statusPages } from '../http/public/pages/status-pages.ts'
import { standbyRoutes } from '../http/public/standby.ts'
import { subscriptionPages } from '../http/public/subscriptions.ts'
import { siteRoutes } from '../http/site/site.ts'
import { unsubscribeRoutes } from '../http/site/unsubscribe.ts'
import { type HttpTls, type LiveHttpSettings, startHttp } from '../http/start.ts'
import { createBox } from '../seal/box.ts'
import { createDeviceSeal } from '../seal/device.ts'
import { createDomainProofs } from '../seal/domain-proof.ts'
import { createEnvelopes } from '../seal/envelope.ts'
import { createAlertLinks, createShadowTokens } from '../seal/id-token.ts'
import { deriveKey, type Keyring, openKeyring } from '../seal/keyring.ts'
import { createLogSeal, standbySecret } from '../seal/log-seal.ts'
import { createPageKeys } from '../seal/page-key.ts'
import { type PasswordCost, passwordCost } from '../seal/passwords.ts'
import { createSessionSeal } from '../seal/session.ts'
import { createSubscriptionLinks } from '../seal/subscription-link.ts'
import { createFieldHash } from '../seal/tokens.ts'
import { createUnsubscribeLinks } from '../seal/unsubscribe-link.ts'
import { beforeUpgrade, nameData } from '../services/assembly/backups.ts'
import { startEngine } from '../services/assembly/engine.ts'
import { startMail } from '../services/assembly/mail.ts'
import { createServices } from '../services/assembly/services.ts'
import { createAudit } from '../services/audit.ts'
import { liveBackupBucket } from '../services/backups/backup-bucket.ts'
import type { Core } from '../services/core.ts'
import { createIdentity } from '../services/identity.ts'
import { createKycVault } from '../services/identity-verification/kyc-vault.ts'
import { publishChannelEvents } from '../services/live-events/channel-events.ts'
import { createEvents } from '../services/live-events/events.ts'
import { createQuotaChecks } from '../services/quotas.ts'
import { createReportKeys } from '../services/reports/report-keys.ts'
import { createClusterView } from '../services/standby/cluster-view.ts'
import { createFollowers, type Followers } from '../services/standby/followers.ts'
import { createSnapshots } from '../services/standby/snapshots.ts'
import { createStandbyLink } from '../services/standby/standby-link.ts'
import { timedLog } from '../services/standby/timed-log.ts'
import { createAddressTrials } from '../services/system/address-trials.ts'
import { proveKey } from '../services/system/key-proof.ts'
import { createReseal } from '../services/system/reseal.ts'
import { createSettingsLayers, type SettingsLayers } from '../services/system/settings-layers.ts'
import type { RedoLog } from '../store/engine/redo.ts'
import type { LeaderMark } from '../store/engine/replica.ts'
import { type DirectoryLock, lockDirectory } from '../store/lock.ts'
import { migrate } from '../store/migrate.ts'
import { startSizeGuard } from '../store/size.ts'
import { fullDisk, needSpace, startSpaceGuard } from '../store/space.ts'
import type { Store } from '../store/store.ts'
import { type Certificates, startCertificates } from './certificates.ts'
import { controlAnswers } from './control/control-answers.ts'
import { createData } from './data.ts'
import { canRestoreDamaged, restoreDamaged } from './restore-damaged.ts'

/** The parts that the daemon gets from outside. */
export interface AppInputs {
  readonly clock: RunningClock
  readonly log: Log
  readonly version: string
  /** The disk failed: nothing may be written any more, and the process must end (exit 74). */
  readonly fail: (error: unknown) => void
  /** Hears what is being done while a start takes long. */
  readonly progress?: (status: string) => void
  /** The lock of the data directory, where the process has it already. */
  readonly lock?: DirectoryLock
  /** The log of the cluster that this machine leads. */
  readonly redoLog?: RedoLog
  /** The other members of that cluster. */
  readonly machines?: Pick<Followers, 'list' | 'newest'>
  /** This machine was promoted: the one that it followed, and the mark of its epoch if that began now. */
  readonly takesOver?: { readonly link: LeaderLink; readonly mark: LeaderMark | undefined }
  /** What a password costs to hash, or to guess; tests that are not about it spend less. */
  readonly passwordCost?: PasswordCost
}

export interface App {
  /** `http://host:port` as bound. */
  readonly address: string
  /** Where TLS is; undefined without it. */
  readonly tlsPort: number | undefined
  readonly baseUrl: string
  /** No setting names it: it was derived from where the daemon listens. */
  readonly isBaseGuessed: boolean
  /** Whether monitors and channels may lead to this machine. */
  readonly isLocalAllowed: boolean
  /** The addresses of some status pages. */
  readonly statusPages: readonly string[]
  /** Present until the first account exists. */
  readonly firstRun: { readonly setupToken: string } | null
  /** Resolves when every monitor runs. */
  readonly ready: Promise<void>
  /** Applies the new settings that can change now. */
  reload(next: StartSettings): ReturnType<SettingsLayers['reload']>
  /** Drains and closes everything, in at most 30 s. Failures on the way are logged. */
  stop(): Promise<void>
}

/**
 * Starts the daemon. Throws StartFailure if the directory or the port is taken, or the data cannot
 * be read.
 */
export async function startApp(own: StartSettings, world: AppInputs): Promise<App> {
  try {
    return await startOnce(own, world)
  } catch (error) {
    // Nothing is open any more.
    if (!(await restoreDamaged(own.settings, world, error))) throw error
    const { lock: _released, ...again } = world
    return startOnce(own, again)
  }
}

async function startOnce(own: StartSettings, world: AppInputs): Promise<App> {
  const stack = createStack(world)
  try {
    const { log, errors } = countedLog(world.log)
    const fit = { ...own, ...fitted(own.settings, log), errorsLogged: errors }
    return await start(fit, { ...world, log }, stack)
  } catch (error) {
    await stack.stop()
    throw isDiskFull(error) ? fullDisk(own.settings.data.dir, error) : error
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}

const httpDrainMs = 12_000
/** The time from the start to the collection that ends it, once the first checks have run. */
const startUnwindsMs = 5_000
const heapGivenBackBytesMax = 32 * 1024 * 1024

type StartInputs = StartSettings &
  ReturnType<typeof fitted> & { readonly errorsLogged: () => number }

// Deliberately one sequence: almost every step needs the results of the steps before.
async function start(
  { settings: own, given, connectionsMax, errorsLogged }: StartInputs,
  world: AppInputs,
  stack: Stack,
): Promise<App> {
  const { clock, log, version } = world
  const { dir, masterKeyFile } = own.data
  const { listen, releasePort } = await concrete(own.http.listen, stack)

  await needSpace(dir)
  const lock = world.lock ?? (await lockDirectory(dir, version))
  stack.push('lock', () => lock.release())
  sweepScratchFolders()
  const metrics = createMetrics({ withProcess: true })
  const live = createLive(own)
  const budgetBytes = () => live.now().data.maxMib * 1024 ** 2
  const mayRestart = () => canRestoreDamaged(own, clock)
  const data = createData({ ...world, settings: own.data, budgetBytes, metrics, mayRestart })
  // The data is looked at before the keyring: a directory that lost it must not get a key as a new one, nor
  // must one whose key is missing.
  const looked = data.look(world.redoLog !== undefined)
  const create = looked.file === null
  const keyring = openKeyring({ file: masterKeyFile, create, random: randomBytes })
  const seal = createLogSeal(keyring)
  const followers = own.cluster.standby ? createFollowers({ clock, log, metrics, seal }) : undefined
  const redoLog = world.redoLog ? timedLog(world.redoLog, clock, metrics) : followers?.redoLog
  const { store, checkData, checkProgress, isUnchecked } = data.open(looked, redoLog)
  stack.push('store', () => store.close())
  let leaveStandbys = () => {}
  // They have what was written while everything else stopped.
  stack.push('standbys', () => store.flush().then(() => leaveStandbys()))
  if (!world.redoLog) await leadAlone(store)
  followers?.begin(store.logPosition(), world.takesOver?.mark)
  const box = createBox(keyring)
  const backUp = () => beforeUpgrade({ ...world, settings: own, store, box })
  await migrate(store, { ...world, program: version, backUp })
  const layers = createSettingsLayers({
    store,
    box,
    log,
    live,
    given,
    fit: (next) => refitted(next, own, connectionsMax),
  })
  const wrong = layers.problems().map(problemLine)
  if (wrong.length > 0) {
    const hint = 'Set it in the file, by its variable, or take back what needs it.'
    throw new StartFailure(exitCodes.config, `the settings are not valid: ${wrong.join('; ')}`, {
      hint,
    })
  }
  const settings = layers.settings()
  const isBaseGuessed = settings.http.baseUrl === null
  const baseUrl = (settings.http.baseUrl ?? defaultBaseUrl(listen)).replace(/\/$/, '')
  continueTime(store, clock, log)
  const space = await startSpaceGuard({ dir, clock, log })
  stack.push('space', () => space.stop())
  const bytesMax = budgetBytes()
  const size = startSizeGuard({ clock, log, bytesMax, measure: store.usage })
  live.listen(() => size.setBudget(budgetBytes()))
  stack.push('size', () => size.stop())
  const hasRoom = () => space.mayStore() && size.mayStore()

  await proveKey(store, box, clock)
  await nameData(store)
  const alertLinks = createAlertLinks(deriveKey(keyring, 'alert links'))
  const unsubscribeLinks = createUnsubscribeLinks(deriveKey(keyring, 'unsubscribe links'))
  const subscriptionLinks = createSubscriptionLinks(deriveKey(keyring, 'subscriptions'))
  const shadowTokens = createShadowTokens(deriveKey(keyring, 'shadow runs'))
  const links = { alertLinks, unsubscribeLinks, subscriptionLinks, shadowTokens }
  const audit = createAudit({ store, clock })
  const quotas = createQuotaChecks({ store, usual: usualQuotas(live) })
  const mail = startMail({
    store,
    clock,
    log,
    box,
    baseUrl,
    settings,
    live,
    metrics,
    unsubscribeLinks,
  })
  const core: Core = { store, clock, log, box, audit, quotas, mailer: mail.mailer, baseUrl }
  const reportKeys = createReportKeys(core)
  await reportKeys.ensure()
  const shared = {
    ...core,
    clock,
    settings,
    layers,
    live,
    listen,
    ...links,
    metrics,
    version,
    mail,
    stack,
  }
  const sessionSeal = createSessionSeal(deriveKey(keyring, 'sessions'))
  const deviceSeal = createDeviceSeal(deriveKey(keyring, 'known devices'))
  const fieldHash = createFieldHash(deriveKey(keyring, 'imported fields'))
  const pageKeys = createPageKeys(deriveKey(keyring, 'status page passwords'))
  const buckets = startBucketKeeper({ store, clock })
  stack.push('buckets', () => buckets.stop())
  const identity = createIdentity({ store, sessionSeal })
  const events = createEvents({ clock, identity })
  stack.push('events', () => events.stop())
  const help = 'Open streams of live events of organizations.'
  metrics.gauge({ name: 'event_streams', help }, (gauge) => gauge.set(events.size()))
  store.signals.accessLost.listen(events.recheck)
  store.signals.incidentChanged.listen((change) =>
    events.publish(change.incident.orgId, incidentEvent(change)),
  )
  publishChannelEvents({ clock, events, changed: store.signals.channelsChanged })
  const engine = startEngine({ ...shared, events })
  const domainProofs = createDomainProofs(deriveKey(keyring, 'custom domains'))
  const { resolver, request } = engine
  const addressTrials = createAddressTrials({ resolver, request, proofs: domainProofs })
  const access = {
    passwordCost: world.passwordCost ?? passwordCost,
    sessionSeal,
    deviceSeal,
    pageKeys,
    fieldHash,
    reportKeys,
    domainProofs,
    buckets,
    identity,
    events,
  }
  const vault = createKycVault({ store, envelopes: createEnvelopes(keyring) })
  const reseal = createReseal(core, { vault, hasOlderKeys: keyring.hasOlder })
  stack.push('reseal', () => reseal.stop())
  const { systemNotices, pageUrls } = engine
  const certificates = startCertificates({ ...shared, systemNotices, pageUrls })
  const owned = {
    addressTrials,
    backupBucket: liveBackupBucket({ live, clock, keyring }),
    connectionsMax,
    certificates,
    vault,
    engine,
    space,
    size,
    hasRoom,
    checkData,
    checkProgress,
    isUnchecked,
    errorsLogged,
    clusterView: createClusterView({
      ...shared,
      followers: world.machines ?? followers,
      name: own.cluster.member ?? hostname(),
    }),
  }
  const { services, setupToken, runTask, pageExports } = createServices({
    ...shared,
    ...access,
    ...owned,
  })
  const standbyLink = redoLog && startStandbyLink({ ...world, store, followers, keyring, dir })
  const { isPageHost, isCustomHost, mayHaveCertificate } = engine.pageUrls
  const pages = statusPages({ baseUrl, isBaseGuessed, isPageHost })
  const domainAnswer = domainAnswerRoute((host, question) =>
    isCustomHost(host) || addressTrials.isTried(host) ? domainProofs.answer(host, question) : null,
  )
  const server = await startHttp({
    settings: {
      host: listen.host,
      port: listen.port,
      releasePort,
      baseUrl,
      isBaseGuessed,
      connectionsMax,
      ...liveHttp(live.now()),
      version,
    },
    routes: apiRoutes,
    innerRoutes: probeRoutes,
    rawRoutes: [
      ...pages.routes,
      ...subscriptionPages,
      domainAnswer,
      ...(standbyLink ? standbyRoutes(standbyLink) : []),
    ],
    role: standbyLink && 'leader',
    mayHaveCertificate,
    site: { ...pages, routes: [...siteRoutes, ...unsubscribeRoutes] },
    services,
    isReady: engine.isReady,
    hasRoom,
    keptLimiter: buckets.limiter,
    tls: tlsOf(settings, certificates),
    cursorKey: deriveKey(keyring, 'cursors'),
    clock,
    log,
    metrics,
  })
  live.listen((now) => server.apply(liveHttp(now)))
  const drain = standbyLink ? server.settle : server.drain
  stack.push('http', () => drain(httpDrainMs), httpDrainMs + 1_000)
  stack.push('held plans', () => services.probeLink.stop())
  if (standbyLink) {
    leaveStandbys = () => {
      standbyLink.stop()
      server.close()
    }
  }
  const { takesOver } = world
  if (takesOver) {
    const { link } = takesOver
    const epoch = store.leadership.get()?.epoch ?? 0
    const origin = store.logPosition()?.origin ?? ''
    const former = tellFormer({ clock, log, link, epoch, origin, url: baseUrl })
    stack.push('former leader', () => former.stop())
  }
  if (server.tlsPort !== undefined) log.info('listening with TLS', { port: server.tlsPort })
  certificates.begin(() => runTask('certificates'))
  const { isReady } = engine
  const consoleSettings = layers.values
  const asked = { clock, version, services, pageExports, isReady, consoleSettings }
  const answers = controlAnswers(asked)
  for (const [verb, handle] of Object.entries(answers)) lock.answer(verb, handle)

  let unwound: unknown
  stack.push('memory', () => clock.clearTimeout(unwound))
  const unwind = () => {
    unwound = clock.setTimeout(() => giveMemoryBack(heapGivenBackBytesMax), startUnwindsMs)
  }

  const leaving = new AbortController()
  let takingBack: Promise<void> | undefined
  stack.push('interrupted imports', () => {
    leaving.abort()
    return takingBack
  })

  const unused = await setupToken.ensure()
  // Everything is loaded, and no check has run.
  saveMemory()
  return {
    address: server.address,
    tlsPort: server.tlsPort,
    baseUrl,
    isBaseGuessed,
    isLocalAllowed: engine.guard.judgeAddress('127.0.0.1').allowed,
    statusPages: publicAddresses(store, live.now(), baseUrl),
    firstRun: unused === null ? null : { setupToken: unused },
    reload(next) {
      const change = layers.reload(next.given)
      if ('problems' in change) return change
      certificates.readFiles()
      engine.readAuthorities()
      return change
    },
    ready: engine.load().then(() => {
      takingBack = services.imports.takeBackUnfinished(leaving.signal)
      void reseal.run()
      unwind()
    }),
    async stop() {
      await stack.stop()
    },
  }
}

/**
 * Throws StartFailure (78) if the data is another machine's to lead with. From here on it is in no log of a
 * cluster: whatever changes is not.
 */
async function leadAlone({ leadership, write }: Store): Promise<void> {
  const known = leadership.get()
  if (known?.role === 'founder' || known?.role === 'member') {
    await write((tx) => leadership.put(tx, { ...known, role: 'leader' }))
  }
  if (known?.role !== 'standby' && known?.role !== 'deposed') return
  const other = known.url ?? 'another machine'
  const follow = `stillup standby --of ${known.url ?? 'ADDRESS'}`
  if (known.role === 'standby') {
    throw new StartFailure(exitCodes.config, `the data is a copy of that of ${other}`, {
      hint: `Start it as what it is: ${follow}. To let it lead, then run: stillup promote.`,
    })
  }
  throw new StartFailure(exitCodes.config, `${other} leads: a standby was promoted there`, {
    hint: `Let this machine follow it: ${follow}. Its data is kept where the two differ.`,
  })
}

interface StandbyLinkInputs extends Pick<AppInputs, 'clock' | 'log' | 'fail'> {
  readonly store: Store
  readonly followers: Followers | undefined
  readonly keyring: Keyring
  readonly dir: string
}

function startStandbyLink({ clock, log, fail, store, followers, keyring, dir }: StandbyLinkInputs) {
  // The log of a cluster holds what it has for hours.
  const holds = followers?.holds ?? (() => true)
  const snapshots = createSnapshots({ store, clock, log, dataDir: dir, holds })
  const isSecret = tokenTest(standbySecret(keyring))
  return createStandbyLink({
    ...{ store, followers, snapshots, isSecret },
    onDeposed(url) {
      const who = url ?? 'another machine'
      fail(
        new StartFailure(exitCodes.config, `${who} leads now: a standby was promoted there`, {
          hint: `Let this machine follow it: stillup standby --of ${url ?? 'ADDRESS'}`,
        }),
      )
    },
  })
}

/** A clock that is behind the stored data by more is reported at the start. */
const clockBehindMs = 1_000

/** Time goes on from the last heartbeat: a clock that is behind it is wrong. */
function continueTime(store: Store, clock: RunningClock, log: Log): void {
  const pastMs = store.meta.lastAliveMs() ?? 0
  const behindMs = pastMs - clock.wallMs()
  clock.notBefore(pastMs)
  if (behindMs < clockBehindMs) return
  log.warn('the clock of this machine is behind the stored data: times continue from there', {
    behindMs,
  })
}

/** Status pages whose addresses a start prints. */
const pagesPrinted = 3

/** Some status pages, for the operator; none where strangers make them. */
function publicAddresses(store: Store, { auth }: LiveSettings, baseUrl: string): string[] {
  if (auth.registration === 'open') return []
  const some = store.pages.some(pagesPrinted).filter(({ isEnabled }) => isEnabled)
  return some.map(({ slug }) => `${baseUrl}/status/${slug}`)
}

/** Reduces the settings to what the system's limit of open files allows. */
function fitted(settings: Settings, log: Log) {
  const filesMax = openFilesMax()
  const wanted = settings.checks.concurrency
  const { checks, connections } = shareFiles(filesMax, wanted, filesPerConnection(settings))
  if (checks < wanted) {
    const numbers = { filesMax, wanted, checksAtOnce: checks, connections }
    log.warn(
      'the limit of open files is too low for checks.concurrency: raise LimitNOFILE',
      numbers,
    )
  }
  return {
    settings: { ...settings, checks: { ...settings.checks, concurrency: checks } },
    connectionsMax: connections,
  }
}

/** The same for new settings, while the number of connections stays. */
function refitted(next: Settings, atStart: Settings, connectionsMax: number): Settings {
  const { concurrency } = next.checks
  const perConnection = filesPerConnection(atStart)
  const checks = checksBeside(openFilesMax(), concurrency, connectionsMax, perConnection)
  return { ...next, checks: { ...next.checks, concurrency: checks } }
}

/** Files of a TLS connection: one of the caller, two of the socket that it is passed on through. */
const filesPerTlsConnection = 3

function filesPerConnection({ http }: Settings): number {
  return http.tlsListen === null ? 1 : 1 + filesPerTlsConnection
}

/** Holds a free port if it is 0: links need the address before the daemon listens. */
async function concrete(listen: Settings['http']['listen'], stack: Stack) {
  if (listen.port !== 0) return { listen }
  const { port, release } = await holdPort(listen.host)
  stack.push('port', release)
  return { listen: { ...listen, port }, releasePort: release }
}

function tlsOf({ http, data }: Settings, { hostCertificates }: Certificates): HttpTls | undefined {
  const { tlsListen, hstsSeconds } = http
  if (tlsListen === null) return undefined
  return { ...hostCertificates, ...tlsListen, socketDir: data.dir, hstsSeconds }
}

function liveHttp(now: LiveSettings): LiveHttpSettings {
  return {
    trustedProxies: now.http.trustedProxies,
    rates: ratesOf(now),
    systemToken: now.system.token ?? undefined,
  }
}

/** Imports and bulk operations of one credential. */
const bulkRequests = { quota: 20, windowSeconds: 60 } as const

/** The quotas of organizations without their own. */
function usualQuotas(live: Live): () => Quotas {
  const complete = ({ auth, quotas }: LiveSettings): Quotas => ({
    ...quotas,
    // If strangers can register, one organization must not take the whole machine.
    monitors: quotas.monitors ?? (auth.registration === 'open' ? 200 : 100_000),
  })
  let usual = complete(live.now())
  live.listen((now) => {
    usual = complete(now)
  })
  return () => usual
}

function ratesOf({ http }: LiveSettings): RateSettings {
  const perMinute = (quota: number) => (quota === 0 ? null : { quota, windowSeconds: 60 })
  return {
    api: perMinute(http.rateApiPerMinute),
    auth: perMinute(http.rateAuthPerMinute),
    push: perMinute(http.ratePushPerMinute),
    page: perMinute(http.ratePagePerMinute),
    // A large body is read and judged in one piece, so a few of them are already a load.
    bulk: http.rateApiPerMinute === 0 ? null : bulkRequests,
  }
}
