// The protocols of game servers: what they have of the network, and what a hostile server can make of them.
import { createHook } from 'node:async_hooks'
import { createSocket } from 'node:dgram'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import t from 'tap'
import { gameProtocols } from '../../../src/domain/monitors/games.ts'
import {
  askGame,
  type GameState,
  type GameWires,
  type Heard,
  isSilence,
} from '../../../src/probes/games/game-protocols.ts'
import { patient } from '../../support/depth.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const place = { host: 'game.example.com', address: '192.0.2.1', port: 27_015 }

/** What it sends is answered by these, in turn; the last one again and again. */
interface Answers {
  readonly answer: (question: Buffer, round: number) => readonly Buffer[]
  longestMs: number
}

function wiresTo(answers: Answers): GameWires {
  const listeners = new Set<Heard>()
  let round = 0
  const timed = (run: () => void) => {
    const startedMs = process.cpuUsage().user / 1_000
    run()
    answers.longestMs = Math.max(answers.longestMs, process.cpuUsage().user / 1_000 - startedMs)
  }
  return {
    udpSocket: {
      async send(bytes) {
        round += 1
        const now = answers.answer(Buffer.from(bytes), round)
        setImmediate(() => {
          for (const one of now) {
            for (const heard of [...listeners]) timed(() => heard(place.address, place.port, one))
          }
        })
      },
      addCallback: (heard) => listeners.add(heard),
      removeCallback: (heard) => listeners.delete(heard),
    },
    withTcp(use) {
      const socket = new Duplex({
        read() {},
        write(bytes: Buffer, _encoding, done) {
          round += 1
          const now = answers.answer(bytes, round)
          setImmediate(() => {
            for (const one of now) timed(() => this.emit('data', one))
          })
          done()
        },
      })
      return use(socket as unknown as Socket)
    },
  }
}

const ask = (protocol: string, answers: Answers, waitMs = 20): Promise<GameState> =>
  askGame({ ...place, protocol, waitMs }, wiresTo(answers))

/** Handles of Node that reach a network, or look up a name. */
const network = /^(TCP|UDP|PIPE|TLS|GETADDRINFO|GETNAMEINFO|QUERY|HTTP|HTTP2)/

t.test('a protocol reaches the server by what it is lent, and nothing else', async (t) => {
  const opened: string[] = []
  const silent: Answers = { answer: () => [], longestMs: 0 }
  // The library is loaded from files.
  await ask('quake3', silent).catch(() => {})
  const hook = createHook({ init: (_id, type) => network.test(type) && opened.push(type) })
  hook.enable()
  for (const protocol of gameProtocols) {
    let asked = 0
    const answers: Answers = {
      longestMs: 0,
      answer(question) {
        asked += question.length
        return [Buffer.concat([question, Buffer.alloc(200, 1)])]
      },
    }
    await ask(protocol, answers).catch(() => {})
    t.ok(asked > 0, `${protocol} asked`)
  }
  t.same(opened, [])
  createSocket('udp4').close()
  hook.disable()
  t.same(opened, ['UDPWRAP'], 'what is opened is seen')
})

t.test('silence is told from nonsense', async (t) => {
  const silent: Answers = { answer: () => [], longestMs: 0 }
  for (const protocol of gameProtocols) {
    const failed = await ask(protocol, silent).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    t.ok(isSilence(failed), `${protocol}: ${failed}`)
  }
})

/** What may come in one piece: of a connection more than in a datagram. */
const bytesMaxOf = (protocol: string) =>
  /minecraftvanilla|openttd|starmade/.test(protocol) ? 256 * 1024 : 16 * 1024

