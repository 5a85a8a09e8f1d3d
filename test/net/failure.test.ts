// What errors mean: whose fault it is, of which kind, in which words.
import t from 'tap'
import {
  certificateFailure,
  connectFailure,
  dnsFailure,
  exchangeFailure,
  handshakeFailure,
  timeoutFailure,
} from '../../src/net/failure.ts'

const coded = (code: string, message = '') => Object.assign(new Error(message), { code })
const before = { hasStatus: false, bodyBytes: 0 }
const atOnce = { isAtOnce: true }
const during = { hasStatus: true, bodyBytes: 7 }

t.test('failures of the prober are never blamed on the target', async (t) => {
  const own = [
    ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EADDRINUSE', 'EAGAIN'],
    ...['ENETDOWN', 'EPERM', 'EAFNOSUPPORT'],
  ]
  for (const code of own) {
    t.match(connectFailure(coded(code), 'x:1'), { result: 'unknown', kind: 'connect' }, code)
    t.equal(dnsFailure(code, 'x').result, 'unknown', code)
    t.equal(exchangeFailure(coded(code), before).result, 'unknown', code)
    t.match(handshakeFailure(coded(code)), { result: 'unknown', kind: 'tls' }, code)
  }
  t.equal(dnsFailure('ECONNREFUSED', 'x').result, 'unknown', 'our own name server')
})

t.test('a router’s message is our own failure only if no packet had left', async (t) => {
  for (const code of ['ENETUNREACH', 'EHOSTUNREACH', 'EHOSTDOWN', 'EACCES']) {
    const unknownFailure = { result: 'unknown', kind: 'connect' }
    t.match(connectFailure(coded(code), 'x:1', atOnce), unknownFailure, code)
    const doubtful = { result: 'failed', doubt: 'way' }
    t.match(connectFailure(coded(code), 'x:1'), { ...doubtful, kind: 'connect' }, code)
    t.match(exchangeFailure(coded(code), during), { ...doubtful, kind: 'timeout' }, code)
    t.match(handshakeFailure(coded(code)), { ...doubtful, kind: 'tls' }, code)
  }
  t.equal(connectFailure(coded('EINVAL'), 'x:1', atOnce).result, 'unknown', 'a dropping route')
  t.equal(connectFailure(coded('ENEW'), 'x:1', atOnce).result, 'unknown', 'whatever it is')
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT']) {
    t.equal(connectFailure(coded(code), 'x:1', atOnce).result, 'failed', 'heard on loopback')
  }
})

t.test('failures of the target say what happened', async (t) => {
  const place = '[::1]:80'
  t.equal(connectFailure(coded('ECONNREFUSED'), place).message, 'connection refused by [::1]:80')
  t.match(connectFailure(coded('EHOSTUNREACH'), place), { result: 'failed', kind: 'connect' })
  t.match(connectFailure('odd', place), { result: 'failed', message: /cannot connect to/ })
  t.match(handshakeFailure(coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')), {
    kind: 'tls',
    message: 'the TLS handshake failed (tlsv1 alert protocol version)',
  })
  t.equal(certificateFailure('CERT_HAS_EXPIRED').message, 'the certificate has expired')
  t.match(certificateFailure('NEW_CODE').message, /NEW_CODE/)
  t.equal(dnsFailure('ENOTFOUND', 'x.example').message, 'there is no such name as x.example')
  t.match(timeoutFailure(500, 'tls').message, 'not finished within 500 ms')
})

t.test('an exchange that breaks off is a reset or a response that is wrong', async (t) => {
  const closed = coded('UND_ERR_SOCKET', 'other side closed')
  t.equal(exchangeFailure(coded('ECONNRESET'), before).kind, 'reset')
  t.equal(exchangeFailure(closed, before).kind, 'reset')
  const short = { kind: 'invalid_response', message: /after 7 bytes/ }
  t.match(exchangeFailure(closed, during), short)
  t.equal(exchangeFailure(coded('UND_ERR_HEADERS_OVERFLOW'), before).kind, 'invalid_response')
})
