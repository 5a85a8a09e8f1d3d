// The directory: which cell owns an organization, changed only by who knows the last change.
import { required } from '../../../../src/base/assert.ts'
import { moveOf, speeds } from '../figures.ts'
import { sizeOf } from './sizes.ts'
import { directoryName, type Entry, every, send, type World } from './world.ts'

/** A move that takes this much longer than it should is given up. */
const patienceMs = 30_000

export type Directory = ReturnType<typeof createDirectory>

export function createDirectory(world: World) {
  const entries = new Map<string, Entry>()
  let revision = 0
  let moves = 0
  let isUp = true

  function set(org: string, next: Omit<Entry, 'revision'>): void {
    revision += 1
    entries.set(org, { ...next, revision })
    world.oracle.owns(org, next.cell, next.epoch)
  }

  const abort = (org: string, { cell, epoch }: Entry) => {
    set(org, { cell, epoch: epoch + 1, move: null })
    world.counts.aborted += 1
  }

  every(world, 1_000, () => {
    if (!isUp) return
    for (const [org, entry] of entries) {
      if (!entry.move) continue
      const { monitors, readingsPerS, bytes } = sizeOf(world.monitorsOf(org))
      const usualMs = moveOf(monitors, readingsPerS, bytes).allMs
      if (world.time.elapsedMs - entry.move.sinceMs > usualMs + patienceMs) abort(org, entry)
    }
  })

  return {
    entries,
    isUp: () => isUp,
    setUp: (up: boolean) => {
      isUp = up
    },
    create: (org: string, cell: string) => set(org, { cell, epoch: 1, move: null }),
    beginMove: (org: string, target: string): boolean => {
      const { cell, epoch, move } = required(entries.get(org))
      if (!isUp || move || cell === target) return false
      moves += 1
      set(org, { cell, epoch, move: { id: moves, target, sinceMs: world.time.elapsedMs } })
      world.counts.moves += 1
      return true
    },
    /** The target asks to be named the owner: it is, if nothing changed since it looked. */
    finish: (org: string, target: string, known: Entry): void => {
      send(
        world,
        [target, directoryName],
        () => {
          const entry = required(entries.get(org))
          if (!isUp || entry.revision !== known.revision) return
          set(org, { cell: target, epoch: entry.epoch + 1, move: null })
        },
        speeds.directoryMs,
      )
    },
    abort,
    /** Names another owner of what a lost cell had. */
    reassign: (org: string, cell: string) => {
      const { epoch } = required(entries.get(org))
      set(org, { cell, epoch: epoch + 1, move: null })
    },
    /** Keeps a copy for somebody, who goes on with it while the directory is away. */
    watchedBy: (name: string): ReadonlyMap<string, Entry> => {
      const copy = new Map(entries)
      let known = revision
      every(world, speeds.watchMs, () => {
        if (!isUp || known === revision) return
        const changed = [...entries].filter(([, entry]) => entry.revision > known)
        const upTo = revision
        send(world, [directoryName, name], () => {
          for (const [org, entry] of changed) {
            if (entry.revision > (copy.get(org)?.revision ?? 0)) copy.set(org, entry)
          }
          known = Math.max(known, upTo)
        })
      })
      return copy
    },
  }
}
