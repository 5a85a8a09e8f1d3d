// Talking to systemd: a small program in the place of systemd-notify writes down what it is told.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createLog, silentLog } from '../../src/base/log/log.ts'
import { createSupervisor } from '../../src/commands/supervisor.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { until } from '../support/until.ts'

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
  // Also so that no program writes where the folder is being removed.
  await until(() => readFileSync(noted, 'utf8').match(/^WATCHDOG=1$/gm)?.length === 2)
})

t.test('a machine without systemd-notify is a warning, not an end', async (t) => {
  const lines: string[] = []
  const log = createLog({ level: 'warn', format: 'json', write: (line) => lines.push(line) })
  const env = { PATH: '/nowhere', NOTIFY_SOCKET: '/run/none' }
  await createSupervisor({ env, clock: new FakeClock(), log }).tell('READY=1')
  t.match(lines[0], 'systemd-notify could not be run')
})

t.test('a socket that systemd opened is written to, and no program is run', async (t) => {
  const file = join(t.testdir(), 'socket')
  // Takes the place of the descriptor: the first that systemd passes has the number 3.
  const fd = openSync(file, 'a')
  t.teardown(() => closeSync(fd))
  const names = [...Array.from({ length: fd - 3 }, () => 'other'), 'notify'].join(':')
  const env = {
    PATH: '/nowhere',
    NOTIFY_SOCKET: '/run/none',
    LISTEN_PID: String(process.pid),
    LISTEN_FDNAMES: names,
  }
  const supervisor = createSupervisor({ env, clock: new FakeClock(), log: silentLog })
  await supervisor.tell('READY=1', 'STATUS=Listening')
  t.equal(readFileSync(file, 'utf8'), 'READY=1\nSTATUS=Listening')
  await supervisor.tellReloading()
  t.match(readFileSync(file, 'utf8'), /RELOADING=1\nMONOTONIC_USEC=\d+$/)
})

t.test('descriptors for another process are left alone', async (t) => {
  const lines: string[] = []
  const log = createLog({ level: 'warn', format: 'json', write: (line) => lines.push(line) })
  const env = {
    PATH: '/nowhere',
    NOTIFY_SOCKET: '/run/none',
    LISTEN_PID: '1',
    LISTEN_FDNAMES: 'notify',
  }
  await createSupervisor({ env, clock: new FakeClock(), log }).tell('READY=1')
  t.match(lines[0], 'systemd-notify could not be run')
})
