// Tells the channels that an administrator chose when space runs out, on the disk or in the budget for
// the data: once on the way down for each step, and once when there has been space again for a while.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { diskNotice, type SystemNotice, sizeNotice } from '../../domain/alerts/system-notice.ts'
import {
  type SizeState,
  type SpaceState,
  sizeStates,
  spaceStates,
} from '../../domain/system/space-states.ts'
import type { SizeGuard } from '../../store/size.ts'
import type { SpaceGuard } from '../../store/space.ts'
import type { Store } from '../../store/store.ts'
import type { NoticesRecord } from '../../store/tables/system/meta.ts'
import type { SystemNotices } from './system-notices.ts'

export interface DiskNoticesDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<Store, 'meta' | 'write'>
  readonly space: Pick<SpaceGuard, 'listen'>
  readonly size: Pick<SizeGuard, 'listen' | 'bytesMax'>
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

/** What runs out, how its state is remembered, and what a notice says of it. */
interface NoticeSubject<State extends string> {
  /** The first is the good one. */
  readonly states: readonly State[]
  readonly toldIn: (record: NoticesRecord) => State
  readonly told: (state: State) => Partial<NoticesRecord>
  readonly notice: (state: State) => SystemNotice
}

/** How long a disk must have space before that is reported. */
const diskCalmMs = 10 * 60_000

export function startDiskNotices(deps: DiskNoticesDeps) {
  const { clock, log, store, systemNotices, baseUrl, size } = deps
  const timers = new Set<unknown>()

  /** Returns a function to call with each state. */
  function teller<State extends string>({ states, toldIn, told, notice }: NoticeSubject<State>) {
    let calm: unknown
    const rank = (state: State) => states.indexOf(state)

    function tell(state: State): void {
      const work = store.write((tx) => {
        const before = store.meta.notices()
        // A notice of an earlier run is not sent again.
        if (toldIn(before) === state) return
        systemNotices.tell(tx, notice(state))
        store.meta.putNotices(tx, { ...before, ...told(state) })
      })
      work.catch((error) => log.error('the state of the space could not be told', { error }))
    }

    return (state: State) => {
      clock.clearTimeout(calm)
      timers.delete(calm)
      const before = rank(toldIn(store.meta.notices()))
      if (rank(state) > before) tell(state)
      // Space that comes and goes around the threshold is one episode.
      else if (rank(state) === 0 && before > 0) {
        calm = clock.setTimeout(() => tell(state), diskCalmMs)
        timers.add(calm)
      }
    }
  }

  let freeBytes = 0
  const disk = teller<SpaceState>({
    states: spaceStates,
    toldIn: ({ toldDisk }) => toldDisk,
    told: (toldDisk) => ({ toldDisk }),
    notice: (state) => diskNotice(baseUrl, state, freeBytes),
  })
  deps.space.listen((state, space) => {
    freeBytes = space.freeBytes
    disk(state)
  })

  let usedBytes = 0
  const budget = teller<SizeState>({
    states: sizeStates,
    toldIn: ({ toldSize }) => toldSize,
    told: (toldSize) => ({ toldSize }),
    notice: (state) => sizeNotice(baseUrl, state, { usedBytes, bytesMax: size.bytesMax }),
  })
  size.listen((state, bytes) => {
    usedBytes = bytes
    budget(state)
  })

  return {
    stop() {
      for (const timer of timers) clock.clearTimeout(timer)
    },
  }
}
