// Wires the engine: checks, verdicts, incidents, alerts.
import { createEnqueue } from '../../actors/alerts/enqueue.ts'
import { watchHolds } from '../../actors/alerts/holds.ts'
import { startOutbox } from '../../actors/alerts/outbox.ts'
import { watchReminders } from '../../actors/alerts/reminders.ts'
import { watchMaintenance } from '../../actors/maintenance/watch-maintenance.ts'
import { createCommit } from '../../actors/monitor/commit.ts'
import { createConsequences } from '../../actors/monitor/consequences.ts'
import { type Fleet, startFleet } from '../../actors/monitor/fleet.ts'
import { createFoundMemory } from '../../actors/monitor/found-memory.ts'
import { loadFleet } from '../../actors/monitor/load.ts'
import { createOrgSwitch } from '../../actors/org-switch.ts'
import { watchFlapping } from '../../actors/tasks/flapping.ts'
import { startHeartbeat } from '../../actors/tasks/heartbeat.ts'
import { createJanitor } from '../../actors/tasks/janitor.ts'
import { createReconciler } from '../../actors/tasks/reconciler.ts'
import { watchChecks } from '../../actors/watch-checks.ts'
import { watchDeliveries } from '../../actors/watch-deliveries.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { randomUnit } from '../../base/random.ts'
import { openedChannel } from '../../channels/model/config.ts'
import { createSender } from '../../channels/sender.ts'
import {
  type AlertLinkSubject,
  alertPageUrl,
  incidentsUrl,
} from '../../domain/alerts/alert-link.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { gapNotice } from '../../domain/alerts/system-notice.ts'
import { limits } from '../../domain/limits/limits.ts'
import { stateEvent } from '../../domain/live-events/live-event.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { ClockWatch } from '../../net/connection/clock-trust.ts'
import { signWebhook } from '../../seal/sign.ts'
import { isOrgOff } from '../../store/org-state.ts'
import { placeNames } from '../../store/place-names.ts'
import { createChannelNotices } from '../letters/channel-notices.ts'
import { createClockNotices } from '../letters/clock-notices.ts'
import { createSuspensions } from '../letters/suspensions.ts'
import { createSystemNotices } from '../letters/system-notices.ts'
import { createCommitListeners } from '../live-events/commit-listeners.ts'
import { createCheckTools } from '../monitors/check-tools.ts'
import { createFailingFrom } from '../monitors/failing-from.ts'
import { createPageUrls } from '../pages/page-urls.ts'
import { createPublicPages } from '../pages/public-pages.ts'
import { secretsOf } from '../secrets/secrets.ts'
import type { EngineDeps } from './engine-deps.ts'
import { startHeartbeatOut } from './heartbeat.ts'
import { startObserving } from './observer.ts'
import { createProbing } from './probing.ts'
import { startSubscriberEngine } from './subscriber-engine.ts'

/** A shorter time without the daemon, such as a restart, is not reported. */
const gapToldMsMin = 60_000
/** Ends of windows within this time before a start of the daemon may not have been acted on. */
const maintenanceOverlapMs = 600_000

export type Engine = ReturnType<typeof startEngine>

