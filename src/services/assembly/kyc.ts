// Wires identity verification: storage, decisions, provider.
import { startVerificationQueue } from '../../actors/tasks/verification-queue.ts'
import { createLimiter } from '../../base/limiter.ts'
import { randomUnit } from '../../base/random.ts'
import type { FixedSettings } from '../../config/settings.ts'
import { limits } from '../../domain/limits/limits.ts'
import { createHttpProvider } from '../../kyc/http-provider.ts'
import { type KycProvider, manualProvider } from '../../kyc/provider.ts'
import type { WebClient } from '../../net/http-client/guarded-client.ts'
import { asWebhookSecret, signWebhook } from '../../seal/sign.ts'
import { createKyc } from '../identity-verification/kyc.ts'
import { createKycCallbacks } from '../identity-verification/kyc-callback.ts'
import { createKycCases, createKycKeeping } from '../identity-verification/kyc-cases.ts'
import { createKycReview } from '../identity-verification/kyc-review.ts'
import type { KycVault } from '../identity-verification/kyc-vault.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface KycPartsDeps extends EngineDeps {
  readonly vault: KycVault
  /** The guarded HTTP client. */
  readonly request: WebClient
}

/** Submissions of one person. */
export const kycSubmissions = { quota: 10, windowSeconds: 3_600 } as const

/** Starts the work that is pending for the provider. */
export function startKyc(deps: KycPartsDeps) {
  const { settings, clock, log, store, vault, stack } = deps
  const { isRequired, keptDays } = settings.kyc
  const provider = providerOf(deps)
  const cases = createKycCases(deps, { vault })
  const sending = provider.send
    ? startVerificationQueue({
        store,
        clock,
        log,
        random: randomUnit,
        send: provider.send,
        open: vault.open,
        conclude(tx, verification, { status, reason }) {
          cases.move(tx, verification, { state: status, reason }, { because: 'provider' })
        },
      })
    : undefined
  stack.push('verifications', () => sending?.stop())
  sending?.start()
  return {
    kyc: createKyc(deps, {
      vault,
      cases,
      provider: provider.name,
      isRequired,
      submissionLimiter: createLimiter(kycSubmissions, limits.rateKeysMax),
      wake: (id) => sending?.wake(id),
    }),
    kycReview: createKycReview(deps, { vault, cases }),
    kycCallbacks: createKycCallbacks(deps, { cases, secret: secretOf(settings) }),
    kycKeeping: createKycKeeping(deps, { cases, keptDays }),
  }
}

function secretOf({ kyc }: FixedSettings): string | null {
  return kyc.provider === 'http' && kyc.secret !== null ? asWebhookSecret(kyc.secret) : null
}

function providerOf({ settings, clock, baseUrl, request }: KycPartsDeps): KycProvider {
  const { url } = settings.kyc
  const secret = secretOf(settings)
  // An `http` provider without address or secret stops the start, so this one is manual.
  if (url === null || secret === null) return manualProvider
  const callbackUrl = `${baseUrl}/api/v1/identity/kyc/callback`
  return createHttpProvider({ clock, url, secret, callbackUrl, request, sign: signWebhook })
}
