// Identity verification over a temporary store: the real services, a provider that a test scripts.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createLimiter } from '../../src/base/limiter.ts'
import { createEnvelopes } from '../../src/seal/envelope.ts'
import { openKeyring } from '../../src/seal/keyring.ts'
import { kycSubmissions } from '../../src/services/assembly/kyc.ts'
import { createKyc } from '../../src/services/identity-verification/kyc.ts'
import { createKycCallbacks } from '../../src/services/identity-verification/kyc-callback.ts'
import {
  createKycCases,
  createKycKeeping,
} from '../../src/services/identity-verification/kyc-cases.ts'
import { createKycReview } from '../../src/services/identity-verification/kyc-review.ts'
import { createKycVault } from '../../src/services/identity-verification/kyc-vault.ts'
import { openAccess } from './access.ts'

export interface KycWorldOptions {
  readonly provider?: 'manual' | 'http'
  readonly isRequired?: boolean
  readonly keptDays?: number
  readonly secret?: string
}

export function openKyc(t: Test, options: KycWorldOptions = {}) {
  const access = openAccess(t)
  const { store, dir } = access
  const core = { ...access.core, baseUrl: 'https://up.test' }
  const file = join(dir, '..', 'kyc-key')
  const keyring = openKeyring({ file, create: true, random: randomBytes })
  const vault = createKycVault({ store, envelopes: createEnvelopes(keyring) })
  const cases = createKycCases(core, { vault })
  const woken = { count: 0 }
  const services = {
    kyc: createKyc(core, {
      vault,
      cases,
      provider: options.provider ?? 'manual',
      isRequired: options.isRequired ?? false,
      submissionLimiter: createLimiter(kycSubmissions, 1_000),
      wake() {
        woken.count += 1
      },
    }),
    kycReview: createKycReview(core, { vault, cases }),
    kycCallbacks: createKycCallbacks(core, { cases, secret: options.secret ?? null }),
    kycKeeping: createKycKeeping(core, { cases, keptDays: options.keptDays ?? 90 }),
  }

  /** What the system's log says was done, oldest first. */
  const logged = () =>
    store.audit
      .slice('system', 1_000, 0)
      .filter(({ action }) => action.startsWith('verification.'))
      .map(({ action, detail, actor, objectId, fields }) => ({
        action,
        detail,
        by: actor.kind,
        objectId,
        fields,
      }))

  /** The letters about verifications, oldest first. */
  const told = () => access.letters.filter(({ subject }) => subject.includes('identity'))

  /** A system administrator who signed in just now. */
  async function operator(name = 'root') {
    const { caller, user } = await access.enrol(name)
    await store.write((tx) => store.users.put(tx, { ...user, isSystemAdmin: true }))
    return { ...caller, principal: { ...caller.principal, isSystemAdmin: true } }
  }

  return { ...access, ...services, vault, cases, keyFile: file, woken, logged, told, operator }
}
