// The process: version check, what commands may use of it, signals, exit code. Loads everything else.
import { isSea } from 'node:sea'
import { apartWord } from './base/apart/job.ts'
import { exitCodes, leave } from './base/exit.ts'

const nodeMin = [24, 9] as const

function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < nodeMin[0] || (major === nodeMin[0] && minor < nodeMin[1])
}

// Modules are imported on demand: the check above comes before any of them, and a health check does
// not load the daemon.
async function makeHost() {
  const { startClock } = await import('./base/clock.ts')
  const { startWatchdog } = await import('./commands/watchdog/watchdog.ts')
  const { version, dependencies } = (await import('../package.json', { with: { type: 'json' } }))
    .default
  const clock = startClock()
  const isTerminal = process.stderr.isTTY === true
  return {
    env: process.env,
    cwd: process.cwd(),
    version,
    isTerminal,
    isOutputTerminal: process.stdout.isTTY === true,
    libraries: {
      'uWebSockets.js': versionOf(dependencies['uWebSockets.js']),
      lmdb: versionOf(dependencies.lmdb),
    },
    program: isSea() ? 'stillup' : 'npx stillup',
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    clock,
    print: (line: string) => void process.stdout.write(`${line}\n`),
    complain: (line: string) => void process.stderr.write(`${line}\n`),
    ask,
    onSignal(run: (signal: string) => void) {
      for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, run)
      // The terminal was closed.
      if (isTerminal) process.on('SIGHUP', run)
    },
    onReload(run: () => void) {
      if (!isTerminal) process.on('SIGHUP', run)
    },
    onBug(run: (error: unknown) => void) {
      process.on('uncaughtException', run)
      process.on('unhandledRejection', run)
    },
    startWatchdog,
    async loadApp() {
      // What ps and top show; else it is the name of a thread.
      process.title = 'stillup'
      // uWebSockets.js reads this when it is loaded: the maximum bytes of a request's headers.
      process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '8192'
      return (await import('./app/app.ts')).startApp
    },
    async loadMember() {
      process.title = 'stillup'
      process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '8192'
      return (await import('./app/member.ts')).startMember
    },
    async loadStandby() {
      process.title = 'stillup standby'
      process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '8192'
      return (await import('./app/standby.ts')).startStandby
    },
    async loadProbe() {
      process.title = 'stillup probe'
      return (await import('./app/probe.ts')).startProbe
    },
    exit: leaveWith,
  }
}

async function ask(question: string, { isSecret } = { isSecret: false }): Promise<string> {
  // Loaded when somebody is asked; the bundle has no dynamic import.
  const { createInterface } = process.getBuiltinModule('node:readline/promises')
  const { Writable } = process.getBuiltinModule('node:stream')
  const { stdin: input, stderr } = process
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const isHidden = isSecret && input.isTTY
  // As a terminal, it reads each key itself: then the terminal shows none.
  const lines = isHidden
    ? createInterface({ input, output: unseen, terminal: true })
    : createInterface({ input, output: stderr })
  if (isHidden) stderr.write(question)
  // A question stays unanswered for ever when the input ends, also after a line without an end.
  const ended = new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  try {
    return await Promise.race([lines.question(question), ended])
  } catch {
    // Ctrl-C or Ctrl-D.
    return ''
  } finally {
    lines.close()
    if (isHidden) stderr.write('\n')
  }
}

/** `npm:name@1.2.3` is a version under another name. */
function versionOf(wanted: string): string {
  return wanted.slice(wanted.lastIndexOf('@') + 1)
}

async function main(): Promise<number> {
  if (isNodeTooOld()) {
    process.stderr.write(
      `stillup needs Node ${nodeMin.join('.')} or later; this is ${process.versions.node}. ` +
        'npm ci installs one: npm start uses it.\n',
    )
    return 78
  }
  // Files that the process creates are readable only for its user.
  process.umask(0o077)
  if (process.argv[2] === apartWord) return (await import('./base/apart/host.ts')).hostApart()
  const failures: NodeJS.ErrnoException[] = []
  process.stdout.on('error', (error) => failures.push(error))
  process.stderr.on('error', () => {})
  const { catalog } = await import('./commands/catalog.ts')
  const { runCommandLine } = await import('./commands/command-line.ts')
  const code = await runCommandLine(await makeHost(), catalog, process.argv.slice(2))
  // A stream tells of a failed write after the current turn.
  await new Promise(setImmediate)
  // A reader that left early, as `head` does, has what it wanted.
  const failure = failures.find((error) => error.code !== 'EPIPE')
  if (code !== exitCodes.ok || !failure) return code
  process.stderr.write(`stillup: the output could not be written: ${failure.message}\n`)
  return exitCodes.io
}

const leaveMsMax = 2_000

/** Ends the process: normally if possible, else by force, because an exit would hang. */
function leaveWith(code: number): void {
  const timer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), leaveMsMax)
  leave(() => {
    clearTimeout(timer)
    process.exit(code)
  })
}

/**
 * Node ends, with code 0, when nothing is left that keeps it alive. A command may wait for what does
 * not, such as an answer on the control socket. So a timer keeps it alive; at its end the command
 * ends the process.
 */
const longestTimerMs = 2 ** 31 - 1
setInterval(() => {}, longestTimerMs)

main().then(leaveWith, (error: unknown) => {
  process.stderr.write(`stillup: ${error instanceof Error ? error.stack : error}\n`)
  process.exit(70)
})
