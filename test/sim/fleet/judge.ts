// Compares what the daemon put on disk, transaction by transaction, with what the oracles say.
import type { IncidentId, MonitorId } from '../../../src/base/ids.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import type { Health } from '../../../src/domain/health/health.ts'
import type { Gap, Tally } from '../../../src/domain/health/span.ts'
import type { Incident } from '../../../src/domain/incidents/incident.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import type { MonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import type { ChannelOracle, News, Truth } from './channel-oracle.ts'
import type { Fact } from './life.ts'
import { MonitorOracle, type OraclePolicy, type Turn, type Verdict } from './monitor-oracle.ts'

/** What the world gave the daemon to commit: the result of a check, or a report. */
interface Given {
  readonly atMs: number
  readonly verdict: Verdict
  readonly isExplicit: boolean
}

interface Case {
  readonly number: number
  readonly oracle: MonitorOracle
  monitor: Monitor
  /** Incidents of the daemon that are open. */
  readonly open: Set<IncidentId>
  given: Given[]
  /** The results of the day so far. */
  counted: { readonly startMs: number; readonly checks: number }
  lastReportMs: number | null
  /** When it was checked last, or began to be, without the times in which the daemon did not run. */
  checkedAwakeMs: number
}

export interface JudgeDeps {
  readonly nowMs: () => number
  /** The time without what the daemon missed. */
  readonly awakeMs: () => number
  readonly channels: readonly ChannelOracle[]
  readonly note: (...parts: (string | number)[]) => void
  readonly problem: (text: string) => void
  /** Kept here, read by the channels' oracles. */
  readonly truths: Map<string, Truth>
}

/** What people must be told of each turn; of the others they know, or learn nothing new. */
const newsOf: Readonly<Partial<Record<Turn, News>>> = {
  opened: 'opened',
  worsened: 'updated',
  flapping: 'updated',
  resolved: 'resolved',
}

