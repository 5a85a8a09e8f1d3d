// Starting and stopping: what the process says, and the code it ends with.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { exitCodes, StartFailure } from '../../src/base/exit.ts'
import type { RunningApp, StartApp } from '../../src/commands/model/start-app.ts'
import { serve } from '../../src/commands/serve.ts'
import { KeyringError } from '../../src/seal/keyring.ts'
import { fakeHost } from '../support/fake-host.ts'
import { until } from '../support/until.ts'

const options = { configPath: undefined }

function makeApp(t: Test, changes: Partial<RunningApp> = {}) {
  const host = fakeHost(t.testdir())
  let stops = 0
  const app: RunningApp = {
    address: 'http://127.0.0.1:4711',
    baseUrl: 'http://127.0.0.1:4711',
    isBaseGuessed: true,
    isLocalAllowed: true,
    statusPages: [],
    firstRun: null,
    ready: Promise.resolve(),
    reload: () => ({ applied: [], needRestart: [] }),
    stop: async () => {
      stops += 1
    },
    ...changes,
  }
  return { host, startApp: async () => app, stops: () => stops }
}

t.test('a signal stops the daemon, and it ends with 0', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    const { host, startApp, stops } = makeApp(t)
    const ended = serve(host, options, startApp)
    await nextTurn()
    host.signal(signal)
    t.equal(await ended, 0)
    t.equal(stops(), 1)
    t.same(host.exits, [])
    t.equal(host.clock.pending, 0)
  }
})

t.test('a watchdog watches until everything has stopped, unless it is off', async (t) => {
  const { host, startApp } = makeApp(t, {
    stop: async () => t.same([...host.watchdogs], [15_000]),
  })
  const ended = serve(host, options, startApp)
  await nextTurn()
  t.same([...host.watchdogs], [15_000])
  host.signal('SIGTERM')
  await ended
  t.same([...host.watchdogs], [])

  const env = { STILLUP_SYSTEM_WATCHDOG_SECONDS: '0' }
  const without = fakeHost(t.testdir(), env)
  const ending = serve(without, options, makeApp(t).startApp)
  await nextTurn()
  t.same([...without.watchdogs], [])
  without.signal('SIGTERM')
  await ending
})

t.test('a start that takes long is told to systemd, which waits longer', async (t) => {
  const { startApp } = makeApp(t)
  const bin = t.testdir({ 'systemd-notify': `#!/bin/sh\necho "$@" >> "$TOLD"\n` })
  chmodSync(join(bin, 'systemd-notify'), 0o755)
  const told = join(bin, 'told')
  const host = fakeHost(bin, {
    NOTIFY_SOCKET: '/nowhere',
    PATH: `${bin}:${process.env.PATH}`,
    TOLD: told,
  })
  const ended = serve(host, options, (_, { progress }) => {
    progress('Upgrading the data')
    return startApp()
  })
  // Both programs have written, so that none does while the folder is removed.
  const text = await until(() => {
    const said = existsSync(told) ? readFileSync(told, 'utf8') : ''
    return /^READY=1/m.test(said) && /^STATUS=Up.*\n/m.test(said) && said
  })
  t.match(text, 'STATUS=Upgrading the data EXTEND_TIMEOUT_USEC=60000000\n')
  host.signal('SIGTERM')
  t.equal(await ended, 0)
})

t.test('a second signal ends the process at once', async (t) => {
  const { host, startApp } = makeApp(t, { stop: () => new Promise(() => {}) })
  const ended = serve(host, options, startApp)
  await nextTurn()
  host.signal('SIGTERM')
  await nextTurn()
  t.same(host.exits, [])
  host.signal('SIGTERM')
  t.same(host.exits, [1])
  await host.clock.advance(30_000)
  t.equal(await ended, 0)
})

t.test('parts that do not stop within 30 seconds are left behind', async (t) => {
  const { host, startApp } = makeApp(t, { stop: () => new Promise(() => {}) })
  const ended = serve(host, options, startApp)
  await nextTurn()
  host.signal('SIGTERM')
  await host.clock.advance(29_999)
  t.equal(await Promise.race([ended, nextTurn('running')]), 'running')
  await host.clock.advance(1)
  t.equal(await ended, 0)
})

