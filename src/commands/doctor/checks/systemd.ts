// Whether the systemd unit is as it should be, and in use.
import { limits } from '../../../domain/limits/limits.ts'
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import { spanMs, type UnitFile } from '../model/unit-file.ts'
import type { DaemonView, DoctorCheck, World } from '../model/world.ts'

const again = 'Install the unit of this version again, then systemctl daemon-reload and restart.'

export const systemdCheck: DoctorCheck = {
  name: 'systemd',
  async run(world) {
    if ((await world.files.look('/run/systemd/system')) === 'missing') {
      return [skipped('unit', 'systemd does not run here')]
    }
    const unit = await world.unit()
    if (!unit) return [skipped('unit', 'stillup.service is not installed')]
    const found = await Promise.all([program(world, unit), running(world, unit)])
    return [...found.flat(), notices(unit), stopping(unit)]
  },
}

/** The program of ExecStart, without the marks that may precede it. */
async function program({ files }: World, unit: UnitFile): Promise<CheckFinding[]> {
  const [path = ''] = (unit.get('ExecStart') ?? '').replace(/^[-@:+!]+/, '').split(' ')
  if (path === '') return [problem('program', `${unit.path} has no ExecStart`, again)]
  const found = await files.look(path)
  if (found === 'missing') return [problem('program', `${path} is missing`, again)]
  return [fine('program', path)]
}

async function running(world: World, unit: UnitFile): Promise<CheckFinding[]> {
  const view = await world.daemon()
  if (!((await isOfUnit(world, view)) || (await hasProcesses(world)))) {
    const advice = 'systemctl enable --now stillup; journalctl -u stillup says why it ended.'
    return [warning('state', 'the unit is installed and does not run', advice)]
  }
  const startedAtMs = view.kind === 'running' ? view.report?.startedAtMs : undefined
  if (startedAtMs !== undefined && unit.changedAtMs > startedAtMs) {
    const advice = 'systemctl daemon-reload && systemctl restart stillup'
    return [warning('state', 'the unit was changed after the daemon was started', advice)]
  }
  return [fine('state', 'the unit runs')]
}

/** By what the kernel says of the daemon: the unit may be in any slice, or in a container. */
async function isOfUnit({ files }: World, view: DaemonView): Promise<boolean> {
  if (view.kind !== 'running') return false
  const groups = (await files.read(`/proc/${view.status.pid}/cgroup`)) ?? ''
  return /\/stillup\.service(\/|$)/m.test(groups)
}

/** Where a daemon cannot be asked. */
async function hasProcesses({ files }: World): Promise<boolean> {
  const pids = await files.read('/sys/fs/cgroup/system.slice/stillup.service/cgroup.procs')
  return (pids ?? '').trim() !== ''
}

function notices(unit: UnitFile): CheckFinding {
  const watchdogMs = spanMs(unit.get('WatchdogSec'))
  if (unit.get('Type') !== 'notify') {
    return warning('readiness', `Type is ${unit.get('Type') ?? 'simple'}, not notify`, again)
  }
  if (!watchdogMs) return warning('watchdog', 'WatchdogSec is not set', again)
  return fine('watchdog', `restarts a daemon that hangs for ${watchdogMs / 1_000} s`)
}

function stopping(unit: UnitFile): CheckFinding {
  const text = unit.get('TimeoutStopSec')
  const stopMs = spanMs(text)
  return stopMs !== undefined && stopMs < limits.stopMsMax
    ? warning(
        'stop',
        `TimeoutStopSec is ${text}; a stop may take ${limits.stopMsMax / 1_000} s`,
        again,
      )
    : fine('stop', 'there is time for it')
}
