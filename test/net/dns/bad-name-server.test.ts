// Name servers that do everything wrong: a look-up ends in time, and says what it was.
import t from 'tap'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import {
  type Answering,
  addressBytes,
  addresses,
  aliases,
  coded,
  nameBytes,
  number,
  recordOf,
  recordTypes,
  reply,
  startBadNameServer,
} from '../../support/bad-name-server.ts'
import { makeTarget } from '../../support/make-target.ts'
import { answer, startTarget } from '../../support/target.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'

const here = ['127.0.0.1'] as const
const loopback = addressBytes('127.0.0.1')
const claims = (count: number, records: Buffer): Answering => {
  return (question) => [reply(question, { count, records })]
}
const truncated: Answering = (question) => [reply(question, { flags: 0x8380 })]

interface Row {
  readonly answering: Answering
  readonly told: 'good' | 'dns dns' | 'timeout dns'
}

const rows: Readonly<Record<string, Row>> = {
  'answers as it should': { answering: addresses(here), told: 'good' },
  'says nothing': { answering: () => [], told: 'timeout dns' },
  'knows no such name': { answering: coded(3), told: 'dns dns' },
  'fails to answer': { answering: coded(2), told: 'dns dns' },
  'refuses to answer': { answering: coded(5), told: 'dns dns' },
  'does not understand': { answering: coded(1), told: 'dns dns' },
  'has not implemented it': { answering: coded(4), told: 'dns dns' },
  'has a code that nobody knows': { answering: coded(15), told: 'dns dns' },
  'has an empty answer': { answering: addresses([]), told: 'dns dns' },
  'sends garbage': { answering: () => [Buffer.from('hello, world')], told: 'dns dns' },
  'sends an empty packet': { answering: () => [Buffer.alloc(0)], told: 'timeout dns' },
  'sends the question back': { answering: ({ packet }) => [packet], told: 'dns dns' },
  'answers another question': {
    answering: (question) => {
      const packet = Buffer.from(question.packet)
      packet.writeUInt16BE(packet.readUInt16BE(0) ^ 1, 0)
      return addresses(here)({ ...question, packet })
    },
    told: 'timeout dns',
  },
  'answers about another name': {
    answering: (question) => {
      const packet = Buffer.from(question.packet)
      packet.write('b', 13)
      return addresses(here)({ ...question, packet })
    },
    told: 'timeout dns',
  },
  'sends the answer twice': {
    answering: (question) => [...addresses(here)(question), ...addresses(here)(question)],
    told: 'good',
  },
  'claims ten thousand answers': {
    answering: claims(10_000, recordOf(recordTypes.a, loopback)),
    told: 'dns dns',
  },
  'points in a circle': {
    answering: (question) => {
      const at = question.end
      const owner = Buffer.from([0xc0 | (at >> 8), at & 0xff])
      return [reply(question, { count: 1, records: recordOf(recordTypes.a, loopback, { owner }) })]
    },
    told: 'dns dns',
  },
  'sends an address of three bytes': {
    answering: claims(1, recordOf(recordTypes.a, loopback.subarray(1))),
    told: 'dns dns',
  },
  'sends a record that is longer than the packet': {
    answering: claims(1, recordOf(recordTypes.a, loopback).subarray(0, -2)),
    told: 'dns dns',
  },
  'answers with aliases in a circle': {
    answering: aliases(['b.test', 'a.test', 'b.test'], []),
    told: 'dns dns',
  },
  'has an alias that leads on to an address': {
    answering: aliases(['b.test'], here),
    told: 'good',
  },
  'has fifty aliases': {
    answering: aliases(
      Array.from({ length: 50 }, (_, i) => `a${i}.test`),
      here,
    ),
    told: 'good',
  },
  'knows an address of somebody else': {
    answering: claims(1, recordOf(recordTypes.a, loopback, { owner: nameBytes('other.test') })),
    told: 'good',
  },
  'says that its answer is good for no time': {
    answering: addresses(here, { ttlSeconds: 0 }),
    told: 'good',
  },
  'says that its answer is good for 136 years': {
    answering: addresses(here, { ttlSeconds: 0xff_ff_ff_ff }),
    told: 'good',
  },
  'has two thousand addresses': {
    answering: (question) => {
      if (question.way === 'udp') return truncated(question)
      return addresses(Array.from({ length: 2_000 }, () => '127.0.0.1'))(question)
    },
    told: 'good',
  },
  'has more to say and does not': {
    answering: (question) => (question.way === 'udp' ? truncated(question) : []),
    told: 'timeout dns',
  },
  'says less than it promised': {
    answering: (question) =>
      question.way === 'udp' ? truncated(question) : [number(0xffff, 2), number(0, 2)],
    told: 'dns dns',
  },
}

