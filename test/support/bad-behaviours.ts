// Everything that a web server can do wrong, as a table: what it does, and what a check says of it.
import { createSecureContext, TLSSocket, type TlsOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { ErrorKind, PhaseName } from '../../src/domain/checks/reading.ts'
import {
  asked,
  bombs,
  drips,
  floods,
  greets,
  type Serve,
  says,
  saysAndResets,
  saysAndWaits,
} from './bad-server.ts'
import { testCertificates } from './certificates.ts'
import { chainIntermediate, chains } from './chain-certificates.ts'
import type { TargetFields } from './make-target.ts'

/** `good`, or the kind of the failure with the phase it is in. */
type Outcome = 'good' | ErrorKind | `${ErrorKind} ${PhaseName}`

export interface Behaviour {
  readonly serve: Serve
  /** What a check says that only looks at the status. */
  readonly status: Outcome | readonly Outcome[]
  /** What one says that looks for "needle" in the body, where that is something else. */
  readonly body?: Outcome | readonly Outcome[]
  /** Speaks TLS. */
  readonly tls?: TlsOptions
  /** Is asked with https, whatever it speaks. */
  readonly isSecure?: boolean
  readonly fields?: TargetFields
  /** By what name it is asked, where that is not 127.0.0.1. */
  readonly host?: string
  /** Takes its time by what it is, so that it is no part of a long run. */
  readonly isSlow?: boolean
}

const ok = 'HTTP/1.1 200 OK\r\n'
const sized = (length: number | string): string => `${ok}content-length: ${length}\r\n\r\n`
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`
const notHttp = 'invalid_response download'
const late = 'timeout download'
const needle = 'a needle in it'
const good = `${sized(needle.length)}${needle}`
const inChunks = (...chunks: readonly string[]): string => {
  const all = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  return `${chunked}${all.join('')}0\r\n\r\n`
}
const redirect = (location: string, status = 302): Serve =>
  says(`HTTP/1.1 ${status} Go\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)
