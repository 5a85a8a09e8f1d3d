// Re-encrypts everything with the newest master key after the key file changed.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Channel } from '../../domain/alerts/channel.ts'
import type { ImportStep } from '../../domain/imports/import-record.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { OrgSecret } from '../../domain/secrets/org-secret.ts'
import type { Box } from '../../seal/box.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { WrappedCase } from '../../store/tables/identity-verification/verifications.ts'
import type { StepsPart } from '../../store/tables/orgs/imports.ts'
import type { SecretName, StoredSecret } from '../../store/tables/system/secrets.ts'
import type { Core } from '../core.ts'
import type { KycVault } from '../identity-verification/kyc-vault.ts'
import { resealProof } from './key-proof.ts'

type SealedCore = Pick<Core, 'store' | 'clock' | 'log' | 'box'>

export interface ResealDeps {
  readonly vault: KycVault
  /** If the newest key is the only one, there is nothing to re-encrypt, and nothing is read. */
  readonly hasOlderKeys: boolean
}

interface ResealCounts {
  readonly resealed: number
  /** No key on the ring decrypts them. */
  readonly lost: number
}

interface SealedSource<Item> {
  /** The items after `after`, in a stable order; fewer than `limit` are the last. */
  readonly slice: (limit: number, after?: Item) => readonly Item[]
  /** How many of its characters older keys encrypted; 0: nothing to do. */
  readonly oldChars: (item: Item) => number
  /** Re-encrypts its currently stored record. */
  readonly reseal: (tx: Tx, item: Item) => ResealCounts
}

type ResealWalk = () => Promise<ResealCounts>

const nothing: ResealCounts = { resealed: 0, lost: 0 }

export const resealSlice = 100

export function createReseal(core: SealedCore, deps: ResealDeps) {
  const { store, clock, log, box } = core
  let isStopping = false
  let running = Promise.resolve()

  async function walk<Item>({
    slice,
    oldChars,
    reseal,
  }: SealedSource<Item>): Promise<ResealCounts> {
    let total = nothing
    let last: Item | undefined
    do {
      const items = slice(resealSlice, last)
      for (const batch of batchesOf(items, oldChars)) {
        if (isStopping) return total
        const tallies = await store.writeSoon((tx) => batch.map((item) => reseal(tx, item)))
        total = tallies.reduce(sumOf, total)
      }
      last = items.length < resealSlice ? undefined : items.at(-1)
      if (last !== undefined) await nextTurn()
    } while (last !== undefined && !isStopping)
    return total
  }

  async function work(): Promise<void> {
    const startedMs = clock.monoMs()
    const tallies: [name: string, tally: ResealCounts][] = []
    for (const [name, walkThrough] of Object.entries(walksOf(core, deps, walk))) {
      tallies.push([name, await walkThrough()])
      if (isStopping) return
    }
    // Until here a start without the older keys is refused.
    await resealProof(store, box)
    const durationMs = Math.round(clock.monoMs() - startedMs)
    const of = (what: keyof ResealCounts) =>
      Object.fromEntries(tallies.map(([name, tally]) => [name, tally[what]]))
    const done = { resealed: of('resealed'), durationMs }
    if (tallies.every(([, { lost }]) => lost === 0)) return log.info(sayDone, done)
    log.warn(`${sayDone}, but some cannot be opened with any key`, { ...done, lost: of('lost') })
  }

  return {
    /**
     * Logs when the older keys may be removed. After an interruption it starts over at the next
     * start and skips finished records. Never rejects.
     */
    run(): Promise<void> {
      if (!deps.hasOlderKeys || isStopping) return running
      running = work().catch((error: unknown) =>
        log.error('secrets are still sealed with an older master key', { error }),
      )
      return running
    },
    /** Resolves once the current slice is on disk. */
    stop(): Promise<void> {
      isStopping = true
      return running
    },
  }
}

const sayDone = 'secrets are sealed with the newest key'

/**
 * All tables with encrypted values, by name in the log. OpenID flows, which last minutes and lie in the
 * browser, and dummy letters, which nobody decrypts, are left out.
 */
