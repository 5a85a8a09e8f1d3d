// stillup standby: keeps a copy of the data of a daemon elsewhere, and takes its place when a person says so.
//
// While it follows, it has the data directory and the port, and answers only that it is a standby. Promoted,
// it goes on as the daemon does after a crash: on a copy that has everything that was acknowledged.
import { hostname } from 'node:os'
import { getCACertificates } from 'node:tls'
import { type FollowState, follow } from '../actors/standby/follow.ts'
import { createLeaderLink, type LeaderLink } from '../actors/standby/leader-link.ts'
import { exitCodes, StartFailure } from '../base/exit.ts'
import { createStack, type Stack } from '../base/stack.ts'
import type { StartSettings } from '../config/load.ts'
import type { Settings } from '../config/settings.ts'
import { isLoopbackUrl } from '../domain/sign-in/oidc.ts'
import { createWire, type ProxySettings } from '../net/daemon-wire.ts'
import { addedAuthorities } from '../net/http-client/authorities.ts'
import { type Keyring, readKeyring } from '../seal/keyring.ts'
import { createLogSeal, standbySecret } from '../seal/log-seal.ts'
import { openDataCopy } from '../services/standby/data-copy.ts'
import type { LeaderMark } from '../store/engine/replica.ts'
import { type DaemonStatus, type DirectoryLock, lockDirectory } from '../store/lock.ts'
import { needSpace } from '../store/space.ts'
import { standbyHealth, startHealthServer } from '../uplink/health-server.ts'
import { type App, type AppInputs, startApp } from './app.ts'

export interface StandbyOptions {
  /** The address of the leader, without a slash at the end. */
  readonly of: string
  /** A file of authorities, besides Node's, that the leader may be certified by. */
  readonly caFile: string | undefined
  readonly proxy: ProxySettings
  /** Whether data in the directory that is no copy of the leader's may be replaced; it is kept beside. */
  readonly mayReplace: boolean
}

export interface StandbyInputs extends AppInputs {
  /** Called once it follows: from then on the process runs as it should. */
  readonly standsBy: (status: string) => void
  /** Aborted when the process is to end. */
  readonly stopping: AbortSignal
}

/** What the control socket answers to `promote`. */
export interface Promoted {
  readonly epoch: number
  /** When the last record that it has was made, in Unix milliseconds; 0 if none came since it was started. */
  readonly newestAtMs: number
}

/**
 * Follows until it is promoted, then starts the daemon. Throws StartFailure where only a person can help,
 * and the reason of `stopping`.
 */
export async function startStandby(
  own: StartSettings,
  world: StandbyInputs,
  options: StandbyOptions,
): Promise<App> {
  const { settings } = own
  const { dir, masterKeyFile } = settings.data
  const keyring = masterKey(masterKeyFile)
  const link = linkTo(keyring, world.version, options)
  const stack = createStack(world)
  await needSpace(dir)
  const lock = await lockDirectory(dir, world.version)
  stack.push('lock', () => lock.release())
  let mark: LeaderMark | undefined
  try {
    mark = await standBy({ settings, world, options, keyring, link, lock, stack })
  } catch (error) {
    await stack.stop()
    throw error
  }
  return startApp(own, { ...world, lock, takesOver: { link, mark } })
}

/** The leader's: a standby never makes one. */
function masterKey(file: string): Keyring {
  try {
    return readKeyring(file)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartFailure(exitCodes.config, why, {
      hint: 'A standby has the master key of its leader: copy that file to this machine.',
      cause,
    })
  }
}

function linkTo(
  keyring: Keyring,
  version: string,
  { of, caFile, proxy }: StandbyOptions,
): LeaderLink {
  if (of.startsWith('http:') && !isLoopbackUrl(new URL(of))) {
    throw new StartFailure(exitCodes.config, `--of ${of}: all data would travel in the open`, {
      hint: 'Use https.',
    })
  }
  const added = caFile === undefined ? undefined : addedAuthorities(caFile, '--ca')
  const wire = createWire({
    auth: standbySecret(keyring),
    agent: `stillup-standby/${version}`,
    proxy,
    ca: added && [...getCACertificates('default'), ...added],
  })
  return createLeaderLink({ wire, url: of, member: hostname(), version })
}

interface StandBy {
  readonly settings: Settings
  readonly world: StandbyInputs
  readonly options: StandbyOptions
  readonly keyring: Keyring
  readonly link: LeaderLink
  readonly lock: DirectoryLock
  readonly stack: Stack
}

