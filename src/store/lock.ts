// One daemon per data directory: a control socket is the lock and answers requests of the command
// line.
//
// Generations make the take-over after a crash free of races. The process that listens on the
// highest `control.<n>.sock` holds the directory. A newcomer that finds the highest n dead (nobody
// listens) already listens on its own socket and claims n + 1 with a hard link, which only one
// process can create. Lower numbers are removed only after a claim, and the highest is never
// removed, so no number can be claimed twice: a process that links a lower one late finds the
// higher one and gives up.

import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { exitCodes, StartFailure } from '../base/exit.ts'
import {
  askControl,
  type ControlHandler,
  type ControlRequest,
  NotListening,
  type PartTaker,
  serveControl,
} from './control.ts'
import { giveNew, makeWithParents } from './folders.ts'
import { unusableDirectory } from './unusable-directory.ts'

export interface LockOwner {
  readonly pid: number
  readonly host: string
  readonly version: string
}

/** The answer to the verb `status`. */
export interface DaemonStatus {
  readonly pid: number
  readonly version: string
  /** It serves requests and runs checks: neither starting nor stopping. */
  readonly ready: boolean
  /** Absent unless it is a standby. */
  readonly standby?: StandbyStatus
}

/** How a standby follows. */
export interface StandbyStatus {
  /** The address of its leader. */
  readonly of: string
  /** When the leader answered last; null: not yet. */
  readonly heardAtMs: number | null
  /** Why the leader does not answer; null: it does. */
  readonly failure: string | null
  /** It has had everything of the leader since the process began. */
  readonly hasAll: boolean
}

/** Another daemon holds the directory. */
export class DirectoryInUse extends StartFailure {
  readonly pid: number | undefined

  constructor(dir: string, owner: Partial<LockOwner>) {
    const who = owner.pid === undefined ? 'another process' : `process ${owner.pid}`
    const where = owner.host === undefined || owner.host === hostname() ? '' : ` on ${owner.host}`
    super(exitCodes.config, `the data directory ${dir} is in use by ${who}${where}`, {
      hint: 'Stop that daemon first, or give this one another data.dir.',
    })
    this.pid = owner.pid
  }
}

const socketName = (generation: number) => `control.${generation}.sock`
const ownerFile = 'owner'
// Each attempt means that another process started or died in between.
const attemptsMax = 100

function generations(dir: string): number[] {
  return readdirSync(dir)
    .map((name) => Number(/^control\.(\d{1,15})\.sock$/.exec(name)?.[1] ?? 0))
    .filter((generation) => generation > 0)
    .sort((a, b) => b - a)
}

function readOwner(dir: string): Partial<LockOwner> {
  try {
    return JSON.parse(readFileSync(join(dir, ownerFile), 'utf8')) as LockOwner
  } catch {
    // It is only for the message; the socket is the lock.
    return {}
  }
}

/** The owner that listens on a generation's socket, or undefined if nobody does. */
async function findHolder(
  dir: string,
  generation: number,
): Promise<Partial<LockOwner> | undefined> {
  try {
    return (await askControl(dir, socketName(generation), { verb: 'owner' })) as LockOwner
  } catch (error) {
    if (error instanceof NotListening) return undefined
    if (isRefused(error)) throw notOurs(join(dir, socketName(generation)), error)
    // Any other failure (a suspended process, a full backlog) means that a process is there.
    return readOwner(dir)
  }
}

function isRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** The daemon ran here as another user, or another user copied a backup here. */
function notOurs(path: string, cause: unknown): StartFailure {
  const { uid } = statSync(path)
  return new StartFailure(exitCodes.config, `${path} belongs to another user (uid ${uid})`, {
    hint: `Unless that user's daemon is running: chown -R ${process.geteuid?.()} ${dirname(path)}`,
    cause,
  })
}

/** Whether this process created the link, and no process has a higher one. */
function claim(dir: string, socket: string, generation: number): boolean {
  const target = join(dir, socketName(generation))
  try {
    linkSync(join(dir, socket), target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  if (generations(dir)[0] === generation) return true
  rmSync(target, { force: true })
  return false
}

async function claimNext(dir: string, socket: string): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const [highest = 0] = generations(dir)
    const owner = highest > 0 ? await findHolder(dir, highest) : undefined
    if (owner !== undefined) throw new DirectoryInUse(dir, owner)
    if (claim(dir, socket, highest + 1)) return highest + 1
  }
  throw new DirectoryInUse(dir, {})
}

/** Creates the directory if it is missing, accessible only to its owner. Throws StartFailure. */
function makeDirectory(dir: string): void {
  try {
    makeWithParents(dir)
    readdirSync(dir)
  } catch (cause) {
    throw unusableDirectory(dir, cause)
  }
}

export type DirectoryLock = Awaited<ReturnType<typeof lockDirectory>>

/**
 * Locks the directory until this process ends, in whatever way. Throws DirectoryInUse with the
 * other daemon's pid, or a StartFailure if the directory cannot be used.
 */
export async function lockDirectory(dir: string, version: string) {
  makeDirectory(dir)
  const owner: LockOwner = { pid: process.pid, host: hostname(), version }
  const verbs = new Map<string, ControlHandler>([
    ['owner', () => owner],
    // Until the daemon registers its own answer, it is not ready.
    ['status', (): DaemonStatus => ({ pid: owner.pid, version, ready: false })],
  ])
  const ours = `control.starting.${process.pid}.${crypto.randomUUID().slice(0, 8)}`
  const server = await serveControl(dir, ours, (request) => {
    const handle = verbs.get(request.verb)
    if (!handle) throw new Error(unknownVerb(request.verb))
    return handle(request)
  }).catch((cause: unknown) => {
    throw unusableDirectory(dir, cause)
  })
  giveNew(join(dir, ours))
  try {
    const generation = await claimNext(dir, ours)
    for (const older of generations(dir).filter((number) => number < generation)) {
      rmSync(join(dir, socketName(older)), { force: true })
    }
    const draft = join(dir, `${ownerFile}.new`)
    writeFileSync(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600 })
    giveNew(draft)
    renameSync(draft, join(dir, ownerFile))
    return {
      /** Increases with every start on this directory. */
      generation,
      /** Registers the answer to a verb of the command line. */
      answer: (verb: string, handle: ControlHandler) => void verbs.set(verb, handle),
      release: () => server.close(),
    }
  } catch (error) {
    await server.close()
    throw error
  } finally {
    // The link of the generation is the socket from here on.
    rmSync(join(dir, ours), { force: true })
  }
}

/** What a daemon answers to a command that it does not know, because it is of another version. */
export function unknownVerb(verb: string): string {
  return `there is no verb ${verb}`
}

/** Sends a request to the daemon that holds the directory. Throws NotListening if none does. */
export async function askDaemon(
  dir: string,
  request: ControlRequest,
  timeoutMs?: number,
  onPart?: PartTaker,
): Promise<unknown> {
  const [highest] = existsSync(dir) ? generations(dir) : []
  if (highest === undefined) throw new NotListening('no daemon has used this directory')
  return askControl(dir, socketName(highest), request, timeoutMs, onPart)
}
