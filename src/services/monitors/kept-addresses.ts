// The addresses in other products that push monitors keep: sealed, shown again to members, and taken away.
// Only an import brings new ones.

import { type FieldProblem, invalidField, refuseInvalid } from '../../base/fault.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import {
  isKeptAddress,
  type KeptAddress,
  type KeptRules,
  keptCall,
  keptSharersMax,
} from '../../domain/monitors/kept-address.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Box } from '../../seal/box.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Store } from '../../store/store.ts'

type WithKept = Pick<Monitor, 'keptAddresses' | 'keptRules'>

/** What an item of an import document says of them; its schema was checked. */
export interface KeptItem {
  readonly keptAddresses?: readonly string[] | null
  /** Addresses that other items may have, too. */
  readonly sharedAddresses?: readonly string[] | null
  readonly keptRules?: KeptRules | null
}

const pointer = '/keptAddresses'
const sharedPointer = '/sharedAddresses'

export function sealKept(box: Box, path: string): KeptAddress {
  return { hash: hashToken(path), box: box.seal(path) }
}

/** The monitor with those of its item. Throws validation_failed for a kind without reports. */
export function withKept(
  box: Box,
  monitor: Monitor,
  { keptAddresses, sharedAddresses, keptRules }: KeptItem,
): Monitor {
  const own = new Set(keptAddresses ?? [])
  const shared = [...new Set(sharedAddresses ?? [])].filter((path) => !own.has(path))
  if (own.size + shared.length === 0) return monitor
  if (!waitsForReports(monitor)) {
    throw invalidField(pointer, 'forbidden', 'does not apply to a monitor other than push')
  }
  const wrong = (keptAddresses ?? []).findIndex((path) => !isKeptAddress(path))
  if (wrong !== -1) {
    throw invalidField(`${pointer}/${wrong}`, 'format', 'must be an address of a known product')
  }
  return {
    ...monitor,
    keptAddresses: [
      ...[...own].map((path) => sealKept(box, path)),
      ...shared.map((path) => ({ ...sealKept(box, path), isShared: true as const })),
    ],
    ...(keptRules ? { keptRules } : {}),
  }
}

/** The paths. One that cannot be decrypted any more is left out; it works on. */
export function openKept(box: Box, { keptAddresses = [] }: WithKept): string[] {
  return keptAddresses.flatMap((one) => box.openOrUndefined(one.box) ?? [])
}

/** The part of the record with only those of the paths. Throws validation_failed for one that is not there. */
export function keptAfter(before: Monitor, paths: readonly string[] | null): WithKept {
  const { keptAddresses = [], keptRules } = before
  const wanted = (paths ?? []).map(hashToken)
  const known = new Set(keptAddresses.map(({ hash }) => hash))
  const unknown = wanted.findIndex((hash) => !known.has(hash))
  if (unknown !== -1) {
    const rule = 'is none of its addresses: only an import brings new ones'
    throw invalidField(`${pointer}/${unknown}`, 'enum', rule)
  }
  const left = keptAddresses.filter(({ hash }) => wanted.includes(hash))
  if (left.length === keptAddresses.length)
    return { keptAddresses: before.keptAddresses, keptRules }
  if (left.length === 0) return { keptAddresses: undefined, keptRules: undefined }
  return { keptAddresses: left, keptRules }
}

/** The monitors with the address, active or not: several have it only if they share it. */
export function keepersOf({ monitors }: Pick<Store, 'monitors'>, hash: string): Monitor[] {
  return monitors.keepersOf(hash).flatMap(({ orgId, monitorId }) => {
    const monitor = monitors.get(orgId, monitorId)
    return monitor?.keptAddresses?.some((one) => one.hash === hash) ? monitor : []
  })
}

/** The only monitor with the address. */
export function keeperOf(store: Pick<Store, 'monitors'>, hash: string): Monitor | undefined {
  const [keeper, ...others] = keepersOf(store, hash)
  return others.length === 0 ? keeper : undefined
}

/** Whether a monitor may not have the address, because others have it. */
function isTaken(
  store: Pick<Store, 'monitors'>,
  { id, orgId }: Pick<Monitor, 'id' | 'orgId'>,
  { hash, isShared = false }: { readonly hash: string; readonly isShared?: boolean },
): boolean {
  const keepers = keepersOf(store, hash)
  if (keepers.length === 0 || keepers.some((one) => one.id === id)) return false
  const isOfOthers = keepers.some((one) => one.orgId !== orgId)
  return !isShared || isOfOthers || keepers.length >= keptSharersMax
}

/**
 * What is wrong with the addresses of an item of a document, with pointers relative to it: another monitor of the
 * installation has one, or another item, or the ping key in it is that of another organization.
 */
export function takenProblems(
  store: Pick<Store, 'monitors' | 'pingKeys'>,
  monitor: Pick<Monitor, 'id' | 'orgId'>,
  { keptAddresses, sharedAddresses }: KeptItem,
  isFirst: (hash: string) => boolean,
): FieldProblem[] {
  const own = new Set<string>()
  const problemsOf = (paths: readonly string[], at: string, isShared: boolean) =>
    paths.flatMap((path, index) => {
      const hash = hashToken(path)
      if (own.has(hash)) return []
      own.add(hash)
      const { pingKey } = keptCall(path) ?? {}
      const owner = pingKey === undefined ? undefined : store.pingKeys.ownerOf(hashToken(pingKey))
      const isForeign = owner !== undefined && owner !== monitor.orgId
      const isRefused = isForeign || isTaken(store, monitor, { hash, isShared })
      return isRefused || (!isShared && !isFirst(hash)) ? [takenProblem(`${at}/${index}`)] : []
    })
  return [
    ...problemsOf(keptAddresses ?? [], pointer, false),
    ...problemsOf(sharedAddresses ?? [], sharedPointer, true),
  ]
}

function takenProblem(at: string): FieldProblem {
  const message = 'is the address of another monitor: remove it there first'
  return { pointer: at, keyword: 'uniqueItems', message }
}

/**
 * Throws validation_failed if another monitor of the installation has an address already, with a pointer below
 * that of the list. Whose it is remains unsaid.
 */
export function mustBeFree(
  store: Pick<Store, 'monitors'>,
  monitors: readonly Monitor[],
  listPointer: string,
): void {
  const seen = new Set<string>()
  for (const [at, monitor] of monitors.entries()) {
    oneMustBeFree(store, monitor, `${listPointer}/${at}`, seen)
  }
}

/** The same for one monitor; `seen`: the hashes of others that are written with it. */
export function oneMustBeFree(
  store: Pick<Store, 'monitors'>,
  monitor: Monitor,
  itemPointer: string,
  seen = new Set<string>(),
): void {
  for (const [index, address] of (monitor.keptAddresses ?? []).entries()) {
    const { hash, isShared = false } = address
    const isWanted = !isShared && seen.has(hash)
    if (isWanted || isTaken(store, monitor, address)) {
      refuseInvalid([takenProblem(`${itemPointer}${pointer}/${index}`)])
    }
    seen.add(hash)
  }
}