export function createJudge({ nowMs, awakeMs, channels, note, problem, truths }: JudgeDeps) {
  const cases = new Map<MonitorId, Case>()
  const gone = new Map<MonitorId, Case>()
  const gaps: Gap[] = []
  const subjects = new Map<IncidentId, string>()
  const ids = new Map<string, IncidentId>()
  /** Incidents that a person is ending. */
  const closing = new Set<IncidentId>()
  let readings = 0
  let aliveMs: number | null = null
  /** When the process started. */
  let begunAwakeMs = 0

  function expect(subject: string, news: News): void {
    for (const channel of channels) channel.expect(subject, news, awakeMs())
  }

  function subjectOf({ number, oracle }: Case): string {
    return `${number}#${oracle.incident?.number ?? 0}`
  }

  function truthOf(found: Case): Truth {
    const subject = subjectOf(found)
    const known = truths.get(subject)
    if (known) return known
    const made: Truth = {
      isOpen: false,
      isAcknowledged: false,
      openings: 0,
      endings: 0,
      endedAtMs: 0,
      isGone: false,
      severity: 'down',
      flapping: false,
    }
    truths.set(subject, made)
    return made
  }

  function follow(found: Case, turns: readonly Turn[]): void {
    for (const turn of turns) {
      const truth = truthOf(found)
      if (turn === 'opened') {
        Object.assign(truth, { isOpen: true, isAcknowledged: false, isGone: false })
        truth.openings += 1
      }
      if (turn === 'resolved') end(truth)
      truth.flapping = found.oracle.flapping
      note('turn', subjectOf(found), turn)
      const news = newsOf[turn]
      if (news) expect(subjectOf(found), news)
    }
  }

  function end(truth: Truth, isGone = false): void {
    Object.assign(truth, { isOpen: false, isGone, endedAtMs: nowMs() })
    truth.endings += 1
  }

  function created(monitor: Monitor): void {
    const isPush = monitor.checkType === 'push'
    const oracle = new MonitorOracle(policyOf(monitor), isPush, nowMs(), gaps)
    const number = cases.size + gone.size + 1
    const open = new Set<IncidentId>()
    const counted = { startMs: 0, checks: 0 }
    cases.set(monitor.id, {
      number,
      oracle,
      monitor,
      open,
      counted,
      given: [],
      lastReportMs: null,
      checkedAwakeMs: awakeMs(),
    })
  }

  function changed(before: Monitor, monitor: Monitor): void {
    const found = cases.get(monitor.id)
    if (!found) {
      problem(`${monitor.id} changed and is not there`)
      return
    }
    found.monitor = monitor
    found.oracle.policy = policyOf(monitor)
    found.checkedAwakeMs = awakeMs()
    note('edit', found.number, monitor.revision)
    if (before.isActive === monitor.isActive) return
    const wasOpen = found.oracle.isOpen
    if (monitor.isActive) found.oracle.resume(nowMs())
    else found.oracle.pause(nowMs())
    if (wasOpen) end(truthOf(found), true)
  }

  function removed({ id }: Monitor): void {
    const found = cases.get(id)
    if (!found) {
      problem(`${id} is deleted twice`)
      return
    }
    if (found.oracle.isOpen) end(truthOf(found), true)
    found.oracle.remove(nowMs())
    note('deleted', found.number)
    cases.delete(id)
    gone.set(id, found)
  }

  /** A state was written: a result, or something else that a time makes due. */
  function written(monitorId: MonitorId, state: MonitorState): void {
    const found = cases.get(monitorId)
    if (!found) return
    const { oracle } = found
    // Many reports may come at the same moment.
    const { startMs, checks } = state.tally
    const isCounted = checks > (startMs === found.counted.startMs ? found.counted.checks : 0)
    found.counted = { startMs, checks }
    if (state.lastAtMs === null || (state.lastAtMs === oracle.lastAtMs && !isCounted)) {
      // Not every write ends a flapping that is due.
      if (!state.health.flapping) follow(found, oracle.settle(nowMs()))
      return
    }
    readings += 1
    const given = givenOf(found, state)
    if (!given) return
    note(found.number, given.atMs, given.verdict)
    follow(found, oracle.reading(given.atMs, given.verdict, given.isExplicit))
    if (state.lastVerdict !== given.verdict) {
      problem(`${where(found)}: ${given.verdict} was taken for ${state.lastVerdict}`)
    }
  }

  function givenOf(found: Case, state: MonitorState): Given | undefined {
    const { monitor, oracle } = found
    if (monitor.checkType === 'push' && state.lastError?.kind === 'missed') {
      const isNew = state.lastReportAtMs === found.lastReportMs
      if (isNew) return missed(found, state)
    }
    const at = found.given.findIndex(
      ({ atMs }) => Math.max(atMs, oracle.accountedMs) === state.lastAtMs,
    )
    const given = found.given[at]
    if (!given) {
      problem(`${where(found)}: a result of ${state.lastAtMs} that was never given`)
      return undefined
    }
    // The results before it were abandoned, because their actor was replaced.
    found.given = found.given.slice(at + 1)
    if (monitor.checkType === 'push') found.lastReportMs = state.lastReportAtMs
    return given
  }

  /** Checks come at the interval, whatever happens, as long as the daemon runs. */
  function mustBeInTime(found: Case): void {
    const { intervalSeconds } = found.monitor
    const waitedMs = awakeMs() - Math.max(found.checkedAwakeMs, begunAwakeMs)
    if (waitedMs <= intervalSeconds * 1_000 + checkLateMsMax) return
    problem(`${where(found)}: not checked for ${waitedMs} ms`)
  }

  /** A report is missing: nobody can have been given less than the period and the grace. */
  function missed(found: Case, state: MonitorState): Given {
    const { intervalSeconds, graceSeconds } = found.monitor
    const atMs = state.lastAtMs ?? 0
    const earliestMs = (found.lastReportMs ?? 0) + (intervalSeconds + graceSeconds) * 1_000
    if (found.lastReportMs === null) problem(`${where(found)}: missed before the first report`)
    if (atMs < earliestMs || nowMs() < earliestMs) problem(`${where(found)}: missed too early`)
    return { atMs, verdict: 'down', isExplicit: true }
  }

  function handled(incident: Incident): void {
    const [monitorId] = incident.monitorIds
    const found = monitorId && cases.get(monitorId)
    const subject = subjects.get(incident.id)
    const truth = subject === undefined ? undefined : truths.get(subject)
    if (!found || !truth || subject === undefined) return
    if (incident.resolution === 'manual' && closing.delete(incident.id)) {
      found.oracle.closeByHand(nowMs())
      end(truth)
      note('closed', subject)
      expect(subject, 'resolved')
    } else if (incident.state === 'acknowledged' && !truth.isAcknowledged) {
      truth.isAcknowledged = true
      note('acknowledged', subject)
      expect(subject, 'acknowledged')
    }
  }

  function compareIncident(incident: Incident): void {
    const [monitorId] = incident.monitorIds
    const found = monitorId && (cases.get(monitorId) ?? gone.get(monitorId))
    if (!found) {
      problem(`an incident of ${monitorId}, which is not there`)
      return
    }
    if (incident.state === 'resolved') found.open.delete(incident.id)
    else found.open.add(incident.id)
    if (found.open.size > 1) problem(`${where(found)}: ${found.open.size} open incidents`)
    const expected = found.oracle.incident
    const subject = subjectOf(found)
    const { id } = incident
    if ((subjects.get(id) ?? subject) !== subject || (ids.get(subject) ?? id) !== id) {
      problem(`${where(found)}: another incident than ${subject}`)
    }
    subjects.set(id, subject)
    ids.set(subject, id)
    truthOf(found).severity = expected?.severity ?? 'down'
    const pairs = {
      startedAtMs: [incident.startedAtMs, expected?.startedAtMs],
      confirmedAtMs: [incident.confirmedAtMs, expected?.confirmedAtMs],
      resolvedAtMs: [incident.resolvedAtMs, expected?.resolvedAtMs],
      severity: [incident.severity, expected?.severity],
      flapping: [incident.flapping, expected?.flapping],
      resolution: [incident.resolution, expected?.resolution],
    }
    compare(found, `incident ${subject}`, pairs)
  }

  function compareState(found: Case, state: MonitorState): void {
    const { oracle } = found
    compare(found, 'state', {
      shown: [shownOf(state.health), oracle.shown],
      isOpen: [state.health.openIncidentId !== null, oracle.isOpen],
      flapping: [state.health.flapping, oracle.flapping],
      accountedMs: [state.accountedToMs, oracle.accountedMs],
      isPaused: [state.isPaused, oracle.isPaused],
    })
    compareDay(found, state.tally)
  }

  function compareDay(found: Case, tally: Tally): void {
    const { upMs, degradedMs, downMs, excludedMs } =
      found.oracle.days.get(tally.startMs) ?? nothingCounted
    compare(found, `day ${new Date(tally.startMs).toISOString().slice(0, 10)}`, {
      upMs: [tally.upMs, upMs],
      degradedMs: [tally.degradedMs, degradedMs],
      downMs: [tally.downMs, downMs],
      excludedMs: [tally.excludedMs, excludedMs],
    })
  }

  function compare(found: Case, what: string, pairs: Record<string, readonly unknown[]>): void {
    for (const [name, [is, must]] of Object.entries(pairs)) {
      if (is !== must) problem(`${where(found)}, ${what}: ${name} is ${is}, and must be ${must}`)
    }
  }

  return {
    subjects,
    closing,
    /** Nothing was watched then, and the daemon knows it. It may contain the ones before. */
    addGap(gap: Gap): void {
      while ((gaps.at(-1)?.fromMs ?? 0) >= gap.fromMs) gaps.pop()
      gaps.push(gap)
    },
    /** The newest sign of life on disk. */
    aliveMs: () => aliveMs,
    readings: () => readings,
    caseOf: (monitorId: MonitorId) => cases.get(monitorId),

    /** The reading goes to its commit. */
    checked(monitor: Monitor, reading: Reading): void {
      const found = cases.get(monitor.id)
      if (!found || reading.isSetAside) return
      const verdict = verdictOf(reading, monitor)
      mustBeInTime(found)
      found.checkedAwakeMs = awakeMs()
      found.given = [...found.given, { atMs: reading.atMs, verdict, isExplicit: false }].slice(
        -givenKept,
      )
    },

    /** A report goes to its commit. */
    reported(monitorId: MonitorId, atMs: number, isGood: boolean): void {
      const given: Given = { atMs, verdict: isGood ? 'up' : 'down', isExplicit: !isGood }
      cases.get(monitorId)?.given.push(given)
    },

    /** The process starts. */
    began: () => {
      begunAwakeMs = awakeMs()
    },

    /** The process died: what is not on disk never happened. */
    died(): void {
      for (const found of cases.values()) found.given = []
    },

    /** One transaction is on disk. */
    commit(facts: readonly Fact[]): void {
      for (const fact of facts) if (fact.kind === 'incident') handled(fact.incident)
      for (const fact of facts) {
        if (fact.kind === 'monitor' && !fact.before) created(fact.monitor)
        else if (fact.kind === 'monitor' && fact.before) changed(fact.before, fact.monitor)
        else if (fact.kind === 'removed') removed(fact.monitor)
        else if (fact.kind === 'state') written(fact.monitorId, fact.state)
        else if (fact.kind === 'alive') aliveMs = fact.atMs
      }
      const states = new Map<MonitorId, MonitorState>()
      const incidents = new Map<IncidentId, Incident>()
      for (const fact of facts) {
        if (fact.kind === 'state') states.set(fact.monitorId, fact.state)
        if (fact.kind === 'incident') incidents.set(fact.incident.id, fact.incident)
        const found = fact.kind === 'day' ? cases.get(fact.monitorId) : undefined
        if (fact.kind !== 'day' || !found) continue
        compareDay(found, fact.tally)
        found.oracle.days.delete(fact.tally.startMs)
      }
      for (const incident of incidents.values()) compareIncident(incident)
      for (const [monitorId, state] of states) {
        const found = cases.get(monitorId)
        if (found) compareState(found, state)
      }
    },

    /** In the end all is well, and every second of the last day is counted. */
    finish(stateOf: (monitor: Monitor) => MonitorState | undefined): void {
      for (const found of cases.values()) {
        const state = stateOf(found.monitor)
        if (!state) {
          problem(`${where(found)}: its state is lost`)
          continue
        }
        compareState(found, state)
        compareDay(found, state.tally)
        const days = [...found.oracle.days.keys()].filter((day) => day !== state.tally.startMs)
        if (days.length > 0) problem(`${where(found)}: ${days.length} days were not counted`)
        if (found.monitor.isActive && found.monitor.checkType !== 'push') mustBeInTime(found)
        if (found.monitor.isActive && shownOf(state.health) !== 'up') {
          problem(`${where(found)}: all is well, and it is ${shownOf(state.health)}`)
        }
        if (found.open.size > 0) problem(`${where(found)}: its incident does not end`)
      }
    },
  }

  function where(found: Case): string {
    return `monitor ${found.number} at ${new Date(nowMs()).toISOString()}`
  }
}

