// After a change of the master key: what an older one sealed is sealed anew with the newest.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Box, SealBroken } from '../../seal/box.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { WrappedPlace } from '../../store/tables/identity-verification/verifications.ts'
import type { KycVault } from '../identity-verification/kyc-vault.ts'
import { resealProof } from './key-proof.ts'

export interface Reseal {
  /**
   * Goes once through everything sealed, slice by slice between other work, and says in the log
   * when the older keys may go. What a stop cuts off begins anew at the next start, where what was
   * done is passed over. Resolves at the end, and never rejects.
   */
  run(): Promise<void>
  /** Resolves once the slice under way is on disk. */
  stop(): Promise<void>
}

export interface ResealDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly box: Box
  readonly vault: KycVault
  /** Where the newest key is the only one there is nothing to seal anew, and nothing is read. */
  readonly hasOlderKeys: boolean
}

/** How many secrets. */
interface Tally {
  readonly resealed: number
  /** No key on the ring opens them. */
  readonly lost: number
}

/** A place where sealed values lie. */
interface Shelf<Item> {
  /** In an order that stays, those beyond `after`; fewer than `limit` are the last. */
  readonly slice: (limit: number, after?: Item) => readonly Item[]
  /** How many characters of it older keys sealed; 0: nothing is to be done. */
  readonly oldChars: (item: Item) => number
  /** Seals anew what is stored of it by now. */
  readonly reseal: (tx: Tx, item: Item) => Tally
}

/** Goes through a shelf. */
type Walk = () => Promise<Tally>

const nothing: Tally = { resealed: 0, lost: 0 }

export function createReseal(deps: ResealDeps): Reseal {
  const { store, clock, log, box } = deps
  let isStopping = false
  let running = Promise.resolve()

  async function walk<Item>({ slice, oldChars, reseal }: Shelf<Item>): Promise<Tally> {
    let total = nothing
    let last: Item | undefined
    do {
      const items = slice(limits.resealSlice, last)
      for (const batch of batchesOf(items, oldChars)) {
        if (isStopping) return total
        const tallies = await store.writeSoon((tx) => batch.map((item) => reseal(tx, item)))
        total = tallies.reduce(sumOf, total)
      }
      last = items.length < limits.resealSlice ? undefined : items.at(-1)
      if (last !== undefined) await nextTurn()
    } while (last !== undefined && !isStopping)
    return total
  }

  async function work(): Promise<void> {
    const startedMs = clock.monoMs()
    const tallies: [name: string, tally: Tally][] = []
    for (const [name, walkThrough] of Object.entries(walksOf(deps, walk))) {
      tallies.push([name, await walkThrough()])
      if (isStopping) return
    }
    // Until here a start without the older keys is refused.
    await resealProof(store, box)
    const durationMs = Math.round(clock.monoMs() - startedMs)
    const of = (what: keyof Tally) =>
      Object.fromEntries(tallies.map(([name, tally]) => [name, tally[what]]))
    const done = { resealed: of('resealed'), durationMs }
    if (tallies.every(([, { lost }]) => lost === 0)) return log.info(sayDone, done)
    log.warn(`${sayDone}, but some cannot be opened with any key`, { ...done, lost: of('lost') })
  }

  return {
    run() {
      if (!deps.hasOlderKeys || isStopping) return running
      running = work().catch((error: unknown) =>
        log.error('secrets are still sealed with an older master key', { error }),
      )
      return running
    },
    stop() {
      isStopping = true
      return running
    },
  }
}

const sayDone = 'secrets are sealed with the newest key'

/**
 * Every place, by the name that the log gives it. Sign-ins on their way to a provider and back are
 * left out, because they last minutes and lie with the browser; so are decoys, which nobody opens.
 */
