// Chromium as a child process for one check: its own folder, user and session, which end with it.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
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
/** Looks after the end of a browser until nothing of it is left. */
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

function argumentsFor(dir: string, proxy: string): readonly string[] {
  const [address = ''] = proxy.split(':')
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${dir}`,
    `--disk-cache-dir=${join(dir, 'cache')}`,
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
    ...['--block-new-web-contents', '--disable-notifications', '--deny-permission-prompts'],
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
  try {
    sweep()
    dir = mkdtempSync(join(tmpdir(), `${folderName}${process.pid}-`))
    if (isRoot) chownSync(dir, nobody, nobody)
  } catch (cause) {
    return Promise.reject(new ChromiumMissing(`it has no folder (${codeOf(cause)})`))
  }
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...added, ...argumentsFor(dir, proxy)], {
      cwd: dir,
      env: { PATH: path, HOME: dir, TMPDIR: dir, LC_ALL: 'C.UTF-8', XDG_RUNTIME_DIR: dir },
      // A session of its own, by which all its processes are found.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      ...(isRoot ? { uid: nobody, gid: nobody } : {}),
    })
    child.once('error', (cause) => {
      void remove(dir)
      reject(new ChromiumMissing(startProblems[codeOf(cause)] ?? 'a program could not be started'))
    })
    child.once('spawn', () => resolve(running(child, { dir, memoryBytesMax, clock })))
  })
}

const folderName = 'stillup-browser-'

/** A daemon that was killed leaves folders behind, and no browser: that ends with its pipe. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(folderName)
      ? Number(name.slice(folderName.length).split('-', 1))
      : 0
    if (pid > 0 && !existsSync(`/proc/${pid}`)) void remove(join(tmpdir(), name))
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
  yieldToOthers(pid)
  child.stderr?.on('error', () => {})
  child.stderr?.on('data', (chunk: Buffer) => {
    if (complaints.length < stderrCharsMax) complaints += chunk.toString()
  })

  function kill(): void {
    // The group first: nothing of it can start a process that is missed.
    for (const target of [-pid, ...sessionOf(pid)]) {
      try {
        process.kill(target, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
  }

  function watch(): void {
    if (isOver) return
    if (memoryOf(sessionOf(pid)) > memoryBytesMax) {
      ended ??= 'memory'
      kill()
    }
    timer = clock.setTimeout(watch, lookMs)
  }

  function destroy(): void {
    if (isOver) return
    isOver = true
    clock.clearTimeout(timer)
    kill()
  }

  /** Its children end a little later, may have begun meanwhile, and may still write. */
  function clear(looks = clearLooksMax, wasClear = false): void {
    clock.setTimeout(() => {
      kill()
      void remove(dir).then(() => {
        const isClear = sessionOf(pid).length === 0 && !existsSync(dir)
        // Once more: what was being written comes back.
        if (!(isClear && wasClear) && looks > 1) clear(looks - 1, isClear)
      })
    }, lookMs)
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
    const stat = readProc(`${name}/stat`)
    // The name of the program may have spaces and brackets; the fields after it are numbers.
    const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(session) === pid) found.push(Number(name))
  }
  return found
}

/** What they have for themselves alone, in bytes: what they share would count several times. */
function memoryOf(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => /^RssAnon:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1])
  return kilobytes.reduce((sum, kb = '0') => sum + Number(kb) * 1_024, 0)
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'utf8')
  } catch {
    return ''
  }
}

/** The daemon gets the processor first, and where memory runs out, the system ends the browser first. */
function yieldToOthers(pid: number): void {
  const steps = [
    () => writeFileSync(`/proc/${pid}/oom_score_adj`, '900'),
    () => setPriority(pid, priority),
  ]
  for (const step of steps) {
    try {
      step()
    } catch {
      // A sandbox may forbid it.
    }
  }
}

async function remove(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {})
}
