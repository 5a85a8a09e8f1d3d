// The secrets of organizations by [org, secret], with a look-up by name.
import { hash } from 'node:crypto'
import type { OrgId, SecretId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { OrgSecret } from '../../../domain/secrets/org-secret.ts'
import type { Env } from '../../engine/env.ts'
import { openRecords } from '../../engine/records.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

type SecretPlace = Pick<OrgSecret, 'orgId' | 'id'>

export function openOrgSecrets(env: Env, { secretChanged }: Pick<Signals, 'secretChanged'>) {
  const { table: secrets, ...records } = openRecords<OrgSecret>(env, { name: 'orgSecrets' })
  const byName = openTable<{ readonly id: SecretId }>(env, { name: 'orgSecretNames' })

  const keyOf = (orgId: OrgId, name: string): [string, string] => [
    orgId,
    hash('sha256', name, 'base64url'),
  ]

  /** Undefined also if the record is damaged. */
  function named(orgId: OrgId, name: string): OrgSecret | undefined {
    const id = byName.readable(keyOf(orgId, name))?.id
    const secret = id && secrets.readable([orgId, id])
    // What was deleted while it was damaged has left its name here.
    return secret?.name === name ? secret : undefined
  }

  /** Nothing has the name any more that it has until now, unless that is the one that it keeps. */
  function release(tx: Tx, { orgId, id }: SecretPlace, kept?: string): void {
    const name = secrets.readable([orgId, id])?.name
    if (name === undefined || name === kept) return
    byName.remove(tx, keyOf(orgId, name))
    secretChanged.raise(tx, { orgId, name })
  }

  return {
    ...records,

    named,

    /** The secrets of every organization, in slices. */
    slice: (limit: number, after?: OrgSecret) =>
      secrets.range({ prefix: [], limit, after: after && [after.orgId, after.id] }),

    put(tx: Tx, secret: OrgSecret): void {
      const { orgId, id, name } = secret
      release(tx, secret, name)
      byName.put(tx, keyOf(orgId, name), { id })
      records.put(tx, secret)
      secretChanged.raise(tx, { orgId, name })
    },

    /** Writes the same secret under another key. */
    putSealed: (tx: Tx, secret: OrgSecret) => records.put(tx, secret),

    remove(tx: Tx, place: SecretPlace): void {
      release(tx, place)
      records.remove(tx, place)
    },

    /** Deletes the secrets of a whole organization. */
    forget(tx: Tx, orgId: OrgId): void {
      records.forget(tx, orgId, limits.quotaMax)
      byName.removeAll(tx, [orgId], limits.quotaMax)
    },
  }
}