/** The beginnings by which a protocol takes a packet for an answer. */
const heads: readonly (readonly [RegExp, (question: Buffer) => readonly string[]])[] = [
  [
    /valve|dayz|sdtd|toxikk|goldsrc|ffow/,
    () => [
      '\xff\xff\xff\xffI',
      '\xff\xff\xff\xffm',
      '\xfe\xff\xff\xff\x00\x00\x00\x00\x01\x00\x00\x00',
    ],
  ],
  [/gamespy1/, () => ['\\final\\\\queryid\\1.1', '']],
  [/gamespy2/, () => ['\x00\x00\x00\x00\x01']],
  [
    /gamespy3|jc2mp|ut3/,
    (asked) => [
      asked[2] === 9 ? '\x09\x00\x00\x00\x011\x00' : '\x00\x00\x00\x00\x01splitnum\x00\x80\x00',
    ],
  ],
  [/quake2/, () => ['\xff\xff\xff\xffprint\n']],
  [/quake1/, () => ['\xff\xff\xff\xffn']],
  [/hexen2/, () => ['\xff\xff\xff\xff\xffn']],
  [/quake3|warsow|xonotic/, () => ['\xff\xff\xff\xffstatusResponse\n']],
  [
    /doom3/,
    () => [
      '\xff\xffinfoResponse\x00PiNGPoNg\x01\x00\x00\x00',
      '\xff\xffinfoResponse\x00PiNGPoNg\x01\x00\x00\x00si_name\x00x\x00\x00\x00',
    ],
  ],
  [/^ase/, () => ['EYE1']],
  [/unreal2/, (asked) => [`\x80\x00\x00\x00${String.fromCharCode(asked[4] ?? 0)}`]],
  [/samp|gtasao/, (asked) => [asked.toString('latin1')]],
  [/vcmp/, (asked) => [`MP04${asked.toString('latin1', 4)}`]],
  [/mafia2/, (asked) => [asked.toString('latin1')]],
  [/cs2d/, () => ['\x01\x00\xFB\x01']],
  [/tribes1/, () => ['\x63\x01\x00\x62']],
  [/starsiege/, () => ['\x73\x01\x00\x72', '\x73\x01\x00\x72\x09Starsiege\x01a\x01b']],
  [
    /minecraftvanilla/,
    () => ['\x01\x00\xff\xff\x0f{"players":{"max":1,"online":1},"description":'],
  ],
  [
    /minecraftbedrock/,
    () => [
      '\x1c\x11\x22\x33\x44\x55\x66\x77\x88........\x00\xff\xff\x00\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78\x3f\xde',
    ],
  ],
  [/openttd/, () => ['\x00\x40\x06\x07', '\x00\x40\x06\x04\xff']],
  [/starmade/, () => ['\x00\x00\x3f\xf0\x00\x00\x00\x00\x00\x00\x00\x00\x2a\x00\x00\x00\x00']],
]

const tails = [
  '\x00',
  '\x01',
  '\xff',
  '\\',
  '\\a',
  '\n',
  '"',
  ' ',
  'a',
  'a\x00',
  'a\x00\x00',
  '\x00\x00\xff',
  '^',
  '^X',
  '\x1b',
  '\x01\x01',
  '_',
  'a_0\x00',
  ': ',
  'CLIENT: ,=\n',
  '[',
  '{"a":',
  '<',
  '\t',
  'Players:\n',
  'Map: ',
  '\x04\x00\x00',
  '\x03\xff\xff\xff\xff',
  '\xff\x01',
]

/** The processor's time that one packet may take. Most take less than one. */
const packetCpuMsMax = patient(400)

t.test('no packet of a hostile server holds up the process, or fills its memory', async (t) => {
  const random = seededRandom(1)
  for (const protocol of gameProtocols) {
    const answers: Answers = { answer: () => [], longestMs: 0 }
    const begin = heads.find(([names]) => names.test(protocol))?.[1] ?? (() => [''])
    const before = process.memoryUsage().heapUsed
    const tried = async (answer: Answers['answer']) => {
      const one: Answers = { answer, longestMs: 0 }
      const startedMs = process.cpuUsage().user / 1_000
      await ask(protocol, one, 1).catch(() => {})
      const tookMs = process.cpuUsage().user / 1_000 - startedMs
      answers.longestMs = Math.max(answers.longestMs, tookMs)
    }
    for (const tail of tails) {
      for (const [n] of begin(Buffer.alloc(11)).entries()) {
        await tried((asked) => {
          const head = Buffer.from(begin(asked)[n] ?? '', 'latin1')
          const filled = Buffer.alloc(bytesMaxOf(protocol), Buffer.from(tail, 'latin1'))
          return [Buffer.concat([head, filled.subarray(head.length)])]
        })
      }
    }
    for (let n = 0; n < 30; n += 1) {
      await tried((asked) => {
        const [head = ''] = begin(asked)
        const noise = Buffer.from(Array.from({ length: 1_400 }, () => Math.floor(random() * 256)))
        return [Buffer.concat([Buffer.from(head, 'latin1'), noise])]
      })
    }
    const grownMb = (process.memoryUsage().heapUsed - before) / 1e6
    t.ok(answers.longestMs < packetCpuMsMax, `${protocol}: ${Math.round(answers.longestMs)} ms`)
    t.ok(grownMb < 200, `${protocol}: ${Math.round(grownMb)} MB`)
  }
})
