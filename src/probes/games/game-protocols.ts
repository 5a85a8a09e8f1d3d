// The protocols of game servers, by gamedig: on sockets that it is lent. It opens none, and looks up no name.
import type { Socket } from 'node:net'
import { requireLibrary } from '../../base/assets.ts'

/** What a protocol has of the network. */
export interface GameWires {
  readonly udpSocket: {
    /** Sends a datagram to the server. */
    send(bytes: Uint8Array): Promise<void>
    /** Is told of each datagram of the server: first of where it comes from, as the question says. */
    addCallback(heard: Heard): void
    removeCallback(heard: Heard): void
  }
  /** A connection to the server, for as long as it is used. */
  withTcp<Result>(use: (socket: Socket) => Promise<Result>): Promise<Result>
}

export type Heard = (address: string, port: number, bytes: Buffer) => void

export interface GameQuestion {
  readonly protocol: string
  /** As people type it: some servers are told which of their names was meant. */
  readonly host: string
  readonly address: string
  readonly port: number
  /** How long one answer may take; a protocol without an end of its answer waits that long. */
  readonly waitMs: number
}

/** What a server says of itself. The library has texts in place of numbers, and nothing, for some games. */
export interface GameState {
  readonly name?: unknown
  readonly map?: unknown
  readonly numplayers?: unknown
  readonly maxplayers?: unknown
  readonly password?: unknown
  readonly version?: unknown
  /** Milliseconds between a question and its answer, at their shortest. */
  readonly ping?: unknown
  /** The answer itself, which a protocol may have read only in part. */
  readonly raw?: unknown
}

type OnPacket = (bytes: Buffer) => unknown

interface GameProtocol extends Pick<GameWires, 'withTcp'> {
  options: object
  udpSocket: GameWires['udpSocket']
  udpSend: (question: Buffer | string, onPacket?: OnPacket, onTimeout?: () => unknown) => unknown
  run: (state: GameState) => Promise<void>
  request: () => Promise<never>
  telnetConnect: () => Promise<never>
  dnsResolver: { readonly resolve: () => Promise<never> }
  runOnceSafe(): Promise<GameState>
}

interface GameLibrary {
  readonly protocols: Readonly<Record<string, new () => GameProtocol>>
}

/** Asks once. Rejects with what the wires reject with, or with an error of the library. */
export async function askGame(
  { protocol, waitMs, ...place }: GameQuestion,
  { udpSocket, withTcp }: GameWires,
): Promise<GameState> {
  const { protocols } = requireLibrary('gamedig') as GameLibrary
  const Protocol = protocols[protocol]
  if (Protocol === undefined) throw new Error(`gamedig has no protocol ${protocol}`)
  const refuse = () => Promise.reject(new Error(`${protocol} asks elsewhere`))
  const asked = Object.assign(new Protocol(), {
    options: {
      ...place,
      protocol,
      socketTimeout: waitMs,
      attemptTimeout: waitMs * stagesMax,
      stripColors: true,
      requestPlayers: false,
    },
    ...{ udpSocket, withTcp, request: refuse, telnetConnect: refuse },
    dnsResolver: { resolve: refuse },
  })
  const send = asked.udpSend.bind(asked)
  asked.udpSend = (question, onPacket, onTimeout) => {
    const sent = typeof question === 'string' ? latin(question) : question
    const heard: OnPacket = (bytes) =>
      isAnswer(protocol, sent, bytes) ? onPacket?.(bytes) : undefined
    return send(question, onPacket && heard, onTimeout)
  }
  if (protocol === 'minecraftvanilla') {
    const read = asked.run.bind(asked)
    asked.run = (state) =>
      read(state).catch((cause: unknown) => {
        if (!isStatusWithoutPlayers(state.raw)) throw cause
        Object.assign(state, { numplayers: null, maxplayers: null })
      })
  }
  const state = await asked.runOnceSafe()
  return protocol === 'minecraftvanilla' ? { ...state, ...wordsOfMinecraft(state.raw) } : state
}

/** The protocols whose questions have the address of the server, in four bytes. */
export const ipv4Protocols: ReadonlySet<string> = new Set(['gtasao', 'samp', 'vcmp'])

const latin = (text: string) => Buffer.from(text, 'latin1')

/** Whether it may be one: what only sends back what it hears is no game. */
function isAnswer(protocol: string, question: Buffer, bytes: Buffer): boolean {
  if (bytes.equals(question)) return false
  // The library takes any datagram for an answer of Mumble, which has a version and the ident of the question.
  // https://www.mumble.info/documentation/developer/protocol/ping/
  if (protocol !== 'mumbleping') return true
  const [versionEnd, identEnd] = [4, 12]
  const isIts = bytes.subarray(versionEnd, identEnd).equals(question.subarray(versionEnd, identEnd))
  return isIts && !bytes.subarray(0, versionEnd).equals(question.subarray(0, versionEnd))
}

/** How many answers a protocol waits for, one after the other, at most. */
const stagesMax = 6

/** Whether it gave up because no answer came. */
export function isSilence(cause: unknown): boolean {
  return cause instanceof Error && / - Timed out after \d+ms$/.test(cause.message)
}

/** A server of Minecraft need not say how many play. */
function isStatusWithoutPlayers(raw: unknown): boolean {
  const { players, version, description } = Object(raw) as MinecraftStatus
  return (players ?? null) === null && (version !== undefined || description !== undefined)
}

/** What a server of Minecraft answers, as far as it is read here. */
interface MinecraftStatus {
  readonly players?: unknown
  readonly description?: unknown
  readonly version?: { readonly name?: unknown }
}

/** The library reads these only where it asks by three protocols at once, and then waits for each of them. */
function wordsOfMinecraft(raw: unknown): Pick<GameState, 'name' | 'version'> {
  const { description, version } = raw as MinecraftStatus
  return {
    name: chatText(description)
      .replaceAll(/\u00a7./g, '')
      .replaceAll(/\s+/g, ' '),
    version: version?.name,
  }
}

const chatPiecesMax = 100

/** A text of Minecraft: a string, or a piece with `text` and further pieces in `extra`. */
function chatText(description: unknown): string {
  const waiting = [description]
  let text = ''
  for (let count = 0; waiting.length > 0 && count < chatPiecesMax; count += 1) {
    const piece = waiting.pop()
    if (typeof piece === 'string') text += piece
    if (typeof piece !== 'object' || piece === null) continue
    const { text: own, extra } = piece as { readonly text?: unknown; readonly extra?: unknown }
    if (typeof own === 'string') text += own
    if (Array.isArray(extra)) waiting.push(...extra.slice(0, chatPiecesMax).reverse())
  }
  return text
}
