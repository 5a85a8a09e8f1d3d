// Assignments: what a remote probe gets to know of the monitors that it checks.

import type { LocationId } from '../../base/ids.ts'
import type { Assignment } from '../../domain/locations/protocol.ts'
import { type Monitor, retrySeconds } from '../../domain/monitors/monitor.ts'
import { offsetOf } from '../../domain/schedule/schedule.ts'
import { kindOf } from '../../probes/registry.ts'
import { type Box, SealBroken } from '../../seal/box.ts'
import { type SecretsOf, targetOf } from '../monitors/monitor-request.ts'

export interface AssignmentDeps {
  /** Decrypts what monitors send. */
  readonly box: Box
  readonly secretsOf: SecretsOf
  /** Encrypts for one probe. */
  readonly probeBox: Pick<Box, 'seal'>
  readonly locationId: LocationId
  /** Whether the location is one that all organizations share. */
  readonly isShared: boolean
  /** Whether the location has no result of it yet. */
  readonly isNew: boolean
}

/** Undefined if the master key that encrypted its request is gone: without its secrets nothing is sent. */
export function assignmentOf(
  monitor: Monitor,
  { probeBox, locationId, isShared, isNew, ...deps }: AssignmentDeps,
): Assignment | undefined {
  const request = targetIn(deps, monitor)
  if (!request) return undefined
  const { orgId, headers, body, username, password, secret, clientKey, auth, ...others } = request
  const { steps, variables, secrets, actions, ...target } = others
  const login = { username, password, secret, clientKey, auth }
  const sent = { headers, body, ...login, steps, variables, secrets, actions }
  // Who looks at its machine, or goes through its proxies, is what a probe must know that is not the organization's own.
  const mustSayWho =
    isShared && (monitor.proxy !== null || kindOf(monitor).fields.includes('machine'))
  return {
    ...target,
    ...(mustSayWho ? { orgId } : {}),
    monitorId: monitor.id,
    revision: monitor.revision,
    sealed: monitor.requestBox === null ? null : probeBox.seal(JSON.stringify(sent)),
    intervalMs: monitor.intervalSeconds * 1_000,
    retryMs: retrySeconds(monitor) * 1_000,
    isNew,
    offsetMs: offsetOf(monitor, locationId),
    ...thresholdsOf(monitor),
  }
}

/** A probe sees only whether the target fails, and chooses its pace by that. */
function thresholdsOf({ isUpsideDown, ...monitor }: Monitor) {
  const { failureThreshold, recoveryThreshold, degradedThreshold, degradedThresholdMs } = monitor
  if (!isUpsideDown) {
    return { failureThreshold, recoveryThreshold, degradedThreshold, degradedThresholdMs }
  }
  return {
    failureThreshold: recoveryThreshold,
    recoveryThreshold: failureThreshold,
    degradedThreshold,
    degradedThresholdMs: null,
  }
}

function targetIn({ box, secretsOf }: Pick<AssignmentDeps, 'box' | 'secretsOf'>, monitor: Monitor) {
  try {
    return targetOf(box, monitor, secretsOf)
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}
