// Units of a systemd that others wrote: the manager of a user, because no test may have the one of the system.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { systemd } from '../../../src/probes/machine/systemd.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget } from '../../support/make-target.ts'
import { openMachine } from '../../support/open-machine.ts'
import { startSystemd, systemdProblem } from '../../support/servers/systemd.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const units = ['*.service', 'job.timer']
/** With systemctl in these folders. */
function lookingIn(programPath: string) {
  const guard = createGuard({ targets: 'public', machine: { ...openMachine, units } })
  const { probe } = systemd.open({ guard, resolver: resolverTo('127.0.0.1'), clock, programPath })
  return (unit: string) => {
    const target = makeTarget({ checkType: 'systemd', url: `systemd://${unit}`, timeoutMs: 10_000 })
    return probe(target, { clock, keepsAnswer: true })
  }
}

t.test('units of systemd', { skip: systemdProblem() }, async (t) => {
  const { folder, systemctl } = await startSystemd(t, {
    'good.service': ['[Service]', 'ExecStart=/bin/sleep 600'],
    'Bad@1.service': ['[Service]', 'ExecStart=/bin/false'],
    'job.service': ['[Service]', 'Type=oneshot', 'ExecStart=/bin/true'],
    'broken.service': ['[Service]', 'Type=oneshot', 'ExecStart=/bin/sh -c "exit 3"'],
    'loop.service': ['[Service]', 'ExecStart=/bin/false', 'Restart=always', 'RestartSec=1h'],
    'slow.service': ['[Service]', 'Type=notify', 'ExecStart=/bin/sleep 600'],
    'job.timer': ['[Timer]', 'OnCalendar=daily', 'Unit=job.service'],
    'other.timer': ['[Timer]', 'OnCalendar=daily', 'Unit=job.service'],
  })
  const look = lookingIn(`${folder}:/usr/bin:/bin`)
  for (const name of ['good.service', 'job.timer', 'Bad@1.service', 'job.service']) {
    systemctl('start', name)
  }
  for (const name of ['broken.service', 'loop.service']) systemctl('start', name)
  systemctl('start', '--no-block', 'slow.service')

  t.match(await look('good.service'), {
    result: 'good',
    found: { value: 'active', subState: 'running', result: 'success', restarts: 0 },
  })
  t.match(await look('job.timer'), {
    result: 'good',
    found: { subState: 'waiting', restarts: null },
  })
  t.match(await look('job.service'), { result: 'good', found: { value: 'inactive' } })
  await until(() =>
    systemctl('show', '--property=SubState', 'loop.service').includes('auto-restart'),
  )
  const why = async (unit: string) => (await look(unit)).error?.message
  t.equal(await why('Bad@1.service'), 'the unit is not active (failed, exit-code)')
  t.equal(await why('broken.service'), 'the unit is not active (failed, exit-code)')
  t.equal(await why('loop.service'), 'the unit is not active (activating, auto-restart, exit-code)')
  t.equal(await why('none.service'), 'there is no such unit')
  t.match(await look('broken.service'), { found: { exitStatus: 3 } })
  t.match(await look('slow.service'), {
    result: 'good',
    isDegraded: true,
    message: 'the unit is starting',
  })
  systemctl('stop', 'good.service')
  t.equal(await why('good.service'), 'the unit is not active (inactive, dead, success)')
  t.match(
    await why('other.timer'),
    /^the URL leads to a unit of this machine, which is not allowed/,
  )
  t.equal(await why('--help.service'), 'there is no such unit', 'it is no option')
  for (const url of ['a.service/../b.service', 'a b.service', 'x.exe', '-a.service?b']) {
    t.match(await why(url), /^the URL (must be systemd:\/\/|leads to)/, url)
  }
})

t.test('a machine without systemd says nothing about its units', async (t) => {
  t.match(await lookingIn('/nowhere')('nginx.service'), {
    result: 'unknown',
    error: { message: /no such program$/ },
  })
})
