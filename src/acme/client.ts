// A client of certificate authorities (ACME, RFC 8555), with the challenge HTTP-01.
import { createPrivateKey } from 'node:crypto'
import type { WebAnswer, WebClient } from '../net/http-client/guarded-client.ts'
import { retryAfterMs } from '../net/http-client/retry-after.ts'
import { signingRequest } from './csr.ts'
import { type AccountKey, accountKey } from './jws.ts'

/** What an authority refused, or why it could not be asked. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError'
  /**
   * The last part of the problem's type, such as `rateLimited`; '' without one. `orderGone`: the order can
   * never end well. `unavailable`: the authority cannot be reached, or is too busy for anything.
   */
  readonly code: string
  /** How long the authority asks to wait. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, code = '', retryAfterMs?: number) {
    super(message)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

export interface AcmeAccount {
  readonly keyPem: string
  /** The account at the authority; null before it is registered. */
  readonly url: string | null
}

export interface AcmeClientDeps {
  readonly directoryUrl: string
  /** For whole bodies of up to `acmeBodyBytesMax`. */
  readonly request: WebClient
  readonly nowMs: () => number
  /** Resolves after a while, or at once when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * The answer to a challenge, at `/.well-known/acme-challenge/<token>`. It follows from the token and
 * the account, so it is right at any time, also after a restart; and it is of no use to anybody
 * without the account's key.
 */
export function challengeAnswer(keyPem: string, token: string): string {
  return `${token}.${accountKey(keyPem).thumbprint}`
}

interface Directory {
  readonly newNonce: string
  readonly newAccount: string
  readonly newOrder: string
}

interface AcmeProblem {
  readonly type?: string
  readonly detail?: string
  readonly subproblems?: readonly AcmeProblem[]
}

interface AcmeChallenge {
  readonly type: string
  readonly url: string
  readonly token: string
  readonly status: string
  readonly error?: AcmeProblem
}

interface AcmeAuthorization {
  readonly status: string
  readonly identifier: { readonly value: string }
  readonly challenges: readonly AcmeChallenge[]
}

interface AcmeOrder {
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'
  readonly authorizations: readonly string[]
  readonly finalize: string
  readonly certificate?: string
  readonly error?: AcmeProblem
}

interface AcmeReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type AcmeClient = ReturnType<typeof createAcmeClient>

const acmeRequestMs = 20_000
/** How long to wait before an order is looked at again, unless the authority says. */
const acmePollMs = 1_000
const acmePollMsMax = 30_000
/** How often a request is sent at most whose nonce the authority does not accept. */
const acmeNonceAttempts = 10

export function createAcmeClient({ directoryUrl, request, nowMs, wait }: AcmeClientDeps) {
  let directory: Directory | undefined
  let nonces: string[] = []

  async function exchange(
    method: 'GET' | 'POST',
    url: string,
    signal: AbortSignal,
    body = '',
  ): Promise<AcmeReply> {
    const type = method === 'POST' ? { 'content-type': 'application/jose+json' } : {}
    const answer: WebAnswer = await request({
      url,
      method,
      headers: { 'user-agent': 'stillup', ...type },
      body,
      timeoutMs: acmeRequestMs,
      signal,
    })
    if (answer.kind !== 'answered') throw new AcmeError(answer.reason, 'unavailable')
    const nonce = answer.headers['replay-nonce']
    if (nonce !== undefined) nonces.push(nonce)
    return answer
  }

  async function knownDirectory(signal: AbortSignal): Promise<Directory> {
    if (directory) return directory
    const reply = await exchange('GET', directoryUrl, signal)
    if (reply.status !== 200) throw problemOf(reply, nowMs())
    const found = parsed<Partial<Directory>>(reply)
    const { newNonce, newAccount, newOrder } = found
    if (!newNonce || !newAccount || !newOrder) {
      throw new AcmeError('The document at acme.directoryUrl is not an ACME directory.')
    }
    directory = { newNonce, newAccount, newOrder }
    return directory
  }

  async function nextNonce(signal: AbortSignal): Promise<string> {
    const kept = nonces.pop()
    if (kept !== undefined) return kept
    const { newNonce } = await knownDirectory(signal)
    const reply = await exchange('GET', newNonce, signal)
    const fresh = nonces.pop()
    if (fresh === undefined) throw problemOf(reply, nowMs())
    return fresh
  }

  /** A signed request; repeated with a new nonce if the authority does not accept the one used. */
  async function post(
    key: AccountKey,
    kid: string | null,
    url: string,
    payload: object | null,
    signal: AbortSignal,
  ): Promise<AcmeReply> {
    const signer = kid === null ? { jwk: key.jwk } : { kid }
    for (let attempt = 1; ; attempt += 1) {
      const nonce = await nextNonce(signal)
      const body = key.signed({ ...signer, nonce, url }, payload)
      const reply = await exchange('POST', url, signal, body)
      if (reply.status < 400) return reply
      const problem = problemOf(reply, nowMs())
      if (problem.code !== 'badNonce' || attempt >= acmeNonceAttempts) throw problem
      // The nonces that wait may be as old; the one that came with the refusal is good.
      nonces = nonces.slice(-1)
    }
  }

  return {
    /** Registers the key, or finds its account. Resolves with the account's URL. */
    async register(keyPem: string, email: string | null, signal: AbortSignal): Promise<string> {
      const { newAccount } = await knownDirectory(signal)
      const contact = email === null ? {} : { contact: [`mailto:${email}`] }
      const payload = { termsOfServiceAgreed: true, ...contact }
      const reply = await post(accountKey(keyPem), null, newAccount, payload, signal)
      const { location } = reply.headers
      if (location === undefined) throw new AcmeError('The authority named no account.')
      return location
    },

    /** Begins an order for one host. Resolves with its URL. */
    async order(account: AcmeAccount, host: string, signal: AbortSignal): Promise<string> {
      const { newOrder } = await knownDirectory(signal)
      const payload = { identifiers: [{ type: 'dns', value: host }] }
      const key = accountKey(account.keyPem)
      const { headers } = await post(key, account.url, newOrder, payload, signal)
      if (headers.location === undefined) throw new AcmeError('The authority named no order.')
      return headers.location
    },

    /**
     * Brings an order to its end, from wherever it stands. Resolves with the chain in PEM. Throws an
     * AcmeError; with the code `orderGone` the order can never end well.
     */
    async finish(
      account: AcmeAccount,
      {
        url,
        host,
        keyPem,
      }: { readonly url: string; readonly host: string; readonly keyPem: string },
      signal: AbortSignal,
    ): Promise<string> {
      const key = accountKey(account.keyPem)
      const read = (target: string, payload: object | null = null) =>
        post(key, account.url, target, payload, signal)

      async function pause({ headers }: AcmeReply): Promise<void> {
        const askedMs = pauseMsOf(headers, nowMs()) ?? acmePollMs
        await wait(Math.min(Math.max(askedMs, acmePollMs), acmePollMsMax), signal)
        if (signal.aborted) throw new AcmeError('The authority took too long.')
      }

      async function authorize(authorizationUrl: string): Promise<void> {
        let isAnswered = false
        for (;;) {
          const reply = await read(authorizationUrl)
          const { status, challenges } = parsed<AcmeAuthorization>(reply)
          if (status === 'valid') return
          const challenge = challenges.find(({ type }) => type === 'http-01')
          if (status !== 'pending') throw refusalOf(challenge?.error, `is ${status}`)
          if (!challenge) throw new AcmeError('The authority does not offer HTTP-01.', 'orderGone')
          if (!isAnswered) {
            isAnswered = true
            // After a restart the authority may be asking already.
            if (challenge.status === 'pending') await read(challenge.url, {})
          }
          await pause(reply)
        }
      }

      async function advance(): Promise<string> {
        let before = ''
        for (;;) {
          const reply = await read(url)
          const order = parsed<AcmeOrder>(reply)
          // The order may lag behind what was just done.
          if (order.status === before) await pause(reply)
          before = order.status
          switch (order.status) {
            case 'pending':
              for (const one of order.authorizations) await authorize(one)
              break
            case 'ready': {
              const csr = signingRequest(host, createPrivateKey(keyPem))
              await read(order.finalize, { csr })
              break
            }
            case 'valid': {
              if (order.certificate === undefined) throw orderGone('has no certificate')
              return (await read(order.certificate)).body
            }
            case 'invalid':
              throw refusalOf(order.error, 'is invalid')
            default:
              break
          }
        }
      }

      return advance()
    },
  }
}

/** The longest pause that an authority can ask for. */
const acmePauseMsMax = 24 * 60 * 60_000

function pauseMsOf(headers: AcmeReply['headers'], nowMs: number): number | undefined {
  return retryAfterMs(headers['retry-after'], nowMs, acmePauseMsMax)
}

/** What the reply says, for people. */
function problemOf({ status, headers, body }: AcmeReply, nowMs: number): AcmeError {
  let problem: AcmeProblem = {}
  try {
    problem = JSON.parse(body) as AcmeProblem
  } catch {
    // Not every server in between speaks JSON.
  }
  const code = codeOf(problem)
  const what = problem.detail ?? `It answered ${status}.`
  // An order that the authority no longer knows.
  const isGone = status === 404 && code !== 'accountDoesNotExist'
  // Answers of the authority itself, or of a proxy in front of it.
  const isAway = status >= 502 && status <= 504
  const meaning = isAway ? 'unavailable' : isGone ? 'orderGone' : code
  const message = `The certificate authority refused: ${sentence(what)}${code && ` (${code})`}`
  return new AcmeError(message, meaning, pauseMsOf(headers, nowMs))
}

/** Why an order or a challenge failed for good. */
function refusalOf(problem: AcmeProblem | undefined, otherwise: string): AcmeError {
  if (problem?.detail === undefined) return orderGone(otherwise)
  const code = codeOf(problem)
  const message = `The certificate authority refused: ${sentence(problem.detail)}${code && ` (${code})`}`
  return new AcmeError(message, 'orderGone')
}

function orderGone(state: string): AcmeError {
  return new AcmeError(`The order at the certificate authority ${state}.`, 'orderGone')
}

const codeOf = ({ type }: AcmeProblem) => type?.split(':').at(-1) ?? ''
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

// The authority is trusted with more than the shape of its documents.
function parsed<Document>({ body }: AcmeReply): Document {
  try {
    return JSON.parse(body) as Document
  } catch {
    throw new AcmeError('The certificate authority answered with something that is not JSON.')
  }
}
