// Whether the memory that the daemon may use is enough for its monitors.

import { join } from 'node:path'
import { sizeText } from '../../../base/sizes.ts'
import { fine, skipped, warning } from '../model/finding.ts'
import type { DoctorCheck, World } from '../model/world.ts'

const doctorMemoryBytesBase = 200 * 1024 * 1024
const doctorMemoryBytesPerMonitor = 10 * 1024

export const memoryCheck: DoctorCheck = {
  name: 'memory',
  async run(world) {
    const view = await world.daemon()
    const pid = view.kind === 'running' ? String(view.status.pid) : 'self'
    const monitors = view.kind === 'running' ? (view.report?.counts.monitors ?? 0) : 0
    const neededBytes = doctorMemoryBytesBase + monitors * doctorMemoryBytesPerMonitor
    const [group, machine] = await Promise.all([groupBytes(world, pid), machineBytes(world)])
    const bytes = Math.min(group ?? Number.POSITIVE_INFINITY, machine ?? Number.POSITIVE_INFINITY)
    if (!Number.isFinite(bytes)) return [skipped('limit', 'it cannot be read')]
    const whose = bytes === group ? 'the limit of the control group' : 'the memory of the machine'
    const seen = `${whose} is ${sizeText(bytes)}; ${monitors} monitors need about ${sizeText(neededBytes)}`
    return [
      bytes < neededBytes
        ? warning('limit', seen, 'Raise the limit (MemoryMax, docker --memory), or add memory.')
        : fine('limit', seen),
    ]
  },
}

/** The smallest limit of the process's control group and the groups above it (cgroup v2, or v1). */
async function groupBytes({ files }: World, pid: string): Promise<number | undefined> {
  const text = (await files.read(`/proc/${pid}/cgroup`)) ?? ''
  const [, path = '/'] = /^0::(\/.*)$/m.exec(text) ?? []
  const parts = path.split('/').filter((part) => part !== '' && part !== '..')
  const places = [
    ...parts.map((_, at) => join('/sys/fs/cgroup', ...parts.slice(0, at + 1), 'memory.max')),
    // In a container its own group is the root.
    '/sys/fs/cgroup/memory.max',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes',
  ]
  const texts = await Promise.all(places.map((place) => files.read(place)))
  const found = texts.map((one) => Number(one?.trim() || Number.NaN)).filter(Number.isFinite)
  // Version 1 writes "no limit" as a huge number.
  const real = found.filter((bytes) => bytes < Number.MAX_SAFE_INTEGER)
  return real.length > 0 ? Math.min(...real) : undefined
}

async function machineBytes({ files }: World): Promise<number | undefined> {
  const [, kib] = /^MemTotal:\s+(\d+) kB/m.exec((await files.read('/proc/meminfo')) ?? '') ?? []
  return kib === undefined ? undefined : Number(kib) * 1024
}
