// stillup probe: checks monitors where it stands, for a daemon elsewhere, and stops on a signal.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { exitCodes } from '../base/exit.ts'
import { createStack } from '../base/stack.ts'
import { type HostAndPort, listenAddress, serviceAddress } from '../config/kinds.ts'
import { probeTokenVariable } from '../config/load.ts'
import { isLoopbackUrl } from '../domain/sign-in/oidc.ts'
import { endsItsRun } from '../net/run/stray-errors.ts'
import { isTokenShaped } from '../seal/tokens.ts'
import { proxyOf } from './addresses.ts'
import { defineCommand } from './model/command.ts'
import { CommandFailure } from './model/failure.ts'
import type { Host } from './model/host.ts'
import { settingsToServe } from './model/settings.ts'
import { openLog, startFailed, stopAll, waitForSignal } from './running.ts'
import { createSupervisor } from './supervisor.ts'

/** The longest time that a stop takes. */
const probeStopMsMax = 10_000
/** The credential of systemd (LoadCredential=) that holds the token. */
const credentialName = 'probe-token'
const tokenFileCharsMax = 1_000

interface ProbeOptions {
  readonly server: readonly string[]
  readonly tokenFile: string | undefined
  readonly ca: string | undefined
  readonly health: string | undefined
}

export const command = defineCommand({
  about:
    'It connects to the daemon, never the other way round, and keeps no data. Its token comes from ' +
    `${probeTokenVariable}, from the file that ${probeTokenVariable}_FILE or --token-file names, or from ` +
    "systemd's credential probe-token. Of the settings it uses checks.*, dns.servers, observer.sentinels, " +
    'log.* and system.watchdogSeconds; unless checks.targets is any or checks.allow names them, it checks ' +
    'no private addresses. HTTPS_PROXY and NO_PROXY are honoured.',
  examples: [
    [
      'stillup probe --server https://status.example.com',
      'checks what that daemon assigns to this probe',
    ],
  ],
  options: {
    server: {
      value: 'URL',
      isMany: true,
      about: 'the address of the daemon; more than once, or with commas, for several ways to it',
    },
    tokenFile: { value: 'FILE', completes: 'file', about: 'holds the token of the probe' },
    ca: {
      value: 'FILE',
      completes: 'file',
      about: 'more authorities, in PEM, that the daemon may be certified by',
    },
    health: {
      value: 'ADDRESS',
      about: 'answer GET /healthz and /readyz there, such as 127.0.0.1:9100',
    },
  },
  exits: { 0: 'stopped by a signal', 1: 'a second signal ended it at once' },
  hasJson: false,
  run: ({ host, configPath, options }) => probe(host, { configPath }, options),
})

async function probe(
  host: Host,
  { configPath }: { readonly configPath: string | undefined },
  options: ProbeOptions,
): Promise<number> {
  const loaded = settingsToServe(host, { configPath })
  if (!loaded) return exitCodes.config
  const { settings, source } = loaded
  const urls = serversIn(options.server)
  const health = healthIn(options.health)
  const token = tokenOf(host, options.tokenFile)
  const { clock, env, version, cwd } = host
  const log = openLog(host, settings)
  const stack = createStack({ clock, log })
  const stopped = waitForSignal(host, log)
  host.onBug((error) => {
    if (endsItsRun()) {
      log.error('a check failed because of a bug', { error })
      return
    }
    log.error('a bug: the probe ends and should be restarted', { error })
    host.exit(exitCodes.software)
  })
  log.info('starting', { version, pid: process.pid, config: source, servers: urls })
  if (urls.some((url) => url.startsWith('http:') && !isLoopbackUrl(new URL(url)))) {
    log.warn('the token and all results travel in the open: use https')
  }
  const supervisor = createSupervisor({ env, clock, log })
  try {
    const start = await host.loadProbe()
    const running = await start({
      ...{ clock, log, version, settings, token, urls, health },
      caFile: options.ca === undefined ? undefined : resolve(cwd, options.ca),
      proxy: proxyOf(env),
    })
    const { watchdogSeconds } = settings.system
    // A thread of its own, and 11 MB: where systemd watches the process, it needs no other one.
    if (watchdogSeconds > 0 && !env.WATCHDOG_USEC) {
      const watchdog = host.startWatchdog(watchdogSeconds * 1_000)
      stack.push('watchdog', () => watchdog.stop())
    }
    stack.push('probe', () => running.stop())
    stack.push('supervisor', () => {
      supervisor.stop()
      return supervisor.tell('STOPPING=1')
    })
  } catch (error) {
    await stack.stop()
    return startFailed(host, error, log)
  }
  supervisor.startPings()
  await supervisor.tell('READY=1')
  const signal = await stopped
  log.info('stopping', { signal })
  return stopAll(clock, log, stack, probeStopMsMax)
}

function serversIn(given: readonly string[]): string[] {
  const texts = given.flatMap((text) => text.split(',')).filter((text) => text.trim() !== '')
  if (texts.length === 0) {
    throw new CommandFailure(
      exitCodes.usage,
      'probe needs the address of the daemon: --server https://status.example.com',
    )
  }
  return texts.map((text) => {
    const url = serviceAddress.parse(text)
    if (url !== undefined) return url
    throw new CommandFailure(exitCodes.usage, `--server must be ${serviceAddress.allowed}`)
  })
}

function healthIn(text: string | undefined): HostAndPort | undefined {
  if (text === undefined) return undefined
  const place = listenAddress.parse(text)
  if (place !== undefined) return place
  throw new CommandFailure(exitCodes.usage, `--health must be ${listenAddress.allowed}`)
}

function tokenOf(host: Host, tokenFile: string | undefined): string {
  const { text, source } = tokenText(host, tokenFile)
  const token = text.trim()
  if (token === '') {
    const where = `set ${probeTokenVariable}, or name a file with --token-file`
    const what = source === undefined ? 'there is no token of a probe' : `${source} is empty`
    throw new CommandFailure(exitCodes.config, `${what}: ${where}`)
  }
  if (isTokenShaped(token, 'stp')) return token
  throw new CommandFailure(
    exitCodes.config,
    `${source} is not the token of a probe: it begins with stp_ and is shown once, when the probe is made`,
  )
}

/** Never on the command line, which every user of the machine can read. */
function tokenText(
  { env, cwd }: Host,
  tokenFile: string | undefined,
): { readonly text: string; readonly source?: string } {
  const { CREDENTIALS_DIRECTORY: credentials } = env
  const given = env[probeTokenVariable]
  if (tokenFile !== undefined) return fileText(resolve(cwd, tokenFile))
  if (given) return { text: given, source: probeTokenVariable }
  const named = env[`${probeTokenVariable}_FILE`]
  if (named) return fileText(resolve(cwd, named))
  if (credentials) return fileText(join(credentials, credentialName))
  return { text: '' }
}

function fileText(file: string): { readonly text: string; readonly source: string } {
  try {
    return { text: readFileSync(file, 'utf8').slice(0, tokenFileCharsMax), source: file }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandFailure(exitCodes.config, `the token cannot be read: ${why}`, { cause })
  }
}
