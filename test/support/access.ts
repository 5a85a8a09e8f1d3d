// People, organizations and keys over a temporary store, with cheap password hashes.
import type { Test } from 'tap'
import type { OrgId } from '../../src/base/ids.ts'
import { createLimiter } from '../../src/base/limiter.ts'
import type { Principal, Role } from '../../src/domain/access.ts'
import type { OidcProvider } from '../../src/oidc/provider.ts'
import { createDeviceSeal } from '../../src/seal/device.ts'
import { deriveKey } from '../../src/seal/keyring.ts'
import { createPasswords } from '../../src/seal/passwords.ts'
import { createSessionSeal } from '../../src/seal/session.ts'
import { createAccess } from '../../src/services/assembly/access.ts'
import type { Caller } from '../../src/services/context.ts'
import { createIdentity } from '../../src/services/identity.ts'
import type {
  RegistrationInput,
  RegistrationMode,
} from '../../src/services/sign-in/registration.ts'
import { openCore } from './core.ts'

export const goodPassword = 'nine lives of a cat'
export const cheapCost = { memoryKiB: 64, passes: 1, parallelism: 1 }

type SignedInCaller = Caller & { readonly principal: Extract<Principal, { kind: 'session' }> }

/** A caller without credentials, or with the principal given. */
export function callerOf(principal: Principal = { kind: 'anonymous' }): Caller {
  return {
    principal,
    requestId: 'req_test',
    address: '192.0.2.7',
    userAgent: 'tap',
    language: 'en',
  }
}

export interface AccessOptions {
  readonly registration?: RegistrationMode
  readonly configuredSetupToken?: string | null
  readonly passwordCost?: typeof cheapCost
  readonly redirectOrigins?: readonly string[]
  readonly providers?: readonly OidcProvider[]
  readonly trustedDeviceDays?: number
  readonly baseUrl?: string
}

/** The services of people and access, and shortcuts for what most tests begin with. */
export function openAccess(t: Test, options: AccessOptions = {}) {
  const { baseUrl = 'http://127.0.0.1:8080' } = options
  const core = openCore(t, { orgs: [], baseUrl })
  const { store, clock, keyring, enumerationSafeMailer } = core
  const disk = { hasRoom: true }
  const sessionSeal = createSessionSeal(deriveKey(keyring, 'session'))
  const passwords = createPasswords(options.passwordCost ?? cheapCost)
  const identity = createIdentity({ store, sessionSeal })
  /** How often whatever runs for somebody was to be looked at again. */
  const access = { changes: 0 }
  store.signals.accessLost.listen(() => {
    access.changes += 1
  })
  const registration = options.registration ?? 'open'
  const made = createAccess(core, {
    registration: () => registration,
    auth: {
      redirectOrigins: options.redirectOrigins ?? [],
      setupToken: options.configuredSetupToken ?? null,
    },
    providers: () => options.providers ?? [],
    passwords,
    identity,
    sessionSeal,
    deviceSeal: createDeviceSeal(deriveKey(keyring, 'known devices')),
    enumerationSafeMailer,
    limiter: (_name, policy) => createLimiter(policy, 1_000),
    trustedDeviceDays: () => options.trustedDeviceDays ?? 30,
    isThrottled: () => true,
    hasMailServer: () => true,
    hasRoom: () => disk.hasRoom,
  })
  const { services, ...inside } = made
  const { people } = services

  /** The caller that a session token stands for now. */
  function signedIn(token: string): SignedInCaller {
    const principal = identity.authenticate({ sessionToken: token }, clock.nowMs())
    if (principal.kind !== 'session') throw new Error('a session was expected')
    return { ...callerOf(), principal }
  }

  let enrolled = 0
  /** Registers somebody and returns who, where, and the owner's scope. */
  async function enrol(name: string, more: Partial<RegistrationInput> = {}) {
    const email = `${name}@example.com`
    // From a new address each time, as people are: one address may make only a few accounts.
    enrolled += 1
    const address = `10.0.${enrolled >> 8}.${enrolled & 255}`
    const stranger = { ...callerOf(), address }
    const made = await people.register(stranger, { email, password: goodPassword, ...more })
    const caller = signedIn(made.token)
    return { ...made, caller, scope: identity.scope(caller, made.organization.id, 'owner') }
  }

  /** The same for a member of another organization as well; the scope is the one there. */
  async function enrolIn(orgId: OrgId, name: string, role: Role) {
    const made = await enrol(name)
    const membership = { orgId, userId: made.user.id, role, joinedAtMs: clock.nowMs() }
    await store.write((tx) => store.memberships.put(tx, membership))
    return { ...made, scope: identity.scope(made.caller, orgId, role) }
  }

  return {
    ...core,
    ...inside,
    ...services,
    core,
    access,
    disk,
    passwords,
    registration: () => registration,
    sessionSeal,
    signedIn,
    enrol,
    enrolIn,
  }
}
