// A monitor as its organization sees it: the record, its state, and masked secrets.

import type { Fleet } from '../../actors/monitor/fleet.ts'
import type { Clock } from '../../base/clock.ts'
import { perObject } from '../../base/per-object.ts'
import { reaches } from '../../domain/access.ts'
import type { BrowserAction } from '../../domain/browser/action.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import type { FailingFrom } from '../../domain/locations/shown-places.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorAuth } from '../../domain/monitors/monitor-fields.ts'
import {
  initialMonitorState,
  type MonitorState,
  type ShownMonitorState,
  shownMonitorState,
} from '../../domain/monitors/monitor-state.ts'
import { overdueAtMs } from '../../domain/schedule/push-deadline.ts'
import type { Step } from '../../domain/steps/step.ts'
import { urlForViewers } from '../../probes/viewer-url.ts'
import type { Box } from '../../seal/box.ts'
import type { Store } from '../../store/store.ts'
import type { Readings, Uptime } from '../checks/readings.ts'
import type { OrgScope } from '../context.ts'
import { maintenanceAt } from '../maintenance/covered.ts'
import type { FailingFromOf } from './failing-from.ts'
import { openKept } from './kept-addresses.ts'
import { maskedRequest, openRequest } from './monitor-request.ts'

export interface MonitorView extends MonitorSecrets {
  readonly monitor: Monitor
  /** Its address as the reader may see it. */
  readonly url: string | null
  readonly monitorState: MonitorState
  readonly state: ShownMonitorState | 'paused' | 'maintenance'
  readonly sinceMs: number
  /** Null unless it is up and some of its locations see it failing. */
  readonly failingFrom: FailingFrom | null
  readonly uptime: Uptime
  readonly nextAtMs: number | null
  /** Whether the reader may see the encrypted parts of the monitor. */
  readonly showsSecrets: boolean
  /** Whether the same records are likely to be shown again. */
  readonly isRecalled: boolean
}

/** The decrypted parts; all null for a viewer. */
export interface MonitorSecrets {
  readonly body: string | null
  readonly username: string | null
  readonly auth: MonitorAuth | null
  readonly steps: readonly Step[]
  readonly actions: readonly BrowserAction[]
  /** The mask for each name. */
  readonly variables: Readonly<Record<string, string>>
  /** The mask if there is one, as of the next. */
  readonly password: string | null
  readonly secret: string | null
  readonly clientKey: string | null
  /** It authorizes reports; null for kinds other than push. */
  readonly pushToken: string | null
  readonly pushUrl: string | null
  /** Addresses in another product at which its senders report; null: none, or unseen. */
  readonly keptAddresses: readonly string[] | null
}

const noSecrets: MonitorSecrets = {
  body: null,
  username: null,
  auth: null,
  steps: [],
  actions: [],
  variables: {},
  password: null,
  secret: null,
  clientKey: null,
  pushToken: null,
  pushUrl: null,
  keptAddresses: null,
}

export interface ViewDeps {
  readonly store: Pick<Store, 'windows'>
  readonly clock: Clock
  readonly fleet: Fleet
  readonly readings: Readings
  readonly failingFrom: FailingFromOf
  readonly secretsOf: (monitor: Monitor) => MonitorSecrets
}

export interface SecretsDeps {
  readonly box: Box
  readonly pushUrl: (token: string) => string
}

/** Decrypts once per record: the same record has the same secrets. */
export function createSecretsReader({ box, pushUrl }: SecretsDeps): ViewDeps['secretsOf'] {
  const opened = perObject((monitor: Monitor) => {
    const pushToken = openedToken(box, monitor.pushTokenBox)
    const { headers: _, ...request } = maskedRequest(openRequest(box, monitor))
    const url = pushToken === null ? null : pushUrl(pushToken)
    const keptAddresses = monitor.keptAddresses ? openKept(box, monitor) : null
    return { ...request, pushToken, pushUrl: url, keptAddresses }
  })
  return (monitor) => {
    const isSealed = monitor.requestBox !== null || monitor.pushTokenBox !== null
    return isSealed ? opened(monitor) : noSecrets
  }
}

/** The actor of a push monitor learns of a report only when its own deadline has passed. */
function nextAtMs(
  actorsMs: number | null,
  monitor: Monitor,
  monitorState: MonitorState,
): number | null {
  if (!waitsForReports(monitor) || actorsMs === null) return actorsMs
  const overdueMs = overdueAtMs(monitorState)
  return overdueMs === null ? null : Math.max(overdueMs, actorsMs)
}

/** The state of a monitor; a monitor without a stored state has the initial one. */
export function monitorStateOf(
  { monitorStates }: Store,
  { orgId, id, createdAtMs }: Monitor,
  isRecalled = true,
): MonitorState {
  const stored = isRecalled ? monitorStates.recall(orgId, id) : monitorStates.get(orgId, id)
  return stored ?? initialMonitorState(createdAtMs)
}

/** The state that people see: a paused monitor is always `paused`. */
export function stateOf(
  { isActive }: Pick<Monitor, 'isActive'>,
  monitorState: Pick<MonitorState, 'health' | 'lastVerdict'>,
  isUnderMaintenance: boolean,
): MonitorView['state'] {
  if (!isActive) return 'paused'
  return isUnderMaintenance ? 'maintenance' : shownMonitorState(monitorState)
}

/** Null also if it cannot be decrypted any more: one such record must not hide all others. */
function openedToken(box: Box, sealed: string | null): string | null {
  return sealed === null ? null : (box.openOrUndefined(sealed) ?? null)
}

export function viewOf(
  deps: ViewDeps,
  scope: OrgScope,
  monitor: Monitor,
  monitorState: MonitorState,
  isRecalled = true,
): MonitorView {
  const maintenance = maintenanceAt(deps.store, monitor, deps.clock.nowMs())
  const state = stateOf(monitor, monitorState, maintenance !== null)
  const showsSecrets = reaches(scope.role, 'member')
  const secrets = showsSecrets ? deps.secretsOf(monitor) : noSecrets
  return {
    monitor,
    url: showsSecrets ? monitor.url : urlForViewers(monitor),
    monitorState,
    state,
    sinceMs:
      state === 'maintenance' && maintenance ? maintenance.fromMs : monitorState.health.sinceMs,
    failingFrom: state === 'up' ? deps.failingFrom(monitor, isRecalled) : null,
    uptime: deps.readings.uptime(monitor, monitorState, isRecalled),
    nextAtMs: nextAtMs(deps.fleet.nextAtMs(monitor.id), monitor, monitorState),
    showsSecrets,
    isRecalled,
    ...secrets,
  }
}
