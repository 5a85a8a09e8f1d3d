// The whole daemon in this process: real store, real clock, real sockets, a directory of its own.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type App, startApp } from '../../src/app/app.ts'
import { type RunningClock, startClock } from '../../src/base/clock.ts'
import { createLog } from '../../src/base/log/log.ts'
import { once } from '../../src/base/per-object.ts'
import { loadSettings, problemLine } from '../../src/config/load.ts'
import type { PasswordCost } from '../../src/seal/passwords.ts'
import { type ApiClient, createClient } from './api-client.ts'
import { FakeClock } from './fake-clock.ts'
import { until } from './until.ts'

export interface DaemonOptions {
  /** Settings by their variables, without `STILLUP_`. */
  readonly env?: Readonly<Record<string, string>>
  /** A directory that an earlier daemon used. */
  readonly dir?: string
  /** Default: the real one, which no stall of this machine disturbs. */
  readonly clock?: RunningClock
  /** Default: next to nothing, because most tests have people and few are about passwords. */
  readonly passwordCost?: PasswordCost
}

const cheapPasswords: PasswordCost = { memoryKiB: 64, passes: 1, parallelism: 1 }

export interface Daemon extends ApiClient {
  readonly url: string
  /** Where TLS is; 0 without it. */
  readonly tlsPort: number
  readonly dir: string
  readonly setupToken: string
  /** What was logged, one entry a line. */
  readonly lines: readonly string[]
  /** What nobody may find in the data or in the log; the client adds what it sends and is told. */
  readonly secrets: Set<string>
  /** Looks for every secret in what was written so far: the places where one was found. */
  leaks(): readonly string[]
  stop(): Promise<void>
}

// Rates are off unless a test is about them; targets and receivers are on loopback.
const usual = {
  HTTP_LISTEN: '127.0.0.1:0',
  HTTP_RATE_API_PER_MINUTE: '0',
  HTTP_RATE_AUTH_PER_MINUTE: '0',
  HTTP_RATE_PUSH_PER_MINUTE: '0',
  HTTP_RATE_PAGE_PER_MINUTE: '0',
  AUTH_REGISTRATION: 'open',
  QUOTAS_MONITORS: '100000',
  CHECKS_TARGETS: 'any',
  CHECKS_PER_HOST: '100',
  // Name servers and gateways are elsewhere.
  OBSERVER_SENTINELS: 'off',
  LOG_LEVEL: 'debug',
}

/** Work that a stop waits for may itself wait for a timer, which nobody else moves. */
async function stopped(app: App, clock: RunningClock): Promise<void> {
  const stopping = app.stop()
  if (!(clock instanceof FakeClock)) return stopping
  let isOver = false
  const note = () => {
    isOver = true
  }
  stopping.then(note, note)
  await until(async () => {
    await clock.advance(10)
    return isOver
  })
  return stopping
}

/** Starts it; when the test ends it is stopped, and must have kept every secret. */
export async function startDaemon(t: Test, options: DaemonOptions = {}): Promise<Daemon> {
  // Not t.testdir(): that is gone before the last look for secrets.
  const own = options.dir === undefined ? mkdtempSync(join(tmpdir(), 'stillup-')) : undefined
  const dir = options.dir ?? join(own ?? '', 'data')
  const clock = options.clock ?? startCalmClock()
  const lines: string[] = []
  const log = createLog({ level: 'debug', format: 'json', write: (line) => void lines.push(line) })
  const failures: unknown[] = []
  const app = await startApp(settingsOf(dir, options.env), {
    clock,
    log,
    version: '0.0.0',
    fail: (error) => void failures.push(error),
    passwordCost: options.passwordCost ?? cheapPasswords,
  })
  await app.ready
  const secrets = new Set<string>()
  if (app.firstRun) secrets.add(app.firstRun.setupToken)
  const client = createClient(
    () => app.address,
    (sent, got) => {
      collectSecrets(sent, secrets)
      collectSecrets(got, secrets)
    },
  )
  const stop = once(async () => {
    await stopped(app, clock)
    clock.stop()
  })
  const leaks = () => leaksOf(secrets, { dir, lines })
  t.teardown(async () => {
    // A test that has ended takes no more assertions; what is thrown here fails it.
    await stop()
    const places = leaks()
    if (own !== undefined) rmSync(own, { recursive: true })
    if (places.length > 0) throw new Error(`secrets were written: ${places.join('; ')}`)
    if (failures.length > 0) throw new Error(`the disk failed: ${failures[0]}`)
  })
  return {
    ask: client.ask,
    need: client.need,
    get checked() {
      return client.checked
    },
    url: app.address,
    tlsPort: app.tlsPort ?? 0,
    setupToken: setupTokenOf(app),
    dir,
    lines,
    secrets,
    leaks,
    stop,
  }
}

