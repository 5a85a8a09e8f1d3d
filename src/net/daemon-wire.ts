// One exchange with a daemon over HTTP, through the proxy of the environment: by a probe, or by a standby. The
// daemon is its operator's own server, so the guard of targets has no part in it.
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'

interface WireRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** JSON. */
  readonly body?: string | undefined
  readonly signal: AbortSignal
}

export interface WireAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfterMs?: number
}

/** An answer in bytes. */
export interface RawWireAnswer extends Pick<WireAnswer, 'status' | 'retryAfterMs'> {
  readonly bytes: Buffer
}

export interface DaemonWire {
  /** Rejects with a reason in words if there is no whole answer. */
  send(asked: WireRequest): Promise<WireAnswer>
  close(): void
}

/** The proxies of the environment, as curl reads them. */
export interface ProxySettings {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

export interface WireOptions {
  /** What the caller authenticates with; absent: it does not. */
  readonly auth?: string
  /** For the header User-Agent, such as `stillup-probe/1.2.0`. */
  readonly agent: string
  readonly proxy: ProxySettings
  /** All certificate authorities to trust, in PEM; absent: Node's. */
  readonly ca?: readonly string[] | undefined
}

/** A whole plan with 10,000 monitors has some 15 MB. */
const answerBytesMax = 128 * 1024 * 1024

export type WireToDaemon = ReturnType<typeof createWire>

export function createWire({ auth, agent, proxy, ca }: WireOptions) {
  const { httpProxy, httpsProxy, noProxy } = proxy
  const proxyEnv = { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy }
  const options = { keepAlive: true, proxyEnv }
  const plain = new http.Agent(options)
  const secure = new https.Agent({ ...options, ...(ca ? { ca: [...ca] } : {}) })
  const headers = {
    ...(auth === undefined ? {} : { authorization: `Bearer ${auth}` }),
    accept: 'application/json',
    'user-agent': agent,
  }

  function once({ method, url, body, signal }: WireRequest): Promise<RawWireAnswer> {
    return new Promise((resolve, reject) => {
      const isSecure = url.startsWith('https:')
      const type = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body ?? ''),
      }
      const asked = {
        method,
        signal,
        headers: body === undefined ? headers : { ...headers, ...type },
      }
      const request = isSecure
        ? https.request(url, { ...asked, agent: secure })
        : http.request(url, { ...asked, agent: plain })
      request.on('error', (cause) => reject(new WireBroken(cause, request.reusedSocket)))
      request.on('response', (response) => answerOf(response).then(resolve, reject))
      request.end(body)
    })
  }

  /** Rejects with a reason in words if there is no whole answer. */
  async function receive(asked: WireRequest): Promise<RawWireAnswer> {
    try {
      // The other side may close a kept connection just when it is used again.
      return await once(asked).catch((error) => {
        if (error instanceof WireBroken && error.wasReused && !asked.signal.aborted) {
          return once(asked)
        }
        throw error
      })
    } catch (error) {
      const cause = error instanceof WireBroken ? error.cause : error
      throw new Error(reasonOf(cause), { cause })
    }
  }

  return {
    receive,
    async send(asked: WireRequest): Promise<WireAnswer> {
      const { bytes, ...answer } = await receive(asked)
      return { ...answer, text: bytes.toString('utf8') }
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** No answer came, or not all of it. */
class WireBroken extends Error {
  override readonly name = 'WireBroken'
  readonly wasReused: boolean

  constructor(cause: unknown, wasReused: boolean) {
    super('no answer', { cause })
    this.wasReused = wasReused
  }
}

async function answerOf(response: IncomingMessage): Promise<RawWireAnswer> {
  const bytes = await bytesOf(response)
  const retryAfter = Number(response.headers['retry-after'])
  return {
    status: response.statusCode ?? 0,
    bytes,
    ...(retryAfter > 0 ? { retryAfterMs: retryAfter * 1_000 } : {}),
  }
}

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > answerBytesMax) throw new Error('its answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const untrusted = 'its certificate is not trusted; name its authority with --ca'

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name does not exist',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: is the clock of this machine right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  EPROTO: 'it does not speak TLS as it should',
}

/** In words; several addresses of one name fail together. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const code = 'code' in error ? String(error.code) : ''
  const [line = ''] = error.message.split('\n')
  if (code.startsWith('ERR_PROXY')) return `the proxy refuses: ${line}`
  return reasons[code] ?? (line || code)
}
