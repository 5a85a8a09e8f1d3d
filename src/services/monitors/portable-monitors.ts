// Exports and imports monitors: everything except headers and push tokens.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import type { OrgId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import {
  completedInput,
  type MonitorFields,
  type MonitorInput,
} from '../../domain/monitors/monitor-input.ts'
import type { Store } from '../../store/store.ts'
import { type Portable, pointerPart, type WithId } from '../portable.ts'
import { createDrafts, type DraftsDeps, newMonitorState } from './monitor-drafts.ts'

export interface PortableMonitorsDeps extends DraftsDeps {
  readonly store: Pick<Store, 'monitors' | 'monitorStates'>
  readonly fleet: Pick<Fleet, 'start'>
}

export function portableMonitors(
  deps: PortableMonitorsDeps,
): Portable<MonitorFields & WithId, Monitor> {
  const { store, fleet } = deps
  const drafts = createDrafts(deps)

  /** Oldest first, collected with yields. */
  async function monitorsOf(orgId: OrgId): Promise<Monitor[]> {
    const monitors: Monitor[] = []
    let last: Monitor | undefined
    do {
      const slice = store.monitors.list(orgId, limits.scanSlice, last?.id)
      monitors.push(...slice)
      last = slice.length < limits.scanSlice ? undefined : slice.at(-1)
      if (last) await nextTurn()
    } while (last)
    return monitors.reverse()
  }

  return {
    async export(orgId) {
      const monitors = await monitorsOf(orgId)
      return monitors.map((monitor) => {
        const { body, notifyChannelIds } = drafts.inputOf(monitor)
        const item = { ...itemOf(monitor), body, notifyChannelIds }
        return { item, secrets: secretsOf(monitor) }
      })
    },
    prepare(item, orgId, references) {
      const { id, ...fields } = item
      const named = (fields.notifyChannelIds ?? []) as readonly string[]
      const notifyChannelIds = references.referred('channel', named, '/notifyChannelIds')
      const input = completedInput({ ...fields, notifyChannelIds })
      drafts.judge(orgId, input, { areChannelsKnown: true })
      const secrets = references.omittedFrom(item).filter((pointer) => isMissing(pointer, input))
      const mustPause = input.isActive && secrets.length > 0
      const monitor = drafts.monitorOf(orgId, mustPause ? { ...input, isActive: false } : input)
      if (mustPause) references.notePaused({ id: monitor.id, secrets })
      return references.note(id, monitor)
    },
    put(tx, orgId, monitors) {
      store.monitors.putNew(tx, orgId, monitors)
      for (const monitor of monitors) {
        store.monitorStates.put(tx, orgId, monitor.id, newMonitorState(monitor))
      }
    },
    async start(monitors) {
      for (const [index, monitor] of monitors.entries()) {
        // Their first checks are spread over their intervals, as after a start.
        fleet.start(monitor, 'start', newMonitorState(monitor))
        if (index % limits.scanSlice === limits.scanSlice - 1) await nextTurn()
      }
    },
  }
}

/** A header that the document does not set. A push token is never missing: the import makes one. */
function isMissing(pointer: string, { headers }: MonitorInput): boolean {
  const isHeader = pointer.startsWith('/headers/')
  return (
    isHeader && !Object.keys(headers).some((name) => pointer === `/headers/${pointerPart(name)}`)
  )
}

/** Omits what belongs to this installation: owner, creation time, and encrypted parts. */
function itemOf(monitor: Monitor): MonitorFields & WithId {
  const { orgId, headerNames, requestBox, pushTokenHash, pushTokenBox, ...more } = monitor
  const { createdAtMs, updatedAtMs, revision, ...own } = more
  return own
}

function secretsOf({ headerNames, pushTokenHash }: Monitor): string[] {
  const headers = headerNames.map((name) => `/headers/${pointerPart(name)}`)
  return pushTokenHash === null ? headers : [...headers, '/pushToken']
}
