// Chromium as a child process for one check: its own folder, user and session, which end with it.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../base/clock.ts'
import { codeOf } from '../../net/failure.ts'
import type { DevtoolsCarrier } from './devtools.ts'

export interface ChromiumOptions {
  /** The program, and what the operator adds to its arguments. */
  readonly command: readonly string[]
  /** The proxy that everything goes through, as `address:port`. */
  readonly proxy: string
  readonly memoryBytesMax: number
  readonly clock: Clock
}

export interface Chromium {
  readonly carrier: DevtoolsCarrier
  /** Why it ended by itself or by its bound; undefined while it runs. */
  endedBy(): 'memory' | 'exit' | undefined
  /** What it complained of, if anything, in a word of ours. */
  complaint(): string
  destroy(): void
}

/** A program could not be started. */
export class ChromiumMissing extends Error {
  override readonly name = 'ChromiumMissing'
}

/** One message of the protocol; longer ones are dropped unread: a page can make them as long as it likes. */
const devtoolsMessageBytesMax = 4 * 1024 * 1024
const lookMs = 250
/** Looks after the end of a browser until nothing of it is left; the first is at once. */
const clearLooksMax = 40
const stderrCharsMax = 16_384
/** The user of a daemon that runs as root; Chromium does not run as root with its sandbox. */
const nobody = 65_534
const priority = 10
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What no check needs, or what would reach the network by another way than the proxy. */
const features = [
  ...[
    'AsyncDns',
    'Translate',
    'MediaRouter',
    'OptimizationHints',
    'InterestFeedContentSuggestions',
  ],
  ...[
    'AutofillServerCommunication',
    'CertificateTransparencyComponentUpdater',
    'DialMediaRouteProvider',
  ],
  ...['PaintHolding', 'WebRtcHideLocalIpsWithMdns', 'NetworkTimeServiceQuerying', 'HttpsUpgrades'],
]

