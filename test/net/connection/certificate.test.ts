// What is said of certificates, and what is found wrong with them, without a connection.
import { X509Certificate } from 'node:crypto'
import t from 'tap'
import {
  certificateNamesMax,
  certificateTextCharsMax,
  described,
  problemsOf,
  type TlsIdentity,
} from '../../../src/net/connection/certificate.ts'
import { chainRoot, chains, oddCertificate } from '../../support/chain-certificates.ts'

const leaf = new X509Certificate(chains.leaf.cert)
const nowMs = Date.UTC(2100, 0, 1)

function shown(fields: Partial<TlsIdentity> = {}): TlsIdentity {
  return {
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_128_GCM_SHA256',
    alpn: null,
    chain: [leaf],
    trustProblem: null,
    isForHost: true,
    staple: undefined,
    ...fields,
  }
}

const problems = (fields: Partial<TlsIdentity>) => problemsOf(shown(fields), nowMs)

t.test('names of every kind are distinguished, and some key types have no size', async (t) => {
  const odd = described(new X509Certificate(oddCertificate), nowMs)
  const uri = 'URI:https://a.example/?x=1,2'
  t.same(odd.names, ['*.example', uri, 'email:me@a.example', '0:0:0:0:0:0:0:1'])
  t.same(odd.key, { type: 'ed25519', bits: null })
  t.equal(odd.signatureAlgorithm, 'ED25519')
  t.same(problems({ chain: [new X509Certificate(oddCertificate)] }), [], 'and is strong enough')
})

t.test('a certificate with endless names is reported in part', async (t) => {
  const subjectAltName = Array.from({ length: 5_000 }, (_, i) => `DNS:n${i}.example`).join(', ')
  const many = Object.create(leaf, {
    subjectAltName: { value: `${subjectAltName}, DNS:${'x'.repeat(9_000)}` },
    subject: { value: `CN=${'y'.repeat(9_000)}` },
    issuer: { value: leaf.issuer },
    validFromDate: { value: leaf.validFromDate },
    validToDate: { value: leaf.validToDate },
    serialNumber: { value: '1' },
    fingerprint256: { value: '' },
    signatureAlgorithm: { value: '' },
    publicKey: { value: leaf.publicKey },
    toLegacyObject: { value: () => leaf.toLegacyObject() },
  })
  const told = described(many, nowMs)
  t.equal(told.names.length, certificateNamesMax)
  t.equal(told.subject.length, certificateTextCharsMax)
})

t.test('days are whole ones, and negative once it is over', async (t) => {
  const endMs = leaf.validToDate.getTime()
  const day = 86_400_000
  const daysLeft = (atMs: number) => described(leaf, atMs).daysLeft
  t.equal(daysLeft(endMs - day), 1)
  t.equal(daysLeft(endMs - day + 1), 0)
  t.equal(daysLeft(endMs), 0)
  for (const passedMs of [1, day / 2, day]) t.equal(daysLeft(endMs + passedMs), -1)
  t.equal(daysLeft(endMs + day + 1), -2)
})

t.test('the worst comes first, and nothing is repeated', async (t) => {
  const old = { protocol: 'TLSv1', trustProblem: 'ERR_TLS_CERT_ALTNAME_INVALID' }
  t.same(problems({ ...old, isForHost: false }), [
    'the certificate is for another host name',
    'the server supports nothing newer than TLS 1.0',
  ])
  t.same(problems({ chain: [] }), ['the server showed no certificate'])
  t.same(problems({ trustProblem: 'NEW_CODE' }), ['the certificate is not accepted (NEW_CODE)'])
  t.same(problems({ trustProblem: 'CERT_NOT_YET_VALID' }), [
    'a certificate of the chain is not valid yet',
  ])
})

t.test('a root may be old and weak', async (t) => {
  const weakRoot = Object.create(new X509Certificate(chainRoot), {
    subject: { value: 'CN=root' },
    issuer: { value: 'CN=root' },
    signatureAlgorithm: { value: 'sha1WithRSAEncryption' },
    publicKey: { value: { asymmetricKeyType: 'rsa' } },
    toLegacyObject: { value: () => ({ bits: 1_024 }) },
  })
  t.same(problems({ chain: [leaf, weakRoot] }), [])
  const crossed = Object.create(weakRoot, { issuer: { value: 'CN=other' } })
  t.same(problems({ chain: [leaf, crossed] }), [
    'the key of an intermediate certificate is too short (RSA, 1024 bits): at least 2048 are needed',
    'an intermediate certificate is signed with SHA-1, which can be forged',
  ])
})

t.test('hashes are known by all the names that OpenSSL gives them', async (t) => {
  const signed = (signatureAlgorithm: string) =>
    Object.create(leaf, {
      ...Object.fromEntries(
        (['validFromDate', 'validToDate', 'subject', 'issuer', 'publicKey'] as const).map(
          (name) => [name, { value: leaf[name] }],
        ),
      ),
      toLegacyObject: { value: () => leaf.toLegacyObject() },
      signatureAlgorithm: { value: signatureAlgorithm },
    })
  const weak: readonly [string, string][] = [
    ['sha1WithRSAEncryption', 'SHA-1'],
    ['ecdsa-with-SHA1', 'SHA-1'],
    ['RSA-SHA1', 'SHA-1'],
    ['md5WithRSAEncryption', 'MD5'],
    ['md4WithRSAEncryption', 'MD4'],
  ]
  for (const [name, hash] of weak) {
    const sentence = `the certificate is signed with ${hash}, which can be forged`
    t.same(problems({ chain: [signed(name)] }), [sentence], name)
  }
  for (const name of ['sha256WithRSAEncryption', 'ecdsa-with-SHA384', 'ED25519', 'rsassaPss']) {
    t.same(problems({ chain: [signed(name)] }), [], name)
  }
})
