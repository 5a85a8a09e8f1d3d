// The running daemon: whether it answers, is ready, is on time, and what it says of itself.
import { longSilentDays } from '../../../domain/monitors/shadow.ts'
import { hasStandbyInStep } from '../../../domain/standby/members.ts'
import type { StandbyStatus } from '../../../store/lock.ts'
import type { Leadership } from '../../../store/tables/system/leadership.ts'
import type { SelfCondition, SelfReport } from '../../system/self-report.ts'
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import { msText } from '../model/words.ts'
import type { DoctorCheck, World } from '../model/world.ts'

export const daemonCheck: DoctorCheck = {
  name: 'daemon',
  async run(world) {
    const { dir } = world.settings.data
    const view = await world.daemon()
    switch (view.kind) {
      case 'absent':
        return [skipped('state', `no daemon runs on ${dir}`), ...followed(world)]
      case 'refused':
        return [
          skipped('state', `the daemon of ${dir} belongs to another user`, 'Run this as root.'),
        ]
      case 'silent':
        return [
          problem(
            'state',
            `a process holds ${dir} and does not answer: ${view.reason}`,
            'Look at its log; if it hangs, restart it.',
          ),
        ]
      case 'running':
    }
    const { status, report } = view
    const who = `process ${status.pid}, version ${status.version}`
    const state = status.standby
      ? following(who, status.standby)
      : status.ready
        ? fine('state', `${who}, is ready`)
        : problem('state', `${who}, is not ready`, 'Wait until it has started, or look at its log.')
    const version =
      status.version === world.version
        ? []
        : [
            warning(
              'version',
              `${status.version} runs, ${world.version} is installed`,
              'Restart the daemon to use the installed version.',
            ),
          ]
    return [state, ...version, ...(report ? reported(world, report) : [])]
  },
}

/** Data that a daemon does not lead with. */
function followed(world: World): CheckFinding[] {
  let leadership: Leadership | undefined
  try {
    leadership = world.leadership()
  } catch {
    // The start of the daemon tells what is wrong with its data.
  }
  if (!leadership || !['standby', 'deposed'].includes(leadership.role)) return []
  const { role, url } = leadership
  const other = url ?? 'another machine'
  const follow = `stillup standby --of ${url ?? 'ADDRESS'}`
  return role === 'standby'
    ? [
        warning(
          'data',
          `it is a copy of that of ${other}`,
          `Start it as what it is: ${follow}. To let it lead, then run: stillup promote.`,
        ),
      ]
    : [
        warning(
          'data',
          `this machine led until a standby was promoted: ${other} leads`,
          `Let this machine follow it: ${follow}. Its data is kept where the two differ.`,
        ),
      ]
}

/** A standby answers nothing but how it follows. */
function following(who: string, { of, failure, hasAll }: StandbyStatus): CheckFinding {
  const seen = `${who}, is a standby of ${of}`
  if (failure === null) {
    return fine(
      'state',
      `${seen} and ${hasAll ? 'has everything' : 'does not have everything yet'}`,
    )
  }
  const advice = 'If that machine is dead, let this one lead: stillup promote'
  return problem('state', `${seen}, which does not answer: ${failure}`, advice)
}

function reported({ clock, settings }: World, report: SelfReport): CheckFinding[] {
  return [
    lateness(report),
    ...tasks(report),
    alerts(report),
    network(report),
    data(report),
    ...silence(report),
    ...heartbeat(report),
    ...standbys(report, settings.cluster.servers.length > 0),
    ...(report.condition ? ofCondition(report.condition, clock.wallMs()) : []),
  ]
}

function ofCondition(condition: SelfCondition, nowMs: number): CheckFinding[] {
  return [
    eventLoop(condition),
    lastHour(condition),
    errors(condition),
    forecast(condition, nowMs),
    ownClock(condition),
  ]
}

const doctorLateShareMax = 0.01
const doctorOwedMax = 100

function lateness({ checksStarted, checksLate }: SelfReport): CheckFinding {
  if (checksStarted === 0) return skipped('lateness', 'no check was made since the start')
  const share = checksLate / checksStarted
  const seen = `${checksLate} of ${checksStarted} checks began more than a second late`
  return share > doctorLateShareMax
    ? warning('lateness', seen, 'Raise checks.concurrency, or give the machine more processors.')
    : fine('lateness', seen)
}

function tasks(report: SelfReport): CheckFinding[] {
  const failed = report.tasks.filter(({ lastOutcome }) => lastOutcome === 'failed')
  if (failed.length === 0) return [fine('tasks', 'none failed in its last run')]
  return failed.map(({ name, lastDetail }) =>
    warning(
      `task ${name}`,
      `failed in its last run: ${lastDetail ?? 'without a reason'}`,
      'Look at the log; System, Tasks, Run now starts it again.',
    ),
  )
}

function alerts({ owed }: SelfReport): CheckFinding {
  const seen = `${owed.deliveries} alerts and ${owed.letters} letters wait to be sent`
  return owed.deliveries + owed.letters > doctorOwedMax
    ? warning('unsent', seen, 'Test the alert channels and the mail server.')
    : fine('unsent', seen)
}