/** Resolves when it shall lead: with the mark of its epoch, or undefined if it did so before. */
async function standBy(deps: StandBy): Promise<LeaderMark | undefined> {
  const { settings, world, options, keyring, link, lock, stack } = deps
  const { clock, log, stopping } = world
  const { dir } = settings.data
  const copy = openDataCopy({ dir, keyring, clock, log })
  stack.push('copy', () => copy.close())
  // A command that wrote to the data has left it without a position.
  const epoch = () => Math.max(copy.replica().position().epoch, copy.leadership()?.epoch ?? 0)
  if (copy.leadership()?.role === 'leader' && !(await leads(link, epoch(), stopping))) {
    log.info('this machine was promoted before: it leads', { formerLeader: options.of })
    await copy.close()
    return undefined
  }

  function mustBeReplaceable(): void {
    const role = copy.leadership()?.role
    const isCopy = role === 'standby' || role === 'deposed' || role === 'leader'
    if (!copy.hadData || isCopy || options.mayReplace) return
    throw new StartFailure(exitCodes.config, `${dir} has data that is no copy of ${options.of}`, {
      hint: 'With --replace it is kept in a directory beside it, and a copy of the leader takes its place.',
    })
  }

  // Data that was in no log, as after a restore, continues nobody's: that is said also while nobody answers.
  if (copy.replica().position().hash === '') mustBeReplaceable()

  let state: FollowState = { heardAtMs: null, failure: null, hasAll: false }
  const following = new AbortController()
  const stop = () => following.abort()
  stopping.addEventListener('abort', stop)
  const health = await startHealthServer(settings.http.listen, standbyHealth)
  stack.push('health', () => health.stop())
  const promotion = Promise.withResolvers<LeaderMark>()
  const status = { pid: process.pid, version: world.version, ready: false }
  lock.answer('status', (): DaemonStatus => ({ ...status, standby: { of: options.of, ...state } }))
  async function promote(isForced: boolean): Promise<Promoted> {
    if (copy.leadership()?.role !== 'standby') throw new Error('it has no copy of the data yet')
    const unreadable = copy.whyUnreadable(world.version)
    if (unreadable) throw unreadable
    const other = await roleThere(link, stopping)
    // One that vanished has left its connection open.
    if (other && !isForced) throw answers(link)
    following.abort()
    await ended
    const replica = copy.replica()
    const url = options.of
    const above = Math.max(epoch(), other?.epoch ?? 0)
    const mark = await replica.lead(clock.wallMs(), above, (tx, next) =>
      copy.putLeadership(tx, { role: 'leader', url, epoch: next }),
    )
    lock.answer('promote', () => Promise.reject(new Error('it leads already')))
    promotion.resolve(mark)
    return { epoch: mark.epoch, newestAtMs: replica.newestAtMs() }
  }
  let promoting: Promise<Promoted> | undefined
  lock.answer('promote', ({ isForced }): Promise<Promoted> => {
    promoting ??= promote(isForced === true).finally(() => {
      promoting = undefined
    })
    return promoting
  })
  const ended = follow(
    {
      ...{ clock, log, link, mustBeReplaceable },
      replica: copy.replica,
      replace: (file, pieces) => copy.replace(file, pieces, 'standby', options.of),
      seal: createLogSeal(keyring),
      onApplied: () => copy.become('standby', options.of),
      signal: following.signal,
    },
    (next) => {
      state = next
    },
  )
  world.standsBy(`Standby of ${options.of}`)
  log.info('standing by', { of: options.of })
  try {
    await ended
    stopping.throwIfAborted()
    const mark = await promotion.promise
    log.info('promoted: this machine leads now', { formerLeader: options.of })
    return mark
  } finally {
    stopping.removeEventListener('abort', stop)
    lock.answer('status', (): DaemonStatus => status)
    health.stop()
    await copy.close()
  }
}

/** How long the other machine has for an answer; it is as good as gone then. */
const otherAnswersMsMax = 3_000

function roleThere(link: LeaderLink, stopping: AbortSignal) {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(otherAnswersMsMax)])
  return link.role(signal).catch(() => undefined)
}

/** Whether the machine there was promoted after this one. Without an answer it was not. */
async function leads(link: LeaderLink, epoch: number, stopping: AbortSignal): Promise<boolean> {
  const other = await roleThere(link, stopping)
  // This one serves nothing yet: with the same epoch, both were promoted.
  return other?.role === 'leader' && other.epoch >= epoch
}

const answers = ({ url }: LeaderLink) =>
  new Error(
    `${url} answers: stop it first, so that nothing is acknowledged there any more; --force takes its place at once`,
  )
