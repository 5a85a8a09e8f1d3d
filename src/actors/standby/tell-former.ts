// A machine that was promoted tells the one that it followed, until that one knows: it must not lead again.
import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import type { LeaderLink } from './leader-link.ts'

export interface TellFormerDeps {
  readonly clock: Clock
  readonly log: Log
  readonly link: LeaderLink
  readonly epoch: number
  /** The history that it leads with. */
  readonly origin: string
  /** The address of this machine, for its operator. */
  readonly url: string
}

const everyMs = 10_000
/** It knows: but its data may be put back from a backup. */
const againMs = 60_000

/** Goes on until it is stopped. */
export function tellFormer({ clock, log, link, epoch, origin, url }: TellFormerDeps) {
  const stopping = new AbortController()
  let hasKnown = false
  let hasWarned = false
  let timer: unknown

  async function tell(): Promise<void> {
    let knows = false
    try {
      const answer = await link.tell({ epoch, url }, stopping.signal)
      const leadsToo = answer?.role === 'leader' && answer.epoch === epoch
      if (leadsToo && !hasWarned)
        log.warn(
          answer.origin === origin
            ? 'the address of the former leader leads here: it is not told, and needs an address of its own'
            : 'the machine there was promoted, too: both lead, until you stop one of them',
          { at: link.url },
        )
      hasWarned ||= leadsToo
      knows = answer !== undefined && (answer.role === 'standby' || answer.epoch > epoch)
    } catch (error) {
      if (stopping.signal.aborted) return
      log.debug('the former leader does not answer', { reason: errorText(error) })
    }
    if (knows && !hasKnown)
      log.info('the former leader knows that this machine leads', { at: link.url })
    hasKnown = knows
    if (!stopping.signal.aborted)
      timer = clock.setTimeout(() => void tell(), knows ? againMs : everyMs)
  }

  void tell()
  return {
    stop(): void {
      stopping.abort()
      clock.clearTimeout(timer)
    },
  }
}