/** Results on their way to the disk; actors are replaced meanwhile. */
const givenKept = 10

/** A slow answer, and checks that are spread after a standstill. */
const checkLateMsMax = 80_000

const nothingCounted = { upMs: 0, degradedMs: 0, downMs: 0, excludedMs: 0 }

function policyOf(monitor: Monitor): OraclePolicy {
  const { intervalSeconds, timeoutMs, graceSeconds, degradedThreshold } = monitor
  const { degradedOpensIncident } = monitor
  const isPush = monitor.checkType === 'push'
  return {
    // A sender's word needs no confirmation.
    failureThreshold: isPush ? 1 : monitor.failureThreshold,
    recoveryThreshold: isPush ? 1 : monitor.recoveryThreshold,
    degradedThreshold,
    degradedOpensIncident,
    intervalMs: intervalSeconds * 1_000,
    timeoutMs,
    graceMs: graceSeconds * 1_000,
  }
}

function verdictOf({ result, durationMs }: Reading, { degradedThresholdMs }: Monitor): Verdict {
  if (result === 'unknown') return 'unknown'
  if (result === 'failed') return 'down'
  return degradedThresholdMs !== null && durationMs > degradedThresholdMs ? 'degraded' : 'up'
}

function shownOf({ state, held }: Health): string {
  if (state === 'confirming') return held
  return state === 'recovering' ? 'down' : state
}
