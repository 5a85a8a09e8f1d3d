// The one question about DNSSEC, to name servers that answer in every way.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { askSignatures } from '../../../src/net/dns/signatures.ts'
import { rdata, startRecordsServer } from '../../support/dns-records-server.ts'
import { freePort } from '../../support/free-port.ts'

const clock = startClock()
t.after(() => clock.stop())
const host = '127.0.0.1'
const question = { type: 'A', name: 'a.test' } as const
const untilMs = Date.UTC(2030, 0, 31, 12)

async function ask(port: number, opened: { destroy(): void }[] = [], waitMs = 2_000) {
  const track = (one: { destroy(): void }) => void opened.push(one)
  return askSignatures(question, { host, port }, { clock, waitMs, track })
}

/** A server over UDP that sends what the query is turned into. */
async function startTwisted(t: Test, replies: (query: Buffer) => readonly Buffer[]) {
  const udp = createSocket('udp4')
  udp.on('message', (query, peer) => {
    for (const bytes of replies(query)) udp.send(bytes, peer.port, peer.address)
  })
  udp.bind(0, host)
  await once(udp, 'listening')
  t.teardown(() => udp.close())
  return udp.address().port
}

/** The query as its own answer, with other flags. */
function answered(query: Buffer, high: number, low: number): Buffer {
  const bytes = Buffer.from(query)
  bytes[2] = high
  bytes[3] = low
  return bytes
}

t.test('a server says that it validated an answer, and until when it is signed', async (t) => {
  const records = [rdata.address('192.0.2.1')]
  const dns = await startRecordsServer({ 'A a.test': { records, isAuthentic: true } })
  t.teardown(() => dns.close())
  t.same(await ask(dns.port), { authenticated: true, signed: false })
  dns.zone = { 'A a.test': { records, signedUntilMs: untilMs } }
  t.same(await ask(dns.port), { authenticated: false, signed: true, expiresAtMs: untilMs })
  dns.zone = { 'A a.test': { records } }
  t.same(await ask(dns.port), { authenticated: false, signed: false })
})

t.test('what is too long for UDP is asked again over TCP', async (t) => {
  const records = [rdata.address('192.0.2.1')]
  const signed = { records, isTruncated: true, isAuthentic: true, signedUntilMs: untilMs }
  const dns = await startRecordsServer({ 'A a.test': signed })
  t.teardown(() => dns.close())
  t.same(await ask(dns.port), { authenticated: true, signed: true, expiresAtMs: untilMs })
  t.same(dns.questions, ['udp A a.test', 'tcp A a.test'])
})

t.test('answers to other questions are passed over', async (t) => {
  const port = await startTwisted(t, (query) => {
    const good = answered(query, 0x81, 0xa0)
    const otherNumber = Buffer.from(good)
    otherNumber[0] = (otherNumber[0] ?? 0) ^ 1
    const otherName = Buffer.from(good)
    otherName[13] = 'b'.charCodeAt(0)
    return [Buffer.from('x'), Buffer.alloc(0), otherNumber, otherName, Buffer.from(query), good]
  })
  t.same(await ask(port), { authenticated: true, signed: false })
})

t.test('every other end has the code of c-ares', async (t) => {
  const dns = await startRecordsServer({ 'A a.test': { code: 2 } })
  t.teardown(() => dns.close())
  await t.rejects(ask(dns.port), { code: 'ESERVFAIL' })
  dns.zone = {}
  await t.rejects(ask(dns.port), { code: 'ENOTFOUND' })
  dns.zone = { 'A a.test': 'silent' }
  await t.rejects(ask(dns.port, [], 50), { code: 'ETIMEOUT' })
  t.equal(dns.questions.filter((one) => one.startsWith('udp')).length, 4, 'it is asked twice')
  await t.rejects(ask(await freePort()), { code: 'ECONNREFUSED' })
  const records = (count: number) => (query: Buffer) => {
    const bytes = answered(query, 0x81, 0x80)
    bytes.writeUInt16BE(count, 6)
    return [bytes]
  }
  const short = await startTwisted(t, records(2_000))
  await t.rejects(ask(short), { code: 'EBADRESP' })
  const old = await startTwisted(t, (query) => [
    Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x81]), Buffer.alloc(8)]),
  ])
  await t.rejects(ask(old), { code: 'EFORMERR' })
})

t.test('a check that ends takes its question with it', async (t) => {
  const dns = await startRecordsServer({ 'A a.test': 'silent' })
  t.teardown(() => dns.close())
  const opened: { destroy(): void }[] = []
  const asked = ask(dns.port, opened, 60_000)
  for (const one of opened) one.destroy()
  await t.rejects(asked, { code: 'ECANCELLED' })
})
