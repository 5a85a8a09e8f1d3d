// Whether the clock of the machine is right and runs evenly, and whether there is time zone data.
import { knownPastMs } from '../../../net/connection/clock-trust.ts'
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import type { DoctorCheck, ExchangeResult, FilesPort, World } from '../model/world.ts'

const keepSet = 'Set it, and let systemd-timesyncd or chrony keep it set.'

export const clockCheck: DoctorCheck = {
  name: 'clock',
  async run(world) {
    const { clock } = world
    const offsetMs = clock.wallMs() - clock.monoMs()
    const [four, six] = await Promise.all([world.target(4), world.target(6)])
    const sync = await synchronization(world.files)
    const jumpMs = Math.abs(clock.wallMs() - clock.monoMs() - offsetMs)
    return [time(world, four.ok ? four : six), steadiness(jumpMs), sync, timeZones(world)]
  },
}

const doctorClockOffMs = 2_000
/** A clock that is further off refuses one-time codes, and makes certificates look out of date. */
const doctorClockWrongMs = 30_000
const doctorClockJumpMs = 200

function time({ clock }: World, answer: ExchangeResult): CheckFinding {
  if (clock.wallMs() < knownPastMs) {
    const shown = new Date(clock.wallMs()).toISOString()
    return problem('time', `${shown} is before this version was made`, keepSet)
  }
  if (!answer.ok) return skipped('time', 'nothing to compare it with: the target does not answer')
  if (answer.dateMs === null) return skipped('time', 'the target does not say what time it is')
  // The header has whole seconds, and was written between the request and its arrival.
  const differenceMs = answer.arrivedAtMs - (answer.dateMs + 500)
  const awayMs = Math.abs(differenceMs)
  const direction = differenceMs > 0 ? 'ahead of' : 'behind'
  const seen = `${(awayMs / 1_000).toFixed(1)} s ${direction} the clock of the target`
  if (awayMs > doctorClockWrongMs) return problem('time', seen, keepSet)
  if (awayMs > doctorClockOffMs) return warning('time', seen, keepSet)
  return fine('time', 'right to two seconds, compared with the target')
}

function steadiness(jumpMs: number): CheckFinding {
  return jumpMs > doctorClockJumpMs
    ? warning(
        'pace',
        `was set by ${Math.round(jumpMs)} ms while this ran`,
        'Two programs may set it: keep one.',
      )
    : fine('pace', 'runs evenly')
}

/** Files that exist while a program keeps the clock. */
const keepers: readonly (readonly [path: string, words: string])[] = [
  ['/run/systemd/timesync/synchronized', 'systemd-timesyncd keeps it, and has set it'],
  ['/run/chrony/chronyd.pid', 'chrony keeps it'],
  ['/run/chronyd.pid', 'chrony keeps it'],
  ['/run/ntpd.pid', 'ntpd keeps it'],
  ['/run/openntpd.pid', 'OpenNTPD keeps it'],
]

async function synchronization(files: FilesPort): Promise<CheckFinding> {
  for (const [path, words] of keepers) {
    if ((await files.look(path)) !== 'missing') return fine('synchronization', words)
  }
  const isContainer = (await files.look('/run/systemd/system')) === 'missing'
  if (isContainer) return skipped('synchronization', 'not visible here: the host keeps the clock')
  return warning('synchronization', 'no program seems to keep the clock', keepSet)
}

function timeZones({ own }: World): CheckFinding {
  // A summer time that full data has, and reduced data has not.
  const hour = hourIn('Europe/Prague')
  if (hour !== '14') {
    const advice = 'Use a Node with full ICU data, as the one that comes with stillup.'
    return problem('time zones', 'the data is missing', advice)
  }
  const { TZ } = own.env
  if (TZ && hourIn(TZ.replace(/^:/, '')) === undefined) {
    return warning('time zones', `TZ=${TZ} is not known, so UTC is used`, 'Correct TZ.')
  }
  return fine('time zones', 'the data is there')
}

function hourIn(timeZone: string): string | undefined {
  try {
    const form = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' })
    return form.format(Date.UTC(2026, 6, 1, 12))
  } catch {
    return undefined
  }
}
