// The daemon's own secrets by [name]: encrypted, so that it can show them again, and hashed.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export type SecretName = 'setup-token' | 'key-proof' | 'report-key' | 'acme-account'

export interface StoredSecret {
  /** Encrypted by seal/box. */
  readonly sealed: string
  /** SHA-256 of the plain value, base64url. */
  readonly hash: string
  readonly createdAtMs: number
}

export function openSecrets(env: Env) {
  const secrets = openTable<StoredSecret>(env, { name: 'secrets' })

  return {
    get: (name: SecretName) => secrets.get([name]),

    readable: (name: SecretName) => secrets.readable([name]),

    put: (tx: Tx, name: SecretName, secret: StoredSecret) => secrets.put(tx, [name], secret),

    remove: (tx: Tx, name: SecretName) => secrets.remove(tx, [name]),
  }
}
