// Assembles the services of people and access: accounts, ways in, organizations, members, keys.
import type { Limiter, RatePolicy } from '../../base/limiter.ts'
import type { FixedSettings } from '../../config/settings.ts'
import type { OidcProvider } from '../../oidc/provider.ts'
import type { DeviceSeal } from '../../seal/device.ts'
import type { Passwords } from '../../seal/passwords.ts'
import type { SessionSeal } from '../../seal/session.ts'
import type { Core } from '../core.ts'
import type { Identity } from '../identity.ts'
import type { EnumerationSafeMailer } from '../mailer.ts'
import { createInvites } from '../orgs/invites.ts'
import { createKeyRights } from '../orgs/key-rights.ts'
import { createKeys, createKeyWarnings } from '../orgs/keys.ts'
import { createMembers } from '../orgs/members.ts'
import { createOrgs } from '../orgs/orgs.ts'
import { createAccounts } from '../people/accounts.ts'
import { createEmails } from '../people/emails.ts'
import { createFactors } from '../people/factors.ts'
import { createLinks } from '../people/links.ts'
import { createProfile } from '../people/profile.ts'
import { createReferrals } from '../people/referrals.ts'
import { createSessions } from '../people/sessions.ts'
import { createTrustedDevices } from '../people/trusted-devices.ts'
import { createDevices } from '../sign-in/devices.ts'
import { createEntrance } from '../sign-in/entrance.ts'
import { createMagicLinks } from '../sign-in/magic-links.ts'
import { createOidc } from '../sign-in/oidc.ts'
import { createOwnPassword } from '../sign-in/own-password.ts'
import { createPasskeys } from '../sign-in/passkeys.ts'
import { createPeople } from '../sign-in/people.ts'
import { createProvenOwner } from '../sign-in/proven-owner.ts'
import { createReauthentication } from '../sign-in/reauthentication.ts'
import type { RegistrationMode } from '../sign-in/registration.ts'
import { createSetupToken } from '../sign-in/setup.ts'
import { createSignIns } from '../sign-in/sign-in.ts'
import { createLocalOperator } from '../system/local-operator.ts'
import { createThrottles } from '../throttles.ts'

export interface AccessDeps {
  readonly auth: Pick<FixedSettings['auth'], 'redirectOrigins' | 'setupToken'>
  readonly registration: () => RegistrationMode
  readonly providers: () => readonly OidcProvider[]
  readonly passwords: Passwords
  readonly identity: Identity
  readonly sessionSeal: SessionSeal
  readonly deviceSeal: DeviceSeal
  readonly enumerationSafeMailer: EnumerationSafeMailer
  readonly limiter: (name: string, policy: RatePolicy) => Limiter
  /** For how many days a device needs no code after one; 0: it always does. */
  readonly trustedDeviceDays: () => number
  /** Whether attempts to sign in are limited. */
  readonly isThrottled: () => boolean
  readonly hasMailServer: () => boolean
  /** Whether there is space for new objects. */
  readonly hasRoom: () => boolean
}

export function createAccess(core: Core, deps: AccessDeps) {
  const { identity, sessionSeal, deviceSeal, passwords, enumerationSafeMailer, hasRoom } = deps
  const { clock, baseUrl } = core
  const { registration } = deps
  const { redirectOrigins } = deps.auth
  const setupToken = createSetupToken(core, { configured: deps.auth.setupToken })
  const links = createLinks(core)
  const trustedDevices = createTrustedDevices(core, { days: deps.trustedDeviceDays })
  const factors = createFactors(core, { trustedDevices })
  const signIns = createSignIns(core, { sessionSeal, factors, trustedDevices })
  const orgs = createOrgs(core)
  const sessions = createSessions(core, { sessionSeal })
  const throttles = createThrottles({ clock, limiter: deps.limiter, isOn: deps.isThrottled })
  const inviteUrl = (token: string) => `${baseUrl}/api/v1/invites/${token}/page`
  const invites = createInvites(core, { identity, throttles, inviteUrl })
  const keyRights = createKeyRights(core)
  const { rotateSoon } = sessions
  const members = createMembers(core, { identity, invites, keyRights, rotateSoon })
  const referrals = createReferrals(core)
  const accounts = createAccounts(core, {
    joinByInvite: invites.join,
    noteReferral: referrals.note,
    hasRoom,
  })
  const provenOwner = createProvenOwner(core, { sessions })
  const devices = createDevices(core, { deviceSeal })
  const emails = createEmails(core, { links, sessions, throttles })
  const reauthentication = createReauthentication(core, {
    passwords,
    factors,
    sessions,
    throttles,
  })
  const ownPassword = createOwnPassword(core, {
    passwords,
    sessions,
    throttles,
    links,
    reauthentication,
    provenOwner,
    enumerationSafeMailer,
  })
  const services = {
    identity,
    entrance: createEntrance(core, { registration, hasMailServer: deps.hasMailServer }),
    people: createPeople(core, {
      setupToken,
      orgs,
      accounts,
      signIns,
      passwords,
      emails,
      devices,
      factors,
      throttles,
      registration,
      isInvited: invites.isInvited,
    }),
    sessions,
    devices,
    trustedDevices,
    passkeys: createPasskeys(core, { signIns, sessions, factors }),
    emails,
    reauthentication,
    ownPassword,
    localOperator: createLocalOperator(core, { accounts, members, ownPassword, setupToken }),
    orgs,
    keys: createKeys(core, { identity, keyRights }),
    keyRights,
    keyWarnings: createKeyWarnings(core),
    invites,
    members,
    factors,
    oidc: createOidc(core, {
      accounts,
      signIns,
      factors,
      registration,
      redirectOrigins,
      providers: deps.providers,
    }),
    referrals,
    profile: createProfile(core, { emails }),
    magicLinks: createMagicLinks(core, {
      links,
      accounts,
      signIns,
      factors,
      throttles,
      provenOwner,
      trustDays: deps.trustedDeviceDays,
      registration,
      redirectOrigins,
      enumerationSafeMailer,
    }),
  }
  return { services, setupToken, accounts, signIns, links, throttles }
}

export type Access = ReturnType<typeof createAccess>
