// How a check of HTTP signs in: by Basic, or with a token of OAuth 2, which is kept until it expires.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { isRecord } from '../../base/schema/pick.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { failure } from '../../net/failure.ts'
import { hopTo } from '../../net/http-client/plan.ts'
import { bodyOf, request } from '../../net/http-client/request.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import type { KindDeps } from './kind.ts'
import { type ProbeRun, wrongUrl } from './probe-run.ts'

export interface CheckSignIns {
  /**
   * The value of the header Authorization; undefined: none, or another way. `isRefused`: the target refused
   * the one before. Throws a RunError that names the server of tokens if it gives none.
   */
  authorizationOf(
    run: ProbeRun,
    target: EndpointTarget,
    isRefused?: boolean,
  ): Promise<string | undefined>
}

/** What a server of tokens may answer. */
const answerBytesMax = 64 * 1024
/** Tokens of different settings that are kept. */
const tokensMax = 1_000
/** How long a token is kept whose server does not say how long it holds. */
const usualTokenMs = 300_000
/** How long before its end a token is no longer used, but at most a tenth of its time. */
const spareMs = 30_000

const ofDeps = new WeakMap<object, CheckSignIns>()

/** The kinds of one process share their tokens. */
export function signInsOf(deps: KindDeps): CheckSignIns {
  const known = ofDeps.get(deps)
  if (known !== undefined) return known
  const signIns = createSignIns(deps.clock)
  ofDeps.set(deps, signIns)
  return signIns
}

function createSignIns(clock: Clock): CheckSignIns {
  const tokens = new LRUCache<string, { readonly token: string; readonly untilMs: number }>({
    max: tokensMax,
  })

  async function tokenOf(run: ProbeRun, target: EndpointTarget, isRefused: boolean) {
    const { orgId, auth, username, password } = target
    const settings = [orgId, auth, username, password]
    const key = createHash('sha256').update(JSON.stringify(settings)).digest('base64')
    const known = tokens.get(key)
    if (known !== undefined && !isRefused && known.untilMs > clock.monoMs()) return known.token
    tokens.delete(key)
    const { token, holdsMs = usualTokenMs } = await fetched(run, target)
    const untilMs = clock.monoMs() + holdsMs - Math.min(spareMs, holdsMs / 10)
    tokens.set(key, { token, untilMs })
    return token
  }

  return {
    async authorizationOf(run, target, isRefused = false) {
      const { auth, username } = target
      if (!username || auth?.type === 'digest' || auth?.type === 'awsSigV4') return undefined
      if (auth?.type !== 'oauth2') return basicOf(target)
      const token = await tokenOf(run, target, isRefused)
      // A target that repeats it must not show it.
      run.record.sent.push(token)
      return `Bearer ${token}`
    },
  }
}

function basicOf({ username, password }: EndpointTarget): string {
  return `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`
}

export interface SignedLook<Result> {
  readonly signIns: CheckSignIns
  /** Whether a look that failed was refused because of its sign-in. */
  readonly isRefused: (cause: RunError) => boolean
  /** Looks with the header that the target has. */
  readonly look: (target: EndpointTarget) => Promise<Result>
}

/** Looks, and once more with another token if the first is refused. */
export async function signedIn<Result>(
  run: ProbeRun,
  target: EndpointTarget,
  { signIns, isRefused, look }: SignedLook<Result>,
): Promise<Result> {
  const signed = withAuthorization(target, await signIns.authorizationOf(run, target))
  try {
    return await look(signed)
  } catch (cause) {
    const isOver = target.auth?.type !== 'oauth2' || run.isOver
    if (isOver || !(cause instanceof RunError) || !isRefused(cause)) throw cause
    run.record.response = undefined
    return look(withAuthorization(target, await signIns.authorizationOf(run, target, true)))
  }
}

/** The target with the header, in place of one of that name. */
export function withAuthorization(target: EndpointTarget, value: string | undefined) {
  if (value === undefined) return target
  const others = Object.entries(target.headers).filter(
    ([name]) => name.toLowerCase() !== 'authorization',
  )
  return { ...target, headers: { ...Object.fromEntries(others), Authorization: value } }
}

interface GivenToken {
  readonly token: string
  /** Undefined if the server does not say it. */
  readonly holdsMs: number | undefined
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
async function fetched(run: ProbeRun, target: EndpointTarget): Promise<GivenToken> {
  const { auth, username, password } = target
  const url = URL.parse(auth?.tokenUrl ?? '')
  if (url === null) throw wrongUrl('must be an http or https URL')
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (auth?.scope) form.set('scope', auth.scope)
  if (auth?.audience) form.set('audience', auth.audience)
  // Name and secret are encoded as in a form before they become a header: section 2.3.1.
  const client = { ...target, username: encoded(username), password: encoded(password) }
  const hop = hopTo(url, {
    method: 'POST',
    headers: [
      ...['user-agent', 'stillup', 'accept', 'application/json'],
      ...['content-type', 'application/x-www-form-urlencoded', 'authorization', basicOf(client)],
    ],
    body: Buffer.from(form.toString()),
  })
  try {
    const options = { wantsBody: true, bodyBytesMax: answerBytesMax }
    const response = await request(run, hop, options)
    return tokenIn(response.status, (await bodyOf(response)).toString('utf8'))
  } catch (cause) {
    if (!(cause instanceof RunError)) throw cause
    const found = {
      ...cause.failure,
      message: `no token from ${url.host}: ${cause.failure.message}`,
    }
    throw new RunError(found, cause.phase)
  } finally {
    // What was seen is of another server than the monitor's.
    run.record.certificate = undefined
    run.record.tls = undefined
  }
}

function encoded(text: string | null | undefined): string {
  return new URLSearchParams({ _: text ?? '' }).toString().slice('_='.length)
}

function tokenIn(status: number, text: string): GivenToken {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    found = undefined
  }
  const answer = isRecord(found) ? found : {}
  const { access_token: token, expires_in: seconds, error } = answer
  if (status === 200 && typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) {
    const holdsMs = Number(seconds) > 0 ? Number(seconds) * 1_000 : undefined
    return { token, holdsMs }
  }
  const message = status === 200 ? 'the answer has no access_token' : `it answered status ${status}`
  const refused = failure('status', message)
  throw new RunError(typeof error === 'string' ? { ...refused, detail: error } : refused)
}