function walksOf(
  { store, box, vault }: ResealDeps,
  walk: <Item>(shelf: Shelf<Item>) => Promise<Tally>,
): Readonly<Record<string, Walk>> {
  const { monitors, channels, factors, letters, replays, secrets } = store
  const shelf = <Rec>(table: SealedTable<Rec>): Walk => {
    const made = shelfOf(box, table)
    return () => walk(made)
  }
  return {
    monitors: shelf({
      ...monitors,
      again: ({ orgId, id }) => monitors.get(orgId, id),
      mapped: (monitor, each) => ({
        ...monitor,
        requestBox: each(monitor.requestBox),
        pushTokenBox: each(monitor.pushTokenBox),
      }),
    }),
    channels: shelf({
      ...channels,
      again: ({ orgId, id }) => channels.get(orgId, id),
      mapped: (channel, each) => ({ ...channel, secretsBox: each(channel.secretsBox) }),
    }),
    factors: shelf({
      ...factors,
      again: ({ userId }) => factors.get(userId),
      mapped: (factor, each) => ({ ...factor, sealedSecret: each(factor.sealedSecret) }),
    }),
    letters: shelf({
      ...letters,
      again: ({ recipientHash, id }) => letters.get(recipientHash, id),
      mapped: (letter, each) => ({ ...letter, sealed: each(letter.sealed) }),
    }),
    replays: shelf({
      ...replays,
      again: ({ owner, keyHash }) => replays.get(owner, keyHash),
      mapped: (replay, each) => ({ ...replay, sealedAnswer: each(replay.sealedAnswer) }),
    }),
    setup: shelf({
      slice: () => [secrets.get('setup-token')].filter((secret) => secret !== undefined),
      again: () => secrets.get('setup-token'),
      put: (tx, secret) => secrets.put(tx, 'setup-token', secret),
      mapped: (secret, each) => ({ ...secret, sealed: each(secret.sealed) }),
    }),
    verifications: () => walk(envelopesOf(vault)),
  }
}

/** What replaces a sealed value, or leaves it as it is. */
type Each = <Sealed extends string | null>(sealed: Sealed) => Sealed | string

interface SealedTable<Rec> {
  readonly slice: (limit: number, after?: Rec) => readonly Rec[]
  /** The record as it is stored by now. */
  readonly again: (rec: Rec) => Rec | undefined
  /** The record with `each` of its sealed values. Its revision stays: nobody changed anything. */
  readonly mapped: (rec: Rec, each: Each) => Rec
  readonly put: (tx: Tx, rec: Rec) => void
}

function shelfOf<Rec>(box: Box, { slice, again, mapped, put }: SealedTable<Rec>): Shelf<Rec> {
  const isOld = (sealed: string | null) => sealed !== null && !box.isCurrent(sealed)

  function reopened(sealed: string): string | undefined {
    try {
      return box.seal(box.open(sealed))
    } catch (error) {
      if (error instanceof SealBroken) return undefined
      throw error
    }
  }

  return {
    slice,
    oldChars(rec) {
      let chars = 0
      mapped(rec, (sealed) => {
        if (isOld(sealed)) chars += sealed?.length ?? 0
        return sealed
      })
      return chars
    },
    reseal(tx, item) {
      const rec = again(item)
      if (rec === undefined) return nothing
      let total = nothing
      const after = mapped(rec, (sealed) => {
        if (sealed === null || !isOld(sealed)) return sealed
        const resealed = reopened(sealed)
        total = sumOf(total, resealed === undefined ? oneLost : oneResealed)
        return resealed ?? sealed
      })
      if (total.resealed > 0) put(tx, after)
      return total
    },
  }
}

/** Data keys are short: only how many there are counts. */
function envelopesOf(vault: KycVault): Shelf<WrappedPlace> {
  const tallies = { rewrapped: oneResealed, lost: oneLost, current: nothing } as const
  return {
    slice: vault.wrappedByOlder,
    oldChars: () => 1,
    reseal: (tx, place) => tallies[vault.rewrap(tx, place)],
  }
}

const oneResealed: Tally = { resealed: 1, lost: 0 }
const oneLost: Tally = { resealed: 0, lost: 1 }

const sumOf = (a: Tally, b: Tally): Tally => ({
  resealed: a.resealed + b.resealed,
  lost: a.lost + b.lost,
})

/** The items that something is to be done about, as many together as one transaction may take. */
function batchesOf<Item>(
  items: readonly Item[],
  oldChars: (item: Item) => number,
): readonly (readonly Item[])[] {
  const batches: Item[][] = []
  let room = 0
  for (const item of items) {
    const chars = oldChars(item)
    if (chars === 0) continue
    if (chars > room || batches.length === 0) {
      batches.push([])
      room = limits.resealCharsMax
    }
    batches.at(-1)?.push(item)
    room -= chars
  }
  return batches
}
