// What is wrong with a certificate, in words and with what it says of itself.
import { X509Certificate } from 'node:crypto'
import t from 'tap'
import { certificateFault, detailed } from '../../../src/net/connection/certificate.ts'
import { testCertificates } from '../../support/certificates.ts'
import { chains } from '../../support/chain-certificates.ts'

const nowMs = Date.UTC(2026, 0, 1)
const certificate = ({ cert }: { readonly cert: string }) => new X509Certificate(cert)
const { good, expired, other } = testCertificates

function namedAs(names: readonly string[]): X509Certificate {
  const subjectAltName = names.join(', ')
  return Object.create(certificate(good), { subjectAltName: { value: subjectAltName } })
}

t.test('the sentence says since when, from when, or for which names', async (t) => {
  t.match(certificateFault('CERT_HAS_EXPIRED', certificate(expired), nowMs), {
    message: 'the certificate has expired',
    detail: 'it was valid until 1 January 2021, 00:00 UTC',
  })
  t.match(certificateFault('CERT_NOT_YET_VALID', certificate(chains.future), nowMs), {
    message: 'the certificate is not valid yet',
    detail: /^it is valid from \d+ \w+ 2\d{3}, .* UTC$/,
  })
  t.match(certificateFault('ERR_TLS_CERT_ALTNAME_INVALID', certificate(other), nowMs), {
    message: 'the certificate is for another host name',
    detail: 'it is for other.example',
  })
  t.notOk('detail' in certificateFault('CERT_REVOKED', certificate(good), nowMs))
  t.notOk('detail' in certificateFault('CERT_HAS_EXPIRED', undefined, nowMs))
})

t.test('the dates of its chain are not reported as its own', async (t) => {
  const found = certificateFault('CERT_HAS_EXPIRED', certificate(good), nowMs)
  t.same(found.message, 'a certificate of the chain has expired')
  t.equal(found.detail, undefined)
})

t.test('a key that is too short is reported as that', async (t) => {
  const found = certificateFault('UNSPECIFIED', certificate(chains.weakKey), nowMs)
  t.match(found.message, /^the key of the certificate is too short \(RSA, 1024 bits\)/)
  const odd = certificateFault('UNSPECIFIED', certificate(good), nowMs)
  t.equal(odd.message, 'the certificate is not accepted (UNSPECIFIED)')
})

t.test('few names are reported, and no free text of its owner', async (t) => {
  const told = (...names: string[]) =>
    detailed('the certificate is for another host name', namedAs(names)).detail
  t.equal(told('DNS:a.example', 'DNS:*.b.example'), 'it is for a.example and *.b.example')
  t.equal(told('DNS:a.b', 'IP Address:10.0.0.1', 'DNS:c.d'), 'it is for a.b, 10.0.0.1 and c.d')
  const many = Array.from({ length: 5 }, (_, n) => `DNS:n${n}.example`)
  t.equal(told(...many), 'it is for n0.example, n1.example, n2.example and 2 more')
  t.equal(told('DNS:Call 555 now!', 'DNS:a.b'), 'it is for a.b and 1 more')
  t.equal(told('DNS:\u202eevil', 'DNS:<b>'), 'it names no host')
  t.equal(told(), 'it names no host')
  t.equal(told(`DNS:${`${'x'.repeat(60)}.`.repeat(3)}test`)?.length, 'it is for '.length + 80)
})

t.test('an invalid host name is not reported', async (t) => {
  const told = (name: string) =>
    detailed('the certificate is for another host name', namedAs([`DNS:${name}`])).detail
  const never = [
    ...['-'.repeat(20), '::::', ':::::', '*', '*.', '**.a.test', 'a.*.test', '...', '.a', 'a..b'],
    ...['https:evil', '-a.test', 'a-.test', '___', '555.1234', '10.0.0.256', 'fe80::1%call.555'],
    ...['x'.repeat(64), 'x'.repeat(500), 'a.'.repeat(130)],
  ]
  for (const name of never) t.equal(told(name), 'it names no host', name)
  for (const name of [
    'localhost',
    '_a.b_c.test',
    'xn--bcher-kva.test.',
    '*.a.test',
    '::1',
    '3m.co',
  ]) {
    t.equal(told(name), `it is for ${name}`)
  }
})
