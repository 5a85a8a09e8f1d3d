// People, organizations and keys over a temporary store, with cheap password hashes.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Principal } from '../../src/domain/access.ts'
import { createBox } from '../../src/seal/box.ts'
import { deriveKey, openKeyring } from '../../src/seal/keyring.ts'
import { createPasswords } from '../../src/seal/passwords.ts'
import { createSessionSeal } from '../../src/seal/session.ts'
import { createAccounts } from '../../src/services/accounts.ts'
import { createAudit } from '../../src/services/audit.ts'
import type { Caller } from '../../src/services/context.ts'
import { createIdentity } from '../../src/services/identity.ts'
import { createKeys } from '../../src/services/keys.ts'
import { createOrgs } from '../../src/services/orgs.ts'
import {
  createPeople,
  type Registration,
  type RegistrationMode,
} from '../../src/services/people.ts'
import { createQuotaBook } from '../../src/services/quotas.ts'
import { createSetupToken } from '../../src/services/setup.ts'
import { createSignIns } from '../../src/services/sign-in.ts'
import { openTempStore } from './temp-store.ts'

export const goodPassword = 'nine lives of a cat'
export const cheapCost = { memoryKiB: 64, passes: 1, parallelism: 1 }

export const usualQuotas = {
  ...{ monitors: 100_000, channels: 50, pages: 20, members: 50, keys: 20, invites: 500 },
}

type SignedInCaller = Caller & { readonly principal: Extract<Principal, { kind: 'session' }> }

/** A caller without credentials, or with the principal given. */
export function callerOf(principal: Principal = { kind: 'anonymous' }): Caller {
  return { principal, requestId: 'req_test', address: '192.0.2.7', userAgent: 'tap' }
}

export interface AccessOptions {
  readonly registration?: RegistrationMode
  readonly configuredSetupToken?: string | null
  readonly passwordCost?: typeof cheapCost
}

/** The services of people and access, and shortcuts for what most tests begin with. */
export function openAccess(t: Test, options: AccessOptions = {}) {
  const { store, clock, dir } = openTempStore(t)
  const keyring = openKeyring({ file: join(dir, '..', 'key'), create: true, random: randomBytes })
  const box = createBox(keyring)
  const sessionSeal = createSessionSeal(deriveKey(keyring, 'session'))
  const configured = options.configuredSetupToken ?? null
  const setupToken = createSetupToken({ store, clock, box, configured })
  const passwords = createPasswords(options.passwordCost ?? cheapCost)
  const identity = createIdentity({ store, sessionSeal })
  const orgs = createOrgs({ store, clock })
  const audit = createAudit({ store, clock })
  const quotas = createQuotaBook({ store, usual: usualQuotas })
  const keys = createKeys({ store, clock, audit, quotas })
  const registration = options.registration ?? 'open'
  const factors = { isEnrolled: () => false, demand() {} }
  const signIns = createSignIns({ store, clock, sessionSeal, factors, audit })
  const accounts = createAccounts({
    ...{ store, clock, audit, noteReferral() {} },
    joinByInvite() {
      throw new Error('not here')
    },
  })
  const parts = { store, clock, passwords, setupToken, orgs, audit, quotas, accounts, signIns }
  const people = createPeople({ ...parts, registration })

  /** The caller that a session token stands for now. */
  function signedIn(token: string): SignedInCaller {
    const principal = identity.authenticate({ sessionToken: token }, clock.nowMs())
    if (principal.kind !== 'session') throw new Error('a session was expected')
    return { ...callerOf(), principal }
  }

  /** Registers somebody and returns who, where, and the owner's scope. */
  async function enrol(name: string, more: Partial<Registration> = {}) {
    const email = `${name}@example.com`
    const made = await people.register(callerOf(), { email, password: goodPassword, ...more })
    const caller = signedIn(made.token)
    return { ...made, caller, scope: identity.scope(caller, made.organization.id, 'owner') }
  }

  return { ...parts, dir, box, identity, keys, people, signedIn, enrol }
}