function network({ network: { lost } }: SelfReport): CheckFinding {
  return lost.length === 0
    ? fine('network', 'works, as the daemon sees it')
    : warning(
        'network',
        `fails, as the daemon sees it: ${lost.join(', ')}`,
        'See docs/observer.md; failures that this explains count for nothing.',
      )
}

function data({ data: { damagedRecords, sizeState } }: SelfReport): CheckFinding {
  if (damagedRecords > 0) {
    return problem(
      'data',
      `${damagedRecords} stored records are damaged`,
      'See docs/operating.md, "Damaged data".',
    )
  }
  if (sizeState !== 'ok') {
    return warning('data', `the budget of data.maxMib is nearly used`, 'Raise data.maxMib.')
  }
  return fine('data', 'no damaged records')
}

/** Nothing where no monitor is silent for long. */
function silence({ longSilent = 0 }: SelfReport): CheckFinding[] {
  if (longSilent === 0) return []
  return [
    warning(
      'silent monitors',
      `${longSilent} monitors have been silent for more than ${longSilentDays} days: nobody is told of their outages`,
      'Let them go live on the page of their import, or with stillup shadow ORG IMPORT --go-live.',
    ),
  ]
}

function heartbeat({ heartbeat: state }: SelfReport): CheckFinding[] {
  if (state === null) {
    const advice = 'A service at heartbeat.url can raise an alarm when this daemon is dead.'
    return [skipped('heartbeat', 'heartbeat.url is not set', advice)]
  }
  if (state.lastError === null) return [fine('heartbeat', 'the last call worked')]
  return [
    warning('heartbeat', `the last call failed: ${state.lastError}`, 'Correct heartbeat.url.'),
  ]
}

/** Nothing where the daemon is alone. */
function standbys({ cluster }: SelfReport, isMember: boolean): CheckFinding[] {
  if (!cluster) return []
  if (hasStandbyInStep(cluster)) return [fine('standby', 'a standby has everything')]
  return [
    warning(
      'standby',
      'no standby is in step: what is stored is on this machine alone',
      isMember
        ? 'Start the other members; stillup cluster status tells how far they are.'
        : 'Run stillup standby on a second machine; if it runs, its log says what is wrong.',
    ),
  ]
}

/** What people notice of a process that is late. */
const doctorLoopDelayMsMax = 1_000
const doctorLatenessMsMax = 1_000

function eventLoop({ loopDelayP99Ms: delayMs }: SelfCondition): CheckFinding {
  if (delayMs === null)
    return skipped('event loop', 'not measured yet: the daemon has just started')
  const seen = `the process was up to ${msText(delayMs)} late in the last hour`
  return delayMs > doctorLoopDelayMsMax
    ? warning(
        'event loop',
        seen,
        'Give the machine more processor time, or this daemon less to do.',
      )
    : fine('event loop', seen)
}

function lastHour({ latenessP99Ms: lateMs }: SelfCondition): CheckFinding {
  if (lateMs === null) return skipped('last hour', 'no check began in the last hour')
  const seen = `the slowest of 100 checks began ${msText(lateMs)} late in the last hour`
  return lateMs > doctorLatenessMsMax
    ? warning('last hour', seen, 'Raise checks.concurrency, or give the machine more processors.')
    : fine('last hour', seen)
}

function errors({ errors: count }: SelfCondition): CheckFinding {
  if (count === 0) return fine('errors', 'no error was logged in the last 24 hours')
  const seen = `${count} errors were logged in the last 24 hours`
  return warning('errors', seen, 'Look at the log, and at System, Errors.')
}

const dayMs = 86_400_000
const doctorDaysLeftMin = 7
const doctorDaysLeftNear = 30

function forecast({ disk: { state, fullAtMs } }: SelfCondition, nowMs: number): CheckFinding {
  const subject = 'disk forecast'
  if (state === 'short') return skipped(subject, 'it needs three days of history')
  if (state === 'steady') return fine(subject, 'the disk does not fill up within a year')
  if (state === 'unclear' || fullAtMs === null) {
    return fine(subject, 'the disk fills and empties, without a trend')
  }
  const days = Math.max(0, Math.round((fullAtMs - nowMs) / dayMs))
  const seen = `the disk of the data is full in about ${days} days`
  const advice = 'Free space, move data.dir to a larger disk, or set data.maxMib.'
  if (days < doctorDaysLeftMin) return problem(subject, seen, advice)
  return days < doctorDaysLeftNear ? warning(subject, seen, advice) : fine(subject, seen)
}

function ownClock({ clock }: SelfCondition): CheckFinding {
  const advice = 'Keep the clock set, with NTP: timedatectl set-ntp true'
  if (clock === 'behind') return problem('clock', 'the clock of this machine is behind', advice)
  if (clock === 'right')
    return fine('clock', 'no certificate contradicts the clock of this machine')
  const seen = 'every certificate looks out of date by the clock of this machine'
  return warning('clock', seen, advice)
}
