// Whether the limits of open files and of the kernel's network fit to checks.concurrency.
import { limits } from '../../../domain/limits/limits.ts'
import { shareFiles } from '../../../domain/system/file-shares.ts'
import { type CheckFinding, fine, skipped, warning } from '../model/finding.ts'
import type { DoctorCheck, World } from '../model/world.ts'

export const descriptorsCheck: DoctorCheck = {
  name: 'descriptors',
  async run(world) {
    const found = await Promise.all([
      openFiles(world),
      backlog(world),
      localPorts(world),
      tracking(world),
    ])
    return found.flat()
  },
}

/** The files that the daemon may open if it runs, else its unit if there is one, else this process. */
async function filesMax(world: World): Promise<{ whose: string; max: number | undefined }> {
  const view = await world.daemon()
  const pid = view.kind === 'running' ? view.status.pid : 'self'
  const text = await world.files.read(`/proc/${pid}/limits`)
  const [, , hard] = /^Max open files +(\d+|unlimited) +(\d+|unlimited)/m.exec(text ?? '') ?? []
  const unit = view.kind === 'running' ? undefined : await world.unit()
  const named = unit?.get('LimitNOFILE')?.split(':').at(-1)
  if (named !== undefined) return { whose: 'of the unit', max: Number(named) || undefined }
  const whose = view.kind === 'running' ? 'of the daemon' : 'of this shell'
  return { whose, max: Number(hard) || undefined }
}

async function openFiles(world: World): Promise<CheckFinding> {
  const { concurrency } = world.settings.checks
  const { whose, max } = await filesMax(world)
  if (max === undefined) return skipped('open files', 'there is no limit that can be read')
  const perConnection =
    world.settings.http.tlsListen === null ? 1 : 1 + limits.filesPerTlsConnection
  const { checks, connections } = shareFiles(max, concurrency, perConnection)
  const seen = `the limit ${whose} is ${max}`
  return checks < concurrency
    ? warning(
        'open files',
        `${seen}: ${checks} checks at once, not ${concurrency}`,
        'Raise LimitNOFILE of the unit, or ulimit -n.',
      )
    : fine('open files', `${seen}: ${checks} checks and ${connections} connections at once`)
}

async function numbersIn(world: World, path: string): Promise<readonly number[]> {
  const text = await world.files.read(path)
  return text === undefined ? [] : text.trim().split(/\s+/).map(Number)
}

const doctorBacklogMin = 512
const doctorConntrackShareMax = 0.8

async function backlog(world: World): Promise<CheckFinding[]> {
  const [max] = await numbersIn(world, '/proc/sys/net/core/somaxconn')
  if (max === undefined) return []
  return max < doctorBacklogMin
    ? [
        warning(
          'backlog',
          `net.core.somaxconn is ${max}: bursts of callers are refused`,
          `sysctl net.core.somaxconn=4096`,
        ),
      ]
    : [fine('backlog', `net.core.somaxconn is ${max}`)]
}

async function localPorts(world: World): Promise<CheckFinding[]> {
  const [first, last] = await numbersIn(world, '/proc/sys/net/ipv4/ip_local_port_range')
  if (first === undefined || last === undefined) return []
  const ports = last - first + 1
  // A closed connection keeps its port for a minute.
  return ports < world.settings.checks.concurrency * 2
    ? [
        warning(
          'local ports',
          `${ports} for outgoing connections, with ${world.settings.checks.concurrency} checks at once`,
          'sysctl net.ipv4.ip_local_port_range="15000 65000"',
        ),
      ]
    : [fine('local ports', `${ports} for outgoing connections`)]
}

async function tracking(world: World): Promise<CheckFinding[]> {
  const [[used], [max]] = await Promise.all([
    numbersIn(world, '/proc/sys/net/netfilter/nf_conntrack_count'),
    numbersIn(world, '/proc/sys/net/netfilter/nf_conntrack_max'),
  ])
  if (used === undefined || max === undefined) return []
  const seen = `the firewall tracks ${used} of ${max} connections`
  return used > max * doctorConntrackShareMax
    ? [
        warning(
          'connection tracking',
          `${seen}; beyond that packets are dropped`,
          'Raise net.netfilter.nf_conntrack_max.',
        ),
      ]
    : [fine('connection tracking', seen)]
}
