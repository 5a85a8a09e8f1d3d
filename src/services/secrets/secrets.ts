// The secrets of an organization: make, change, delete, and what checks get of them.
import { Fault, type FieldProblem, invalidField, refuseInvalid } from '../../base/fault.ts'
import { asId, type MonitorId, newId, type OrgId } from '../../base/ids.ts'
import { changedFields } from '../../domain/audit/audit.ts'
import { type Changes, patched } from '../../domain/merge-patch.ts'
import { secretMask } from '../../domain/secret-mask.ts'
import {
  carriedHosts,
  type OrgSecret,
  secretHostProblems,
  secretValueProblems,
  type UsableSecret,
  writtenHosts,
} from '../../domain/secrets/org-secret.ts'
import type { Store } from '../../store/store.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import { createRecords } from '../records.ts'

type SecretFields = Pick<OrgSecret, 'hosts' | 'description'>

/** The mask keeps the value. */
export interface SecretChanges extends Changes<SecretFields> {
  readonly name?: string | undefined
  readonly value?: string | undefined
}

export interface NewSecret extends Changes<SecretFields> {
  readonly name: string
  /** Only an import brings none. */
  readonly value?: string | undefined
}

/** A secret as it is shown: never its value. */
export interface SecretView extends Omit<OrgSecret, 'valueBox'> {
  /** The mask; null: it has no value yet. */
  readonly value: string | null
  /** How many monitors send it, counted up to `senderCountMax`. */
  readonly monitors: number
  /** The first of them. */
  readonly monitorIds: readonly MonitorId[]
}

/** Monitors that send a secret are counted up to this: one by one, for each secret of a list. */
export const senderCountMax = 100
export const senderIdsMax = 20
/** The monitors that a refused deletion names. */
const sendersNamedMax = 3

const defaults: SecretFields = { hosts: [], description: null }

/** Throws validation_failed. */
export function newSecret(
  { box }: Pick<Core, 'box'>,
  orgId: OrgId,
  { name, value, ...changes }: NewSecret,
  nowMs: number,
): OrgSecret {
  const times = { createdAtMs: nowMs, updatedAtMs: nowMs, revision: 1 }
  const fields = fieldsAfter(undefined, changes)
  refuseInvalid([...problemsOf(value), ...secretHostProblems(fields.hosts)])
  const valueBox = value === undefined ? null : box.seal(value)
  return { id: newId('secret', nowMs), orgId, name, valueBox, ...fields, ...times }
}

export const secretNameTaken = (pointer: string) =>
  invalidField(pointer, 'uniqueItems', 'is taken by another secret')

function fieldsAfter(before: OrgSecret | undefined, changes: Changes<SecretFields>): SecretFields {
  const fields = patched(defaults, before, changes)
  return { ...fields, hosts: writtenHosts(fields.hosts) }
}

function problemsOf(value: string | undefined): readonly FieldProblem[] {
  return value === undefined ? [] : secretValueProblems(value)
}

