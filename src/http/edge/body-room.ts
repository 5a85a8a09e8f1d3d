// Room for large bodies: callers send many at once, slowly, and each is kept in memory until its request
// is over.
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'

export interface BodyRoom {
  /** Takes room for a body; `leave` gives it back. Throws unavailable if there is too little. */
  take(request: object, owner: string, bytes: number): void
  /** Gives back the room of a request that is over, if it had any. */
  leave(request: object): void
}

export function createBodyRoom(): BodyRoom {
  const { bytesMin, bytesMax, share } = limits.largeBodies
  const taken = new Map<object, { readonly owner: string; readonly bytes: number }>()
  const ofOwners = new Map<string, number>()
  let inAll = 0

  function add(owner: string, bytes: number): void {
    const sum = (ofOwners.get(owner) ?? 0) + bytes
    if (sum > 0) ofOwners.set(owner, sum)
    else ofOwners.delete(owner)
    inAll += bytes
  }

  return {
    take(request, owner, bytes) {
      if (bytes <= bytesMin) return
      const own = ofOwners.get(owner) ?? 0
      // A share of what others leave: however many fill theirs, there is some left.
      if (own + bytes > share * (bytesMax - (inAll - own))) throw noRoom()
      taken.set(request, { owner, bytes })
      add(owner, bytes)
    },
    leave(request) {
      const one = taken.get(request)
      if (!one) return
      taken.delete(request)
      add(one.owner, -one.bytes)
    },
  }
}

function noRoom(): Fault {
  const headers = [['Retry-After', String(limits.retryAfterSeconds)]] as const
  return new Fault('unavailable', 'Too many large bodies arrive at once', { headers })
}
