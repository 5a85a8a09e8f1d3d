// Who may come in and where they belong, put together: people, organizations, keys.
import type { EngineDeps } from './app-engine.ts'
import { Fault } from './base/fault.ts'
import type { Settings } from './config/settings.ts'
import type { Quotas } from './domain/org.ts'
import { deriveKey, type Keyring } from './seal/keyring.ts'
import { createPasswords } from './seal/passwords.ts'
import { createSessionSeal } from './seal/session.ts'
import { createAccounts } from './services/accounts.ts'
import type { Audit } from './services/audit.ts'
import type { Factors } from './services/factors.ts'
import { createIdentity } from './services/identity.ts'
import { createKeys } from './services/keys.ts'
import { createLinks } from './services/links.ts'
import { createOrgs } from './services/orgs.ts'
import { createPeople } from './services/people.ts'
import type { Post } from './services/post.ts'
import { createQuotaBook } from './services/quotas.ts'
import { createSetupToken } from './services/setup.ts'
import { createSignIns } from './services/sign-in.ts'

export interface AccessDeps
  extends Pick<EngineDeps, 'settings' | 'baseUrl' | 'clock' | 'log' | 'store' | 'box'> {
  readonly keyring: Keyring
  readonly audit: Audit
  readonly post: Post
  /** Somebody may have lost a right: whatever still runs for them is looked at again. */
  readonly accessChanged: () => void
}

export type Access = ReturnType<typeof createAccess>

export function createAccess(deps: AccessDeps) {
  const { settings, keyring } = deps
  const base = {
    ...{ store: deps.store, clock: deps.clock, box: deps.box, audit: deps.audit, post: deps.post },
    ...{ baseUrl: deps.baseUrl, accessChanged: deps.accessChanged },
  }
  const sessionSeal = createSessionSeal(deriveKey(keyring, 'sessions'))
  const setupToken = createSetupToken({ ...base, configured: settings.auth.setupToken })
  const quotas = createQuotaBook({ store: deps.store, usual: usualQuotas(settings) })
  const links = createLinks(base)
  const factors: Factors = { isEnrolled: () => false, demand: () => {} }
  const signIns = createSignIns({ ...base, sessionSeal, factors })
  const orgs = createOrgs(base)
  const accounts = createAccounts({
    ...base,
    joinByInvite() {
      throw new Fault('link_expired')
    },
    noteReferral() {},
  })
  const services = {
    identity: createIdentity({ store: deps.store, sessionSeal }),
    people: createPeople({
      ...{ ...base, setupToken, orgs, accounts, signIns, passwords: createPasswords() },
      registration: settings.auth.registration,
    }),
    orgs,
    keys: createKeys({ ...base, quotas }),
  }
  return { services, setupToken, quotas, links }
}

/** What an organization may have where the operator set nothing for it. */
function usualQuotas({ quotas, auth }: Settings): Quotas {
  // Where strangers may register, one of them must not take the whole machine.
  return { ...quotas, monitors: quotas.monitors ?? (auth.registration === 'open' ? 200 : 100_000) }
}
