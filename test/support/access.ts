// People, organizations and keys over a temporary store, with cheap password hashes.
import type { Test } from 'tap'
import type { OrgId } from '../../src/base/ids.ts'
import { createLimiter } from '../../src/base/limiter.ts'
import type { Principal, Role } from '../../src/domain/access.ts'
import { createDeviceSeal } from '../../src/seal/device.ts'
import { deriveKey } from '../../src/seal/keyring.ts'
import { createPasswords } from '../../src/seal/passwords.ts'
import { createSessionSeal } from '../../src/seal/session.ts'
import type { Caller } from '../../src/services/context.ts'
import { createIdentity } from '../../src/services/identity.ts'
import { createInvites } from '../../src/services/orgs/invites.ts'
import { createKeyRights } from '../../src/services/orgs/key-rights.ts'
import { createKeys, createKeyWarnings } from '../../src/services/orgs/keys.ts'
import { createMembers } from '../../src/services/orgs/members.ts'
import { createOrgs } from '../../src/services/orgs/orgs.ts'
import { createAccounts } from '../../src/services/people/accounts.ts'
import { createEmails } from '../../src/services/people/emails.ts'
import { createFactors } from '../../src/services/people/factors.ts'
import { createLinks } from '../../src/services/people/links.ts'
import { createProfile } from '../../src/services/people/profile.ts'
import { createReferrals } from '../../src/services/people/referrals.ts'
import { createSessions } from '../../src/services/people/sessions.ts'
import { createDevices } from '../../src/services/sign-in/devices.ts'
import { createMagicLinks } from '../../src/services/sign-in/magic-links.ts'
import { createOwnPassword } from '../../src/services/sign-in/own-password.ts'
import { createPeople } from '../../src/services/sign-in/people.ts'
import { createProvenOwner } from '../../src/services/sign-in/proven-owner.ts'
import { createReauthentication } from '../../src/services/sign-in/reauthentication.ts'
import type {
  RegistrationInput,
  RegistrationMode,
} from '../../src/services/sign-in/registration.ts'
import { createSetupToken } from '../../src/services/sign-in/setup.ts'
import { createSignIns } from '../../src/services/sign-in/sign-in.ts'
import { createThrottles } from '../../src/services/throttles.ts'
import { openCore } from './core.ts'

export const goodPassword = 'nine lives of a cat'
export const cheapCost = { memoryKiB: 64, passes: 1, parallelism: 1 }

type SignedInCaller = Caller & { readonly principal: Extract<Principal, { kind: 'session' }> }

/** A caller without credentials, or with the principal given. */
export function callerOf(principal: Principal = { kind: 'anonymous' }): Caller {
  return { principal, requestId: 'req_test', address: '192.0.2.7', userAgent: 'tap' }
}

export interface AccessOptions {
  readonly registration?: RegistrationMode
  readonly configuredSetupToken?: string | null
  readonly passwordCost?: typeof cheapCost
  readonly redirectOrigins?: readonly string[]
}

/** The services of people and access, and shortcuts for what most tests begin with. */
export function openAccess(t: Test, options: AccessOptions = {}) {
  const core = openCore(t, { orgs: [], baseUrl: 'http://127.0.0.1:8080' })
  const { store, clock, box, audit, quotas, keyring, mailer, enumerationSafeMailer } = core
  const disk = { hasRoom: true }
  const sessionSeal = createSessionSeal(deriveKey(keyring, 'session'))
  const configured = options.configuredSetupToken ?? null
  const setupToken = createSetupToken({ store, clock, box, configured })
  const passwords = createPasswords(options.passwordCost ?? cheapCost)
  const identity = createIdentity({ store, sessionSeal })
  const orgs = createOrgs({ store, clock, audit })
  /** How often whatever runs for somebody was to be looked at again. */
  const access = { changes: 0 }
  store.signals.accessLost.listen(() => {
    access.changes += 1
  })
  const registration = options.registration ?? 'open'
  const { baseUrl } = core
  const factors = createFactors({ store, clock, box, audit, mailer, baseUrl })
  const signIns = createSignIns({ store, clock, sessionSeal, factors, audit })
  const sessions = createSessions({ store, clock, sessionSeal, audit })
  const throttles = createThrottles({
    clock,
    limiter: (_name, policy) => createLimiter(policy, 1_000),
    isOn: () => true,
  })
  const invites = createInvites({
    store,
    clock,
    audit,
    quotas,
    identity,
    mailer,
    throttles,
    inviteUrl: (token) => `${baseUrl}/api/v1/invites/${token}/page`,
  })
  const keyRights = createKeyRights({ store, clock, audit, mailer })
  const keys = createKeys({ store, clock, audit, quotas, identity, keyRights })
  const members = createMembers({
    store,
    clock,
    audit,
    identity,
    invites,
    keyRights,
    rotateSoon: sessions.rotateSoon,
  })
  const keyWarnings = createKeyWarnings({ store, clock, audit, mailer })
  const referrals = createReferrals({ store, clock, audit, baseUrl })
  const accounts = createAccounts({
    store,
    clock,
    audit,
    noteReferral: referrals.note,
    joinByInvite: invites.join,
    hasRoom: () => disk.hasRoom,
  })
  const parts = { store, clock, passwords, setupToken, orgs, audit, quotas, accounts, signIns }
  const deviceSeal = createDeviceSeal(deriveKey(keyring, 'known devices'))
  const devices = createDevices({ store, clock, deviceSeal })
  const links = createLinks({ store, clock })
  const around = { links, mailer, sessions, throttles, baseUrl }
  const emails = createEmails({ ...parts, ...around })
  const provenOwner = createProvenOwner({ ...parts, sessions })
  const reauthentication = createReauthentication({ ...parts, ...around, factors })
  const ownPassword = createOwnPassword({
    ...parts,
    ...around,
    reauthentication,
    provenOwner,
    enumerationSafeMailer,
  })
  const signingIn = { registration, isInvited: invites.isInvited, emails, devices }
  const people = createPeople({ ...parts, ...around, ...signingIn })
  const profile = createProfile({ ...parts, ...around, emails })
  const redirectOrigins = options.redirectOrigins ?? []
  const magicLinks = createMagicLinks({
    ...parts,
    ...around,
    factors,
    registration,
    redirectOrigins,
    provenOwner,
    enumerationSafeMailer,
  })

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

  const account = { referrals, profile, magicLinks }
  const own = { dir: core.dir, disk, box, identity, keys, people, signedIn, enrol, enrolIn }
  const belonging = { access, sessions, throttles, invites, members, keyRights, ...account }
  const proofs = { ...around, emails, devices, reauthentication, ownPassword, sessionSeal }
  return {
    ...parts,
    ...proofs,
    ...signingIn,
    ...own,
    ...belonging,
    factors,
    letters: core.letters,
    mailer,
    keyWarnings,
  }
}
