// Tells the channels that an administrator chose that the clock of this machine is wrong, and once that
// it is right again.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { clockNotice } from '../../domain/alerts/system-notice.ts'
import type { ClockDoubt, ClockWatch } from '../../net/connection/clock-trust.ts'
import type { Store } from '../../store/store.ts'
import type { SystemNotices } from './system-notices.ts'

export interface ClockNoticesDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<Store, 'meta' | 'write'>
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

/** The clock is reported as doubtful if so long after an expired certificate none was valid. */
export const clockUnprovenMs = 15 * 60_000

/** A notice of an earlier run is not sent again. */
export function createClockNotices(deps: ClockNoticesDeps) {
  const { clock, log, store, systemNotices, baseUrl } = deps
  let told = store.meta.notices().toldClock
  let timer: unknown

  function tell(state: 'right' | ClockDoubt): void {
    forget()
    told = state
    if (state !== 'right') log.warn(logSentences[state], { shownMs: clock.wallMs() })
    store
      .write((tx) => {
        systemNotices.tell(tx, clockNotice(baseUrl, state, clock.wallMs()))
        store.meta.putNotices(tx, { ...store.meta.notices(), toldClock: state })
      })
      .catch((error: unknown) => log.error('the state of the clock could not be told', { error }))
  }

  function forget(): void {
    clock.clearTimeout(timer)
    timer = undefined
  }

  /** Called for each check whose certificate tells of the clock, so nearly all calls do nothing. */
  const watch: ClockWatch = {
    doubted(doubt) {
      if (told !== 'right') return
      if (doubt === 'behind') return tell(doubt)
      // The targets that were checked first may really have expired certificates.
      timer ??= clock.setTimeout(() => tell(doubt), clockUnprovenMs)
    },
    confirmed() {
      if (told !== 'right') tell('right')
      else if (timer !== undefined) forget()
    },
  }
  return { ...watch, stop: forget }
}

const logSentences: Readonly<Record<ClockDoubt, string>> = {
  behind: 'the clock of this machine is behind: checks over TLS are unknown',
  unproven: 'all certificates have expired by the clock of this machine: such checks are unknown',
}