function walksOf(
  { store, box }: SealedCore,
  { vault }: ResealDeps,
  walk: <Item>(source: SealedSource<Item>) => Promise<ResealCounts>,
): Readonly<Record<string, ResealWalk>> {
  const { monitors, channels, factors, letters, replays } = store
  const { hostCertificates, subscribers, probes, orgSecrets } = store
  const source = <Rec>(table: SealedTable<Rec>): ResealWalk => {
    const sealedSource = sourceOf(box, table)
    return () => walk(sealedSource)
  }
  return {
    monitors: source({
      ...monitors,
      again: ({ orgId, id }) => monitors.readable(orgId, id),
      mapped: mappedMonitor,
    }),
    channels: source({
      ...channels,
      again: ({ orgId, id }) => channels.readable(orgId, id),
      mapped: mappedChannel,
    }),
    factors: source({
      ...factors,
      again: ({ userId }) => factors.readable(userId),
      mapped: (factor, each) => ({ ...factor, sealedSecret: each(factor.sealedSecret) }),
    }),
    letters: source({
      ...letters,
      again: ({ recipientHash, id }) => letters.get(recipientHash, id),
      mapped: (letter, each) => ({ ...letter, sealed: each(letter.sealed) }),
    }),
    subscribers: source({
      ...subscribers,
      again: ({ orgId, pageId, id }) => subscribers.readable(orgId, pageId, id),
      mapped: (subscriber, each) => ({ ...subscriber, addressBox: each(subscriber.addressBox) }),
    }),
    probes: source({
      ...probes,
      again: ({ orgId, id }) => probes.readable(orgId, id),
      put: probes.putSealed,
      mapped: (probe, each) => ({
        ...probe,
        sealBox: each(probe.sealBox),
        former: probe.former.map((one) => ({ ...one, sealBox: each(one.sealBox) })),
      }),
    }),
    orgSecrets: source({
      ...orgSecrets,
      again: ({ orgId, id }) => orgSecrets.readable(orgId, id),
      put: orgSecrets.putSealed,
      mapped: mappedSecret,
    }),
    imports: source<StepsPart>({
      slice: store.imports.partsOfAll,
      put: store.imports.putPart,
      again: (part) => part,
      mapped: ({ key, steps }, each) => ({
        key,
        steps: steps.map((step) => ({ ...step, ...mappedBefore(step, each) })),
      }),
    }),
    replays: source({
      ...replays,
      again: ({ owner, keyHash }) => replays.get(owner, keyHash),
      mapped: (replay, each) => ({ ...replay, sealedAnswer: each(replay.sealedAnswer) }),
    }),
    setup: source(secretNamed(store, 'setup-token')),
    reports: source(secretNamed(store, 'report-key')),
    acme: source(secretNamed(store, 'acme-account')),
    settings: source({
      slice: () => [store.consoleSettings.readable()].filter((record) => record !== undefined),
      again: () => store.consoleSettings.readable(),
      put: store.consoleSettings.put,
      mapped: (record, each) => ({ ...record, sealed: each(record.sealed) }),
    }),
    certificates: source({
      ...hostCertificates,
      again: ({ host }) => hostCertificates.get(host),
      mapped: ({ issued, order, ...rest }, each) => ({
        ...rest,
        issued: issued && { ...issued, keyBox: each(issued.keyBox) },
        order: order && { ...order, keyBox: each(order.keyBox) },
      }),
    }),
    verifications: () => walk(envelopesOf(vault)),
  }
}

function mappedMonitor(monitor: Monitor, each: Reencrypt): Monitor {
  const { requestBox, pushTokenBox, keptAddresses } = monitor
  return {
    ...monitor,
    requestBox: each(requestBox),
    pushTokenBox: each(pushTokenBox),
    ...(keptAddresses && {
      keptAddresses: keptAddresses.map((one) => ({ ...one, box: each(one.box) })),
    }),
  }
}

const mappedChannel = (channel: Channel, each: Reencrypt): Channel => ({
  ...channel,
  secretsBox: each(channel.secretsBox),
})

const mappedSecret = (secret: OrgSecret, each: Reencrypt): OrgSecret => ({
  ...secret,
  valueBox: each(secret.valueBox),
})

/** What an import changed, as it was before: an undo puts it back. */
function mappedBefore({ line, before }: ImportStep, each: Reencrypt): Pick<ImportStep, 'before'> {
  if (!before) return {}
  const record: object = before
  // The list says of which noun it is.
  switch (line.list) {
    case 'monitors':
      return { before: { ...mappedMonitor(record as Monitor, each) } }
    case 'channels':
      return { before: { ...mappedChannel(record as Channel, each) } }
    case 'secrets':
      return { before: { ...mappedSecret(record as OrgSecret, each) } }
    default:
      return { before }
  }
}

function secretNamed({ secrets }: Store, name: SecretName): SealedTable<StoredSecret> {
  return {
    slice: () => [secrets.readable(name)].filter((secret) => secret !== undefined),
    again: () => secrets.readable(name),
    put: (tx, secret) => secrets.put(tx, name, secret),
    mapped: (secret, each) => ({ ...secret, sealed: each(secret.sealed) }),
  }
}

/** Replaces an encrypted value, or returns it unchanged. */
type Reencrypt = <Sealed extends string | null>(sealed: Sealed) => Sealed | string

interface SealedTable<Rec> {
  readonly slice: (limit: number, after?: Rec) => readonly Rec[]
  /** The record as it is stored now. */
  readonly again: (rec: Rec) => Rec | undefined
  /** The record with `each` applied to its encrypted values. The revision stays: no content changes. */
  readonly mapped: (rec: Rec, each: Reencrypt) => Rec
  readonly put: (tx: Tx, rec: Rec) => void
}

function sourceOf<Rec>(
  box: Box,
  { slice, again, mapped, put }: SealedTable<Rec>,
): SealedSource<Rec> {
  const isOld = (sealed: string | null) => sealed !== null && !box.isCurrent(sealed)

  function reopened(sealed: string): string | undefined {
    const opened = box.openOrUndefined(sealed)
    return opened === undefined ? undefined : box.seal(opened)
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

/** Data keys are short: only their number counts. */
function envelopesOf(vault: KycVault): SealedSource<WrappedCase> {
  const tallies = { rewrapped: oneResealed, lost: oneLost, current: nothing } as const
  return {
    slice: vault.wrappedByOlder,
    oldChars: () => 1,
    reseal: (tx, place) => tallies[vault.rewrap(tx, place)],
  }
}

const oneResealed: ResealCounts = { resealed: 1, lost: 0 }
const oneLost: ResealCounts = { resealed: 0, lost: 1 }

const sumOf = (a: ResealCounts, b: ResealCounts): ResealCounts => ({
  resealed: a.resealed + b.resealed,
  lost: a.lost + b.lost,
})

/** Encrypted characters that one transaction re-encrypts; this takes processor time. */
export const resealCharsMax = 128 * 1024

/** Groups items with work to do into batches for one transaction each. */
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
      room = resealCharsMax
    }
    batches.at(-1)?.push(item)
    room -= chars
  }
  return batches
}
