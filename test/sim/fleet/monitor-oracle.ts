// What must have become of one monitor: its state, its incident, its seconds. Written from the
// description of the engine, without any of its code.

export type Verdict = 'up' | 'degraded' | 'down' | 'unknown'
export type Shown = 'pending' | 'up' | 'degraded' | 'down'
export type Severity = 'down' | 'degraded'

export interface OraclePolicy {
  readonly failureThreshold: number
  readonly recoveryThreshold: number
  readonly degradedThreshold: number
  readonly degradedOpensIncident: boolean
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly graceMs: number
}

export interface OracleIncident {
  /** Counts the incidents of the monitor. */
  readonly number: number
  startedAtMs: number
  confirmedAtMs: number
  resolvedAtMs: number | null
  severity: Severity
  flapping: boolean
  resolution: 'recovered' | 'manual' | 'paused' | 'deleted' | null
}

/** What people must be told. */
export type Turn = 'opened' | 'worsened' | 'flapping' | 'settled' | 'resolved' | 'recovered'

export interface Seconds {
  upMs: number
  degradedMs: number
  downMs: number
  excludedMs: number
}

interface Run {
  readonly count: number
  readonly sinceMs: number
}

const minuteMs = 60_000
const dayMs = 86_400_000
const resultsRemembered = 12
const flappingTurns = 4
/** Only the newest gaps can reach into a time that is not accounted for. */
const gapsLookedAt = 100

export class MonitorOracle {
  policy: OraclePolicy
  readonly isPush: boolean
  shown: Shown = 'pending'
  /** The open incident, or the newest one. */
  incident: OracleIncident | null = null
  isOpen = false
  isPaused = false
  flapping = false
  accountedMs: number
  lastAtMs: number | null = null
  readonly days = new Map<number, Seconds>()
  /** Times in which nothing was watched, shared by all monitors, oldest first. */
  readonly #gaps: readonly { readonly fromMs: number; readonly toMs: number }[]
  #incidents = 0
  #sinceMs: number
  /** Results outside an outage, oldest first. */
  #results: { readonly atMs: number; readonly isFailure: boolean }[] = []
  /** The newest result failed, and that is not confirmed. */
  #isDoubted = false
  /** Results in a row against the state that is shown. */
  #run: Run | null = null
  /** Why the incident is open at present. */
  #reason: Severity | null = null
  #lastReason: Severity | null = null
  #lastResolvedMs: number | null = null
  #recoveredMs: number | null = null
  #turnsMs: number[] = []
  /** Bad results since a person closed the incident of a monitor that was bad. */
  #badSinceClosed: number | null = null

  constructor(
    policy: OraclePolicy,
    isPush: boolean,
    nowMs: number,
    gaps: readonly { readonly fromMs: number; readonly toMs: number }[],
  ) {
    this.policy = policy
    this.isPush = isPush
    this.accountedMs = nowMs
    this.#sinceMs = nowMs
    this.#gaps = gaps
  }

