// The daemon's own secrets by [name]: encrypted, so that it can show them again, and hashed.
import type { TableKey } from '../../engine/damage.ts'
import type { Env } from '../../engine/env.ts'
import { damagedRecord, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

const names = ['setup-token', 'key-proof', 'report-key', 'acme-account'] as const

export type SecretName = (typeof names)[number]

export interface StoredSecret {
  /** Encrypted by seal/box. */
  readonly sealed: string
  /** SHA-256 of the plain value, base64url. */
  readonly hash: string
  readonly createdAtMs: number
}

export function openSecrets(env: Env) {
  const secrets = openTable<StoredSecret>(env, { name: 'secrets' })
  const isKnown = ([name]: TableKey) => names.some((one) => one === name)

  return {
    /** Throws damaged_record also where a secret lost its name: a new one in its place would do harm. */
    get(name: SecretName): StoredSecret | undefined {
      const secret = secrets.get([name])
      if (secret === undefined && secrets.hasStray(isKnown)) throw damagedRecord()
      return secret
    },

    readable: (name: SecretName) => secrets.readable([name]),

    put: (tx: Tx, name: SecretName, secret: StoredSecret) => secrets.put(tx, [name], secret),

    remove: (tx: Tx, name: SecretName) => secrets.remove(tx, [name]),
  }
}
