// The game probe against servers that others wrote; each is skipped where it is not installed. Games of Steam, whose
// servers are not free, answer as Valve documents it.
// https://developer.valvesoftware.com/wiki/Server_queries
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { completedInput, inputProblems } from '../../../src/domain/monitors/monitor-input.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { game } from '../../../src/probes/games/game.ts'
import { datagramContract } from '../../contracts/datagram.contract.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithout } from '../../support/programs.ts'
import { skipWithoutMinecraft, startMinecraft } from '../../support/servers/minecraft.ts'
import { startMumble } from '../../support/servers/mumble.ts'
import { skipWithoutQuake3, startQuake3 } from '../../support/servers/quake3.ts'

const clock = startClock()
t.after(() => clock.stop())
const bugs: unknown[] = []
const { probe, destination } = game.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  onBug: (bug) => bugs.push(bug),
})
const look = (fields: TargetFields) =>
  probe(makeTarget({ checkType: 'game', timeoutMs: 8_000, ...fields }), {
    clock,
    keepsAnswer: true,
  })

/** What is found of a server at the port, which must be good. */
async function found(t: Test, id: string, port: number, fields: TargetFields = {}) {
  const reading = await look({ game: id, url: `game://localhost:${port}`, ...fields })
  t.equal(reading.result, 'good', `${reading.error?.message}`)
  return reading.found
}

t.test('Mumble says how many talk', { skip: skipWithout('murmurd') }, async (t) => {
  const port = await startMumble(t)
  t.match(await found(t, 'mumble', port), {
    ...{ name: null, map: null, players: 0, maxPlayers: 42, hasPassword: false },
    version: /^1\.\d+\.\d+$/,
    ping: Number,
  })
  const full = { source: 'json', path: '$.players', type: 'greaterThan', value: '0' } as const
  const url = `game://localhost:${port}`
  const empty = await look({ game: 'mumble', url, expect: { assertions: [full] } })
  t.match(empty.error, { kind: 'assertion', message: /\$\.players/ })
})

t.test('Minecraft says who it is, by TCP', { skip: skipWithoutMinecraft() }, async (t) => {
  const port = await startMinecraft(t)
  const joinable = {
    source: 'json',
    path: '$[?$.players < $.maxPlayers]',
    type: 'exists',
    value: null,
  } as const
  t.match(await found(t, 'minecraft', port, { expect: { assertions: [joinable] } }), {
    ...{ name: 'A server of blocks', map: null, players: 3, maxPlayers: 20, version: '1.20.2' },
    ping: Number,
    hasPassword: false,
  })
})

t.test(
  'Quake 3 says its map, and its name without colors',
  { skip: skipWithoutQuake3 },
  async (t) => {
    const port = await startQuake3(t)
    const expected = {
      ...{ name: 'Arena', map: 'box', players: 0, maxPlayers: 12, hasPassword: false },
      version: /^ioq3 /,
    }
    t.match(await found(t, 'q3a', port), expected)
    t.match(await found(t, 'protocol-quake3', port), expected)
    const other = await look({ game: 'css', url: `game://localhost:${port}`, timeoutMs: 1_000 })
    t.match(other.error, { kind: 'timeout' })
  },
)

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const latin = (text: string) => Buffer.from(text, 'latin1')

/** A game of Steam: asks for a challenge first, and then says what it is. */
const counterStrike = (question: Buffer): Buffer => {
  const challenge = hex('0a085eea')
  const isFirst = !question.subarray(-4).equals(challenge)
  if (isFirst) return Buffer.concat([hex('ffffffff 41'), challenge])
  const names = 'game2xs.com Counter-Strike Source #1\0de_dust\0cstrike\0Counter-Strike: Source\0'
  return Buffer.concat([
    hex('ffffffff 49 02'),
    ...[latin(names), hex('f000 05 10 04 64 6c 00 00'), latin('1.0.0.22\0')],
  ])
}

