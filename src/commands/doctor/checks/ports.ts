// Whether the ports that the daemon listens on are free, or held by it, and may be used by it.
import { type CheckFinding, fine, problem, skipped } from '../model/finding.ts'
import { listenersIn, type OwnedListener } from '../model/listeners.ts'
import type { DoctorCheck, World } from '../model/world.ts'

interface PortToBind {
  readonly name: string
  /** null: every address. */
  readonly host: string | null
  readonly port: number
}

export const portsCheck: DoctorCheck = {
  name: 'ports',
  async run(world) {
    const { listen, tlsListen } = world.settings.http
    const places: PortToBind[] = [
      { name: 'http.listen', ...listen },
      ...(tlsListen === null ? [] : [{ name: 'http.tlsListen', ...tlsListen }]),
    ]
    const found = await Promise.all(places.map((place) => onePort(world, place)))
    return found.flat()
  },
}

async function onePort(world: World, place: PortToBind): Promise<CheckFinding[]> {
  const { name, port } = place
  if (port === 0) return [skipped(name, 'the system chooses a port')]
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => world.files.read(path)),
  )
  if (tables.every((text) => text === undefined)) {
    return [skipped(name, 'the listening sockets cannot be read')]
  }
  const listeners = tables.flatMap((text) => listenersIn(text ?? ''))
  const holder = listeners.find((one) => one.port === port && isSameHost(one, place))
  const found = holder ? await held(world, place, holder) : fine(name, `${portText(place)} is free`)
  return [found, ...(await lowPort(world, place))]
}

const wildcards: ReadonlySet<string | null> = new Set([null, '0.0.0.0', '::'])

function isSameHost({ address }: OwnedListener, { host }: PortToBind): boolean {
  if (wildcards.has(address) || wildcards.has(host)) return true
  return address === host || (host === 'localhost' && /^(127\.|::1$)/.test(address))
}

function portText({ host, port }: PortToBind): string {
  return wildcards.has(host) ? `port ${port}` : `port ${port} of ${host}`
}

async function held(
  world: World,
  place: PortToBind,
  { inode, uid }: OwnedListener,
): Promise<CheckFinding> {
  const { name } = place
  const [view, pid] = await Promise.all([world.daemon(), processOf(world, inode)])
  const daemonPid = view.kind === 'running' ? view.status.pid : undefined
  if (pid === undefined) {
    // A socket of another user: only root sees whose it is.
    if (daemonPid !== undefined || view.kind === 'refused') {
      return fine(name, `${portText(place)} is in use, probably by the running daemon`)
    }
    const seen = `${portText(place)} is in use by a process of uid ${uid}`
    return problem(name, seen, `Stop it, or set ${name} to another port.`)
  }
  if (pid === String(daemonPid)) return fine(name, `${portText(place)} is held by our own daemon`)
  const program = (await world.files.read(`/proc/${pid}/comm`))?.trim() ?? 'a program'
  const seen = `${portText(place)} is in use by ${program} (process ${pid})`
  return problem(name, seen, `Stop it, or set ${name} to another port.`)
}

const doctorProcessesMax = 5_000

/** The process that has a socket; undefined if it is not visible. */
async function processOf({ files }: World, inode: string): Promise<string | undefined> {
  const pids = (await files.list('/proc')).filter((name) => /^\d+$/.test(name))
  const wanted = `socket:[${inode}]`
  for (const pid of pids.slice(0, doctorProcessesMax)) {
    const fds = await files.list(`/proc/${pid}/fd`)
    for (const fd of fds) {
      if ((await files.linkTarget(`/proc/${pid}/fd/${fd}`)) === wanted) return pid
    }
  }
  return undefined
}

/** CAP_NET_BIND_SERVICE (capability.h). */
const bindService = 1n << 10n

async function lowPort(world: World, { name, port }: PortToBind): Promise<CheckFinding[]> {
  const { files, own } = world
  const first = await files.read('/proc/sys/net/ipv4/ip_unprivileged_port_start')
  if (port >= Number(first ?? 1_024)) return []
  const subject = `${name} privilege`
  const unit = await world.unit()
  const advice =
    'Use a port from 1024 on behind a proxy, or the drop-in for low ports (docs/install.md).'
  if (unit) {
    const given = unit.all('AmbientCapabilities').join(' ')
    return /CAP_NET_BIND_SERVICE/.test(given) || unit.get('User') === 'root'
      ? [fine(subject, `the unit permits port ${port}`)]
      : [problem(subject, `the unit does not permit port ${port}`, advice)]
  }
  const status = (await files.read('/proc/self/status')) ?? ''
  const [, effective = '0'] = /^CapEff:\s*([0-9a-f]+)/m.exec(status) ?? []
  const isPermitted = (BigInt(`0x${effective}`) & bindService) !== 0n
  return isPermitted
    ? [fine(subject, `uid ${own.uid} may listen on port ${port}`)]
    : [problem(subject, `uid ${own.uid} may not listen on port ${port}`, advice)]
}
