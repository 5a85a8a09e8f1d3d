// Judges again and again what is stored: nothing may vanish that was there before, and what was heard is stored.
import type { ChannelId, OrgId } from '../../../src/base/ids.ts'
import { brokenInvariants, createMemory } from './invariants.ts'
import type { Snapshot } from './snapshot.ts'
import type { World } from './world.ts'

export type Auditor = ReturnType<typeof createAuditor>

export const orgIdOf = ({ org }: World) => org.split('/').at(-1) as OrgId

export function createAuditor(world: World) {
  const memory = createMemory()
  const arrived = new Map(world.subscribers.map(({ id }) => [id, new Set<string>()]))
  const idOf = new Map(world.subscribers.map(({ id, name }) => [name, id]))
  let read = 0

  return {
    /** Notes what has arrived so far: what is judged next must have it. */
    hear(): void {
      const { arrivals } = world.hooks
      for (; read < arrivals.length; read++) {
        const { channel, name } = arrivals[read] ?? { channel: '', name: '' }
        arrived.get(idOf.get(channel) ?? ('' as ChannelId))?.add(name)
      }
    },
    problems(snapshot: Snapshot): string[] {
      const { subscribers, hooks } = world
      for (const { id, audience } of world.watched) memory.audiences.set(id, audience)
      return brokenInvariants(snapshot, memory, { subscribers, arrived, taken: hooks.taken })
    },
  }
}
