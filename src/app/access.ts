// Wires identity and access: people, organizations, keys.
import type { BucketKeeper } from '../actors/tasks/bucket-keeper.ts'
import type { Live } from '../config/live.ts'
import type { FixedSettings, LiveSettings } from '../config/settings.ts'
import type { Quotas } from '../domain/orgs/org.ts'
import { createOidcProvider } from '../oidc/provider.ts'
import type { DeviceSeal } from '../seal/device.ts'
import { createPasswords } from '../seal/passwords.ts'
import type { SessionSeal } from '../seal/session.ts'
import { createPrivateAnswers } from '../services/checks/private-answers.ts'
import type { Identity } from '../services/identity.ts'
import { createInvites } from '../services/orgs/invites.ts'
import { createKeyRights } from '../services/orgs/key-rights.ts'
import { createKeys, createKeyWarnings } from '../services/orgs/keys.ts'
import { createMembers } from '../services/orgs/members.ts'
import { createOrgs } from '../services/orgs/orgs.ts'
import { createAccounts } from '../services/people/accounts.ts'
import { createEmails } from '../services/people/emails.ts'
import { createFactors } from '../services/people/factors.ts'
import { createLinks } from '../services/people/links.ts'
import { createProfile } from '../services/people/profile.ts'
import { createReferrals } from '../services/people/referrals.ts'
import { createSessions } from '../services/people/sessions.ts'
import { createDevices } from '../services/sign-in/devices.ts'
import { createEntrance } from '../services/sign-in/entrance.ts'
import { createMagicLinks } from '../services/sign-in/magic-links.ts'
import { createOidc, type OidcDeps } from '../services/sign-in/oidc.ts'
import { createOwnPassword } from '../services/sign-in/own-password.ts'
import { createPeople } from '../services/sign-in/people.ts'
import { createProvenOwner } from '../services/sign-in/proven-owner.ts'
import { createReauthentication } from '../services/sign-in/reauthentication.ts'
import { createSetupToken } from '../services/sign-in/setup.ts'
import { createSignIns } from '../services/sign-in/sign-in.ts'
import { createLocalOperator } from '../services/system/local-operator.ts'
import { createThrottles } from '../services/throttles.ts'
import type { EngineDeps } from './types.ts'

export interface AccessDeps extends EngineDeps {
  readonly sessionSeal: SessionSeal
  readonly deviceSeal: DeviceSeal
  readonly buckets: Pick<BucketKeeper, 'limiter'>
  readonly identity: Identity
  /** Whether there is space for new objects. */
  readonly hasRoom: () => boolean
}

export type Access = ReturnType<typeof createAccess>

export function createAccess(deps: AccessDeps) {
  const { settings, live, sessionSeal, identity } = deps
  const { enumerationSafeMailer } = deps.mail
  const base = { ...deps, enumerationSafeMailer }
  const setupToken = createSetupToken({ ...base, configured: settings.auth.setupToken })
  const links = createLinks(base)
  const factors = createFactors(base)
  const signIns = createSignIns({ ...base, sessionSeal, factors })
  const orgs = createOrgs(base)
  const sessions = createSessions({ ...base, sessionSeal })
  const throttles = createThrottles({
    clock: deps.clock,
    limiter: deps.buckets.limiter,
    isOn: () => live.now().http.rateAuthPerMinute > 0,
  })
  const inviteUrl = (token: string) => `${deps.baseUrl}/api/v1/invites/${token}/page`
  const invites = createInvites({ ...base, identity, throttles, inviteUrl })
  const keyRights = createKeyRights(base)
  const { rotateSoon } = sessions
  const members = createMembers({ ...base, identity, invites, keyRights, rotateSoon })
  const referrals = createReferrals(base)
  const newcomers = { joinByInvite: invites.join, noteReferral: referrals.note }
  const accounts = createAccounts({ ...base, ...newcomers, hasRoom: deps.hasRoom })
  const passwords = createPasswords()
  const { registration } = settings.auth
  const provenOwner = createProvenOwner({ ...base, sessions })
  const devices = createDevices({ ...base, deviceSeal: deps.deviceSeal })
  const emails = createEmails({ ...base, links, sessions, throttles })
  const proofs = { ...base, passwords, factors, sessions, throttles }
  const reauthentication = createReauthentication(proofs)
  const ownPassword = createOwnPassword({ ...proofs, links, reauthentication, provenOwner })
  const hasMailServer = () => live.now().mail.smtpUrl !== null
  const services = {
    identity,
    entrance: createEntrance({ store: deps.store, registration, hasMailServer }),
    people: createPeople({
      ...base,
      setupToken,
      orgs,
      accounts,
      signIns,
      passwords,
      emails,
      devices,
      throttles,
      registration,
      isInvited: invites.isInvited,
    }),
    sessions,
    privateAnswers: createPrivateAnswers({ store: deps.store, settings, live }),
    devices,
    emails,
    reauthentication,
    throttles,
    ownPassword,
    localOperator: createLocalOperator({
      ...base,
      accounts,
      members,
      ownPassword,
      setupToken,
    }),
    orgs,
    keys: createKeys({ ...base, identity, keyRights }),
    keyRights,
    keyWarnings: createKeyWarnings(base),
    invites,
    members,
    factors,
    oidc: oidcOf(deps, { ...base, accounts, signIns, factors }),
    referrals,
    profile: createProfile({ ...base, emails }),
    magicLinks: createMagicLinks({
      ...base,
      links,
      accounts,
      signIns,
      factors,
      throttles,
      provenOwner,
      registration,
      redirectOrigins: settings.auth.redirectOrigins,
    }),
  }
  return { services, setupToken }
}

/** Sign-in through the configured providers. */
function oidcOf(
  { settings, clock }: AccessDeps,
  parts: Omit<OidcDeps, 'providers' | 'registration' | 'redirectOrigins'>,
) {
  const { oidc, registration, redirectOrigins } = settings.auth
  const providers = (oidc ?? []).map((client) => createOidcProvider(client, clock))
  return createOidc({ ...parts, registration, redirectOrigins, providers })
}

/** The quotas of organizations without their own. */
export function usualQuotas(settings: FixedSettings, live: Live): () => Quotas {
  // If strangers can register, one organization must not take the whole machine.
  const monitorsMax = settings.auth.registration === 'open' ? 200 : 100_000
  const complete = ({ quotas }: LiveSettings): Quotas => ({
    ...quotas,
    monitors: quotas.monitors ?? monitorsMax,
  })
  let usual = complete(live.now())
  live.listen((now) => {
    usual = complete(now)
  })
  return () => usual
}
