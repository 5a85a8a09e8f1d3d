// A bucket in memory, for tests of what copies backups to one.
import { Buffer } from 'node:buffer'
import type { BackupRemote } from '../../src/services/backups/remote.ts'

export interface MemoryRemote extends BackupRemote {
  readonly objects: Map<string, Buffer>
  /** Set: everything fails with it. */
  failure: string | undefined
}

export function createMemoryRemote(): MemoryRemote {
  const objects = new Map<string, Buffer>()
  const remote: MemoryRemote = {
    title: 'memory',
    objects,
    failure: undefined,
    async put(name, content, bytes) {
      mustWork()
      const chunks: Uint8Array[] = []
      for await (const chunk of content) chunks.push(chunk)
      const whole = Buffer.concat(chunks)
      if (whole.length !== bytes) throw new Error(`${whole.length} bytes, and not ${bytes}`)
      objects.set(name, whole)
    },
    async list(prefix) {
      mustWork()
      return [...objects]
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, { length: bytes }]) => ({ name, bytes }))
    },
    async get(name) {
      mustWork()
      const found = objects.get(name)
      if (!found) throw new Error(`there is no ${name}`)
      return (async function* chunks() {
        for (let at = 0; at < found.length; at += 1_000) yield found.subarray(at, at + 1_000)
      })()
    },
    async remove(name) {
      mustWork()
      objects.delete(name)
    },
  }
  const mustWork = () => {
    if (remote.failure !== undefined) throw new Error(remote.failure)
  }
  return remote
}
