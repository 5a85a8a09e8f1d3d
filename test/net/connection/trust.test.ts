// Authorities of a monitor of its own: whom its checks trust, and that nobody else does.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { clockTrustOf } from '../../../src/net/connection/clock-trust.ts'
import {
  secureContext,
  type TrustDeps,
  trustContextsMax,
  trusting,
} from '../../../src/net/connection/trust.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { chainIntermediate, chainRoot, chains } from '../../support/chain-certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { startSmtpInbox } from '../../support/smtp-inbox.ts'
import { answer, redirectTo, startTarget } from '../../support/target.ts'
import { startTlsTarget } from '../../support/tls-target.ts'
import { serverFrame, welcome } from '../../support/websocket.ts'

const { good } = testCertificates
const clock = startClock()
t.after(() => clock.stop())
const deps = { guard: createGuard({ targets: 'any' }), resolver: resolverTo('127.0.0.1'), clock }
const { probe } = createProbes(deps)
const check = (fields: TargetFields) =>
  probe(makeTarget({ timeoutMs: 30_000, ...fields }), { clock })
const untrusted = { result: 'failed', error: { kind: 'tls' } } as const

t.test('only the monitor that names a private authority trusts its targets', async (t) => {
  const web = await startTarget(answer(), { tls: good })
  const sockets = await startTarget(welcome(serverFrame(0x81, 'hi')), { tls: good })
  t.after(() => Promise.all([web.close(), sockets.close()]))
  const starttls = await startSmtpInbox(t, { tls: good })
  const smtps = await startSmtpInbox(t, { tls: good, isSecure: true })
  const rows: readonly (TargetFields & { readonly url: string })[] = [
    { url: `https://localhost:${web.port}/` },
    { checkType: 'ssl', url: `tls://localhost:${await startTlsTarget(t, good)}` },
    { checkType: 'websocket', url: `wss://localhost:${sockets.port}/` },
    { checkType: 'smtp', url: `smtp://localhost:${starttls.port}?starttls=required` },
    { checkType: 'smtp', url: `smtps://localhost:${smtps.port}` },
  ]
  for (const fields of rows) {
    t.match(await check(fields), untrusted, fields.url)
    t.match(await check({ ...fields, caCertificates: testCa }), { result: 'good' }, fields.url)
    t.match(await check({ ...fields, caCertificates: chainRoot }), untrusted, fields.url)
    t.match(await check(fields), untrusted, `${fields.url}, still`)
  }
})

t.test('authorities of a monitor hold where a redirect leads to another origin', async (t) => {
  const end = await startTarget(answer(), { tls: good })
  const begin = await startTarget(redirectTo(`https://127.0.0.1:${end.port}/`), { tls: good })
  t.after(() => Promise.all([begin.close(), end.close()]))
  const url = `https://localhost:${begin.port}/`
  t.match(await check({ url, caCertificates: `# ours\n${testCa}` }), { result: 'good' })
  t.equal(end.calls.length, 1)
})

t.test('an intermediate authority is enough, and several are trusted', async (t) => {
  const port = await startTlsTarget(t, chains.leaf)
  const fields = { checkType: 'ssl', url: `tls://localhost:${port}` } as const
  t.match(await check({ ...fields, caCertificates: testCa }), untrusted)
  const caCertificates = `${testCa}\n${chainIntermediate}`
  t.match(await check({ ...fields, caCertificates }), { result: 'good' })
})

t.test('what checks.caFile names is trusted besides the authorities of a monitor', async (t) => {
  const web = await startTarget(answer(), { tls: good })
  t.after(() => web.close())
  let added: readonly string[] | undefined = [testCa]
  const { probe } = createProbes({ ...deps, addedCa: () => added })
  const target = makeTarget({ url: `https://localhost:${web.port}/`, caCertificates: chainRoot })
  t.match(await probe(target, { clock }), { result: 'good' })
  added = undefined
  t.match(await probe(target, { clock }), untrusted, 'until it is no more there')
})

t.test('those with the same authorities share a context, and few are kept', (t) => {
  const own: TrustDeps = { clock }
  const first = trusting(own, testCa)
  t.equal(trusting(own, testCa), first)
  t.equal(secureContext(trusting(own, testCa), false), secureContext(first, false))
  t.not(secureContext(first, false), secureContext(own, false))
  for (let n = 1; n < trustContextsMax; n += 1) trusting(own, `${n}\n${testCa}`)
  t.equal(trusting(own, testCa), first, 'as many as that are kept')
  for (let n = 0; n < trustContextsMax; n += 1) trusting(own, `more ${n}\n${testCa}`)
  t.not(trusting(own, testCa), first, 'those that were not used for longest are not')
  t.end()
})

t.test('certificates of a monitor’s own authority prove our clock to nobody else', (t) => {
  const told: string[] = []
  const clockWatch = {
    doubted: () => told.push('doubted'),
    confirmed: () => told.push('confirmed'),
  }
  const all: TrustDeps = { clock, clockWatch }
  const own = trusting(all, testCa)
  clockTrustOf(own).noteValid()
  t.ok(clockTrustOf(own).isTrusted())
  t.notOk(clockTrustOf(all).isTrusted())
  t.notOk(clockTrustOf(trusting(all, chainRoot)).isTrusted())
  t.same(told, [])
  clockTrustOf(all).noteValid()
  t.ok(clockTrustOf(trusting(all, chainRoot)).isTrusted(), 'what all know, it knows too')
  t.end()
})