const clock = startTickingClock(t)
const guard = createGuard({ targets: 'any' })
const target = await startTarget(answer())
t.after(() => target.close())
const timeoutMs = 400
/**
 * The time of answers that need no deadline: they are done by then all the same, unless the machine is
 * busy.
 */
const patientMs = 10_000
const slackMs = 250

t.test('for every defect of a name server, a check by name reports it', async (t) => {
  const lookUps = Object.entries(rows).map(async ([name, { answering, told }]) => {
    const server = await startBadNameServer({ 'a.test': answering })
    const resolver = createResolver({ clock, servers: [server.server], hostsFile: '/dev/null' })
    const { probe } = createProbes({ guard, resolver, clock })
    const url = `http://a.test:${target.port}/`
    const isMute = told === 'timeout dns'
    const givenMs = isMute ? timeoutMs : patientMs
    const startedMs = clock.monoMs()
    const { error, result } = await probe(makeTarget({ url, timeoutMs: givenMs }), { clock })
    const tookMs = clock.monoMs() - startedMs
    const seen = error === undefined ? result : `${error.kind} ${error.phase}`
    t.equal(seen, told, `${name}: ${error?.message}`)
    t.ok(tookMs <= (isMute ? timeoutMs + slackMs : timeoutMs), `${name}: ${tookMs} ms`)
    const direct = `dns://a.test?server=${server.server}`
    const asked = makeTarget({ checkType: 'dns', url: direct, timeoutMs })
    const beganMs = clock.monoMs()
    const reading = await probe(asked, { clock })
    t.not(reading.result, 'unknown', name)
    t.ok(clock.monoMs() - beganMs <= timeoutMs + slackMs, name)
    server.close()
  })
  await Promise.all(lookUps)
})

t.test('a name with an internal alias is not visited, whatever else it leads to', async (t) => {
  const inside = aliases(['inside.test'], ['192.0.2.1', '10.0.0.1'])
  const server = await startBadNameServer({ 'a.test': inside })
  t.teardown(() => server.close())
  const resolver = createResolver({ clock, servers: [server.server], hostsFile: '/dev/null' })
  const probes = createProbes({ guard: createGuard({ targets: 'public' }), resolver, clock })
  for (const fields of [
    { url: 'http://a.test/' },
    { url: 'tcp://a.test:2000', checkType: 'tcp' },
    { url: 'tls://a.test:443', checkType: 'ssl' },
  ] as const) {
    const { error } = await probes.probe(makeTarget({ ...fields, timeoutMs: patientMs }), { clock })
    t.match(error, { kind: 'blocked', message: /not allowed/ }, fields.url)
  }
})

t.test('a name in any script is queried in DNS form', async (t) => {
  const name = 'xn--bcher-kva.test'
  const server = await startBadNameServer({ [name]: addresses(here) })
  t.teardown(() => server.close())
  const resolver = createResolver({ clock, servers: [server.server], hostsFile: '/dev/null' })
  const { probe } = createProbes({ guard, resolver, clock })
  for (const host of [
    'bücher.test',
    'BÜCHER.test.',
    'b\u00fccher\u3002test',
    'XN--BCHER-KVA.TEST',
  ]) {
    const url = `http://${host}:${target.port}/`
    t.equal(
      (await probe(makeTarget({ url, timeoutMs: patientMs }), { clock })).result,
      'good',
      host,
    )
  }
  t.equal(server.asked(name), 2, 'A and AAAA, once')
})

t.test('an answer with a TTL of zero is queried at most once a second', async (t) => {
  const server = await startBadNameServer({ 'a.test': addresses(here, { ttlSeconds: 0 }) })
  t.teardown(() => server.close())
  const resolver = createResolver({ clock, servers: [server.server], hostsFile: '/dev/null' })
  await Promise.all(Array.from({ length: 100 }, () => resolver.resolve('a.test', 'ipv4')))
  await resolver.resolve('a.test', 'ipv4')
  t.equal(server.asked('a.test'), 1)
})
