// The time and the network of a story, and what can be broken in it on purpose.
import type { SimTime } from '../../fleet/sim-clock.ts'
import type { Oracle } from './oracle.ts'

export const plantedFaults = [
  /** A cell takes writes of an organization that it switched off or gave away. */
  'no epoch fence',
  /** Writes that were accepted before the switch-off are committed after it. */
  'late commit',
  /** The new owner is named before the old one has switched off. */
  'switch-off after the directory',
  /** The new owner does not wait for the last records. */
  'last records not awaited',
  /** The switch-off is not stored, so that a standby does not know of it. */
  'switch-off in memory only',
  /** The source goes on by itself when a move takes long. */
  'abort without asking',
  /** A leader that was replaced may still append. */
  'no log fence',
  /** A cell that is given up is not shut out before its organizations run elsewhere. */
  'lost cell not sealed',
  /** The source deletes what it gave away before the new owner has a backup of it. */
  'deleted at once',
] as const
export type PlantedFault = (typeof plantedFaults)[number]

export const directoryName = 'directory'

/** What the directory says of an organization. */
export interface Entry {
  readonly cell: string
  readonly epoch: number
  /** Each change has a number of its own. */
  readonly revision: number
  readonly move: { readonly id: number; readonly target: string; readonly sinceMs: number } | null
}

/** A stored write. */
export interface Row {
  readonly key: string
  readonly epoch: number
}

/** A write's answer: stored, 503, or go to that cell. */
export type Answer = 'stored' | 'later' | { readonly elsewhere: string }

export interface World {
  readonly time: SimTime
  readonly random: () => number
  readonly oracle: Oracle
  readonly fault: PlantedFault | undefined
  readonly monitorsOf: (org: string) => number
  /** Whether messages between the two are lost at the moment. */
  readonly cuts: Set<string>
  /** How many of the messages between the two are lost. */
  readonly lossOf: (from: string, to: string) => number
  readonly counts: Record<'moves' | 'moved' | 'aborted' | 'acks' | 'refused', number>
  /** How long organizations were frozen in moves that went through. */
  readonly frozenMs: number[]
}

export const linkOf = (one: string, other: string) => [one, other].toSorted().join(' ')

/** A message: it may be lost, and comes after a while. */
export function send(
  world: World,
  [from, to]: readonly [string, string],
  deliver: () => void,
  takesMs = 0,
): void {
  const { time, random, cuts } = world
  if (cuts.has(linkOf(from, to)) || random() < world.lossOf(from, to)) return
  time.at(time.elapsedMs + takesMs + 1 + random() * 9, deliver)
}

/** Does it again and again. */
export function every(world: World, ms: number, run: () => void): void {
  const { time, random } = world
  const again = () => {
    run()
    time.at(time.elapsedMs + ms * (0.75 + random() / 2), again)
  }
  time.at(time.elapsedMs + random() * ms, again)
}