t.test('the reason that prevents the start decides the exit code', async (t) => {
  const taken = new StartFailure(exitCodes.io, 'port 80 is taken', { hint: 'Choose another.' })
  const table: [unknown, number, RegExp | undefined][] = [
    [taken, 74, /port 80 is taken/],
    [new StartFailure(exitCodes.config, 'in use by process 7'), 78, /process 7/],
    [new KeyringError('master.key: others can read it'), 78, /others can read it/],
    [Object.assign(new Error('EROFS: read-only'), { code: 'EROFS' }), 74, /read-only/],
    [new TypeError('x is not a function'), 70, undefined],
  ]
  for (const [error, code, said] of table) {
    const host = fakeHost(t.testdir())
    t.equal(await serve(host, options, () => Promise.reject(error)), code)
    if (said) t.match(host.complaints[0], said)
  }
  const host = fakeHost(t.testdir())
  await serve(host, options, () => Promise.reject(taken))
  t.same(host.complaints, ['stillup: port 80 is taken', 'Choose another.'])
})

t.test('invalid settings are reported line by line, and nothing is started', async (t) => {
  const host = fakeHost(t.testdir(), { STILLUP_HTTP_LISTEN: 'x', STILLUP_LOG_LEVEL: 'loud' })
  let isStarted = false
  const startApp: StartApp = () => {
    isStarted = true
    return Promise.reject(new Error('started'))
  }
  t.equal(await serve(host, options, startApp), 78)
  t.equal(host.complaints.length, 2)
  t.notOk(isStarted)
})

t.test('a bug ends the process with 70, a failed disk with 74', async (t) => {
  const { host, startApp } = makeApp(t)
  let fail: ((error: unknown) => void) | undefined
  const ended = serve(host, options, (_settings, world) => {
    fail = world.fail
    return startApp()
  })
  await nextTurn()
  host.bug(new Error('nobody caught this'))
  fail?.(new Error('EIO'))
  t.same(host.exits, [70, 74])
  host.signal('SIGTERM')
  await ended
})

t.test('monitors that cannot be started end the process', async (t) => {
  const { host, startApp } = makeApp(t, { ready: Promise.reject(new Error('broken record')) })
  const ended = serve(host, options, startApp)
  await nextTurn()
  await nextTurn()
  t.same(host.exits, [70])
  host.signal('SIGTERM')
  await ended
})

async function printedBy(t: Test, changes: Partial<RunningApp>): Promise<string> {
  const { host, startApp } = makeApp(t, changes)
  const ended = serve(host, options, startApp)
  await nextTurn()
  host.signal('SIGTERM')
  await ended
  return host.printed.join('\n')
}

t.test('every later start prints where the pages, the reference and the console are', async (t) => {
  const printed = await printedBy(t, { statusPages: ['http://127.0.0.1:4711/status/acme'] })
  for (const place of ['/app', '/docs', '/status/acme']) {
    t.match(printed, `http://127.0.0.1:4711${place}`)
  }
  t.match(printed, 'stillup user reset-password you@example.com')
})

t.test('what is printed can be opened: 0.0.0.0 is no address', async (t) => {
  const everywhere = { address: 'http://0.0.0.0:4711', baseUrl: 'http://localhost:4711' }
  for (const firstRun of [{ setupToken: 'tok_123' }, null]) {
    const printed = await printedBy(t, { ...everywhere, firstRun })
    t.match(printed, 'http://localhost:4711/')
    t.notMatch(printed, '0.0.0.0')
  }
})

t.test('until there is an account, every start prints the way to the first monitor', async (t) => {
  for (const firstRun of [{ setupToken: 'tok_123' }, null]) {
    const { host, startApp } = makeApp(t, { firstRun })
    const ended = serve(host, options, startApp)
    await nextTurn()
    host.signal('SIGTERM')
    await ended
    t.equal(host.printed.length, 1)
    t.equal(/"setupToken":"tok_123"/.test(host.printed[0] ?? ''), firstRun !== null)
  }
})

t.test('a reload waits until everything runs, and sets the watchdog anew', async (t) => {
  const ready = Promise.withResolvers<void>()
  const seen: number[] = []
  const { host, startApp } = makeApp(t, {
    ready: ready.promise,
    reload({ settings }) {
      seen.push(settings.system.watchdogSeconds)
      return { applied: ['system.watchdogSeconds'], needRestart: [] }
    },
  })
  const ended = serve(host, options, startApp)
  await nextTurn()
  writeFileSync(join(host.cwd, 'stillup.toml'), '[system]\nwatchdogSeconds = 60\n')
  host.hangUp()
  await nextTurn()
  t.same(seen, [])
  ready.resolve()
  await until(() => seen.length > 0)
  await until(() => host.watchdogs.has(60_000) && host.watchdogs.size === 1)
  host.signal('SIGTERM')
  await ended
  host.hangUp()
  t.same(seen, [60], 'one that comes while it stops is too late')
})
