// The process: version check, command line, signals, exit code. Loads everything else.
import { parseArgs } from 'node:util'
import { leave } from './base/exit.ts'

const usage = `Usage: stillup [command] [options]

Commands
  serve           run the daemon (the default)
  check-config    report every problem in the settings; --defaults prints the commented file
  healthcheck     ask the running daemon whether it is ready (exit code 0 or 1)
  reset-password EMAIL
                  print a link that sets a new password; works on this machine only
  verify-report FILE
                  verify the signature of an uptime report (exit code 0 or 1); works anywhere

Options
  -c, --config FILE   the settings file
      --key BASE64    verify-report: the public key that must have signed
      --url URL       verify-report: the service whose published keys count
      --version       print the version
  -h, --help          print this text

Exit codes: 0 success, 1 not ready or not verified, 64 wrong command line, 70 a bug, 74 disk or
network, 78 settings or data directory.`

const nodeMin = [24, 9] as const

function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < nodeMin[0] || (major === nodeMin[0] && minor < nodeMin[1])
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      config: { type: 'string', short: 'c' },
      key: { type: 'string' },
      url: { type: 'string' },
      defaults: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [command = 'serve', ...rest] = positionals
  const email = command === 'reset-password' ? rest.shift() : ''
  if (email === undefined) throw new Error('reset-password needs the e-mail address of an account')
  const file = command === 'verify-report' ? rest.shift() : ''
  if (file === undefined) throw new Error('verify-report needs the file of a report')
  if (values.url !== undefined && !/^https?:$/.test(URL.parse(values.url)?.protocol ?? '')) {
    throw new Error('--url must be an http or https address')
  }
  if (rest.length > 0) throw new Error(`unexpected argument ${rest[0]}`)
  return { ...values, command, email, file }
}

// Modules are imported on demand: the checks above come before any of them, and a health check does
// not load the daemon.
async function makeHost() {
  const { startClock } = await import('./base/clock.ts')
  const { startWatchdog } = await import('./commands/watchdog/watchdog.ts')
  const { version } = (await import('../package.json', { with: { type: 'json' } })).default
  const clock = startClock()
  return {
    env: process.env,
    cwd: process.cwd(),
    version,
    isTerminal: process.stderr.isTTY === true,
    clock,
    print: (line: string) => void process.stdout.write(`${line}\n`),
    complain: (line: string) => void process.stderr.write(`${line}\n`),
    onSignal(run: (signal: string) => void) {
      for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, run)
    },
    onBug(run: (error: unknown) => void) {
      process.on('uncaughtException', run)
      process.on('unhandledRejection', run)
    },
    startWatchdog: (silenceMsMax: number) => startWatchdog(clock, silenceMsMax),
    exit: leaveWith,
  }
}

async function run(args: ReturnType<typeof readArguments>): Promise<number> {
  // Files that the process creates are readable only for its user.
  process.umask(0o077)
  const host = await makeHost()
  const options = { configPath: args.config }
  switch (args.command) {
    case 'serve': {
      // uWebSockets.js reads this when it is loaded: the maximum bytes of a request's headers.
      process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '8192'
      const { startApp } = await import('./app/app.ts')
      const { serve } = await import('./commands/serve.ts')
      return serve(host, options, startApp)
    }
    case 'check-config': {
      const { checkConfig } = await import('./commands/check-config.ts')
      return checkConfig(host, { ...options, defaults: args.defaults })
    }
    case 'healthcheck': {
      const { healthcheck } = await import('./commands/healthcheck.ts')
      return healthcheck(host, options)
    }
    case 'reset-password': {
      const { resetPassword } = await import('./commands/reset-password.ts')
      return resetPassword(host, { ...options, email: args.email })
    }
    case 'verify-report': {
      const { verifyReport } = await import('./commands/verify-report.ts')
      return verifyReport(host, { file: args.file, key: args.key, url: args.url })
    }
    default:
      host.complain(`stillup: there is no command ${args.command}\n\n${usage}`)
      return 64
  }
}

async function main(): Promise<number> {
  if (isNodeTooOld()) {
    process.stderr.write(
      `stillup needs Node ${nodeMin.join('.')} or later; this is ${process.versions.node}. ` +
        'npm ci installs one: npm start uses it.\n',
    )
    return 78
  }
  let args: ReturnType<typeof readArguments>
  try {
    args = readArguments()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`stillup: ${message}\n\n${usage}\n`)
    return 64
  }
  if (args.help) process.stdout.write(`${usage}\n`)
  else if (args.version) {
    const { version } = (await import('../package.json', { with: { type: 'json' } })).default
    process.stdout.write(`${version}\n`)
  } else return run(args)
  return 0
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

main().then(leaveWith, (error: unknown) => {
  process.stderr.write(`stillup: ${error instanceof Error ? error.stack : error}\n`)
  process.exit(70)
})
