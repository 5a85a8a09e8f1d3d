// A trial: checks the target of a monitor before it exists. It runs once and stores nothing.

import { invalidField, notFound } from '../../base/fault.ts'
import { acquireWithin } from '../../base/gate.ts'
import type { MonitorId } from '../../base/ids.ts'
import { isChecked, waitsForReports } from '../../domain/checks/check-type.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import type { VerdictKind } from '../../domain/checks/verdict.ts'
import { verdictOn } from '../../domain/checks/verdict.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorFields, MonitorInput } from '../../domain/monitors/monitor-fields.ts'
import { completedInput } from '../../domain/monitors/monitor-input.ts'
import { type RunLimits, tooBusy } from '../checks/run-limits.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import type { CheckTools } from './check-tools.ts'
import { createDrafts, type DraftsDeps } from './monitor-drafts.ts'
import { type KeptSecrets, openRequest, withKeptSecrets } from './monitor-request.ts'

export interface TrialResult {
  readonly reading: Reading
  readonly verdict: VerdictKind
}

export interface TrialsDeps extends DraftsDeps {
  readonly looking: CheckTools
  readonly runLimits: RunLimits
  readonly mustBeApproved: (orgId: OrgScope['orgId']) => void
}

export interface TrialRequest {
  readonly fields: MonitorFields
  /** Headers that are sent as the mask have the values of this monitor, for the same server. */
  readonly monitorId?: MonitorId | undefined
}

export function createTrials(core: Core, deps: TrialsDeps) {
  const { store, clock, box, audit } = core
  const { looking } = deps
  const { gate } = looking
  const drafts = createDrafts(core, deps)

  /** Enters before checks that are merely due. Throws unavailable if that takes long. */
  async function enter(host: string, orgId: OrgScope['orgId']): Promise<void> {
    const request = { key: host, party: orgId, dueAtMs: 0 }
    if (!(await acquireWithin(gate, request, clock, limits.runWaitMsMax))) throw tooBusy()
  }

  async function look(monitor: Monitor, signal: AbortSignal): Promise<Reading> {
    const host = looking.hostOf(monitor)
    await enter(host, monitor.orgId)
    try {
      return await looking.probe(monitor, signal, false, true)
    } finally {
      gate.leave(host, monitor.orgId)
    }
  }

  /**
   * The input as a change of the monitor would have it; everybody who may try may also make such a
   * change.
   */
  function judgedInput({ orgId }: OrgScope, { fields, monitorId }: TrialRequest): MonitorInput {
    const given = completedInput(fields)
    const { carried = [], ...kept } = monitorId === undefined ? {} : keptOf(orgId, monitorId, given)
    const input = { ...given, ...kept }
    drafts.judge(orgId, input, { carried, isTrial: true })
    return input
  }

  function keptOf(
    orgId: OrgScope['orgId'],
    monitorId: MonitorId,
    given: MonitorInput,
  ): KeptSecrets {
    const stored = store.monitors.get(orgId, monitorId)
    if (!stored) throw notFound('monitor')
    return withKeptSecrets(given, { ...stored, ...openRequest(box, stored) })
  }

  return {
    /** Throws the faults of a creation, not_found, rate_limited, unavailable. */
    async run(scope: OrgScope, request: TrialRequest, signal: AbortSignal): Promise<TrialResult> {
      const input = judgedInput(scope, request)
      if (!isChecked(input)) {
        const rule = waitsForReports(input)
          ? 'cannot be push: a push monitor waits for reports, so there is nothing to check'
          : `cannot be ${input.checkType}: such a monitor has no target, so there is nothing to check`
        throw invalidField('/checkType', 'forbidden', rule)
      }
      deps.mustBeApproved(scope.orgId)
      deps.runLimits.take(scope.orgId)
      const monitor = drafts.monitorOf(scope.orgId, input)
      // The check sends something on the caller's behalf, so it is recorded before it is sent.
      const detail = `${input.checkType} ${looking.hostOf(monitor)}`
      await store.write((tx) =>
        audit.note(tx, scope, { action: 'monitor.tested', objectId: null, detail }),
      )
      const reading = await look(monitor, signal)
      return { reading, verdict: verdictOn(monitor, reading) }
    },
  }
}
