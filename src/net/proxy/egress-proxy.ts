// A proxy for a program that loads pages by itself, such as a browser: everything that it opens goes through here,
// where each address is judged as for every check. HTTP proxy with CONNECT (RFC 9110 §9.3.6) and absolute form
// (RFC 9112 §3.2.2); it ends with its check.
import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Dial, placeOf } from '../connection/connect.ts'
import type { IpFamily } from '../dns/resolver.ts'
import { isLocalName } from '../egress-policy.ts'
import { type Failure, failure } from '../failure.ts'
import type { RunDeps } from '../run/guarded-run.ts'

export interface EgressProxyOptions {
  readonly deps: RunDeps
  readonly ipFamily: IpFamily
  /** The organization that look-ups are charged to. */
  readonly orgId: string | undefined
  /** Bytes in both directions, after which it closes everything. */
  readonly bytesMax: number
  /** The program, if it runs elsewhere. Default: it is on this machine. */
  readonly client?: ProxyClient | undefined
}

/** A program that is reached over a network. */
export interface ProxyClient {
  /** The address of this machine that it sees. */
  readonly ownAddress: string
  /** Its own: connections from others are closed. */
  readonly address: string
}

export interface EgressProxy {
  /** Where it listens, such as `127.41.7.133:40123`. */
  readonly place: string
  /** The addresses that it connected to, in this order. */
  readonly addresses: readonly string[]
  /** The hosts that the egress policy refused, with their ports. */
  readonly refused: ReadonlySet<string>
  readonly bytes: () => number
  /** Whether it closed everything because of its bound. */
  readonly isFull: () => boolean
  /** Why the last connection to the host failed; undefined if it did not. */
  failureOf(host: string, port: number): Failure | undefined
  destroy(): void
}

/** Connections at once. A page with hundreds of hosts waits for some of its own. */
const connectionsMax = 256
/** Places whose failure, and addresses that are remembered. */
const rememberedMax = 200
const headersTimeoutMs = 10_000
/** Beyond the addresses that other programs use. */
const [octetMin, octetMax] = [1, 255]

/**
 * Opens it on an address of the loopback network that nobody can guess: a page that another check loads must not
 * come in here. For a program elsewhere, on the address that it sees, and for it alone. Rejects if it cannot listen.
 */
