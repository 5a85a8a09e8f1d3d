// Checks in several threads, so that more than one core makes them: a TLS handshake costs more than
// all that the daemon does with its result.
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import type { Checks } from '../checks.ts'
import { isInOneThread } from '../registry.ts'
import { createSlot, type Slot, type SlotDeps } from './slot.ts'

export interface PoolDeps extends SlotDeps {
  /** Makes the checks while there are no threads, and knows the targets. */
  readonly local: Checks
  /** How many threads there should be by now; asked until there are some, which stay. */
  readonly threadsWanted: () => number
}

export interface Pool extends Checks {
  /** Tells all threads rules that have changed. */
  tellRules(): void
  /** The threads that make checks. */
  threads(): number
  stop(): Promise<unknown>
}

export function createPool({ local, threadsWanted, ...deps }: PoolDeps): Pool {
  const slots: Slot[] = []

  /** Always the same thread for a host: it knows its addresses, and how its name servers do. */
  function slotOf({ checkType, url, connectTo }: EndpointTarget): Slot | undefined {
    if (isInOneThread(checkType)) return slots[0]
    return slots[placeOf(local.hostOf(checkType, url, connectTo), slots)]
  }

  return {
    judgeUrl: local.judgeUrl,
    hostOf: local.hostOf,
    check(target, options) {
      if (slots.length === 0) {
        for (let missing = threadsWanted(); missing > 0; missing -= 1) slots.push(createSlot(deps))
      }
      return (slotOf(target) ?? local).check(target, options)
    },
    tellRules() {
      for (const slot of slots) slot.tellRules()
    },
    threads: () => slots.length,
    stop: () => Promise.all(slots.map((slot) => slot.stop())),
  }
}

function placeOf(host: string, { length }: readonly Slot[]): number {
  let sum = 0
  for (let at = 0; at < host.length; at += 1) sum = (Math.imul(sum, 31) + host.charCodeAt(at)) | 0
  return (sum >>> 0) % Math.max(1, length)
}
