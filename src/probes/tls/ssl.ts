// The check of a certificate: a handshake, and everything about what the server showed.
import {
  described,
  identityFailure,
  problemsOf,
  shownBy,
  type TlsIdentity,
} from '../../net/connection/certificate.ts'
import { stapleStatus } from '../../net/connection/ocsp.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, type UrlFault } from '../run/place-url.ts'

/** Ports on which TLS is standard: mail, directories, name servers, file transfer. */
const tlsPorts: ReadonlySet<number> = new Set([443, 465, 636, 853, 989, 990, 992, 993, 995])

/** The check connects to outdated and misconfigured servers as well, to report what is wrong. */
export const ssl = defineKind({
  type: 'ssl',
  fields: ['connection', 'stream', 'certificate'],
  sources: ['certificateDays', 'ip'],
  textName: 'certificate report',
  schemes: ['tls', 'https'],
  family: 'web',
  icon: 'shield-check',
  example: 'tls://mail.example.com:993',
  urlForm: '`https://host[:port]` (default 443; the path is ignored) or `tls://host:port`',
  finds: 'json',
  typed: { keeps: 'port', schemes: ['tls'] },
  usualPorts: tlsPorts,
  parse: parseSslUrl,
  destination: (url) => url,
  open: () => ({
    async look({ host, port, alpn }, _target, run) {
      const handshake = { alpn, isLenient: true, wantsStaple: true }
      const isUsualPort = tlsPorts.has(port)
      const to = { host, port, isTls: true }
      const opened = await run.connect(to, { isUsualPort, handshake })
      const nowMs = run.clock.wallMs()
      const shown = shownBy(opened, host)
      const text = JSON.stringify({ problems: problemsOf(shown, nowMs), ...report(shown, nowMs) })
      const found = identityFailure(run.deps, shown, nowMs)
      if (found === undefined) return { text, contentType: 'application/json' }
      run.record.text = text
      throw new RunError(found, 'tls')
    },
  }),
})

export interface SslUrl {
  readonly host: string
  readonly port: number
  /** The protocols offered in the handshake; only a web server is asked for its HTTP version. */
  readonly alpn: readonly string[]
  readonly problem?: never
}

const httpsPort = 443

/** Reads `https://host[:port]` or `tls://host:port`; the rest of a web address is ignored. */
export function parseSslUrl(text: string): SslUrl | UrlFault {
  const url = parsePlaceUrl(text, ['https', 'tls'])
  if (url.problem !== undefined) return url
  const { scheme, host, port, path, query } = url
  if (scheme === 'https') return { host, port: port ?? httpsPort, alpn: ['h2', 'http/1.1'] }
  if (port === null) return { problem: 'must name a port, such as tls://host:993' }
  if (path.length > 1 || query !== '') return { problem: 'must end after the port' }
  return { host, port, alpn: [] }
}

function report({ chain, staple, ...shown }: TlsIdentity, nowMs: number) {
  const certificates = chain.map((one) => described(one, nowMs))
  const [leaf] = certificates
  const { protocol, cipher, alpn, trustProblem, isForHost } = shown
  return {
    ...(leaf === undefined ? {} : { daysLeft: leaf.daysLeft }),
    protocol,
    cipher,
    alpn,
    isTrusted: trustProblem === null,
    isForHost,
    ocsp: ocspOf(staple, leaf?.serial ?? ''),
    chain: certificates,
  }
}

function ocspOf(staple: Buffer | undefined, serial: string) {
  if (staple === undefined) return { stapled: false }
  return { stapled: true, bytes: staple.length, status: stapleStatus(staple, serial) }
}