export async function openEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const { deps, ipFamily, orgId, bytesMax, client } = options
  const failures = new Map<string, Failure>()
  const addresses = new Set<string>()
  const refused = new Set<string>()
  const open = new Set<{ destroy(): unknown }>()
  let bytes = 0
  let isOver = false
  let ownPlace = ''

  function track<One extends Socket | Duplex>(one: One): One {
    open.add(one)
    one.once('close', () => open.delete(one))
    // What breaks here breaks the page's own connection, and the browser tells of it.
    one.on('error', () => one.destroy())
    return one
  }

  function count(chunk: Buffer): void {
    bytes += chunk.length
    if (bytes > bytesMax) destroy()
  }

  async function connect(host: string, port: number): Promise<Socket> {
    const place = placeOf(host, port)
    try {
      const socket = await dial(host, port)
      failures.delete(place)
      return socket
    } catch (cause) {
      const found = cause instanceof ProxyRefusal ? cause.failure : brokenOff
      if (failures.size < rememberedMax || failures.has(place)) failures.set(place, found)
      if (found.kind === 'blocked' && refused.size < rememberedMax) refused.add(place)
      throw cause
    }
  }

  async function dial(host: string, port: number): Promise<Socket> {
    const judge = (address: string): void => {
      const judgement = deps.guard.judgeAddress(address, port)
      const isLoop = placeOf(address, port) === ownPlace
      if (judgement.allowed && !isLoop) return
      const who = isIP(host) === 0 ? `${host} leads to` : `${host} is`
      const reason = judgement.allowed ? { reason: 'the proxy of this check' } : judgement
      throw new ProxyRefusal(deps.guard.refusal(who, { allowed: false, ...reason }))
    }
    let found: readonly string[] = [host]
    if (isIP(host) === 0) {
      const resolved = isLocalName(host)
        ? { addresses: ['127.0.0.1', '::1'], failure: undefined }
        : await deps.resolver.resolve(host, ipFamily, orgId)
      if (resolved.failure !== undefined) throw new ProxyRefusal(resolved.failure)
      found = resolved.addresses
    }
    // A name is forbidden if one of its addresses is, as for every check.
    for (const address of found) judge(address)
    if (isOver) throw new ProxyRefusal(brokenOff)
    return new Promise((resolve, reject) => {
      const opening = new Dial({ addresses: found.slice(0, addressesMax), port }, deps, {
        connected({ socket, address }) {
          open.delete(opening)
          if (addresses.size < rememberedMax) addresses.add(address)
          if (isOver) socket.destroy()
          resolve(track(socket))
        },
        failed(failed) {
          open.delete(opening)
          reject(new ProxyRefusal(failed))
        },
      })
      open.add(opening)
    })
  }

  async function tunnel({ url = '' }: IncomingMessage, inner: Duplex, head: Buffer): Promise<void> {
    track(inner)
    const target = targetOf(`http://${url}`)
    if (target === undefined) return void inner.end(answer(400))
    try {
      const outer = await connect(target.host, target.port)
      inner.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) outer.write(head)
      join(inner, outer)
    } catch {
      inner.end(answer(502))
    }
  }

  function join(inner: Duplex, outer: Socket): void {
    inner.on('data', count)
    outer.on('data', count)
    inner.pipe(outer)
    outer.pipe(inner)
    inner.once('close', () => outer.destroy())
    outer.once('close', () => inner.destroy())
  }

  async function forward(asked: IncomingMessage, told: ServerResponse): Promise<void> {
    const target = asked.url?.startsWith('http://') ? targetOf(asked.url) : undefined
    if (target === undefined) return void told.writeHead(400).end()
    try {
      const socket = await connect(target.host, target.port)
      const { method = 'GET' } = asked
      const headers = withoutHopHeaders(asked.rawHeaders)
      const passed = request({ createConnection: () => socket, method, path: target.path, headers })
      open.add(passed)
      passed.once('close', () => open.delete(passed))
      passed.on('response', (answered) => {
        told.writeHead(
          answered.statusCode ?? 502,
          answered.statusMessage,
          withoutHopHeaders(answered.rawHeaders),
        )
        answered.on('data', count)
        answered.pipe(told)
        answered.on('error', () => told.destroy())
      })
      passed.on('error', () => told.destroy())
      passed.on('upgrade', () => told.destroy())
      told.once('close', () => socket.destroy())
      asked.on('data', count)
      asked.pipe(passed)
    } catch {
      told.writeHead(502, { connection: 'close' }).end()
    }
  }

  const server = createServer({ headersTimeout: headersTimeoutMs }, (asked, told) => {
    void forward(asked, told)
  })
  server.maxConnections = connectionsMax
  server.on('connection', (socket) => {
    if (client === undefined || socket.remoteAddress === client.address) track(socket)
    else socket.destroy()
  })
  server.on('connect', (asked, inner, head) => void tunnel(asked, inner, head))

  function destroy(): void {
    if (isOver) return
    isOver = true
    server.close()
    for (const one of open) one.destroy()
    open.clear()
  }

  const octets = ['127', ...Array.from({ length: 3 }, () => randomInt(octetMin, octetMax))]
  const address = client?.ownAddress ?? octets.join('.')
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: address, port: 0 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const listening = server.address()
  ownPlace = placeOf(address, typeof listening === 'object' ? (listening?.port ?? 0) : 0)
  return {
    place: ownPlace,
    get addresses() {
      return [...addresses]
    },
    refused,
    bytes: () => bytes,
    isFull: () => bytes > bytesMax,
    failureOf: (host, port) => failures.get(placeOf(host, port)),
    destroy,
  }
}

const addressesMax = 8
const brokenOff = failure('connect', 'the connection could not be opened')

class ProxyRefusal extends Error {
  readonly failure: Failure

  constructor(found: Failure) {
    super(found.message)
    this.failure = found
  }
}

interface ProxyTarget {
  /** An address of IPv6 has no brackets. */
  readonly host: string
  readonly port: number
  readonly path: string
}

function targetOf(text: string): ProxyTarget | undefined {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = url.port === '' ? 80 : Number(url.port)
  if (host === '' || port === 0) return undefined
  return { host, port, path: `${url.pathname}${url.search}` }
}

const hopHeader =
  /^(connection|proxy-connection|proxy-authorization|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/** RFC 9110 §7.6.1: they are about one connection. */
function withoutHopHeaders(raw: readonly string[]): string[] {
  return raw.filter((_, i) => !hopHeader.test(raw[i - (i % 2)] ?? ''))
}

function answer(status: number): string {
  return `HTTP/1.1 ${status} \r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
}