function argumentsFor(home: string, proxy: string): readonly string[] {
  const [address = ''] = proxy.split(':')
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${home}`,
    `--disk-cache-dir=${join(home, 'cache')}`,
    `--proxy-server=http://${proxy}`,
    // Chromium would reach loopback addresses without the proxy.
    '--proxy-bypass-list=<-loopback>',
    // Nothing but the proxy has an address: what would go around it finds no name.
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${address}`,
    // The second is what versions before 130 call it.
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--dns-prefetch-disable',
    `--disable-features=${features.join(',')}`,
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ...['--disable-default-apps', '--disable-extensions', '--disable-domain-reliability'],
    ...[
      '--disable-client-side-phishing-detection',
      '--disable-breakpad',
      '--disable-crash-reporter',
    ],
    ...['--no-first-run', '--no-default-browser-check', '--no-pings', '--no-service-autorun'],
    ...['--metrics-recording-only', '--password-store=basic', '--use-mock-keychain'],
    ...['--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--mute-audio'],
    ...['--disable-background-timer-throttling', '--disable-renderer-backgrounding'],
    ...['--disable-notifications', '--deny-permission-prompts'],
    'about:blank',
  ]
}

/** Starts it. Throws ChromiumMissing if there is no such program, or no folder for it. */
export function startChromium({
  command,
  proxy,
  memoryBytesMax,
  clock,
}: ChromiumOptions): Promise<Chromium> {
  const [program = '', ...added] = command
  const isRoot = process.getuid?.() === 0
  let dir: string
  let home: string
  try {
    sweep()
    dir = mkdtempSync(join(tmpdir(), `${folderName}${process.pid}-`))
    home = join(dir, homeFolder)
    mkdirSync(home)
    if (isRoot) {
      chmodSync(dir, 0o711)
      chownSync(home, nobody, nobody)
    }
  } catch (cause) {
    return Promise.reject(new ChromiumMissing(`it has no folder (${codeOf(cause)})`))
  }
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown): void => {
      void remove(dir)
      reject(new ChromiumMissing(startProblems[codeOf(cause)] ?? 'a program could not be started'))
    }
    try {
      const child = spawn(program, [...added, ...argumentsFor(home, proxy)], {
        cwd: home,
        env: { PATH: path, HOME: home, TMPDIR: home, LC_ALL: 'C.UTF-8', XDG_RUNTIME_DIR: home },
        // A session of its own, by which all its processes are found.
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        ...(isRoot ? { uid: nobody, gid: nobody } : {}),
      })
      child.once('error', failed)
      child.once('spawn', () => resolve(running(child, { dir, memoryBytesMax, clock })))
    } catch (cause) {
      // Some errors are thrown, such as that of a user that the daemon may not become.
      failed(cause)
    }
  })
}

const folderName = 'stillup-browser-'
/** In the folder, of the user of the browser. */
const homeFolder = 'home'
/** In the folder, where the browser does not write: its first process, which leads its session. */
const leaderFile = 'leader'

/**
 * Removes the folders whose browser has ended: a daemon that was killed leaves them behind, and a thread of checks
 * that ended. Their browsers end with their pipes.
 */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(folderName)) continue
    const dir = join(tmpdir(), name)
    // Others may make folders there, too.
    if (lstatSync(dir, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue
    const daemon = Number(name.slice(folderName.length).split('-', 1))
    // None yet: a thread or a daemon beside this one is about to start it.
    const leader = Number(readText(join(dir, leaderFile))) || daemon
    if (leader > 0 && isEnded(leader)) void remove(dir)
  }
}

const startProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EACCES: 'this machine does not permit it',
  EPERM: 'this machine does not permit it',
}

interface RunningChild {
  readonly dir: string
  readonly memoryBytesMax: number
  readonly clock: Clock
}

function running(child: ChildProcess, { dir, memoryBytesMax, clock }: RunningChild): Chromium {
  const { pid = 0 } = child
  let ended: 'memory' | 'exit' | undefined
  let isOver = false
  let complaints = ''
  let timer: unknown
  attempt(() => writeFileSync(join(dir, leaderFile), String(pid)))
  yieldToOthers(pid)
  child.stderr?.on('error', () => {})
  child.stderr?.on('data', (chunk: Buffer) => {
    if (complaints.length < stderrCharsMax) complaints += chunk.toString()
  })

  function watch(): void {
    if (isOver) return
    if (memoryOf(sessionOf(pid)) > memoryBytesMax) {
      ended ??= 'memory'
      killSession(pid)
    }
    timer = clock.setTimeout(watch, lookMs)
  }

  function destroy(): void {
    if (isOver) return
    isOver = true
    clock.clearTimeout(timer)
    killSession(pid)
  }

  /** Its children end a little later, may have begun meanwhile, and may still write. */
  function clear(looks = clearLooksMax, wasClear = false): void {
    killSession(pid)
    void remove(dir).then(() => {
      const isClear = sessionOf(pid).length === 0 && !existsSync(dir)
      // Once more: what was being written comes back.
      if (isClear && wasClear) attempt(sweep)
      else if (looks > 1) clock.setTimeout(() => clear(looks - 1, isClear), lookMs)
    })
  }

  child.once('exit', () => {
    ended ??= 'exit'
    destroy()
    clear()
  })
  watch()
  return {
    carrier: pipeCarrier(child),
    endedBy: () => ended,
    complaint: () =>
      /no usable sandbox/i.test(complaints) ? 'this machine gives it no sandbox' : '',
    destroy,
  }
}

/** Messages end with a zero byte (`--remote-debugging-pipe`). */
function pipeCarrier(child: ChildProcess): DevtoolsCarrier {
  const [, , , input, output] = child.stdio
  return {
    send(message) {
      const isWritten = (input as Writable).write(`${message}\0`)
      // Commands are few: the pipe is full only if the browser stands still, and the deadline ends that.
      void isWritten
    },
    listen({ message, closed }) {
      const take = messagesOf(message)
      const stream = output as Readable
      stream.on('data', take)
      stream.on('error', () => {})
      input?.on('error', () => {})
      stream.once('close', closed)
    },
  }
}

/** Tells each whole message; one that is too long is passed over. */
function messagesOf(tell: (text: string) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  let bytes = 0
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      const last = chunk.subarray(from, end)
      if (bytes + last.length <= devtoolsMessageBytesMax) {
        tell(Buffer.concat([...pieces, last]).toString())
      }
      pieces = []
      bytes = 0
      from = end + 1
    }
    const rest = chunk.subarray(from)
    bytes += rest.length
    if (bytes <= devtoolsMessageBytesMax) pieces.push(rest)
    else pieces = []
  }
}

/** The processes of a session. */
function sessionOf(pid: number): number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const [, , , session] = statOf(name)
    if (Number(session) === pid) found.push(Number(name))
  }
  return found
}

/** Whether no such process runs. One that nobody waits for stays as a zombie. */
function isEnded(pid: number): boolean {
  const [state = 'X'] = statOf(pid)
  return /^[XZ]?$/.test(state)
}

/** From the third field on: state, parent, group, session (proc(5)). */
function statOf(pid: number | string): string[] {
  const stat = readProc(`${pid}/stat`)
  // The name of the program may have spaces and brackets; the fields after it have none.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function killSession(leader: number): void {
  // The group first: nothing of it can start a process that is missed.
  for (const target of [-leader, ...sessionOf(leader)]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

/** What they have for themselves alone, in bytes: what they share would count several times. */
function memoryOf(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => /^RssAnon:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1])
  return kilobytes.reduce((sum, kb = '0') => sum + Number(kb) * 1_024, 0)
}

const readProc = (name: string) => readText(`/proc/${name}`)

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The daemon gets the processor first, and where memory runs out, the system ends the browser first. */
function yieldToOthers(pid: number): void {
  attempt(() => writeFileSync(`/proc/${pid}/oom_score_adj`, '900'))
  attempt(() => setPriority(pid, priority))
}

/** What a sandbox may forbid, and a check does without. */
function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // It is not done.
  }
}

/** The note of the first process goes last: a thread may end in between, and the next sweep goes on. */
async function remove(dir: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }
  try {
    await rm(join(dir, homeFolder), options)
    await rm(dir, options)
  } catch {
    // It is tried again.
  }
}
