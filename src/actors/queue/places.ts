// Places: how many jobs may run at once, shared fairly between organizations.
import type { Clock } from '../../base/clock.ts'
import { createGate } from '../../base/gate.ts'
import type { Slots } from './slots.ts'

export interface PlacesBounds {
  readonly total: number
  /** The last places: an organization may take one of them only while it holds few places. */
  readonly kept: { readonly places: number; readonly share: number }
  /** Jobs that take longer than `slowMs` leave their place and go on beside, up to so many. */
  readonly slow?: { readonly slowMs: number; readonly total: number }
}

export interface Places {
  /** A place for one job of a recipient. */
  for(orgId: string, recipientId: string): Slots
  load(): { inside: number; waiting: number; slow: number }
}

export function createPlaces(clock: Clock, { total, kept, slow }: PlacesBounds): Places {
  // A recipient has one job at a time, so only the organizations compete.
  const gate = createGate({ total, perKey: 1, kept })
  let slowNow = 0

  return {
    load: () => ({ ...gate.load(), slow: slowNow }),
    for(orgId, recipientId) {
      let isSlow = false
      let timer: unknown

      function moveAside(): void {
        if (!slow || slowNow >= slow.total) return
        slowNow += 1
        isSlow = true
        gate.leave(recipientId, orgId)
      }

      function begin(): void {
        if (slow) timer = clock.setTimeout(moveAside, slow.slowMs)
      }

      return {
        async take(signal) {
          const admission = gate.enter(recipientId, clock.monoMs(), orgId)
          if (admission !== undefined) {
            await admittedOr(signal, admission, () => gate.leave(recipientId, orgId))
          }
          begin()
        },
        free() {
          clock.clearTimeout(timer)
          if (isSlow) slowNow -= 1
          else gate.leave(recipientId, orgId)
        },
      }
    },
  }
}

/** Rejects with the signal's reason if it is aborted first; a later admission is then given back. */
function admittedOr(
  signal: AbortSignal,
  admission: Promise<void>,
  giveBack: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason)
      void admission.then(giveBack)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    void admission.then(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
  })
}
