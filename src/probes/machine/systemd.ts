// The check of a unit of systemd on this machine, as `systemctl show` describes it.
// https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.systemd1.html
import { fitsStars } from '../../net/machine-policy.ts'
import { defineKind, type KindDeps } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { badState, cannotLook, createTurns, shownAnswer } from './found.ts'
import { runProgram } from './program.ts'

const asked = 'LoadState,ActiveState,SubState,Result,Type,NRestarts,ExecMainStatus'

export const systemd = defineKind({
  type: 'systemd',
  family: 'machine',
  fields: ['machine'],
  sources: [],
  textName: 'answer',
  schemes: ['systemd'],
  icon: 'cog',
  example: 'systemd://nginx.service',
  urlForm:
    '`systemd://nginx.service`, a unit of systemd on the machine of the daemon or the probe, whose operator lists ' +
    'it (`checks.units`). The answer is JSON with `value` (the state, such as `active`), `subState`, `result`, ' +
    '`restarts` and `exitStatus`. It is down unless it is active, or a job (`Type=oneshot`) whose last run succeeded',
  finds: 'json',
  parse: parseUnitUrl,
  machine: ({ unit }) => ({
    what: 'a unit of this machine',
    settings: 'checks.units',
    isListed: ({ units }) => units.some((pattern) => fitsStars(unit, pattern)),
  }),
  open({ programPath }: SystemdDeps) {
    const turns = createTurns()
    return {
      async look({ unit }, _target, run) {
        const args = ['show', '--no-pager', `--property=${asked}`, '--', unit]
        const end = await turns.take(run, unit, () =>
          runProgram(run, 'systemctl', args, programPath),
        )
        if (end.exitCode !== 0) throw cannotLook('systemd does not answer')
        return judged(run, end.output)
      },
    }
  },
})

interface SystemdDeps extends KindDeps {
  /** Where systemctl is looked for, as in PATH. */
  readonly programPath?: string
}

interface UnitUrl {
  readonly unit: string
  readonly problem?: never
}

const unitForm =
  /^systemd:\/\/([\w.@-]{1,200}\.(?:service|timer|socket|mount|automount|path|target|swap|slice|scope|device))$/

/** Names of units keep their capital letters. */
function parseUnitUrl(text: string): UnitUrl | UrlFault {
  const [, unit] = unitForm.exec(text) ?? []
  if (unit !== undefined) return { unit }
  return { problem: 'must be systemd:// and the name of a unit, such as systemd://nginx.service' }
}

function judged(run: ProbeRun, text: string): TargetAnswer {
  const lines = new Map(text.split('\n').map((line) => [line.split('=', 1)[0], line]))
  const property = (name: string) => lines.get(name)?.slice(name.length + 1) ?? ''
  const [state, subState, result] = ['ActiveState', 'SubState', 'Result'].map(property)
  const numberOf = (name: string) => (property(name) === '' ? null : Number(property(name)))
  const answer = shownAnswer(run, {
    ...{ value: state, state, subState, result },
    restarts: numberOf('NRestarts'),
    exitStatus: numberOf('ExecMainStatus'),
  })
  if (property('LoadState') === 'not-found') throw badState('there is no such unit')
  if (state === 'active' || state === 'reloading' || state === 'refreshing') return answer
  const isJob = property('Type') === 'oneshot' && result === 'success'
  if (isJob && (state === 'inactive' || state === 'activating')) return answer
  if (state === 'activating' && !subState?.startsWith('auto-restart')) {
    return { ...answer, degradedBy: 'the unit is starting' }
  }
  const words = new Set(
    [state, subState, result].filter((word) => /^[a-z-]{1,30}$/.test(word ?? '')),
  )
  throw badState('the unit is not active', [...words].join(', '))
}
