// The running daemon: whether it answers, is ready, is on time, and what it says of itself.
import type { SelfReport } from '../../../services/system/self-report.ts'
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import type { DoctorCheck } from '../model/world.ts'

export const daemonCheck: DoctorCheck = {
  name: 'daemon',
  async run(world) {
    const { dir } = world.settings.data
    const view = await world.daemon()
    switch (view.kind) {
      case 'absent':
        return [skipped('state', `no daemon runs on ${dir}`)]
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
    const state = status.ready
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
    return [state, ...version, ...(report ? reported(report) : [])]
  },
}

function reported(report: SelfReport): CheckFinding[] {
  return [
    lateness(report),
    ...tasks(report),
    alerts(report),
    network(report),
    data(report),
    ...heartbeat(report),
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
      'Look at the log; POST /system/tasks/<name>/run starts it again.',
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