export function startEngine(deps: EngineDeps) {
  const { baseUrl, alertLinks, clock, log, metrics, store, box, mail, stack, events } = deps
  const clockWatch: ClockWatch = {
    doubted: (doubt) => clockNotices.doubted(doubt),
    confirmed: () => clockNotices.confirmed(),
  }
  const probing = createProbing(deps, clockWatch, () => fleet.size())
  const sendLetter = mail.alertLetters(probing.sendThrough)
  const sender = createSender({ request: probing.request, sign: signWebhook, sendLetter })
  const open = (channel: Channel) => openedChannel(channel, box.open(channel.secretsBox))
  const isOff = (orgId: OrgId) => isOrgOff(store, orgId)
  const deliveryWatch = watchDeliveries({ metrics, store, clock })
  const outbox = startOutbox({
    store,
    clock,
    log,
    random: randomUnit,
    sender,
    open,
    seal: box.seal,
    isOff,
    incidentsUrl: (orgId) => incidentsUrl(baseUrl, orgId),
    tellOwners: (tx, orgId, payload) => channelNotices.tellOwners(tx, orgId, payload),
    onAttempt: deliveryWatch.onAttempt,
    onGivenUp: deliveryWatch.onGivenUp,
  })
  const systemNotices = createSystemNotices({ store, clock, wake: outbox.wake })
  const clockNotices = createClockNotices({ store, clock, log, systemNotices, baseUrl })
  stack.push('clock notices', () => clockNotices.stop())
  const channelNotices = createChannelNotices({ ...deps, systemNotices })
  const drained = async () => {
    await Promise.all([outbox.stop(), subscribers.stop(), mail.stop()])
    mail.close()
  }
  stack.push('outbox', drained, limits.deliveryDrainMs + 1_000)

  const pageUrls = createPageUrls({ store, baseUrl, statusDomain: deps.settings.http.statusDomain })
  const placeName = placeNames(store, () => deps.live.now().checks.homeName)
  const publicPages = createPublicPages({
    ...{ store, clock, urls: pageUrls, placeName },
    hasMailServer: () => deps.live.now().mail.smtpUrl !== null,
  })
  const subscribers = startSubscriberEngine({ ...deps, sender, pageUrls, isOff })
  const incidentUrl = (subject: AlertLinkSubject) =>
    alertPageUrl(baseUrl, alertLinks.token(subject))
  const enqueue = createEnqueue({ store, incidentUrl, wake: outbox.wake })
  const reminders = watchReminders({ store, clock, log, enqueue, isOff })
  stack.push('reminders', () => reminders.stop())
  const hasten: Fleet['hasten'] = (monitorId, atMs) => fleet.hasten(monitorId, atMs)
  const isSuspended: Fleet['isSuspended'] = (monitorId) => fleet.isSuspended(monitorId)
  const holds = watchHolds({ store, clock, log, enqueue, hasten, isOff, isSuspended })
  stack.push('holds', () => holds.stop())
  const failingFrom = createFailingFrom({ store, clock }, placeName)
  const consequences = createConsequences({ store, clock, enqueue, isSuspended, placeName })
  const watch = watchChecks(metrics)
  clock.onJump(watch.onJump)
  const found = createFoundMemory()
  const memberTurned = (orgId: OrgId, monitorId: MonitorId) =>
    fleet.regroup(store.monitors.dependents(orgId, monitorId, limits.groupsOfMonitorMax))
  const listeners = createCommitListeners({
    publicPages,
    events,
    watch,
    found,
    monitorOf: (monitorId) => fleet.monitor(monitorId),
    failingFrom,
    noteHealth: (monitor, health) => flapping.note(monitor, health),
    memberTurned,
  })
  const { lookAbove: onFailing } = holds
  const onPlaced: Fleet['placed'] = (...placed) => fleet.placed(...placed)
  const commit = createCommit({ store, clock, consequences, onFailing, onPlaced, ...listeners })

  const flapping = watchFlapping({ clock, log, settle: commit.settle })
  stack.push('flapping', () => flapping.stop())
  const observer = startObserving({
    ...deps,
    resolver: probing.resolver,
    systemNotices,
    fleet: () => fleet,
  })
  const looking = createCheckTools({
    box,
    secretsOf: (orgId, names) => secretsOf({ store, box }, orgId, names),
    clock,
    gate: probing.gate,
    checks: probing.checks,
    believe: observer.believe,
  })
  const suspensions = createSuspensions({ store, clock, log, commit, systemNotices, baseUrl })
  const fleet: Fleet = startFleet({
    clock,
    log,
    commit,
    ...looking,
    isOff,
    onStart: watch.onStart,
    isCutOff: observer.isCutOff,
    onSuspended: suspensions.note,
  })
  stack.push('fleet', () => fleet.drain())
  const maintenance = watchMaintenance({
    store,
    clock,
    log,
    commit,
    fleet,
    isOff,
    onTurned(monitor, maintenance) {
      if (!events.hasListeners(monitor.orgId)) return
      const monitorState = store.monitorStates.get(monitor.orgId, monitor.id)
      if (monitorState)
        events.publish(monitor.orgId, stateEvent(monitor, monitorState, maintenance))
    },
    onLooked(orgId) {
      fleet.regroupAll(orgId)
      publicPages.invalidate(orgId)
      outbox.resume(orgId)
      return reminders.lookAgain(orgId)
    },
  })
  stack.push('maintenance', () => maintenance.stop())
  watch.observe({ fleet, gate: probing.gate, pending: outbox.pending })

  const heartbeat = startHeartbeat({ store, clock })
  stack.push('heartbeat', () => heartbeat.stop())
  const janitor = createJanitor({ store, clock })
  stack.push('janitor', () => janitor.stop())
  const reconciler = createReconciler({ store, clock, log, enqueue, holds, wake: outbox.wake })
  const sweep = () => {
    janitor.sweep().catch((error: unknown) => log.error('cleanup failed', { error }))
  }
  store.signals.tombstoneAdded.listen(sweep)
  const onLoaded = (monitor: Monitor, { health }: MonitorState) => {
    flapping.note(monitor, health)
    reminders.note(monitor, health)
    holds.noteMonitor(monitor, health)
  }
  const onOrgLoaded = reminders.noteOrg
  const orgSwitch = createOrgSwitch({
    store,
    clock,
    fleet,
    queues: [outbox, subscribers],
    onLoaded,
    onOrgLoaded,
  })
  const takeUpOwed = () => {
    outbox.start()
    mail.start()
    subscribers.start()
  }
  /** The time alive is stored with it, so that a start that fails later does not tell it again. */
  async function tellGap(): Promise<void> {
    if (heartbeat.gapMs < gapToldMsMin) return
    await store.write((tx) => {
      systemNotices.tell(tx, gapNotice(baseUrl, heartbeat.gap))
      store.meta.putLastAlive(tx, clock.nowMs())
    })
  }
  let isLoaded = false
  let isStopping = false
  let heartbeatOut: ReturnType<typeof startHeartbeatOut> | undefined
  stack.push('outgoing heartbeat', () => heartbeatOut?.stop())
  stack.push('loading', () => {
    isStopping = true
  })

  return {
    guard: probing.guard,
    resolver: probing.resolver,
    /** What is wrong with a URL as the target of a check of this kind. */
    judgeTarget: probing.checks.judgeUrl,
    /** The guarded HTTP client for messages. */
    request: probing.request,
    requestWhole: probing.requestWhole,
    /** Reads the authorities that checks trust again. */
    readAuthorities: probing.readAuthorities,
    sender,
    enqueue,
    tellLive: consequences.tellLive,
    commit,
    fleet,
    placeName,
    failingFrom,
    found,
    outbox,
    publicPages,
    pageUrls,
    subscriberMessages: subscribers.messages,
    subscriptionUrls: subscribers.urlsOf,
    /** How checks are made, for trials without a monitor. */
    looking,
    observer,
    orgSwitch,
    janitor,
    reconciler,
    systemNotices,
    /** Sends everything pending that is not being sent yet. */
    takeUpOwed,
    isReady: (): boolean => isLoaded && !isStopping,
    /** The starts of checks since the daemon started. */
    checkStarts: watch.starts,
    /** How many threads make checks; 0: this one does. */
    checkThreads: probing.checks.threads,
    /** What was counted of checks since the daemon started. */
    checkCounts: watch,
    /** The state of the outgoing heartbeat; null without one. */
    heartbeatState: () => heartbeatOut?.state() ?? null,
    /** Starts every monitor and all pending work; resolves when all run. */
    async load(): Promise<void> {
      takeUpOwed()
      await loadFleet({
        store,
        clock,
        log,
        fleet,
        gapMs: heartbeat.gapMs,
        isStopping: () => isStopping,
        onLoaded,
      })
      await reminders.noteOrgs(() => isStopping)
      maintenance.start(clock.nowMs() - heartbeat.gapMs - maintenanceOverlapMs)
      await tellGap()
      isLoaded = true
      if (!isStopping) {
        const { resolver } = probing
        heartbeatOut = startHeartbeatOut({ ...deps, resolver, fleet, watch, outbox })
      }
      // Finishes deletions that an earlier stop interrupted.
      sweep()
    },
  }
}