/** Returns the port at which the server answers each datagram. */
async function serve(t: Test, answer: (question: Buffer) => readonly Buffer[]): Promise<number> {
  const server = createSocket('udp4').bind(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  server.on('message', (bytes, { port }) => {
    for (const one of answer(bytes)) server.send(one, port, '127.0.0.1')
  })
  return server.address().port
}

t.test('a game of Steam says its map and its players', async (t) => {
  const port = await serve(t, (question) => [counterStrike(question)])
  const expected = {
    ...{ name: 'game2xs.com Counter-Strike Source #1', map: 'de_dust', version: '1.0.0.22' },
    ...{ players: 5, maxPlayers: 16, hasPassword: false, ping: Number },
  }
  t.match(await found(t, 'css', port), expected)
  t.match(await found(t, 'protocol-valve', port), expected)
  await datagramContract(t, {
    probe,
    clock,
    port,
    // A changed letter of a name is a name: the version says that the packet is whole.
    target: (port) => ({
      ...{ checkType: 'game', game: 'css', url: `game://localhost:${port}` },
      expect: {
        assertions: [
          { source: 'json', path: '$.version', type: 'equals', value: '1.0.0.22' },
          { source: 'json', path: '$.name', type: 'equals', value: expected.name },
          { source: 'json', path: '$.map', type: 'equals', value: 'de_dust' },
          { source: 'json', path: '$.players', type: 'equals', value: '5' },
          { source: 'json', path: '$.maxPlayers', type: 'equals', value: '16' },
        ],
      },
    }),
  })
})

t.test('a packet that is lost is asked for again', async (t) => {
  let count = 0
  const port = await serve(t, (question) => {
    count += 1
    return count === 1 ? [] : [counterStrike(question)]
  })
  t.match(await found(t, 'css', port), { map: 'de_dust' })
})

t.test('what keeps sending ends the check, and not the daemon', async (t) => {
  const flood = await serve(t, () => Array.from({ length: 30 }, () => Buffer.alloc(16_000, 1)))
  const url = (port: number) => `game://localhost:${port}`
  const flooded = await look({ game: 'css', url: url(flood) })
  t.match(flooded.error, { kind: 'body_too_large', message: /more than 262,144 bytes/ })
  const drops = await serve(t, () => Array.from({ length: 2_000 }, () => Buffer.alloc(1)))
  t.match((await look({ game: 'css', url: url(drops), timeoutMs: 1_500 })).result, 'failed')
  const rain = createSocket('udp4').bind(0, '127.0.0.1')
  await once(rain, 'listening')
  let isRaining = true
  rain.on('message', (_bytes, { port }) => {
    const send = (): void => {
      if (!isRaining) return
      rain.send(Buffer.alloc(1), port, '127.0.0.1')
      setImmediate(send)
    }
    send()
  })
  const rained = await look({ game: 'css', url: url(rain.address().port) })
  isRaining = false
  rain.close()
  t.match(rained.error, {
    kind: 'body_too_large',
    message: 'the server sent more than 1,000 packets',
  })
  // Compressed: one of these would become gigabytes.
  const bomb = Buffer.concat([hex('feffffff 01000080 01 00 0000'), Buffer.alloc(1_000, 0x42)])
  const bombed = await serve(t, () => [bomb])
  const reading = await look({ game: 'css', url: url(bombed), timeoutMs: 1_500 })
  t.match(reading.error, { kind: 'timeout' })
  const tcp = createServer((socket) => {
    socket.on('error', () => {})
    const send = (): void => {
      if (!socket.destroyed) socket.write(Buffer.alloc(60_000, 0x20), send)
    }
    send()
  }).listen(0, '127.0.0.1')
  t.teardown(() => tcp.close())
  await once(tcp, 'listening')
  const { port } = tcp.address() as { readonly port: number }
  t.equal((await look({ game: 'minecraft', url: url(port) })).result, 'failed')
})

t.test('a server that is another one, or none, says why', async (t) => {
  const answers = await serve(t, () => [latin('\xff\xff\xff\xffstatusResponse\n\\x\n1 2 "\n')])
  const other = await look({ game: 'css', url: `game://localhost:${answers}` })
  t.match(other.error, {
    kind: 'invalid_response',
    message: 'the server does not speak Counter-Strike: Source',
  })
  const closing = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  t.teardown(() => closing.close())
  await once(closing, 'listening')
  const at = closing.address() as { readonly port: number }
  const closed = await look({ game: 'minecraft', url: `game://localhost:${at.port}` })
  t.match(closed.error, { kind: 'reset', message: /closed in the middle/ })
  const nobody = await freePort()
  for (const id of ['css', 'minecraft']) {
    const refused = await look({ game: id, url: `game://localhost:${nobody}` })
    t.match(refused.error, { kind: 'connect', message: /refused/ }, id)
  }
  const unknown = await look({ game: 'pong', url: 'game://localhost' })
  t.match(unknown, { result: 'unknown', error: { message: /there is no game pong here/ } })
})

t.test('what says nothing is no game', async (t) => {
  const url = (port: number) => `game://localhost:${port}`
  const empty = await serve(t, () => [Buffer.alloc(0)])
  const echo = await serve(t, (question) => [question])
  const noise = await serve(t, () => [Buffer.alloc(40, 0xff)])
  const cut = await serve(t, (question) => [Buffer.concat([question, Buffer.alloc(40)])])
  const [css, samp, ...mumbles] = await Promise.all([
    look({ game: 'css', url: url(empty) }),
    look({ game: 'gtasam', url: url(cut) }),
    ...[echo, noise, cut].map((port) => look({ game: 'mumble', url: url(port) })),
  ])
  t.match(css.error, {
    kind: 'invalid_response',
    message: 'the server does not speak Counter-Strike: Source',
  })
  t.equal(mumbles.length, 3)
  for (const { error } of mumbles) {
    t.match(error, { message: 'the server does not speak Mumble' })
  }
  t.match(samp.error, { message: /does not speak Grand Theft Auto: San Andreas Multiplayer/ })
})

/** SA-MP: each answer begins with its question. https://sampwiki.blast.hk/wiki/Query_Mechanism */
const sanAndreas = (question: Buffer): readonly Buffer[] => {
  const answers: Readonly<Record<string, Buffer>> = {
    i: Buffer.concat([
      hex('00 0300 3200 06000000'),
      ...[latin('Street'), hex('02000000'), latin('DM'), hex('02000000'), latin('EN')],
    ]),
    r: Buffer.concat([hex('0100 07'), latin('version'), hex('05'), latin('0.3.7')]),
    d: hex('0000'),
  }
  const answer = answers[String.fromCharCode(question[10] ?? 0)]
  return answer === undefined ? [] : [Buffer.concat([question, answer])]
}

t.test('a game whose question has an IPv4 address in it is asked at one', async (t) => {
  const asked: Buffer[] = []
  const port = await serve(t, (question) => {
    asked.push(question)
    return sanAndreas(question)
  })
  const at = (...addresses: readonly string[]) =>
    game.open({
      guard: createGuard({ targets: 'any' }),
      resolver: resolverTo(...addresses),
      clock,
      onBug: (bug) => bugs.push(bug),
    }).probe
  const target = makeTarget({ checkType: 'game', game: 'gtasam', url: `game://localhost:${port}` })
  const run = { clock, keepsAnswer: true }
  const both = await at('::1', '127.0.0.1')(target, run)
  t.equal(both.result, 'good', `${both.error?.message}`)
  t.match(both.found, { name: 'Street', players: 3, maxPlayers: 50, version: '0.3.7' })
  t.same(asked[0]?.subarray(4, 8), hex('7f000001'))
  const message =
    'servers of Grand Theft Auto: San Andreas Multiplayer are asked over IPv4 alone, and there is no such address'
  t.match(await at('::1')(target, run), { result: 'unknown', error: { kind: 'blocked', message } })
})

/** Returns the port at which a server of Minecraft has this status. */
async function serveMinecraft(t: Test, status: unknown): Promise<number> {
  const number = (value: number): Buffer =>
    value < 128
      ? Buffer.from([value])
      : Buffer.concat([Buffer.from([(value & 127) | 128]), number(value >>> 7)])
  const json = Buffer.from(JSON.stringify(status))
  const packet = Buffer.concat([number(0), number(json.length), json])
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write(Buffer.concat([number(packet.length), packet])))
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  return (server.address() as { readonly port: number }).port
}

