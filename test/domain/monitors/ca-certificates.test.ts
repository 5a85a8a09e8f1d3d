// The rules of caCertificates: what is refused, and in which words.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  caCertificatesProblems,
  unreadableCertificates,
} from '../../../src/domain/monitors/ca-certificates.ts'
import { completedInput, inputProblems } from '../../../src/domain/monitors/monitor-input.ts'
import { kindOf } from '../../../src/probes/registry.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'

const broken = testCa.replace(/MII.{60}/, 'MIIB')

t.test('authorities are whole certificates in PEM, few and short', (t) => {
  const { good } = testCertificates
  const many = testCa.repeat(limits.caCertificatesMax)
  for (const text of [null, testCa, `# ours: Прага\r\n${testCa}\n\n${good.cert}`, many]) {
    t.same(caCertificatesProblems(text), [])
    t.same(unreadableCertificates(text), [])
  }
  const form = /must be certificates in PEM, each from/
  for (const [text, message] of [
    ['no certificate', form],
    [testCa + good.key, form],
    [testCa.slice(0, -30), form],
    [testCa.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE'), form],
    [testCa.replace('\nMII', '\nProc-Type: 4,ENCRYPTED\n\nMII'), form],
    [many + testCa, /at most 10: there are 11/],
    ['-'.repeat(limits.caCertificatesBytesMax + 1), /at most 32768 bytes/],
    ['é'.repeat(limits.caCertificatesBytesMax / 2 + 1), /at most 32768 bytes/],
  ] as const) {
    t.match(caCertificatesProblems(text), [{ pointer: '/caCertificates', message }])
    t.same(unreadableCertificates(text), [], 'nothing of it is read')
  }
  t.same(caCertificatesProblems(broken), [])
  const message = /must be certificates in PEM: number 2 cannot be read/
  t.match(unreadableCertificates(testCa + broken), [{ pointer: '/caCertificates', message }])
  t.end()
})

t.test('only checks that speak TLS have authorities', (t) => {
  const pointersOf = (checkType: string, url: string | null) =>
    inputProblems(
      completedInput({ name: 'A', checkType, url, caCertificates: testCa }),
      kindOf({ checkType }),
    ).map(({ pointer }) => pointer)
  for (const [kind, url] of [
    ['endpoint', 'https://a.test'],
    ['ssl', 'https://a.test'],
    ['smtp', 'smtp://a.test'],
    ['websocket', 'wss://a.test'],
  ] as const) {
    t.same(pointersOf(kind, url), [], kind)
  }
  for (const [kind, url] of [
    ['tcp', 'tcp://a.test:1'],
    ['ping', 'a.test'],
    ['dns', 'dns://a.test'],
    ['domain', 'domain://a.test'],
    ['push', null],
  ] as const) {
    t.same(pointersOf(kind, url), ['/caCertificates'], kind)
  }
  t.equal(completedInput({ name: 'A', caCertificates: '' }).caCertificates, null)
  t.end()
})
