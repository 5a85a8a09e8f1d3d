// The check of a time server: how far its clock is from ours, and how good it says that it is.
// https://www.rfc-editor.org/rfc/rfc5905, https://www.rfc-editor.org/rfc/rfc4330
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { roundMs } from '../../net/connection/connect.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { askByDatagram } from '../run/datagrams.ts'
import { refusedBy } from '../run/driver-socket.ts'
import { defineKind } from '../run/kind.ts'
import { parseServerUrl } from './server-url.ts'

const usualPort = 123

export const ntp = defineKind({
  type: 'ntp',
  family: 'network',
  fields: ['connection'],
  sources: ['ip'],
  textName: 'answer',
  schemes: ['ntp'],
  icon: 'clock',
  example: 'ntp://time.example.com',
  urlForm:
    '`ntp://host[:port]` (123). The answer is JSON with `value` (how many milliseconds its clock is from ' +
    'ours, without a sign), `offsetMs` (positive: its clock is ahead), `delayMs`, `stratum`, `leap`, ' +
    '`reference`, `rootDelayMs` and `rootDispersionMs`; a server that is not synchronised is down',
  finds: 'json',
  ownsQuery: true,
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse: (text) => parseServerUrl(text, { ports: { ntp: usualPort }, options: {} }),
  destination: (url) => url,
  open: () => ({
    async look({ host, port }, _, run) {
      const socket = await run.datagrams({ host, port }, { isUsualPort: port === usualPort })
      let asked = question(run.clock)
      const found = await askByDatagram(run, socket, {
        ask() {
          asked = question(run.clock)
          return asked.bytes
        },
        read: (bytes) => readAnswer(bytes, asked, run.clock),
      })
      run.record.text = JSON.stringify(found)
      if (found.leap === 'unknown' || found.stratum > stratumMax) {
        throw new RunError(failure('status', 'the clock of the server is not synchronised'))
      }
      return { text: run.record.text, contentType: 'application/json' }
    },
  }),
})

const packetBytes = 48
const stratumMax = 15

interface Question {
  readonly bytes: Buffer
  /** Random bytes in place of our time: the server learns nothing, and a forger cannot guess them. */
  readonly nonce: Buffer
  readonly wallMs: number
  readonly monoMs: number
}

function question(clock: Clock): Question {
  const nonce = randomBytes(8)
  const bytes = Buffer.alloc(packetBytes)
  const [version, client] = [4, 3]
  bytes[0] = (version << 3) | client
  nonce.copy(bytes, 40)
  return { bytes, nonce, wallMs: clock.wallMs(), monoMs: clock.monoMs() }
}

const leaps = ['none', 'insert', 'delete', 'unknown'] as const
const server = 4

/** Undefined for what is no answer to the question. Throws RunError for a kiss-o'-death. */
function readAnswer(bytes: Buffer, { nonce, wallMs, monoMs }: Question, clock: Clock) {
  const first = bytes[0] ?? 0
  if (bytes.length < packetBytes || (first & 7) !== server) return undefined
  if (!bytes.subarray(24, 32).equals(nonce)) return undefined
  const stratum = bytes[1] ?? 0
  const name = bytes.toString('latin1', 12, 16).replace(/\0+$/, '')
  const isName = /^[A-Za-z0-9]{1,4}$/.test(name)
  if (stratum === 0 && isName) throw refusedBy('error', name, '')
  const tookMs = clock.monoMs() - monoMs
  const [receivedMs, sentMs] = [timeAt(bytes, 32), timeAt(bytes, 40)]
  const offsetMs = Math.round((receivedMs + sentMs) / 2 - wallMs - tookMs / 2)
  return {
    value: Math.abs(offsetMs),
    offsetMs,
    delayMs: Math.max(0, roundMs(tookMs - (sentMs - receivedMs))),
    stratum,
    leap: leaps[first >> 6] ?? 'unknown',
    // Of a server next to a clock, the name of the clock; of others an address, or the hash of one.
    reference: stratum <= 1 && isName ? name : [...bytes.subarray(12, 16)].join('.'),
    rootDelayMs: roundMs((bytes.readInt32BE(4) / 2 ** 16) * 1_000),
    rootDispersionMs: roundMs((bytes.readUInt32BE(8) / 2 ** 16) * 1_000),
  }
}

/** From 1900 to 1970, and from 1900 to where the seconds begin again in 2036. */
const secondsTo1970 = 2_208_988_800
const eraSeconds = 2 ** 32

function timeAt(bytes: Buffer, at: number): number {
  const seconds = bytes.readUInt32BE(at)
  // RFC 4330 §3: a number without its first bit is of the next era.
  const era = seconds >= 2 ** 31 ? 0 : eraSeconds
  return (seconds + era - secondsTo1970 + bytes.readUInt32BE(at + 4) / 2 ** 32) * 1_000
}
