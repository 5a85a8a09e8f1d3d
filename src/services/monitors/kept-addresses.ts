// The addresses in other products that push monitors keep: sealed, shown again to members, and taken away.
// Only an import brings new ones.

import { type FieldProblem, invalidField, refuseInvalid } from '../../base/fault.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import {
  isKeptAddress,
  type KeptAddress,
  type KeptRules,
  keptCall,
} from '../../domain/monitors/kept-address.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Box } from '../../seal/box.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Store } from '../../store/store.ts'

type WithKept = Pick<Monitor, 'keptAddresses' | 'keptRules'>

/** What an item of an import document says of them; its schema was checked. */
export interface KeptItem {
  readonly keptAddresses?: readonly string[] | null
  readonly keptRules?: KeptRules | null
}

const pointer = '/keptAddresses'

export function sealKept(box: Box, path: string): KeptAddress {
  return { hash: hashToken(path), box: box.seal(path) }
}

/** The monitor with those of its item. Throws validation_failed for a kind without reports. */
export function withKept(
  box: Box,
  monitor: Monitor,
  { keptAddresses, keptRules }: KeptItem,
): Monitor {
  const paths = [...new Set(keptAddresses ?? [])]
  if (paths.length === 0) return monitor
  if (!waitsForReports(monitor)) {
    throw invalidField(pointer, 'forbidden', 'does not apply to a monitor other than push')
  }
  const wrong = (keptAddresses ?? []).findIndex((path) => !isKeptAddress(path))
  if (wrong !== -1) {
    throw invalidField(`${pointer}/${wrong}`, 'format', 'must be an address of a known product')
  }
  return {
    ...monitor,
    keptAddresses: paths.map((path) => sealKept(box, path)),
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

/** The monitor with the address, active or not. */
export function keeperOf({ monitors }: Pick<Store, 'monitors'>, hash: string): Monitor | undefined {
  const target = monitors.findByKeptAddress(hash)
  const monitor = target && monitors.get(target.orgId, target.monitorId)
  return monitor?.keptAddresses?.some((one) => one.hash === hash) ? monitor : undefined
}

/**
 * What is wrong with the addresses of an item of a document, with pointers relative to it: another monitor of the
 * installation has one, or another item, or the ping key in it is that of another organization.
 */
export function takenProblems(
  store: Pick<Store, 'monitors' | 'pingKeys'>,
  { id, orgId }: Pick<Monitor, 'id' | 'orgId'>,
  paths: readonly string[],
  isFirst: (hash: string) => boolean,
): FieldProblem[] {
  const own = new Set<string>()
  return paths.flatMap((path, index) => {
    const hash = hashToken(path)
    if (own.has(hash)) return []
    own.add(hash)
    const { pingKey } = keptCall(path) ?? {}
    const owner = pingKey === undefined ? orgId : store.pingKeys.ownerOf(hashToken(pingKey))
    const isForeign = owner !== undefined && owner !== orgId
    const keeper = keeperOf(store, hash)
    const isTaken = isForeign || (keeper !== undefined && keeper.id !== id)
    return isTaken || !isFirst(hash) ? [takenProblem(`${pointer}/${index}`)] : []
  })
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
  { id, keptAddresses = [] }: Monitor,
  itemPointer: string,
  seen = new Set<string>(),
): void {
  for (const [index, { hash }] of keptAddresses.entries()) {
    const keeper = keeperOf(store, hash)
    const isTaken = seen.has(hash) || (keeper !== undefined && keeper.id !== id)
    if (isTaken) refuseInvalid([takenProblem(`${itemPointer}${pointer}/${index}`)])
    seen.add(hash)
  }
}
