// The end of the silence of a shadow run, in slices: each is whole, so that one that is cut off can be asked for again.
import type { Consequences } from '../../../actors/monitor/consequences.ts'
import { refuseInvalid } from '../../../base/fault.ts'
import type { ImportId, MonitorId } from '../../../base/ids.ts'
import { createYielder } from '../../../base/yielding.ts'
import { inOrderOfTelling } from '../../../domain/imports/shadow/telling-order.ts'
import { isHeld } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Monitor } from '../../../domain/monitors/monitor.ts'
import { isSilent } from '../../../domain/monitors/shadow.ts'
import type { Tx } from '../../../store/engine/write.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import {
  type ChangesDeps,
  createChanges,
  type MonitorChange,
} from '../../monitors/monitor-changes.ts'
import type { ShadowComparison, ShadowImport } from './shadow-comparison.ts'

export interface GoingLiveDeps extends ChangesDeps {
  readonly monitorsOf: ShadowComparison['monitorsOf']
  /** Throws not_found. */
  readonly found: (scope: OrgScope, importId: string) => ShadowImport
  /** Tells of an incident that began in silence, and returns it; null if there is none to tell of. */
  readonly tellLive: Consequences['tellLive']
}

export interface WentLive {
  readonly live: number
  /** Monitors whose outage was told. */
  readonly toldNow: number
}

/** Monitors that go live in one transaction: about 15 ms where all of them are down. */
const liveTogether = 50

export function createGoingLive(core: Core, deps: GoingLiveDeps) {
  const { store, clock, audit } = core
  const { found, monitorsOf, tellLive } = deps
  const changes = createChanges(core, deps)

  /** Throws validation_failed for one that is not in the shadow run of the import. */
  function mustBeOfRun(known: ReadonlySet<MonitorId>, chosen: readonly MonitorId[]): void {
    const unknown = chosen.flatMap((id, index) => {
      const message = 'is not in the shadow run of this import'
      const problem = { pointer: `/monitorIds/${index}`, keyword: 'reference', message }
      return known.has(id) ? [] : [problem]
    })
    refuseInvalid(unknown)
  }

  /** The silent ones, in the order in which they go live. Throws validation_failed. Yields to other work. */
  async function silentOf(
    scope: OrgScope,
    importId: ImportId,
    chosen: readonly MonitorId[] | undefined,
  ): Promise<readonly MonitorId[]> {
    const yielder = createYielder(clock, limits.turnMs)
    const known = new Set<MonitorId>()
    const silent: Monitor[] = []
    const asked = chosen && new Set(chosen)
    for (const monitor of monitorsOf(scope, importId)) {
      known.add(monitor.id)
      if (isSilent(monitor) && (asked?.has(monitor.id) ?? true)) silent.push(monitor)
      if (yielder.isDue()) await yielder.pause()
    }
    if (chosen) mustBeOfRun(known, chosen)
    return inOrderOfTelling(silent).map(({ id }) => id)
  }

  /** The monitors go live, and what is down of them is told, in one transaction. */
  function letLive(tx: Tx, { orgId }: OrgScope, ids: readonly MonitorId[]) {
    const liveAtMs = clock.nowMs()
    const made = ids.flatMap((id): MonitorChange[] => {
      const before = store.monitors.readable(orgId, id)
      if (!before?.shadow || !isSilent(before)) return []
      const shadow = { ...before.shadow, liveAtMs, liveFromRevision: before.revision }
      return [changes.put(tx, before, { ...before, shadow })]
    })
    // Those above are live by now, so it is known which of these are held by others.
    const told = made.filter(({ monitor }) => {
      const monitorState = store.monitorStates.get(orgId, monitor.id)
      const incident = monitorState && tellLive(tx, monitor, monitorState.health)
      return incident != null && !isHeld(incident)
    })
    return { made, toldNow: told.length }
  }

  /** Notes that none is silent any more, so that what comes later is heard of at once. False: some are. */
  function noteEnd(tx: Tx, scope: OrgScope, importId: ImportId): boolean {
    const { shadow, ...record } = found(scope, importId)
    if (store.monitors.silentOf(scope.orgId, importId) > 0) return false
    if (shadow.liveAtMs === undefined) {
      store.imports.put(tx, { ...record, shadow: { ...shadow, liveAtMs: clock.nowMs() } })
    }
    return true
  }

  /** Replaces the actors. Yields to other work. */
  async function follow(made: readonly MonitorChange[]): Promise<void> {
    const yielder = createYielder(clock, limits.turnMs)
    for (const change of made) {
      changes.follow(change, 'start')
      if (yielder.isDue()) await yielder.pause()
    }
  }

  /**
   * Lets monitors tell from now on, all of the import or some: what is down at this moment is told at once, unless a
   * monitor above explains it; under maintenance at its end. If it is interrupted, those that are live by then were
   * told of, the others stay silent, and it may be asked for again. Again it changes nothing. Yields to other work.
   * Throws not_found, validation_failed.
   */
  return async function goLive(
    scope: OrgScope,
    importId: string,
    chosen?: readonly MonitorId[],
  ): Promise<WentLive> {
    const { id } = found(scope, importId)
    let ids = await silentOf(scope, id, chosen)
    await store.write((tx) => {
      const detail = `monitors ${ids.length}`
      audit.note(tx, scope, { action: 'import.went_live', objectId: id, detail })
    })
    const made: MonitorChange[] = []
    let toldNow = 0
    try {
      for (;;) {
        for (let at = 0; at < ids.length; at += liveTogether) {
          const slice = ids.slice(at, at + liveTogether)
          const done = await store.write((tx) => letLive(tx, scope, slice))
          made.push(...done.made)
          toldNow += done.toldNow
        }
        const isOver = await store.write((tx) => noteEnd(tx, scope, id))
        if (isOver || chosen) break
        // A ping key of the import may have made another one meanwhile.
        ids = await silentOf(scope, id, undefined)
        if (ids.length === 0) break
      }
    } finally {
      await follow(made)
    }
    return { live: made.length, toldNow }
  }
}