/**
 * The real clock of a machine that never stands still. Where this process has to wait for its turn, so
 * do the targets: a check that was set aside for that would have no verdict for a test.
 */
export function startCalmClock(): RunningClock {
  return { ...startClock(), stalledMs: () => 0 }
}

const setupTokenOf = ({ firstRun }: App) => firstRun?.setupToken ?? ''

function settingsOf(dir: string, more: DaemonOptions['env'] = {}) {
  const chosen = { ...usual, DATA_DIR: dir, ...more }
  const env = Object.fromEntries(Object.entries(chosen).map(([name, v]) => [`STILLUP_${name}`, v]))
  const loaded = loadSettings({ env, cwd: dir, isTerminal: false })
  if ('problems' in loaded) throw new Error(loaded.problems.map(problemLine).join('\n'))
  return loaded
}

const secretFields = new Set([
  ...['password', 'setupToken', 'token', 'key', 'secret', 'pushToken', 'authorization'],
  // What people submit to have their identity verified.
  ...['firstName', 'lastName', 'dateOfBirth', 'phone', 'street', 'street2', 'postalCode'],
])
const charsMin = 8

/** Every value of a field that is secret by its name, and of maps in which all are. */
function collectSecrets(value: unknown, secrets: Set<string>, inSecretMap = false): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) {
    const isText = typeof field === 'string' && field.length >= charsMin
    if (isText && (inSecretMap || secretFields.has(name))) secrets.add(field)
    const isMap = name === 'headers' || name === 'identityNumbers'
    collectSecrets(field, secrets, isMap && !Array.isArray(field))
  }
}

function leaksOf(
  secrets: ReadonlySet<string>,
  { dir, lines }: { dir: string; lines: readonly string[] },
): string[] {
  const files = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'master.key')
    .map(({ name }) => ({ name, bytes: readFileSync(join(dir, name)) }))
  const places = [...files, { name: 'the log', bytes: Buffer.from(lines.join('')) }]
  return places.flatMap(({ name, bytes }) =>
    [...foundIn(bytes, secrets)].map((secret) => `${secret} is in ${name}`),
  )
}

/** The secrets that are in the bytes, which are read once however many secrets there are. */
function foundIn(bytes: Buffer, secrets: ReadonlySet<string>): ReadonlySet<string> {
  const byStart = new Map<number, string[]>()
  for (const secret of secrets) {
    const start = Buffer.from(secret).readInt32BE()
    byStart.set(start, [...(byStart.get(start) ?? []), secret])
  }
  /** 1 at the last two bytes of each start: few positions of the bytes need a look-up. */
  const isStart = new Uint8Array(0x10000)
  for (const start of byStart.keys()) isStart[start & 0xffff] = 1
  const found = new Set<string>()
  let start = 0
  for (let at = 0; at < bytes.length; at += 1) {
    start = (start << 8) | (bytes[at] ?? 0)
    if (isStart[start & 0xffff] === 0) continue
    for (const secret of byStart.get(start) ?? []) {
      const length = Buffer.byteLength(secret)
      if (bytes.toString('utf8', at - 3, at - 3 + length) === secret) found.add(secret)
    }
  }
  return found
}
