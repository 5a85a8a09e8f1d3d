// The rules of clientCertificate and clientKey: what is refused, and in which words.
import { execFileSync } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { clientCertificateProblems } from '../../../src/domain/monitors/client-certificate.ts'
import { completedInput, inputProblems } from '../../../src/domain/monitors/monitor-input.ts'
import { secretMask } from '../../../src/domain/secret-mask.ts'
import { unusableClientCertificate } from '../../../src/net/connection/usable-identity.ts'
import { kindOf } from '../../../src/probes/registry.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { chainIntermediate, chains } from '../../support/chain-certificates.ts'
import { skipWithout } from '../../support/programs.ts'
import { testFolder } from '../../support/test-folder.ts'

const { good, expired, other } = testCertificates
const pairOf = (clientCertificate: string | null, clientKey: string | null) => ({
  clientCertificate,
  clientKey,
  isActive: true,
})
const problemsOf = (clientCertificate: string | null, clientKey: string | null) => {
  const pair = pairOf(clientCertificate, clientKey)
  return [...clientCertificateProblems(pair), ...unusableClientCertificate(pair)]
}

t.test('a certificate with its key is taken, in each of the usual forms', (t) => {
  const key = createPrivateKey(good.key)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  t.same(problemsOf(null, null), [])
  t.same(problemsOf(good.cert, good.key), [], 'SEC 1')
  t.same(problemsOf(good.cert, String(key.export({ type: 'pkcs8', format: 'pem' }))), [], 'PKCS#8')
  const pkcs1 = String(privateKey.export({ type: 'pkcs1', format: 'pem' }))
  t.match(problemsOf(good.cert, pkcs1), [{ message: /must be the key of the first/ }], 'PKCS#1')
  t.same(problemsOf(`# ours\n${chains.leaf.cert}${chainIntermediate}`, chains.leaf.key), [])
  t.same(problemsOf(expired.cert, expired.key), [], 'the check says that it has expired')
  t.same(problemsOf(good.cert, secretMask), [], 'the stored key')
  t.end()
})

t.test('what cannot be used is refused where it is given', (t) => {
  const key = createPrivateKey(good.key)
  const options = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const
  const encrypted = String(key.export({ type: 'pkcs8', ...options }))
  const former = String(key.export({ type: 'sec1', ...options }))
  const broken = good.cert.replace(/MII/, 'AAA')
  const { privateKey: weak } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const rows = [
    [good.cert, null, '/clientKey', /^is required with clientCertificate$/],
    [null, good.key, '/clientCertificate', /^is required with clientKey$/],
    [good.cert, encrypted, '/clientKey', /^must not be encrypted: openssl pkey -in /],
    [good.cert, former, '/clientKey', /^must not be encrypted: openssl pkey -in /],
    [good.cert, 'a key', '/clientKey', /^must be one private key in PEM/],
    [good.cert, good.cert, '/clientKey', /^must be one private key in PEM/],
    [
      good.cert,
      `${good.key}${'-'.repeat(limits.clientKeyBytesMax)}`,
      '/clientKey',
      /at most 16384/,
    ],
    [good.cert, other.key, '/clientKey', /^must be the key of the first of clientCertificate$/],
    [
      good.cert,
      String(weak.export({ type: 'pkcs8', format: 'pem' })),
      '/clientKey',
      /^must be the/,
    ],
    [testCa + good.cert, good.key, '/clientCertificate', /clientKey, which is number 2$/],
    [good.key, good.key, '/clientCertificate', /certificates in PEM, each from/],
    [good.cert + good.key, good.key, '/clientCertificate', /nothing else in PEM, such as a key/],
    [good.cert + broken, good.key, '/clientCertificate', /number 2 cannot be read as X.509/],
    [good.cert.repeat(11), good.key, '/clientCertificate', /at most 10: there are 11/],
  ] as const
  for (const [cert, given, pointer, message] of rows) {
    t.match(problemsOf(cert, given), [{ pointer, message }], String(message))
  }
  t.end()
})

t.test(
  'a key that is too short for TLS is refused',
  { skip: skipWithout('openssl') },
  async (t) => {
    const dir = testFolder(t)
    const files = ['-keyout', `${dir}/key.pem`, '-out', `${dir}/cert.pem`]
    const made = ['req', '-x509', '-newkey', 'rsa:1024', '-nodes', '-subj', '/CN=short', ...files]
    execFileSync('openssl', made, { stdio: 'ignore' })
    const [cert, key] = ['cert', 'key'].map((name) => readFileSync(`${dir}/${name}.pem`, 'utf8'))
    t.match(problemsOf(cert ?? '', key ?? ''), [
      { pointer: '/clientCertificate', message: 'cannot be used for TLS (ee key too small)' },
    ])
  },
)

t.test('a paused monitor may wait for its key, as one that was imported does', (t) => {
  t.same(clientCertificateProblems({ ...pairOf(good.cert, null), isActive: false }), [])
  t.end()
})

t.test('only checks that speak TLS have a client certificate', (t) => {
  const pointersOf = (checkType: string, url: string) =>
    inputProblems(
      completedInput({ name: 'A', checkType, url, ...pairOf(good.cert, good.key) }),
      kindOf({ checkType }),
    ).map(({ pointer }) => pointer)
  for (const [kind, url] of [
    ['endpoint', 'https://a.test'],
    ['websocket', 'wss://a.test'],
    ['grpc', 'grpcs://a.test'],
    ['postgres', 'postgres://a.test/db'],
    ['mqtt', 'mqtts://a.test'],
    ['smtp', 'smtp://a.test'],
    ['ssl', 'https://a.test'],
  ] as const) {
    t.same(pointersOf(kind, url), [], kind)
  }
  t.same(pointersOf('tcp', 'tcp://a.test:1'), ['/clientCertificate', '/clientKey'])
  t.end()
})