  /** `explicit`: the sender said so itself, or a report is missing. */
  reading(givenAtMs: number, verdict: Verdict, explicit = false): Turn[] {
    const atMs = Math.max(givenAtMs, this.accountedMs)
    const turns = this.settle(atMs)
    const before = this.shown
    if (verdict === 'unknown') {
      this.#count('excludedMs', this.accountedMs, atMs)
      this.accountedMs = atMs
    } else {
      if (before === 'down') turns.push(...this.#whileDown(atMs, verdict, explicit))
      else turns.push(...this.#whileNotDown(atMs, verdict, explicit))
      this.#accountUntil(atMs, before)
    }
    this.lastAtMs = atMs
    return turns
  }

  /** Flapping ends after half an hour without a turn. */
  settle(nowMs: number): Turn[] {
    const newestMs = this.#turnsMs.at(-1)
    if (!this.flapping || newestMs === undefined || nowMs < newestMs + 30 * minuteMs) return []
    this.flapping = false
    this.#turnsMs = []
    if (!this.incident || !this.isOpen) return []
    if (this.#reason === this.shown) {
      this.incident.flapping = false
      return ['settled']
    }
    this.#close(nowMs, this.#recoveredMs ?? this.#sinceMs, 'recovered')
    return ['resolved']
  }

  /** A person ends the incident. */
  closeByHand(nowMs: number): void {
    const isBad = this.#reason === this.shown
    this.#close(nowMs, nowMs, 'manual')
    this.#turnsMs = []
    this.flapping = false
    this.#badSinceClosed = isBad ? 0 : null
  }

  /** Its incident ends without a recovery; nothing of before counts later. */
  pause(nowMs: number): void {
    this.#accountAs(this.shown, nowMs)
    if (this.isOpen) this.#close(nowMs, nowMs, 'paused')
    this.#beginAnew(nowMs)
    this.isPaused = true
  }

  resume(nowMs: number): void {
    this.#count('excludedMs', this.accountedMs, nowMs)
    this.accountedMs = nowMs
    this.#beginAnew(nowMs)
    this.isPaused = false
  }

  remove(nowMs: number): void {
    if (this.isOpen) this.#close(nowMs, nowMs, 'deleted')
  }

  // States

  #whileNotDown(atMs: number, verdict: Exclude<Verdict, 'unknown'>, explicit: boolean): Turn[] {
    const wasDoubted = this.#isDoubted
    const isFailure = verdict === 'down'
    // Good results count only as distance to a failure.
    if (isFailure || this.#results.length > 0) {
      this.#results = [...this.#results, { atMs, isFailure }].slice(-resultsRemembered)
      if (!this.#results.some((one) => one.isFailure)) this.#results = []
    }
    this.#isDoubted = isFailure
    if (isFailure) {
      this.#run = null
      const { failureThreshold } = this.policy
      const failed = this.#results.slice(-(failureThreshold + 2)).filter((one) => one.isFailure)
      const isConfirmed = explicit || failed.length >= failureThreshold
      return isConfirmed ? this.#goDown(failed.at(0)?.atMs ?? atMs, atMs) : []
    }
    if (verdict === 'degraded') return this.#whenSlow(atMs, wasDoubted)
    return this.#whenFast(atMs)
  }

  #whenSlow(atMs: number, wasDoubted: boolean): Turn[] {
    if (this.shown === 'degraded') {
      this.#run = null
      return wasDoubted ? [] : this.#failAgain('degraded', atMs, false)
    }
    const run = this.#counted(atMs)
    if (run.count >= this.policy.degradedThreshold) {
      this.#show('degraded', run.sinceMs)
      return this.policy.degradedOpensIncident
        ? this.#open('degraded', run.sinceMs, atMs, this.flapping)
        : []
    }
    if (this.shown === 'pending') this.#showFirst(atMs)
    return []
  }

  #whenFast(atMs: number): Turn[] {
    if (this.shown !== 'degraded') {
      this.#run = null
      if (this.shown === 'pending') this.#showFirst(atMs)
      return []
    }
    const run = this.#counted(atMs)
    if (run.count < this.policy.degradedThreshold) return []
    this.#show('up', run.sinceMs)
    return this.flapping ? [] : this.#resolve(atMs, run.sinceMs)
  }

