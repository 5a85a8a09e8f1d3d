// Tells the channels that an administrator chose when the disk of the data gets full: once on the
// way down for each step, and once when there has been space again for a while.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { diskNotice } from '../../domain/alerts/system-notice.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Space, SpaceGuard, SpaceState } from '../../store/space.ts'
import type { Store } from '../../store/store.ts'
import type { SystemNotices } from './system-notices.ts'

export interface DiskNoticesDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<Store, 'meta' | 'write'>
  readonly space: Pick<SpaceGuard, 'listen'>
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

const rank: Readonly<Record<SpaceState, number>> = { ok: 0, low: 1, full: 2 }

export function startDiskNotices(deps: DiskNoticesDeps) {
  const { clock, log, store, systemNotices, baseUrl } = deps
  let calm: unknown

  function tell(state: SpaceState, { freeBytes }: Space): void {
    const work = store.write((tx) => {
      const before = store.meta.notices()
      // What an earlier run told is not told again.
      if (before.toldDisk === state) return
      systemNotices.tell(tx, diskNotice(baseUrl, state, freeBytes))
      store.meta.putNotices(tx, { ...before, toldDisk: state })
    })
    work.catch((error) => log.error('the state of the disk could not be told', { error }))
  }

  deps.space.listen((state, space) => {
    clock.clearTimeout(calm)
    const told = store.meta.notices().toldDisk
    if (rank[state] > rank[told]) tell(state, space)
    // Space that comes and goes around the threshold is one episode.
    else if (state === 'ok' && told !== 'ok') {
      calm = clock.setTimeout(() => tell('ok', space), limits.diskCalmMs)
    }
  })

  return { stop: () => clock.clearTimeout(calm) }
}