t.test('a server of Minecraft need not say who plays', async (t) => {
  const version = { name: '1.21', protocol: 767 }
  const port = await serveMinecraft(t, { description: 'Hidden', version })
  t.match(await found(t, 'minecraft', port), {
    ...{ name: 'Hidden', players: null, maxPlayers: null, version: '1.21' },
  })
  const other = await serveMinecraft(t, { error: 'none' })
  const failed = await look({ game: 'minecraft', url: `game://localhost:${other}` })
  t.match(failed.error, { message: 'the server does not speak Minecraft' })
})

t.test('texts of a server cannot turn round what is beside them', async (t) => {
  const players = { max: 1e308, online: -3 }
  const version = { name: '1\u20282' }
  const port = await serveMinecraft(t, { description: 'A\u202eB\u200b', players, version })
  t.match(await found(t, 'minecraft', port), {
    ...{ name: 'AB', players: null, maxPlayers: null, version: '1 2' },
  })
})

t.test('a monitor names a game that there is, and a port where none is usual', (t) => {
  const problems = (fields: object) =>
    inputProblems(completedInput({ name: 'A', checkType: 'game', ...fields }), game)
  const url = 'game://game.example.com'
  t.same(problems({ url, game: 'valheim' }), [])
  t.same(problems({ url: `${url}:2457`, game: 'valheim' }), [])
  t.match(problems({ url }), [{ pointer: '/game', message: 'is required' }])
  t.match(problems({ url, game: 'cs2' }), [
    {
      pointer: '/game',
      message: /^must be the id of a game that is known; near are counterstrike2/,
    },
  ])
  t.match(problems({ url, game: '???' }), [
    { pointer: '/game', message: /the guide has the list$/ },
  ])
  t.match(problems({ url, game: 'protocol-quake3' }), [
    { pointer: '/url', message: 'must name a port: protocol-quake3 has no usual one' },
  ])
  t.same(problems({ url: `${url}:27960`, game: 'protocol-quake3' }), [])
  t.match(destination(`${url}/minecraft`), { problem: 'must not have a path' })
  t.match(destination(`${url}?game=minecraft`), { problem: 'must not have a query' })
  t.match(destination(url), { host: 'game.example.com', port: null })
  t.match(destination(`${url}:22`), { port: 22 }, 'the port is judged as any other')
  t.end()
})

t.test('none of that was a bug', (t) => {
  t.same(bugs, [])
  t.end()
})
