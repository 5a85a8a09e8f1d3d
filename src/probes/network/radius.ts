// The check of a RADIUS server: asks it to let a user in, or without one whether it is alive.
// https://www.rfc-editor.org/rfc/rfc2865, https://www.rfc-editor.org/rfc/rfc3579, https://www.rfc-editor.org/rfc/rfc5997
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { askByDatagram } from '../run/datagrams.ts'
import { refusedBy } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import { parseServerUrl } from './server-url.ts'

const usualPort = 1_812
const options = { called: null, calling: null }

export const radius = defineKind({
  type: 'radius',
  family: 'network',
  fields: ['connection', 'login', 'secret'],
  sources: ['ip'],
  textName: 'answer',
  schemes: ['radius'],
  icon: 'id-card',
  example: 'radius://radius.example.com',
  urlForm:
    '`radius://host[:port]` (1812), by the `secret` that is shared with the server. Asks it to let `username` ' +
    'in by PAP, with `?called=` and `&calling=` as the stations that it is told of; without a user name, ' +
    'whether it is alive (Status-Server). The answer is JSON with `value`, such as `Access-Accept`, and `message`',
  finds: 'json',
  ownsQuery: true,
  problems: ({ secret }) =>
    secret === null ? [{ pointer: '/secret', keyword: 'required', message: 'is required' }] : [],
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse: (text) => parseServerUrl(text, { ports: { radius: usualPort }, options }),
  destination: (url) => url,
  open: () => ({
    async look({ host, port, options: { called, calling } }, target, run) {
      const secret = target.secret ?? ''
      const request = requestOf(target, [
        ...(called === undefined ? [] : [attribute(attributes.calledStationId, called)]),
        ...(calling === undefined ? [] : [attribute(attributes.callingStationId, calling)]),
      ])
      const socket = await run.datagrams({ host, port }, { isUsualPort: port === usualPort })
      const answer = await askByDatagram(run, socket, {
        ask: () => request,
        read: (bytes) => readAnswer(bytes, request, secret),
      })
      const value = answers[answer.code] ?? String(answer.code)
      const shown = answerOf({ value, message: answer.message })
      run.record.text = shown.text
      if (answer.code !== accept) throw refusedBy('signIn', value, answer.message ?? '')
      return shown
    },
  }),
})

const [accessRequest, accept, statusServer] = [1, 2, 12]
const answers: Readonly<Record<number, string>> = {
  2: 'Access-Accept',
  3: 'Access-Reject',
  11: 'Access-Challenge',
}
const attributes = {
  userName: 1,
  userPassword: 2,
  replyMessage: 18,
  calledStationId: 30,
  callingStationId: 31,
  nasIdentifier: 32,
  messageAuthenticator: 80,
} as const

const headBytes = 20
const authenticatorBytes = 16
const valueBytesMax = 253

function attribute(type: number, value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value).subarray(0, valueBytesMax)
  return Buffer.concat([Buffer.from([type, bytes.length + 2]), bytes])
}

/** The request, signed as RFC 3579 §3.2 has it: the signature is the first attribute, against forged prefixes. */
function requestOf(
  { username, password, secret }: EndpointTarget,
  more: readonly Buffer[],
): Buffer {
  const key = secret ?? ''
  const authenticator = randomBytes(authenticatorBytes)
  const login = username
    ? [
        attribute(attributes.userName, username),
        attribute(attributes.userPassword, hidden(password ?? '', key, authenticator)),
      ]
    : []
  const unsigned = attribute(attributes.messageAuthenticator, Buffer.alloc(authenticatorBytes))
  const rest = Buffer.concat([
    unsigned,
    ...login,
    attribute(attributes.nasIdentifier, 'stillup'),
    ...more,
  ])
  const request = Buffer.concat([Buffer.alloc(4), authenticator, rest])
  request[0] = username ? accessRequest : statusServer
  request[1] = authenticator[0] ?? 0
  request.writeUInt16BE(request.length, 2)
  createHmac('md5', key)
    .update(request)
    .digest()
    .copy(request, headBytes + 2)
  return request
}

const passwordBytesMax = 128

/** RFC 2865 §5.2: each block is hidden by a hash of the secret and of the block before it. */
function hidden(password: string, secret: string, authenticator: Buffer): Buffer {
  const plain = Buffer.from(password).subarray(0, passwordBytesMax)
  const size = Math.max(1, Math.ceil(plain.length / authenticatorBytes)) * authenticatorBytes
  const bytes = Buffer.concat([plain, Buffer.alloc(size - plain.length)])
  let before = authenticator
  for (let at = 0; at < size; at += authenticatorBytes) {
    const mask = createHash('md5').update(secret).update(before).digest()
    for (const [i, byte] of mask.entries()) bytes[at + i] = (bytes[at + i] ?? 0) ^ byte
    before = bytes.subarray(at, at + authenticatorBytes)
  }
  return bytes
}

/** Undefined for what is no answer to the request by a server that has the secret. */
function readAnswer(bytes: Buffer, request: Buffer, secret: string) {
  const size = bytes.length < headBytes ? 0 : bytes.readUInt16BE(2)
  if (size < headBytes || size > bytes.length || bytes[1] !== request[1]) return undefined
  const asked = request.subarray(4, headBytes)
  // What is signed has the authenticator of the request in place of that of the answer.
  const signed = Buffer.concat([bytes.subarray(0, 4), asked, bytes.subarray(headBytes, size)])
  const proof = createHash('md5').update(signed).update(secret).digest()
  if (!timingSafeEqual(proof, bytes.subarray(4, headBytes))) return undefined
  let message: string | null = null
  for (let at = headBytes; at + 2 <= size; ) {
    const [type, length] = [bytes[at] ?? 0, bytes[at + 1] ?? 0]
    if (length < 2 || at + length > size) return undefined
    const value = bytes.subarray(at + 2, at + length)
    if (type === attributes.replyMessage) message = (message ?? '') + value.toString()
    if (type === attributes.messageAuthenticator) {
      const unsigned = Buffer.from(signed)
      if (value.length !== authenticatorBytes) return undefined
      unsigned.fill(0, at + 2, at + length)
      const code = createHmac('md5', secret).update(unsigned).digest()
      if (!timingSafeEqual(code, value)) return undefined
    }
    at += length
  }
  return { code: bytes[0] ?? 0, message }
}
