// Shares: which of the probes of a location checks which of its monitors, by rendezvous hashing (Thaler and
// Ravishankar, 1998): when a probe comes or goes, only its own share moves.
import { crc32 } from 'node:zlib'
import type { MonitorId, ProbeId } from '../../base/ids.ts'
import type { CheckType } from '../checks/check-type.ts'

/** A probe that can have a share. */
export interface ShareHolder {
  readonly id: ProbeId
  /** The kinds of checks that it knows. */
  readonly kinds: ReadonlySet<string>
}

interface ShareableMonitor {
  readonly id: MonitorId
  readonly checkType: CheckType
}

/** A share for each of the probes, which may be empty. A monitor whose kind none of them knows is in none. */
export function sharesOf<Monitor extends ShareableMonitor>(
  monitors: Iterable<Monitor>,
  holders: readonly ShareHolder[],
): ReadonlyMap<ProbeId, ReadonlyMap<MonitorId, Monitor>> {
  const places = holders.map(({ id, kinds }) => ({
    kinds,
    hash: crc32(id),
    share: new Map<MonitorId, Monitor>(),
  }))
  for (const monitor of monitors) {
    const hash = places.length > 1 ? crc32(monitor.id) : 0
    let best: (typeof places)[number] | undefined
    let bestScore = -1
    for (const place of places) {
      if (!place.kinds.has(monitor.checkType)) continue
      const score = mixed(hash ^ place.hash)
      if (score > bestScore) {
        best = place
        bestScore = score
      }
    }
    best?.share.set(monitor.id, monitor)
  }
  return new Map(holders.map(({ id }, at) => [id, places[at]?.share ?? new Map()]))
}

/** The finalizer of MurmurHash3: every bit of the number changes half of the others. */
function mixed(bits: number): number {
  let hash = bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
