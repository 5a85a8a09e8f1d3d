// The check of a game server: asks it for what it tells players before they join.
import type { Socket as DatagramSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import { clip } from '../../base/clip.ts'
import { countText } from '../../base/sizes.ts'
import { type Game, gameOf, gamesNear } from '../../domain/monitors/games.ts'
import type { MonitorInput } from '../../domain/monitors/monitor-fields.ts'
import { failure, unknownFailure } from '../../net/failure.ts'
import { RunError, stopped } from '../../net/run/guarded-run.ts'
import { parseServerUrl } from '../network/server-url.ts'
import { brokenOff, inOneLine, lendSocket, notSpoken, tooMuch } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import {
  askGame,
  type GameQuestion,
  type GameState,
  type GameWires,
  type Heard,
  ipv4Protocols,
  isSilence,
} from './game-protocols.ts'

export const game = defineKind({
  type: 'game',
  family: 'network',
  fields: ['connection', 'game'],
  sources: ['ip'],
  textName: 'answer',
  schemes: ['game'],
  icon: 'gamepad-2',
  example: 'game://game.example.com',
  urlForm:
    '`game://host[:port]`, of the `game` that is named there; without a port, the one on which its servers ' +
    'are usually asked. The answer is JSON with `name`, `map`, `players`, `maxPlayers`, `ping`, `version` and ' +
    '`hasPassword`',
  finds: 'json',
  problems: gameProblems,
  parse: parseGameUrl,
  destination: ({ host, port }) => ({ host, port: port || null }),
  open: () => ({
    async look({ host, port: given }, { game: id }, run) {
      const found = gameOf(id ?? '')
      const port = given || found?.port
      if (found === undefined || !port) {
        throw new RunError(unknownFailure('blocked', `there is no game ${id} here`))
      }
      const isUsualPort = given === 0
      const addresses = await run.resolve(host, isUsualPort ? undefined : port)
      const isIpv4 = ipv4Protocols.has(found.protocol)
      const address = isIpv4 ? addresses.find((one) => isIPv4(one)) : (addresses[0] ?? host)
      if (address === undefined) {
        const message = `servers of ${found.name} are asked over IPv4 alone, and there is no such address`
        throw new RunError(unknownFailure('blocked', message))
      }
      // A question with an address in it goes there, and to no other one of the name.
      const place = { host: isIpv4 ? address : host, address, port, isUsualPort }
      const wires = createWires(run, place, found.name)
      const state = await askUntilHeard(run, found, { host, address, port }, wires)
      const shown = shownOf({ ...state, ping: wires.connectMs() ?? state.ping })
      if (!saysSomething(found, shown)) throw new RunError(notSpoken(found.name))
      const answer = answerOf(shown)
      // A protocol whose answer has no end is waited for, which says nothing about the server.
      if (!endless.has(found.protocol)) return answer
      return { ...answer, responseTimeMs: Number(state.ping) }
    },
  }),
})

function parseGameUrl(text: string) {
  return parseServerUrl(text, { ports: { game: 0 }, options: {} })
}

function gameProblems({ game: id, url }: MonitorInput) {
  const pointer = '/game'
  if (id === null) return [{ pointer, keyword: 'required', message: 'is required' }]
  const found = gameOf(id)
  if (found === undefined) {
    const near = gamesNear(id).join(', ')
    const hint = near === '' ? '; the guide has the list' : `; near are ${near}`
    return [
      { pointer, keyword: 'format', message: `must be the id of a game that is known${hint}` },
    ]
  }
  const place = parseGameUrl(url ?? '')
  if (found.port > 0 || place.problem !== undefined || place.port > 0) return []
  const message = `must name a port: ${id} has no usual one`
  return [{ pointer: '/url', keyword: 'format', message }]
}

type GamePlace = Pick<GameQuestion, 'host' | 'address' | 'port'>

interface GameLines extends GameWires {
  readonly hasHeard: () => boolean
  /** How long the last connection took to open; undefined: there was none. */
  readonly connectMs: () => number | undefined
}

/** Their answers come in datagrams of which none is the last. */
const endless = new Set(['unreal2'])
const waitMsMax = 4_000
const timesOfNonsense = 2

/** Asks again where no answer comes, each time with more patience: networks lose packets. */
async function askUntilHeard(
  run: ProbeRun,
  { protocol, name }: Game,
  place: GamePlace,
  wires: GameLines,
): Promise<GameState> {
  let waitMs = endless.has(protocol) ? 500 : 1_000
  for (let time = 1; ; time += 1) {
    try {
      return await askGame({ ...place, protocol, waitMs }, wires)
    } catch (cause) {
      if (run.isOver) throw new RunError(stopped, undefined, { cause })
      if (cause instanceof RunError) throw cause
      // What came was not understood.
      const isNonsense = wires.hasHeard() && time >= timesOfNonsense
      if (isNonsense || !isSilence(cause)) throw new RunError(notSpoken(name))
      waitMs = Math.min(2 * waitMs, waitMsMax)
    }
  }
}

/** What a server may send in one check; the longest packet of games, that of Quake 3, has 16 KiB. */
const bytesMax = 256 * 1024
const datagramBytesMax = 16 * 1024
const piecesMax = 1_000
const tooMany = failure(
  'body_too_large',
  `the server sent more than ${countText(piecesMax)} packets`,
)

/** The connections of the run as the library uses them. What comes is bounded in bytes and in pieces. */
function createWires(
  run: ProbeRun,
  { host, address, port, isUsualPort }: GamePlace & { readonly isUsualPort: boolean },
  protocol: string,
): GameLines {
  const { clock, record } = run
  const listeners = new Set<Heard>()
  let opening: Promise<DatagramSocket> | undefined
  let size = 0
  let pieces = 0
  let connectMs: number | undefined

  /** Whether it is within the bounds; else the run is over. */
  function mayTake(bytes: Buffer): boolean {
    if (run.isOver) return false
    size += bytes.length
    pieces += 1
    if (size > bytesMax) run.end(tooMuch(bytesMax))
    else if (pieces > piecesMax) run.end(tooMany)
    return !run.isOver
  }

  async function open(): Promise<DatagramSocket> {
    const socket = await run.datagrams({ host, port }, { isUsualPort })
    socket.on('message', (bytes) => {
      if (!mayTake(bytes) || bytes.length > datagramBytesMax || isCompressed(bytes)) return
      record.end('firstByte')
      for (const heard of listeners) heard(address, port, bytes)
    })
    return socket
  }

  return {
    hasHeard: () => pieces > 0,
    connectMs: () => connectMs,
    udpSocket: {
      async send(bytes) {
        opening ??= open()
        const socket = await opening
        socket.send(bytes)
      },
      addCallback: (heard) => listeners.add(heard),
      removeCallback: (heard) => listeners.delete(heard),
    },
    async withTcp(use) {
      const startedMs = clock.monoMs()
      const { socket } = await run.connect({ host, port, isTls: false }, { isUsualPort })
      connectMs = clock.monoMs() - startedMs
      lendSocket(run, socket, { protocol, bytesMax })
      socket.on('data', mayTake)
      const broken = Promise.withResolvers<never>()
      socket.once('close', () => broken.reject(brokenOff()))
      try {
        return await Promise.race([use(socket), broken.promise])
      } finally {
        socket.destroy()
      }
    },
  }
}

/** A part of an answer of the old Source engine in bzip2: a few bytes of that can become gigabytes. */
function isCompressed(bytes: Buffer): boolean {
  return bytes.length > 8 && bytes.readInt32LE(0) === -2 && ((bytes[7] ?? 0) & 0x80) !== 0
}

const textCharsMax = 256

function shownOf(state: GameState) {
  return {
    name: textOf(state.name),
    map: textOf(state.map),
    players: countOf(state.numplayers),
    maxPlayers: countOf(state.maxplayers),
    ping: countOf(state.ping),
    version: textOf(state.version),
    hasPassword: /^(true|yes|1)$/i.test(String(state.password)),
  }
}

/** False for a packet of another protocol, which the library reads as zeros and empty texts. Minecraft's answers are JSON. */
function saysSomething(
  { protocol }: Game,
  { name, map, maxPlayers }: ReturnType<typeof shownOf>,
): boolean {
  return protocol === 'minecraftvanilla' || name !== null || map !== null || Boolean(maxPlayers)
}

/** Null where the server says nothing. */
function textOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return null
  return clip(inOneLine(text.replaceAll(/\p{Cf}+/gu, '')), textCharsMax) || null
}

const countMax = 1_000_000

/** Null also for what can be no count. There may be more players than places: some servers hide places. */
function countOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !(number >= 0 && number <= countMax)) return null
  return Math.ceil(number)
}