const header = (line: string): Serve => says(good.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`))
const coded = (coding: string, body: string | Buffer = needle): Serve =>
  says(Buffer.concat([Buffer.from(`${ok}content-encoding: ${coding}\r\n\r\n`), Buffer.from(body)]))
const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const resetNow: Serve = (socket) => {
  socket.resetAndDestroy()
}
const closeNow: Serve = (socket) => {
  socket.end()
}
const silent: Serve = () => {}
const short = { timeoutMs: 250 } as const
const secure = { tls: testCertificates.good } as const

/** Before any HTTP: the connection, and what speaks something else. */
export const connections: Readonly<Record<string, Behaviour>> = {
  'answers as it should': { serve: says(good), status: 'good' },
  'resets as soon as it is connected to': {
    serve: resetNow,
    // It depends on what the kernel tells first.
    status: ['connect connect', 'reset firstByte'],
  },
  'closes as soon as it is connected to': { serve: closeNow, status: 'reset firstByte' },
  'says nothing at all': { serve: silent, status: 'timeout firstByte', fields: short },
  'takes the request and says nothing': {
    serve: asked(() => {}),
    status: 'timeout firstByte',
    fields: short,
  },
  'does not read the request': {
    serve: (socket) => {
      setImmediate(() => socket.pause())
      setTimeout(() => socket.resume(), 400)
    },
    status: 'timeout firstByte',
    fields: { ...short, method: 'POST', body: 'x'.repeat(64 * 1024) },
  },
  'takes the request and resets': { serve: saysAndResets(''), status: 'reset firstByte' },
  'takes the request and closes': { serve: says(''), status: 'reset firstByte' },
  'closes only its own half': {
    serve: asked((socket) => socket.end(good)),
    status: 'good',
  },
  'greets as SSH does': {
    serve: greets('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'),
    status: notHttp,
  },
  'greets as SMTP does': {
    serve: greets('220 mx.example.test ESMTP Postfix\r\n'),
    status: notHttp,
  },
  'greets as FTP does': { serve: greets('220 (vsFTPd 3.0.3)\r\n'), status: notHttp },
  'greets as IMAP does': {
    serve: greets('* OK [CAPABILITY IMAP4rev1] ready\r\n'),
    status: notHttp,
  },
  'greets as MySQL does': {
    serve: greets(bytes('4a 00 00 00 0a 38 2e 30 2e 33 36 00 0b 00 00 00')),
    status: notHttp,
  },
  'answers as Redis does': {
    serve: says("-ERR unknown command 'GET', with args beginning with: '/'\r\n"),
    status: notHttp,
  },
  'answers as memcached does': { serve: says('ERROR\r\n'), status: notHttp },
  'speaks HTTP/2 from the start': {
    serve: greets(bytes('00 00 12 04 00 00 00 00 00 00 03 00 00 00 64 00 04 00 10 00 00')),
    status: notHttp,
  },
  'answers with the preface of HTTP/2': {
    serve: says('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    status: notHttp,
  },
  'answers as HTTP/0.9 did': {
    serve: says('<html>hello</html>'),
    status: notHttp,
  },
  'answers with a request': {
    serve: says('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
    status: notHttp,
  },
  'answers with NULs': { serve: says(Buffer.alloc(1024)), status: notHttp },
  'answers with what it was sent': {
    serve: (socket) => socket.pipe(socket),
    status: notHttp,
  },
  'answers before it is asked': { serve: greets(good), status: 'good' },
}

/** The head of the answer. */
export const heads: Readonly<Record<string, Behaviour>> = {
  'sends half a status line': { serve: saysAndWaits('HTTP/1.'), status: late, fields: short },
  'sends half a head': { serve: saysAndWaits(`${ok}a: b\r\n`), status: late, fields: short },
  'drips its head': { serve: drips(ok, 'a: b\r\n'), status: late, fields: short },
  'drips its status line': { serve: drips('', ok.charAt(0)), status: notHttp },
  'closes in the middle of its head': { serve: says(`${ok}a: b\r\n`), status: 'reset download' },
  'resets in the middle of its head': {
    serve: saysAndResets(`${ok}a: b\r\n`),
    status: 'reset download',
  },
  'sends a header of 1 MB': { serve: header(`a: ${'x'.repeat(1_000_000)}`), status: notHttp },
  'sends a header of 15 KB': { serve: header(`a: ${'x'.repeat(15_000)}`), status: 'good' },
  'sends ten thousand headers': { serve: header('a: b\r\n'.repeat(10_000)), status: notHttp },
  'sends headers for ever': { serve: floods(ok, 'a: b\r\n'), status: notHttp },
  'sends one header for ever': { serve: floods(`${ok}a: `, 'x'), status: notHttp },
  'sends a header name for ever': { serve: floods(ok, 'x'), status: notHttp },
  'sends a reason for ever': { serve: floods('HTTP/1.1 200 ', 'x'), status: notHttp },
  'sends empty lines for ever': { serve: floods('', '\r\n'), status: 'invalid_response firstByte' },
  'sends a header without a colon': { serve: header('no colon'), status: notHttp },
  'sends a header without a name': { serve: header(': no name'), status: notHttp },
  'sends a space before the colon': { serve: header('a : b'), status: notHttp },
  'sends a NUL in a header': { serve: header('a: b\0c'), status: notHttp },
  'sends a bell in a header': { serve: header('a: b\x07c'), status: notHttp },
  'sends a bare CR in a header': { serve: header('a: b\rc: d'), status: notHttp },
  'sends a bare LF between headers': { serve: header('a: b\nc: d'), status: notHttp },
  'folds a header': { serve: header('a: b\r\n c'), status: notHttp },
  'sends Latin-1 in a header': { serve: header('a: \u00e9'), status: 'good' },
  'sends a name that objects have': {
    serve: header('__proto__: x\r\nconstructor: y\r\ntoString: z'),
    status: 'good',
  },
  'sends its content type twice': {
    serve: header('content-type: text/plain\r\ncontent-type: text/html'),
    status: 'good',
  },
  'has a status of two digits': { serve: says('HTTP/1.1 99 No\r\n\r\n'), status: notHttp },
  'has a status of four digits': { serve: says('HTTP/1.1 2000 OK\r\n\r\n'), status: notHttp },
  'has a status of 999': { serve: says('HTTP/1.1 999 Odd\r\n\r\n'), status: 'status' },
  'has a status of 000': { serve: says('HTTP/1.1 000 No\r\n\r\n'), status: notHttp },
  'has a negative status': { serve: says('HTTP/1.1 -200 No\r\n\r\n'), status: notHttp },
  'has no status': { serve: says('HTTP/1.1 OK\r\n\r\n'), status: notHttp },
  'has no reason': { serve: says(good.replace(' OK', '')), status: 'good' },
  'speaks HTTP/1.0': { serve: says(good.replace('1.1', '1.0')), status: 'good' },
  'speaks HTTP/2.0 in words': { serve: says(good.replace('1.1', '2.0')), status: 'good' },
  'speaks HTTP/9.9': { serve: says(good.replace('1.1', '9.9')), status: notHttp },
  'writes HTTP small': { serve: says(good.replace('HTTP', 'http')), status: notHttp },
  'ends its lines with LF alone': { serve: says(good.replaceAll('\r', '')), status: notHttp },
  'begins with an empty line': { serve: says(`\r\n${good}`), status: 'good' },
  'says 100 first': { serve: says(`HTTP/1.1 100 Continue\r\n\r\n${good}`), status: 'good' },
  'says 100 first, closing': {
    serve: says(`HTTP/1.0 100 Continue\r\nconnection: close\r\n\r\n${good}`),
    status: 'good',
  },
  'says 100 and no more': {
    serve: saysAndWaits('HTTP/1.1 100 Continue\r\n\r\n'),
    status: late,
    fields: short,
  },
  'says 100 and closes': { serve: says('HTTP/1.1 100 Continue\r\n\r\n'), status: 'reset download' },
  'says 100 for ever': { serve: floods('', 'HTTP/1.1 100 Continue\r\n\r\n'), status: notHttp },
  'says 103 first': {
    serve: says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${good}`),
    status: 'good',
  },
  'says 102 for ever': {
    serve: floods('', 'HTTP/1.1 102 Processing\r\n\r\n'),
    status: notHttp,
  },
  'drips 102': {
    serve: drips('', 'HTTP/1.1 102 Processing\r\n\r\n'),
    status: late,
    fields: short,
  },
  'switches to another protocol': {
    serve: says('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhello'),
    status: notHttp,
  },
  'says 101 and nothing of an upgrade': {
    serve: says('HTTP/1.1 101 Switching\r\n\r\nhello'),
    status: notHttp,
  },
  'offers an upgrade with its answer': {
    serve: header('upgrade: h2c\r\nconnection: upgrade'),
    status: 'good',
  },
}

