// NKeys of users: https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth
import { nkeys } from '@nats-io/transport-node'

export interface UserKey {
  /** The public key, which the servers know. It begins with U. */
  readonly user: string
  /** The secret half, which begins with SU. */
  readonly seed: string
}

export function newUserKey(): UserKey {
  const pair = nkeys.createUser()
  return { user: pair.getPublicKey(), seed: Buffer.from(pair.getSeed()).toString('utf8') }
}
