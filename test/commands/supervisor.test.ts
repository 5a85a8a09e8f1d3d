// Talking to systemd: a small program in the place of systemd-notify writes down what it is told.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { createLog, silentLog } from '../../src/base/log/log.ts'
import { createSupervisor } from '../../src/commands/supervisor.ts'
import { FakeClock } from '../support/fake-clock.ts'

const program = { 'systemd-notify': t.fixture('file', '#!/bin/sh\necho "$@" >> "$NOTED"\n') }

t.test('without systemd nothing is run', async (t) => {
  const clock = new FakeClock()
  const supervisor = createSupervisor({ env: { WATCHDOG_USEC: '1000' }, clock, log: silentLog })
  await supervisor.tell('READY=1')
  supervisor.startPings()
  t.equal(clock.pending, 0)
})

t.test('states are passed on, and the watchdog is pinged twice per period', async (t) => {
  const { chmodSync } = await import('node:fs')
  const dir = t.testdir(program)
  chmodSync(`${dir}/systemd-notify`, 0o755)
  const noted = `${dir}/noted`
  const env = {
    PATH: `${dir}:/usr/bin:/bin`,
    NOTIFY_SOCKET: '/run/none',
    WATCHDOG_USEC: '30000000',
    NOTED: noted,
  }
  const clock = new FakeClock()
  const supervisor = createSupervisor({ env, clock, log: silentLog })
  await supervisor.tell('READY=1', 'STATUS=Listening')
  t.equal(readFileSync(noted, 'utf8'), 'READY=1 STATUS=Listening\n')
  supervisor.startPings()
  t.equal(clock.nextInMs, 15_000)
  await clock.advance(15_000)
  t.equal(clock.nextInMs, 15_000)
  supervisor.stop()
  t.equal(clock.pending, 0)
})

t.test('a machine without systemd-notify is a warning, not an end', async (t) => {
  const lines: string[] = []
  const log = createLog({ level: 'warn', format: 'json', write: (line) => lines.push(line) })
  const env = { PATH: '/nowhere', NOTIFY_SOCKET: '/run/none' }
  await createSupervisor({ env, clock: new FakeClock(), log }).tell('READY=1')
  t.match(lines[0], 'systemd-notify could not be run')
})