/** The body of the answer, and how long it says it is. */
export const bodies: Readonly<Record<string, Behaviour>> = {
  'sends half a body': { serve: saysAndWaits(`${sized(99)}half`), status: late, fields: short },
  'drips its body': { serve: drips(sized(99_999), 'x'), status: late, fields: short },
  'drips a body without an end': { serve: drips(`${ok}\r\n`, 'x'), status: late, fields: short },
  'closes in the middle of its body': {
    serve: says(`${sized(99)}half`),
    status: 'invalid_response download',
  },
  'resets in the middle of its body': {
    serve: saysAndResets(`${sized(99)}half`),
    status: 'reset download',
  },
  'resets a body without a length': {
    serve: saysAndResets(`${ok}\r\nhalf`),
    status: 'reset download',
  },
  'sends more than it said': { serve: says(`${good} and more`), status: 'good' },
  'sends two answers': { serve: says(`${good}${good}`), status: 'good' },
  'sends an answer and then something else': { serve: says(`${good}\0\0\0`), status: 'good' },
  'sends a body without an end': {
    serve: floods(`${ok}\r\n`, 'x'),
    status: 'good',
    body: 'body_too_large download',
  },
  'promises 9 exabytes': {
    serve: floods(sized('9000000000000000000'), 'x'),
    status: 'good',
    body: 'body_too_large download',
  },
  'has a length of 2^64': { serve: says(`${sized('18446744073709551616')}x`), status: notHttp },
  'has a length of 2^64 - 1': {
    serve: says(`${sized('18446744073709551615')}x`),
    status: 'invalid_response download',
  },
  'has a negative length': { serve: says(`${sized(-1)}x`), status: notHttp },
  'has a length in hex': { serve: says(`${sized('0x10')}x`), status: notHttp },
  'has a length with a plus': { serve: says(`${sized('+4')}four`), status: notHttp },
  'has a length with a fraction': { serve: says(`${sized('4.0')}four`), status: notHttp },
  'has an empty length': { serve: says(`${sized('')}four`), status: notHttp },
  'has its length twice': {
    serve: says(`${ok}content-length: 4\r\ncontent-length: 4\r\n\r\nfour`),
    status: notHttp,
  },
  'has two lengths': {
    serve: says(`${ok}content-length: 4\r\ncontent-length: 5\r\n\r\nfour5`),
    status: notHttp,
  },
  'has a list of lengths': { serve: says(`${sized('4, 4')}four`), status: notHttp },
  'has a length and chunks': {
    serve: says(`${ok}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    status: notHttp,
  },
  'has chunks and a length': {
    serve: says(`${ok}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n`),
    status: notHttp,
  },
  'has an unknown transfer coding': {
    serve: says(`${ok}transfer-encoding: cow\r\n\r\n${needle}`),
    status: 'good',
  },
  'has chunks within a coding': {
    serve: says(`${ok}transfer-encoding: chunked, gzip\r\n\r\n${needle}`),
    status: 'good',
  },
  'has chunks': { serve: says(inChunks('a nee', 'dle in it')), status: 'good' },
  'has chunks for HTTP/1.0': {
    serve: says(inChunks(needle).replace('1.1', '1.0')),
    status: 'good',
  },
  'has a chunk size that is no number': { serve: says(`${chunked}zz\r\nx`), status: notHttp },
  'has a chunk size of 2^64': {
    serve: says(`${chunked}10000000000000000\r\nx`),
    status: notHttp,
  },
  'has a negative chunk size': { serve: says(`${chunked}-1\r\nx`), status: notHttp },
  'has an empty chunk size': { serve: says(`${chunked}\r\nx`), status: notHttp },
  'has a chunk size in 0x': { serve: says(`${chunked}0x4\r\nfour\r\n`), status: notHttp },
  'has a chunk that is longer than it says': {
    serve: says(`${chunked}2\r\nfour\r\n0\r\n\r\n`),
    status: notHttp,
  },
  'has a chunk that is shorter than it says': {
    serve: says(`${chunked}9\r\nfour\r\n0\r\n\r\n`),
    status: notHttp,
  },
  'closes before the last chunk': {
    serve: says(`${chunked}4\r\nfour\r\n`),
    status: 'invalid_response download',
  },
  'has chunk extensions': {
    serve: says(`${chunked}e;a=b;c="d"\r\n${needle}\r\n0\r\n\r\n`),
    status: 'good',
  },
  'has chunk extensions without an end': { serve: floods(`${chunked}1;a=`, 'x'), status: notHttp },
  'has chunks of one byte without an end': {
    serve: floods(chunked, '1\r\nx\r\n'),
    status: 'good',
    body: 'body_too_large download',
  },
  'has trailers': {
    serve: says(`${chunked}e\r\n${needle}\r\n0\r\na: b\r\n\r\n`),
    status: 'good',
  },
  'has trailers without an end': { serve: floods(`${chunked}0\r\n`, 'a: b\r\n'), status: notHttp },
  'has a trailer without an end': { serve: floods(`${chunked}0\r\na: `, 'x'), status: notHttp },
  'has a body with 204': {
    serve: says('HTTP/1.1 204 No\r\ncontent-length: 4\r\n\r\nfour'),
    status: 'good',
    fields: { expect: { expectedStatus: 204 } },
    body: 'assertion',
  },
  'has a body with 304': {
    serve: says('HTTP/1.1 304 No\r\ncontent-length: 4\r\n\r\nfour'),
    status: 'good',
    fields: { expect: { expectedStatus: 304 } },
    body: 'assertion',
  },
  'has a body with 205': {
    serve: says('HTTP/1.1 205 No\r\ncontent-length: 4\r\n\r\nfour'),
    status: 'good',
    fields: { expect: { expectedStatus: 205 } },
    body: 'assertion',
  },
  'has a body for HEAD': {
    serve: says(good),
    status: 'good',
    fields: { method: 'HEAD' },
    body: 'assertion',
  },
  'has an endless body for HEAD': {
    serve: floods(sized(9), 'x'),
    status: 'good',
    fields: { method: 'HEAD' },
    body: 'assertion',
  },
  'has only a head for HEAD': {
    serve: says(sized(1_000_000)),
    status: 'good',
    fields: { method: 'HEAD' },
    body: 'assertion',
  },
  'has an empty body': { serve: says(sized(0)), status: 'good', body: 'assertion' },
  'has invalid UTF-8 around it': {
    serve: says(Buffer.concat([Buffer.from(sized(18)), bytes('ff c0 80 ed'), Buffer.from(needle)])),
    status: 'good',
  },
  'has a byte order mark': { serve: says(`${sized(17)}\ufeff${needle}`), status: 'good' },
  'has UTF-16 and says nothing of it': {
    serve: says(Buffer.concat([Buffer.from(sized(30)), Buffer.from(`\ufeff${needle}`, 'utf16le')])),
    status: 'good',
  },
  'has UTF-16 and says so': {
    serve: says(
      Buffer.concat([
        Buffer.from(`${ok}content-type: text/plain; charset=utf-16le\r\n\r\n`),
        Buffer.from(`\ufeff${needle}`, 'utf16le'),
      ]),
    ),
    status: 'good',
  },
  'has a charset that nobody knows': {
    serve: says(`${ok}content-type: text/plain; charset=klingon\r\n\r\n${needle}`),
    status: 'good',
  },
  'has a charset without an end': {
    serve: says(`${ok}content-type: text/plain; charset=${'x'.repeat(9_000)}\r\n\r\n${needle}`),
    status: 'good',
  },
  'has NULs in its body': { serve: says(`${ok}\r\n\0\0${needle}\0`), status: 'good' },
  'packs 200 MB with gzip': {
    serve: bombs('gzip', 200 * 1024 * 1024),
    status: 'good',
    body: 'body_too_large download',
    isSlow: true,
  },
  'packs 64 MB with deflate': {
    serve: bombs('deflate', 64 * 1024 * 1024),
    status: 'good',
    body: 'body_too_large download',
    isSlow: true,
  },
  'packs 200 MB with br': {
    serve: bombs('br', 200 * 1024 * 1024),
    status: 'good',
    body: 'body_too_large download',
    isSlow: true,
  },
  'packs 200 MB with zstd': {
    serve: bombs('zstd', 200 * 1024 * 1024),
    status: 'good',
    body: 'body_too_large download',
    isSlow: true,
  },
  'names a thousand codings': {
    serve: coded(Array.from({ length: 1_000 }, () => 'gzip').join(',')),
    status: 'good',
    body: 'invalid_response download',
  },
  'names a coding a thousand times': {
    serve: header('content-encoding: gzip\r\n'.repeat(600).trim()),
    status: 'good',
    body: 'invalid_response download',
  },
  'names a coding that nobody knows': {
    serve: coded('cow'),
    status: 'good',
    body: 'invalid_response download',
  },
  'names a coding that objects have': {
    serve: coded('constructor'),
    status: 'good',
    body: 'invalid_response download',
  },
  'says gzip and is not': {
    serve: coded('gzip'),
    status: 'good',
    body: 'invalid_response download',
  },
  'says br and is not': { serve: coded('br'), status: 'good', body: 'invalid_response download' },
  'says zstd and is not': {
    serve: coded('zstd'),
    status: 'good',
    body: 'invalid_response download',
  },
  'says deflate and is not': {
    serve: coded('deflate'),
    status: 'good',
    body: 'invalid_response download',
  },
  'says gzip and sends nothing': { serve: coded('gzip', ''), status: 'good', body: 'assertion' },
  'cuts its gzip off': {
    serve: coded('gzip', gzipSync(needle).subarray(0, -12)),
    status: 'good',
    body: 'invalid_response download',
  },
  'sends something after its gzip': {
    serve: coded('gzip', Buffer.concat([gzipSync(needle), Buffer.from('and more')])),
    status: 'good',
    body: notHttp,
  },
  'sends gzip within gzip': {
    serve: coded('gzip', gzipSync(gzipSync(needle))),
    status: 'good',
    body: 'assertion',
  },
}

/** Where it leads on to. */
export const redirects: Readonly<Record<string, Behaviour>> = {
  'redirects to itself': { serve: redirect('/'), status: 'redirect_loop' },
  'redirects to itself with another fragment': { serve: redirect('/#a'), status: 'redirect_loop' },
  'redirects on and on': {
    serve: asked((socket, head) => {
      const [, path = ''] = head.split(' ')
      socket.end(`HTTP/1.1 302 Go\r\nlocation: ${path}x\r\ncontent-length: 0\r\n\r\n`)
    }),
    status: 'redirect_loop',
    fields: { maxRedirects: 20 },
  },
  'redirects by 308 and 307 in turns': {
    serve: asked((socket, head) => {
      const status = head.includes('/a') ? 307 : 308
      const to = status === 307 ? '/' : '/a'
      socket.end(`HTTP/1.1 ${status} Go\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`)
    }),
    status: 'redirect_loop',
  },
  'redirects to a file': { serve: redirect('file:///etc/passwd'), status: 'blocked' },
  'redirects to a script': { serve: redirect('javascript:alert(1)'), status: 'blocked' },
  'redirects to data': { serve: redirect('data:text/plain,needle'), status: 'blocked' },
  'redirects to gopher': { serve: redirect('gopher://127.0.0.1:70/_x'), status: 'blocked' },
  'redirects to a user and a password': {
    serve: redirect('http://user:password@127.0.0.1/'),
    status: 'blocked',
  },
  'redirects to a port of 0': { serve: redirect('http://127.0.0.1:0/'), status: 'blocked' },
  'redirects to a port of 99999': {
    serve: redirect('http://127.0.0.1:99999/'),
    status: 'invalid_response',
  },
  'redirects to no host': { serve: redirect('http://'), status: 'invalid_response' },
  'redirects to metadata': { serve: redirect('http://169.254.169.254/x'), status: 'blocked' },
  'redirects to metadata in hex': { serve: redirect('http://0xa9fea9fe/'), status: 'blocked' },
  'redirects to metadata by IPv6': {
    serve: redirect('//[::ffff:169.254.169.254]/'),
    status: 'blocked',
  },
  'redirects to 10,000 characters': {
    serve: redirect(`/${'x'.repeat(10_000)}`),
    status: 'blocked',
  },
  'redirects to nowhere': { serve: says('HTTP/1.1 302 Go\r\n\r\n'), status: 'status' },
  'redirects to an empty place': { serve: redirect(''), status: 'redirect_loop' },
  'redirects to two places': {
    serve: redirect('/a\r\nlocation: /b'),
    status: 'status',
  },
  'redirects to a place with CR and LF': {
    serve: redirect('/%0d%0aset-cookie:%20a=b'),
    status: 'redirect_loop',
  },
  'redirects to a place with a tab': { serve: redirect('/a\tb'), status: 'redirect_loop' },
  'redirects with a body without an end': {
    serve: floods('HTTP/1.1 302 Go\r\nlocation: /\r\n\r\n', 'x'),
    status: 'redirect_loop',
  },
  'redirects in chunks that are broken': {
    serve: says('HTTP/1.1 302 Go\r\nlocation: /\r\ntransfer-encoding: chunked\r\n\r\nzz'),
    status: 'redirect_loop',
  },
  'says 300 with a place to go': { serve: redirect('/', 300), status: 'status' },
  'says 304 with a place to go': { serve: redirect('/', 304), status: 'status' },
}

const record = (type: string, body: string): Buffer => {
  const payload = bytes(body)
  const length = payload.length.toString(16).padStart(4, '0')
  return Buffer.concat([bytes(`${type} 03 03 ${length}`), payload])
}
/** Asked with https; speaks for itself, without any TLS of Node's. */
const handshake = (serve: Serve, status: Outcome, fields?: TargetFields): Behaviour => ({
  serve,
  status,
  isSecure: true,
  ...(fields && { fields }),
})
const onHello = (script: Serve): Serve => {
  return (socket) => socket.once('data', () => script(socket))
}
const certified = (tls: TlsOptions, status: Outcome, host?: string): Behaviour => ({
  serve: says(good),
  tls,
  status,
  ...(host === undefined ? {} : { host }),
})
const byName: TlsOptions = {
  ...testCertificates.other,
  SNICallback(name, done) {
    const context = createSecureContext(testCertificates.good)
    done(null, name === 'good.test.localhost' || name === 'localhost' ? context : undefined)
  },
}

/** TLS: the handshake, the certificate, and how it ends. */
export const secured: Readonly<Record<string, Behaviour>> = {
  'speaks TLS as it should': certified(testCertificates.good, 'good'),
  'takes the hello and says nothing': handshake(
    onHello(() => {}),
    'timeout tls',
    short,
  ),
  'takes the hello and closes': handshake(
    onHello((socket) => socket.end()),
    'tls tls',
  ),
  'takes the hello and resets': handshake(
    onHello((socket) => socket.resetAndDestroy()),
    'tls tls',
  ),
  'answers the hello with HTTP': handshake(
    onHello((socket) => socket.end(good)),
    'tls tls',
  ),
  'greets with SSH where TLS is asked for': handshake(greets('SSH-2.0-x\r\n'), 'tls tls'),
  'greets with SMTP where TLS is asked for': handshake(greets('220 mx ESMTP\r\n'), 'tls tls'),
  'answers the hello with NULs': handshake(
    onHello((socket) => socket.write(Buffer.alloc(512))),
    'tls tls',
  ),
  'answers the hello with the hello': handshake((socket) => socket.pipe(socket), 'tls tls'),
  'answers the hello with an alert': handshake(
    onHello((socket) => socket.write(record('15', '02 28'))),
    'tls tls',
  ),
  'answers the hello with close_notify': handshake(
    onHello((socket) => socket.write(record('15', '01 00'))),
    'tls tls',
  ),
  'warns for ever': handshake(
    onHello((socket) => {
      const timer = setInterval(() => socket.write(record('15', '01 5a')), 5)
      socket.on('close', () => clearInterval(timer))
    }),
    'tls tls',
  ),
  'sends half a record': handshake(
    onHello((socket) => socket.write(bytes('16 03 03 40 00 02 00'))),
    'timeout tls',
    short,
  ),
  'sends a record that is too long': handshake(
    onHello((socket) => socket.write(bytes('16 03 03 ff ff 02 00'))),
    'tls tls',
  ),
  'sends empty records for ever': handshake(
    onHello((socket) => {
      const block = Buffer.concat(Array.from({ length: 1_000 }, () => record('16', '')))
      const push = (): void => {
        while (socket.writable && socket.write(block));
      }
      socket.on('drain', push)
      push()
    }),
    'tls tls',
  ),
  'sends data before the handshake': handshake(
    onHello((socket) => socket.write(record('17', '00 00 00 00'))),
    'tls tls',
  ),
  'speaks TLS 1.0 only': certified({ ...testCertificates.good, maxVersion: 'TLSv1' }, 'tls tls'),
  'speaks TLS 1.1 only': certified({ ...testCertificates.good, maxVersion: 'TLSv1.1' }, 'tls tls'),
  'speaks TLS 1.2 only': certified({ ...testCertificates.good, maxVersion: 'TLSv1.2' }, 'good'),
  'speaks TLS 1.3 only': certified({ ...testCertificates.good, minVersion: 'TLSv1.3' }, 'good'),
  'knows no cipher of ours': certified(
    { ...testCertificates.good, ciphers: 'NULL:@SECLEVEL=0', maxVersion: 'TLSv1.2' },
    'tls tls',
  ),
  'speaks another protocol within TLS': certified(
    { ...testCertificates.good, ALPNProtocols: ['spdy/3'] },
    'tls tls',
  ),
  'shows a certificate that expired': certified(testCertificates.expired, 'tls tls'),
  'shows a certificate of the future': certified(
    { ...chains.future, cert: chains.future.cert + chainIntermediate },
    'tls tls',
  ),
  'shows a certificate that it signed itself': certified(testCertificates.self, 'tls tls'),
  'shows a certificate for somebody else': certified(testCertificates.other, 'tls tls'),
  'leaves the intermediate certificate out': certified(chains.leaf, 'tls tls'),
  'sends the intermediate certificate along': certified(
    { ...chains.leaf, cert: chains.leaf.cert + chainIntermediate },
    'good',
  ),
  'shows a certificate with a weak key': certified(chains.weakKey, 'tls tls'),
  'shows a certificate signed with SHA-1': certified(chains.weakSignature, 'tls tls'),
  'has an intermediate certificate that expired': certified(chains.oldIntermediate, 'tls tls'),
  'sends four hundred certificates': certified(
    { ...chains.leaf, cert: chains.leaf.cert + chainIntermediate.repeat(400) },
    'tls tls',
  ),
  'has the right certificate by name only, asked by name': certified(byName, 'good', 'localhost'),
  'has the right certificate by name only, asked by address': certified(byName, 'tls tls'),
  'knows nobody by that name': certified(
    { ...testCertificates.good, SNICallback: (_, done) => done(new Error('nobody')) },
    'tls tls',
    'localhost',
  ),
  'wants a certificate of ours': certified(
    { ...testCertificates.good, requestCert: true, rejectUnauthorized: true },
    'tls firstByte',
  ),
  'ends TLS in the middle of a body': {
    ...secure,
    serve: says(`${sized(99)}half`),
    status: 'invalid_response download',
  },
  'breaks TLS off in the middle of a body': {
    ...secure,
    serve: saysAndResets(`${sized(99)}half`),
    status: 'reset download',
  },
  'ends TLS without a word': { ...secure, serve: says(''), status: 'reset firstByte' },
  'ends TLS and goes on': {
    ...secure,
    serve: asked((socket) => {
      socket.end(good)
      socket.on('close', () => {})
    }),
    status: 'good',
  },
  'negotiates anew before it answers': {
    tls: { ...testCertificates.good, maxVersion: 'TLSv1.2' },
    serve: asked((socket) => {
      if (!(socket instanceof TLSSocket)) return
      socket.renegotiate({}, () => socket.end(good))
    }),
    status: 'good',
  },
  'says nothing after the handshake': {
    ...secure,
    serve: asked(() => {}),
    status: 'timeout firstByte',
    fields: short,
  },
  'drips its body through TLS': {
    ...secure,
    serve: drips(sized(99_999), 'x'),
    status: late,
    fields: short,
  },
  'sends a body without an end through TLS': {
    ...secure,
    serve: floods(`${ok}\r\n`, 'x'),
    status: 'good',
    body: 'body_too_large download',
  },
  'speaks TLS where HTTP is asked for': {
    ...secure,
    serve: says(good),
    status: 'reset firstByte',
    isSecure: false,
  },
  'redirects from https to http': {
    ...secure,
    serve: redirect('http://127.0.0.1:1/'),
    status: 'blocked',
  },
}

export const behaviours: Readonly<Record<string, Behaviour>> = {
  ...connections,
  ...heads,
  ...bodies,
  ...redirects,
  ...secured,
}

/** The behaviours that are over in a moment, for thousands of checks. */
export const quickBehaviours: readonly (readonly [name: string, Behaviour])[] = Object.entries(
  behaviours,
).filter(([, { isSlow, status }]) => isSlow !== true && !String(status).startsWith('timeout'))

/** Where a check finds it. */
export function urlOf({ tls, isSecure = tls !== undefined, host }: Behaviour, port: number) {
  return `${isSecure ? 'https' : 'http'}://${host ?? '127.0.0.1'}:${port}/`
}
