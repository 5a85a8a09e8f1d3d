// Tells whoever runs the probe what an answer of the daemon means.
import { isRecord } from '../base/schema/pick.ts'
import type { WireAnswer } from '../net/daemon-wire.ts'

export type WireOutcome =
  /** `document` is undefined if there is none: 204. */
  | { readonly kind: 'ok'; readonly document?: unknown }
  /**
   * `over`: the session, so that we say hello again. `refused`: the token. `mismatch`: the version of the
   * protocol. `rejected`: what was sent.
   */
  | {
      readonly kind: 'failed' | 'over' | 'refused' | 'mismatch' | 'rejected'
      readonly told: string
      readonly retryAfterMs?: number
    }

/** Waits that are asked for are kept up to here. */
const retryAfterMsMax = 300_000

/** `place` is the address that answered. */
export function outcomeOf(answer: WireAnswer, place: string): WireOutcome {
  const { status, text, retryAfterMs = 0 } = answer
  if (status === 204) return { kind: 'ok' }
  const document = documentIn(text)
  if (status === 200 || status === 201) {
    if (document !== undefined) return { kind: 'ok', document }
    return {
      kind: 'failed',
      told: `${place} answers with what is no JSON: is a stillup daemon there?`,
    }
  }
  const { code, detail } = problemIn(document)
  const said = `${status}${detail === undefined ? '' : `, ${detail}`}`
  if (status === 401 || status === 403) {
    // A proxy before the daemon refuses in other words; that says nothing about the token.
    if (code === undefined) {
      return { kind: 'failed', told: `something in front of ${place} refuses the probe (${said})` }
    }
    const told = `${place} refuses the token (${said}): if it was revoked or replaced, give this probe a new one`
    return { kind: 'refused', told }
  }
  if (status === 426)
    return {
      kind: 'mismatch',
      told: `this probe is too old for the daemon at ${place}: upgrade this probe`,
    }
  if (status === 400 && code?.includes('protocol')) {
    return {
      kind: 'mismatch',
      told: `the daemon at ${place} is too old for this probe: upgrade the daemon`,
    }
  }
  if (status === 409) return { kind: 'over', told: `${place} ended the session (${said})` }
  if (status === 404 || status === 405) {
    return {
      kind: 'failed',
      told: `${place} knows no probes (${said}): name the address of a stillup daemon of this version`,
    }
  }
  if (status >= 300 && status < 400) {
    return {
      kind: 'failed',
      told: `${place} redirects (${status}): name the address that it leads to`,
    }
  }
  if (status === 400 || status === 413 || status === 422) {
    return { kind: 'rejected', told: `${place} rejects what was sent (${said})` }
  }
  const waitMs = Math.min(retryAfterMs, retryAfterMsMax)
  return { kind: 'failed', told: `${place} answers with ${said}`, retryAfterMs: waitMs }
}

function documentIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The code and the sentence of a problem document; both undefined if it is none of the daemon's. */
function problemIn(document: unknown): { readonly code?: string; readonly detail?: string } {
  if (!isRecord(document)) return {}
  const { code, detail } = document
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof detail === 'string' ? { detail: detail.slice(0, detailCharsMax) } : {}),
  }
}

const detailCharsMax = 300
