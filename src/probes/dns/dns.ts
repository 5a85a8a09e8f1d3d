// The DNS check: one query to the daemon's own name servers or to one that the monitor names.
import { createSocket } from 'node:dgram'
import { Resolver as CaresResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { clip } from '../../base/clip.ts'
import { wholeDays } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { dnsName, nameUrl, reverseName } from '../../net/dns/dns-name.ts'
import { waitMsMaxFor } from '../../net/dns/resolver.ts'
import { askSignatures, type DnsSignatures } from '../../net/dns/signatures.ts'
import { isLocalName } from '../../net/egress-policy.ts'
import {
  codeOf,
  connectFailure,
  type Failure,
  failure,
  internalFailure,
  localDnsFailure,
  noNameServer,
  silence,
} from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { defineKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeDeps, ProbeRun } from '../run/probe-run.ts'
import { askRecords, type Records, type RecordType, recordTypes } from './dns-records.ts'

interface NameServer {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

export interface DnsQuestion {
  readonly type: RecordType
  /** The name to look up, in DNS form. */
  readonly name: string
  /** The address to look up; PTR only. */
  readonly address?: string
  /** Null: the daemon's own name servers. */
  readonly server: NameServer | null
  /** The answer must be authenticated by the name server, or signed. */
  readonly dnssec?: 'required' | 'signed'
  readonly problem?: never
}

const dnsPort = 53

export const dns = defineKind({
  type: 'dns',
  fields: ['connection'],
  // The address is one of a name server, and says nothing about the name.
  sources: [],
  textName: 'answer',
  schemes: ['dns'],
  family: 'network',
  icon: 'signpost',
  example: 'dns://example.com?type=MX',
  urlForm:
    '`dns://name?type=MX&server=9.9.9.9`; server is an address or a name, with `:port` ' +
    "if it is not 53; absent: the daemon's name servers. type is one of " +
    `${recordTypes.join(', ')}; absent: A. With PTR the name is the address itself. With ` +
    '`&dnssec=required` the name server must say that it validated the answer, with `&dnssec=signed` it must ' +
    'have a signature that has not expired; both add `dnssec` to what is found',
  finds: 'json',
  typed: { keeps: 'host' },
  ownsQuery: true,
  usualPorts: new Set([dnsPort]),
  parse: parseDnsUrl,
  destination: ({ server, address = null }) => server ?? { host: address },
  problems({ ipFamily, url }) {
    // The operator configures the addresses of the daemon's own name servers.
    if (ipFamily === 'any' || /[?&]server=/.test(url ?? '')) return []
    const message = 'applies only when the url names a server'
    return [{ pointer: '/ipFamily', keyword: 'forbidden', message }]
  },
  open: (deps) => ({
    async look(question, target, run) {
      const servers = await serversFor(question, deps, run)
      return ask(question, servers, { deps, run, target })
    },
  }),
})

interface DnsCheck {
  readonly deps: ProbeDeps
  readonly run: ProbeRun
  readonly target: EndpointTarget
}

async function ask(
  question: DnsQuestion,
  servers: readonly string[],
  check: DnsCheck,
): Promise<TargetAnswer> {
  const { run, target } = check
  run.record.enter('dns')
  const channel = new CaresResolver({ timeout: tryMs(target.timeoutMs, servers.length), tries: 2 })
  channel.setServers(servers)
  run.track({ destroy: () => channel.cancel() })
  let startedMs = run.clock.monoMs()
  const askOnce = async (): Promise<SignedRecords> => {
    const records = await askRecords(channel, question.type, question.name)
    if (question.dnssec === undefined) return records
    return { ...records, signatures: await signaturesOf(question, servers, check) }
  }
  const askThem = async (): Promise<SignedRecords> => {
    if (run.isOver) throw new RunError(internalFailure, 'dns')
    startedMs = run.clock.monoMs()
    return askOnce().catch(async (cause) => {
      if (codeOf(cause) !== 'ECONNREFUSED') throw cause
      const own = await routeFailure(servers)
      if (own !== undefined) throw new RunError(own, 'dns')
      // A lack of file descriptors is retried once; if it fails again, that is the result.
      return askOnce()
    })
  }
  try {
    const { records, ttl, signatures } = await askWithPermit(question, servers, check, askThem)
    if (question.server === null) keepInside(run, question, records)
    const server = question.server === null ? null : placeOf(question.server)
    const { type, name } = question
    const nowMs = run.clock.wallMs()
    const dnssec = signatures && shownSignatures(signatures, nowMs)
    const text = JSON.stringify({
      ...{ type, name, server },
      ...(ttl === undefined ? {} : { ttl }),
      ...(dnssec && { dnssec }),
      records,
    })
    const unproven = signatures && unprovenFailure(question, signatures, nowMs)
    if (unproven === undefined) return { text, contentType: 'application/json' }
    run.record.text = text
    throw new RunError(unproven, 'dns')
  } catch (cause) {
    if (cause instanceof RunError) throw cause
    throw new RunError(answerFailure(codeOf(cause), question), 'dns')
  } finally {
    run.record.set('dns', run.clock.monoMs() - startedMs)
  }
}

/**
 * A query to our own name servers waits for a permit like every look-up; a query to the monitor's
 * own server does not.
 */
async function askWithPermit(
  { type, name }: DnsQuestion,
  servers: readonly string[],
  { deps: { resolver }, run, target }: DnsCheck,
  ask: () => Promise<SignedRecords>,
): Promise<SignedRecords> {
  const own = new Set(resolver.servers.map(withPort))
  if (!servers.some((server) => own.has(withPort(server)))) return ask()
  const waitMsMax = waitMsMaxFor(run.untilMs - run.clock.monoMs())
  const key = `${type} ${name}`
  const answer = await resolver.withPermit({ orgId: target.orgId ?? '', key, waitMsMax, ask })
  if ('failure' in answer) throw new RunError(answer.failure, 'dns')
  return answer.found
}

interface SignedRecords extends Records {
  readonly signatures?: DnsSignatures
}

/** What the first of the servers says that answers. */
async function signaturesOf(
  { type, name }: DnsQuestion,
  servers: readonly string[],
  { run, target }: DnsCheck,
): Promise<DnsSignatures> {
  const waitMs = tryMs(target.timeoutMs, servers.length)
  const track: ProbeRun['track'] = (opened) => run.track(opened)
  let cause: unknown
  for (const place of servers) {
    const server = serverIn(place)
    if (server === undefined) continue
    try {
      return await askSignatures({ type, name }, server, { clock: run.clock, waitMs, track })
    } catch (error) {
      cause = error
    }
  }
  throw cause
}

function shownSignatures({ expiresAtMs, ...said }: DnsSignatures, nowMs: number) {
  if (expiresAtMs === undefined) return said
  const expiresAt = new Date(expiresAtMs).toISOString()
  return { ...said, expiresAt, daysLeft: wholeDays(expiresAtMs - nowMs) }
}

/** What the answer lacks of what the monitor asks for. */
function unprovenFailure(
  { dnssec, name, server }: DnsQuestion,
  { authenticated, signed, expiresAtMs = Number.POSITIVE_INFINITY }: DnsSignatures,
  nowMs: number,
): Failure | undefined {
  const what = clip(name, limits.quotedCharsMax)
  if (dnssec === 'required') {
    const who = server === null ? 'the name servers' : `the name server ${placeOf(server)}`
    return authenticated
      ? undefined
      : failure('dns', `${who} did not validate the answer for ${what} (DNSSEC)`)
  }
  if (!signed) return failure('dns', `the answer for ${what} is not signed (DNSSEC)`)
  if (expiresAtMs > nowMs) return undefined
  const day = new Date(expiresAtMs).toISOString().slice(0, '2026-01-31'.length)
  return failure('dns', `the signature of ${what} expired on ${day} (DNSSEC)`)
}

/** How long a name server has at least for the first try of a DNS monitor. */
const dnsTryMsMin = 250

/**
 * The timeout of the first try for each server. The second try lasts twice as long, and c-ares may
 * need as much time again to notice the end of each: up to six times the first timeout must fit
 * into the time of the check.
 */
function tryMs(timeoutMs: number, servers: number): number {
  const share = Math.floor(timeoutMs / (6 * Math.max(servers, 1)))
  return Math.min(Math.max(share, dnsTryMsMin), limits.dnsTryMsMax)
}

/**
 * The servers in c-ares' form. Servers that the operator configured need not pass the egress
 * policy.
 */
async function serversFor(
  { server, address }: DnsQuestion,
  { resolver }: ProbeDeps,
  run: ProbeRun,
): Promise<readonly string[]> {
  const own = resolver.servers
  if (server === null) {
    // Our name servers may know names of the operator's private network, so the address must be one
    // that the egress policy allows.
    if (address !== undefined) run.permit(address, [address])
    if (own.length === 0) throw new RunError(noNameServer, 'dns')
    return own
  }
  const { host, port } = server
  const isOwn = (one: NameServer) => own.map(withPort).includes(placeOf(one))
  const addresses = isOwn(server) ? [host] : await addressesOf(server, run)
  const [first] = addresses
  if (first !== undefined && addresses.length === 1) run.record.reached(first)
  return addresses.map((found) => placeOf({ host: found, port }))
}

/** Other checks may not use port 53, but these may, so only the address is judged. */
function addressesOf({ host, port }: NameServer, run: ProbeRun): Promise<readonly string[]> {
  return run.resolve(host, port === dnsPort ? undefined : port)
}

function keepInside(run: ProbeRun, { type, name }: DnsQuestion, records: readonly unknown[]): void {
  if (type !== 'A' && type !== 'AAAA') return
  const addresses = records.map(String)
  run.permit(name, addresses)
  // Private addresses in the answer are hidden like the answer of a target at one.
  run.record.addresses = addresses
}

/** The meaning of a missing answer. */
function answerFailure(code: string, { type, name, server }: DnsQuestion): Failure {
  const who = server === null ? 'the name servers' : `the name server ${placeOf(server)}`
  const what = clip(name, limits.quotedCharsMax)
  // A server that the monitor names is the target, so its silence is the target's failure.
  const serverFailure = (message: string) =>
    server === null ? silence('dns', message, 'dns') : failure('dns', message)
  const unheard = (message: string) => silence('dns', message, server === null ? 'dns' : 'way')
  switch (code) {
    case 'ENOTFOUND':
      return failure('dns', `there is no such name as ${what}`)
    case 'ENODATA':
      return failure('dns', `${what} has no ${type} record`)
    case 'ETIMEOUT':
      return unheard(`${who} did not answer in time for ${what}`)
    case 'ESERVFAIL':
      return serverFailure(`${who} failed to answer (SERVFAIL) for ${what}`)
    case 'EREFUSED':
      return serverFailure(`${who} refused to answer for ${what}`)
    case 'EFORMERR':
    case 'ENOTIMP':
      return failure('dns', `${who} did not accept the query (${code.slice(1)})`)
    case 'EBADRESP':
      return failure('dns', `${who} sent an invalid response`)
    case 'ECONNREFUSED':
      return server === null ? noNameServer : unheard(`nothing answers at ${who}`)
    default:
      return localDnsFailure(code) ?? failure('dns', `the look-up of ${what} failed (${code})`)
  }
}

/** A query for the root's name servers: the shortest one that every name server understands. */
const rootQuestion = Buffer.from('0000010000010000000000000000020001', 'hex')

/**
 * Whether this machine cannot reach the server. c-ares reports "refused" whenever it cannot send,
 * even if that is our own fault, so this sends one query itself.
 */
async function routeFailure(servers: readonly string[]): Promise<Failure | undefined> {
  const [place] = servers
  if (place === undefined) return undefined
  const { host, port } = serverIn(place) ?? { host: '', port: dnsPort }
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
  const cause = await new Promise<unknown>((resolve) => {
    socket.once('error', resolve)
    socket.connect(port, host, (...found: unknown[]) => {
      // A local firewall reports an error only after something was sent.
      if (found[0]) resolve(found[0])
      else socket.send(rootQuestion, resolve)
    })
  })
  socket.close()
  if (cause === undefined || cause === null) return undefined
  const found = connectFailure(cause, place, { isAtOnce: true })
  return found.result === 'unknown' ? { ...found, kind: 'dns' } : undefined
}

/** `192.0.2.1:53` or `[2001:db8::1]:53`. */
function placeOf({ host, port }: NameServer): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** c-ares omits the port if it is 53. */
function withPort(server: string): string {
  const found = serverIn(server)
  return found === undefined ? server : placeOf(found)
}

/** The query of a URL, or what is wrong with it as a sentence without its subject. */
export function parseDnsUrl(text: string): DnsQuestion | UrlFault {
  const url = nameUrl(text, 'dns')
  if ('problem' in url) return url
  for (const key of url.query.keys()) {
    if (key !== 'type' && key !== 'server' && key !== 'dnssec')
      return { problem: 'must have no query parameters other than type, server and dnssec' }
    if (url.query.getAll(key).length > 1) return { problem: `must have only one ${key}` }
  }
  const type = recordTypes.find((one) => one === (url.query.get('type') ?? 'A').toUpperCase())
  if (type === undefined) return { problem: `must have a type of ${recordTypes.join(', ')}` }
  const dnssec = url.query.get('dnssec') ?? undefined
  if (dnssec !== undefined && dnssec !== 'required' && dnssec !== 'signed') {
    return { problem: 'must have a dnssec of required or signed' }
  }
  const proof: Pick<DnsQuestion, 'dnssec'> = dnssec === undefined ? {} : { dnssec }
  const given = url.query.get('server')
  const server = given === null ? null : serverIn(given)
  if (server === undefined) {
    return { problem: 'must have a server such as 192.0.2.1, [2001:db8::1]:5353 or ns.example.com' }
  }
  const address = url.host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0) {
    return type === 'PTR'
      ? { type, name: reverseName(address), address, server, ...proof }
      : { problem: `names an address, which has no ${type} record: use type=PTR` }
  }
  const found = dnsName(url.host)
  if (found.problem !== undefined) return found
  const { name } = found
  if (isLocalName(name)) return { problem: 'must not name this machine itself' }
  if (type === 'PTR' && name.endsWith('.arpa')) {
    return { problem: 'must have the address itself, such as dns://192.0.2.1?type=PTR' }
  }
  return { type, name, server, ...proof }
}

/** Parses a server; undefined if it is invalid. */
function serverIn(text: string): NameServer | undefined {
  if (isIP(text) !== 0) return { host: text, port: dnsPort }
  const [, bracketed, bare = '', digits = String(dnsPort)] =
    /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = Number(digits)
  if (port < 1 || port > 65_535) return undefined
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : undefined
  if (isIP(bare) !== 0) return { host: bare, port }
  const { name } = dnsName(bare)
  return name === undefined ? undefined : { host: name, port }
}
