// The connection to NATS: the only file that loads its client, so it is imported when a cluster is used.
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import {
  connect,
  errors,
  headers,
  type NatsConnection,
  nkeyAuthenticator,
} from '@nats-io/transport-node'
import type { Clock } from '../base/clock.ts'
import {
  ApiRefusal,
  apiCodes,
  type ClusterLink,
  createJetStream,
  type JetStream,
} from './jetstream.ts'
import { LogUnanswered } from './log.ts'
import { serverProblem } from './server-address.ts'

export interface ClusterOptions {
  /** As `nats://127.0.0.1:4222` on this machine, and `tls://nats.example:4222` elsewhere. */
  readonly servers: readonly string[]
  /** The seed of an NKey, which begins with SU. Without it, the servers must let everybody in. */
  readonly seed?: string | undefined
  /** All certificate authorities to trust, in PEM; absent: Node's. */
  readonly ca?: readonly string[] | undefined
  /** What the servers call this connection in their own lists. */
  readonly name: string
  /** Where answers arrive: `inboxOf` of a member. An operator's own may be left out. */
  readonly inbox?: string
  readonly clock: Clock
  /** One attempt waits so long for its answer. */
  readonly requestMs?: number
  /** Between two attempts to ask, and to connect. */
  readonly retryMs?: number
  /** A connection that says nothing for twice as long is given up. */
  readonly pingMs?: number
}

/**
 * Connects, and reconnects for ever. Until there is a first connection, it tries as long as the signal lets it,
 * and throws LogUnanswered then; it throws at once if a server does not know the key.
 */
export async function connectCluster(
  options: ClusterOptions,
  signal: AbortSignal,
): Promise<JetStream> {
  const { servers, clock, requestMs = 2_000, retryMs = 100, pingMs = 2_000 } = options
  const problem = servers.map(serverProblem).find((found) => found !== undefined)
  if (problem !== undefined) throw new Error(`Each NATS server ${problem}`)
  const isSecure = servers.some((server) => server.startsWith('tls:'))
  if (isSecure && !servers.every((server) => server.startsWith('tls:'))) {
    throw new Error('Either all NATS servers begin with tls://, or none')
  }
  const { seed, ca, name, inbox } = options
  const settings = {
    servers: servers.map((server) => hostOf(server)),
    name,
    timeout: requestMs,
    pingInterval: pingMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    reconnectJitter: retryMs,
    // The servers tell the addresses that they have among themselves, which nobody judged.
    ignoreClusterUpdates: true,
    // While their users are loaded anew, servers may not know ours.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    ...(inbox === undefined ? {} : { inboxPrefix: inbox }),
    ...(seed === undefined ? {} : { authenticator: nkeyAuthenticator(Buffer.from(seed)) }),
    ...(isSecure ? { tls: { ...(ca && { ca: ca.join('\n') }), ...identityOf(servers) } } : {}),
  }
  for (let cause: unknown; ; ) {
    if (signal.aborted) throw new LogUnanswered('No NATS server could be reached', { cause })
    try {
      const connection = await connect(settings)
      const link = linkOf(connection, requestMs)
      return createJetStream({ link, clock, retryMs })
    } catch (error) {
      if (error instanceof Error && error.name === 'AuthorizationError') {
        throw new Error('The NATS servers do not know this key', { cause: error })
      }
      cause = error
    }
    await new Promise<void>((resolve) => clock.setTimeout(resolve, retryMs))
  }
}

const natsPort = 4_222

function hostOf(server: string): string {
  const { hostname, port } = new URL(server)
  return `${hostname}:${port || natsPort}`
}

/**
 * A server must be certified for one of the addresses of the cluster. The client of NATS does not pass on which
 * it asked where that is an IP address, and so each would have to be localhost.
 */
function identityOf(servers: readonly string[]) {
  const hosts = servers.map((server) => new URL(server).hostname.replace(/^\[(.*)\]$/, '$1'))
  return {
    checkServerIdentity(_asked: string, certificate: PeerCertificate): Error | undefined {
      const problems = hosts.map((host) => checkServerIdentity(host, certificate))
      return problems.every((problem) => problem !== undefined) ? problems[0] : undefined
    },
  }
}

/** What a server says that has JetStream, but not for this user: nobody hears the question where it has none. */
const notEnabled = () =>
  new ApiRefusal({ err_code: apiCodes.notEnabled, code: 503, description: 'JetStream not enabled' })

function linkOf(connection: NatsConnection, requestMs: number): ClusterLink {
  return {
    payloadBytesMax: connection.info?.max_payload ?? 1024 * 1024,
    async request(subject, bytes, values) {
      const all = headers()
      for (const [name, value] of Object.entries(values)) all.set(name, value)
      const options = { timeout: requestMs, ...(all.keys().length > 0 ? { headers: all } : {}) }
      try {
        const { data } = await connection.request(subject, bytes, options)
        return data
      } catch (error) {
        const isUnheard = error instanceof errors.RequestError && error.isNoResponders()
        if (isUnheard && subject.startsWith('$JS.API.')) throw notEnabled()
        throw error
      }
    },
    isClosed: () => connection.isClosed(),
    close: () => connection.close(),
  }
}