/** Every method throws not_found, and precondition_failed at another revision than the expected one. */
export function createSecrets(core: Core) {
  const { store, box } = core
  const records = createRecords(core, 'secrets', store.orgSecrets)

  function view({ valueBox, ...secret }: OrgSecret): SecretView {
    const ids = store.monitors.sending(secret.orgId, secret.name, senderCountMax)
    const value = valueBox === null ? null : secretMask
    return { ...secret, value, monitors: ids.length, monitorIds: ids.slice(0, senderIdsMax) }
  }

  function mustBeFree(orgId: OrgId, name: string): void {
    if (store.orgSecrets.named(orgId, name)) throw secretNameTaken('/name')
  }

  /** The names of some monitors whose checks would fail for lack of it; null if no monitor sends it. */
  function sendersOf({ orgId, name }: OrgSecret): string | null {
    const ids = store.monitors.sending(orgId, name, sendersNamedMax + 1)
    if (ids.length === 0) return null
    const named = ids
      .slice(0, sendersNamedMax)
      .map((id) => store.monitors.readable(orgId, id)?.name ?? id)
    return [...named, ...(ids.length > named.length ? ['…'] : [])].join(', ')
  }

  function mustBeRenamable(secret: OrgSecret, name: string): void {
    const senders = sendersOf(secret)
    if (senders !== null) {
      throw new Fault(
        'conflict',
        `These monitors send this secret: ${senders}. Take it out of them before you give it another name.`,
      )
    }
    mustBeFree(secret.orgId, name)
  }

  return {
    /** Throws validation_failed, also for the name of another one, and conflict beyond the quota. */
    create: (scope: OrgScope, input: NewSecret & { readonly value: string }): Promise<SecretView> =>
      store.write((tx) => {
        const added = records.add(tx, scope, (nowMs) => {
          mustBeFree(scope.orgId, input.name)
          return newSecret(core, scope.orgId, input, nowMs)
        })
        return view(added)
      }),

    /** Newest first. */
    list(scope: OrgScope, page: PageRequest): PageOf<SecretView> {
      const found = records.list(scope, page)
      return { ...found, items: found.items.map(view) }
    },

    get: (scope: OrgScope, id: string): SecretView => view(records.found(scope, id)),

    /**
     * Applies a merge patch (RFC 7396). Throws validation_failed, also for more hosts without the value, and
     * conflict for another name while monitors send it.
     */
    change: (
      scope: OrgScope,
      id: string,
      { name, value, ...changes }: SecretChanges,
      expectedRevision?: number,
    ): Promise<SecretView> =>
      store.write((tx) => {
        const before = records.found(scope, id, expectedRevision)
        const isKept = value === undefined || (value === secretMask && before.valueBox !== null)
        const fields = fieldsAfter(before, changes)
        refuseInvalid([
          ...(isKept ? [] : problemsOf(value)),
          ...secretHostProblems(fields.hosts),
          ...(isKept && before.valueBox !== null ? carriedHosts(before.hosts, fields.hosts) : []),
        ])
        if (name !== undefined && name !== before.name) mustBeRenamable(before, name)
        const valueBox = isKept ? before.valueBox : box.seal(value)
        const changed = { ...before, name: name ?? before.name, valueBox, ...fields }
        const names = changedFields(before, changed)
        const noted = names.map((one) => (one === 'valueBox' ? 'value' : one)).toSorted()
        return view(records.replace(tx, scope, before, changed, { fields: noted }))
      }),

    /** Throws conflict while monitors send it, which it names. */
    async remove(scope: OrgScope, id: string, expectedRevision?: number): Promise<void> {
      await store.write((tx) => {
        // A damaged one cannot be sent.
        const known = asId('secret', id)
        const asked = known && store.orgSecrets.readable(scope.orgId, known)
        records.remove(tx, scope, id, expectedRevision)
        const senders = asked ? sendersOf(asked) : null
        if (senders === null) return
        throw new Fault(
          'conflict',
          `These monitors send this secret: ${senders}. Take it out of them first.`,
        )
      })
    },
  }
}

/**
 * The secrets of an organization that a check needs, by name. A secret is absent if it does not exist, has no
 * value, or can no longer be decrypted.
 */
export function secretsOf(
  { store, box }: { readonly store: Pick<Store, 'orgSecrets'>; readonly box: Core['box'] },
  orgId: OrgId,
  names: readonly string[],
): ReadonlyMap<string, UsableSecret> {
  const found = new Map<string, UsableSecret>()
  for (const name of names) {
    const secret = store.orgSecrets.named(orgId, name)
    if (!secret || secret.valueBox === null) continue
    const value = box.openOrUndefined(secret.valueBox)
    if (value !== undefined) found.set(name, { value, hosts: secret.hosts })
  }
  return found
}
