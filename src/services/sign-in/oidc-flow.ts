// The cookie of a sign-in between two steps, at a provider or before the second factor: encrypted,
// short-lived, valid for one return.
import { randomUUID } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import type { UserId } from '../../base/ids.ts'
import { createLimiter } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { OidcPerson } from '../../domain/sign-in/oidc.ts'
import type { OidcSecrets } from '../../oidc/provider.ts'
import { type Box, SealBroken } from '../../seal/box.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Core } from '../core.ts'

interface FlowStart {
  readonly id: string
  readonly provider: string
  /** The final target of the sign-in. */
  readonly redirectUri: string
  readonly expiresAtMs: number
}

export interface AwayFlow extends FlowStart {
  readonly stage: 'away'
  readonly secrets: OidcSecrets
}

/** The person came back, and must enter the second factor. */
export interface CodeFlow extends FlowStart {
  readonly stage: 'waiting'
  readonly person: OidcPerson
}

/** The password was right, and the person must enter the second factor. */
export interface PasswordFlow extends FlowStart {
  readonly stage: 'password'
  readonly userId: UserId
  /** The hash of the password's stored hash: another password since then ends the flow. */
  readonly passwordMark: string
}

export type PasskeyPurpose = 'sign-in' | 'confirm' | 'add'

/** A browser was asked to make or use a passkey. */
export interface PasskeyFlow extends FlowStart {
  readonly stage: 'passkey'
  readonly purpose: PasskeyPurpose
  /** Who is signed in; null for a sign-in. */
  readonly userId: UserId | null
  readonly challenge: string
}

export type Flow = AwayFlow | CodeFlow | PasswordFlow | PasskeyFlow

type New<Any extends Flow> = Omit<Any, 'id' | 'expiresAtMs'>

const lifetimeMs = {
  away: limits.oidcFlowMs,
  waiting: limits.secondStepMs,
  password: limits.secondStepMs,
  passkey: limits.passkeyMs,
} as const

/** Codes that one flow tries: it ends before it would have another. */
const flowTries = { quota: 5, windowSeconds: 3_600 } as const

export function createFlows({ store, clock, box }: Core) {
  // In memory: after a restart, the count of each person still bounds them.
  const tries = createLimiter(flowTries, limits.rateKeysMax)

  return {
    seal(flow: New<AwayFlow> | New<CodeFlow> | New<PasswordFlow> | New<PasskeyFlow>): string {
      const expiresAtMs = clock.nowMs() + lifetimeMs[flow.stage]
      return box.seal(JSON.stringify({ kind: 'oidc-flow', ...flow, id: randomUUID(), expiresAtMs }))
    },
    /** Throws link_expired unless the cookie is ours, at this stage, and in time. */
    open<Stage extends Flow['stage']>(
      sealed: string,
      provider: string,
      stage: Stage,
    ): Extract<Flow, { stage: Stage }> {
      const flow = opened(box, sealed)
      const isRight = flow?.stage === stage && flow.provider === provider
      if (!isRight || clock.nowMs() >= flow.expiresAtMs) throw startAgain()
      return ofStage(flow)
    },
    /** Counts a code. Throws link_expired after a few, so that the sign-in begins anew. */
    tryCode({ id }: Flow): void {
      if (!tries.take(id, clock.nowMs()).isAllowed) throw startAgain()
    },
    /** Invalidates the flow once the transaction is on disk. Throws if it is already invalid. */
    spend(tx: Tx, { id, expiresAtMs }: Flow): void {
      const flowHash = hashToken(id)
      const nowMs = clock.nowMs()
      if (store.spentFlows.has(flowHash) || nowMs >= expiresAtMs) throw startAgain()
      store.spentFlows.put(tx, flowHash, { expiresAtMs, nowMs })
    },
  }
}

/** The same words for every defect: a forger must not learn which part was right. */
export function startAgain(): Fault {
  const detail =
    'This sign-in was started in another browser, was already completed, or has expired. ' +
    'Start again.'
  return new Fault('link_expired', detail)
}

// Only this file encrypts flows: other encrypted texts are not flows.
function opened(box: Box, sealed: string): Flow | undefined {
  try {
    const flow = JSON.parse(box.open(sealed)) as (Flow & { readonly kind?: unknown }) | null
    return flow?.kind === 'oidc-flow' ? flow : undefined
  } catch (error) {
    if (error instanceof SealBroken || error instanceof SyntaxError) return undefined
    throw error
  }
}

// The stage was compared; TypeScript does not apply that to a type parameter.
function ofStage<Stage extends Flow['stage']>(flow: Flow): Extract<Flow, { stage: Stage }> {
  return flow as Extract<Flow, { stage: Stage }>
}