  #whileDown(atMs: number, verdict: Exclude<Verdict, 'unknown'>, explicit: boolean): Turn[] {
    if (verdict === 'down') {
      this.#run = null
      return this.#failAgain('down', atMs, explicit)
    }
    const run = this.#counted(atMs)
    if (run.count < this.policy.recoveryThreshold) return []
    this.#show('up', run.sinceMs)
    this.#recoveredMs = run.sinceMs
    const turnsTooOften = this.#turn(atMs)
    const wasFlapping = this.flapping
    this.flapping = this.isOpen && (wasFlapping || turnsTooOften)
    if (!this.flapping) return this.#resolve(atMs, run.sinceMs)
    if (wasFlapping || !this.incident) return []
    this.incident.flapping = true
    return ['flapping']
  }

  #goDown(startedAtMs: number, atMs: number): Turn[] {
    this.#results = []
    this.#isDoubted = false
    this.#badSinceClosed = null
    this.#show('down', startedAtMs)
    const wasFlapping = this.flapping
    const turnsTooOften = this.#turn(atMs)
    this.flapping = wasFlapping || turnsTooOften
    return this.#open('down', startedAtMs, atMs, wasFlapping)
  }

  /** Notes a confirmed turn; returns whether there were too many within an hour. */
  #turn(atMs: number): boolean {
    this.#turnsMs = [...this.#turnsMs, atMs].slice(-flappingTurns)
    const [oldestMs = atMs] = this.#turnsMs
    return this.#turnsMs.length === flappingTurns && atMs - oldestMs <= 60 * minuteMs
  }

  #counted(atMs: number): Run {
    this.#run = { count: (this.#run?.count ?? 0) + 1, sinceMs: this.#run?.sinceMs ?? atMs }
    return this.#run
  }

  #show(shown: Shown, sinceMs: number): void {
    this.shown = shown
    this.#sinceMs = sinceMs
    this.#run = null
  }

  /** The first good result; slow ones count on. */
  #showFirst(atMs: number): void {
    this.shown = 'up'
    this.#sinceMs = atMs
  }

  #beginAnew(nowMs: number): void {
    this.#show('pending', nowMs)
    this.#results = []
    this.#isDoubted = false
    this.#reason = null
    this.#lastReason = null
    this.#lastResolvedMs = null
    this.#recoveredMs = null
    this.#turnsMs = []
    this.#badSinceClosed = null
    this.flapping = false
    this.isOpen = false
  }

  // Incidents

  #open(severity: Severity, startedAtMs: number, atMs: number, wasFlapping: boolean): Turn[] {
    if (this.incident && this.isOpen) {
      const isSilent = wasFlapping || this.#reason === severity
      this.#reason = severity
      if (isSilent) return []
      this.incident.severity = 'down'
      this.incident.flapping = this.flapping
      return ['worsened']
    }
    const isSoon =
      this.#lastResolvedMs !== null && startedAtMs - this.#lastResolvedMs <= 5 * minuteMs
    const isSame = severity === 'down' || this.#lastReason === 'degraded'
    if (isSoon && isSame && this.incident) return this.#reopen(severity, atMs)
    this.#incidents += 1
    this.#reason = severity
    this.isOpen = true
    this.incident = {
      number: this.#incidents,
      startedAtMs,
      confirmedAtMs: atMs,
      resolvedAtMs: null,
      severity,
      flapping: this.flapping,
      resolution: null,
    }
    return ['opened']
  }

  #reopen(severity: Severity, atMs: number): Turn[] {
    if (!this.incident) throw new Error('only what was open can reopen')
    this.#reason = severity
    this.isOpen = true
    const flapping = this.flapping
    Object.assign(this.incident, { confirmedAtMs: atMs, severity, flapping })
    Object.assign(this.incident, { resolvedAtMs: null, resolution: null })
    return ['opened']
  }

  /** Bad once more since a person closed the incident. */
  #failAgain(severity: Severity, atMs: number, explicit: boolean): Turn[] {
    if (this.#badSinceClosed === null) return []
    const { failureThreshold, degradedThreshold } = this.policy
    const needed = this.#lastReason === 'degraded' ? degradedThreshold : failureThreshold
    if (!explicit && needed - this.#badSinceClosed > 1) {
      this.#badSinceClosed += 1
      return []
    }
    this.#badSinceClosed = null
    return this.#reopen(severity, atMs)
  }

  #resolve(atMs: number, resolvedAtMs: number): Turn[] {
    if (this.#badSinceClosed !== null && this.incident) {
      this.#badSinceClosed = null
      this.#lastResolvedMs = atMs
      this.incident.resolvedAtMs = resolvedAtMs
      return ['recovered']
    }
    if (!this.isOpen) return []
    this.#close(atMs, resolvedAtMs, 'recovered')
    return ['resolved']
  }

  #close(atMs: number, resolvedAtMs: number, resolution: OracleIncident['resolution']): void {
    if (!this.incident) throw new Error('there is an incident to end')
    Object.assign(this.incident, { resolvedAtMs, resolution, flapping: false })
    this.isOpen = false
    this.#lastReason = this.#reason
    this.#reason = null
    this.#lastResolvedMs = atMs
  }

  // Time

  /** Time up to a result, as far as it is certain in which state it was. */
  #accountUntil(atMs: number, before: Shown): void {
    const { intervalMs, timeoutMs, graceMs } = this.policy
    const seenMs = Math.max(this.accountedMs, this.lastAtMs ?? 0)
    const isSilent = this.isPush && before === 'down'
    if (atMs - seenMs > 2 * intervalMs + timeoutMs + graceMs && !isSilent) {
      this.#accountAs(before, seenMs)
      this.#count('excludedMs', seenMs, atMs)
      this.accountedMs = atMs
      return
    }
    if (before !== this.shown) {
      this.#accountAs(before, Math.min(atMs, Math.max(this.accountedMs, this.#sinceMs)))
      this.#accountAs(this.shown, atMs)
      return
    }
    const firstFailure = this.#results.find((one) => one.isFailure)
    const openFromMs = this.#isDoubted ? firstFailure?.atMs : this.#run?.sinceMs
    this.#accountAs(before, Math.min(atMs, Math.max(this.accountedMs, openFromMs ?? atMs)))
  }

  #accountAs(shown: Shown, untilMs: number): void {
    this.#count(shown === 'pending' ? 'excludedMs' : `${shown}Ms`, this.accountedMs, untilMs)
    this.accountedMs = Math.max(this.accountedMs, untilMs)
  }

  #count(column: keyof Seconds, fromMs: number, toMs: number): void {
    let atMs = fromMs
    const isClear = (this.#gaps.at(-1)?.toMs ?? 0) <= fromMs
    for (const gap of isClear ? [] : this.#gaps.slice(-gapsLookedAt)) {
      const beginMs = Math.max(gap.fromMs, atMs)
      const endMs = Math.min(gap.toMs, toMs)
      if (endMs <= beginMs) continue
      this.#add(column, atMs, beginMs)
      this.#add('excludedMs', beginMs, endMs)
      atMs = endMs
    }
    this.#add(column, atMs, toMs)
  }

  #add(column: keyof Seconds, fromMs: number, toMs: number): void {
    for (let atMs = fromMs; atMs < toMs; ) {
      const day = Math.floor(atMs / dayMs) * dayMs
      const endMs = Math.min(toMs, day + dayMs)
      const seconds = this.days.get(day) ?? { upMs: 0, degradedMs: 0, downMs: 0, excludedMs: 0 }
      seconds[column] += endMs - atMs
      this.days.set(day, seconds)
      atMs = endMs
    }
  }
}
