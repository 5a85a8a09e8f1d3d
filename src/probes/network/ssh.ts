// The check of an SSH server: its greeting, the algorithms that it offers, and the key exchange in which it
// proves that it has its host key; signs in if there is a user.
// https://www.rfc-editor.org/rfc/rfc4253, https://www.rfc-editor.org/rfc/rfc4252
import { createHash, randomBytes } from 'node:crypto'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { readBytes, type SocketReader } from '../run/byte-reader.ts'
import { lendSocket, refusedBy } from '../run/driver-socket.ts'
import { defineKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import { parseServerUrl, type ServerUrl } from './server-url.ts'
import { exchanges, hasSigned, hostKeyNames, keyTypeOf } from './ssh-keys.ts'
import {
  authenticates,
  createPackets,
  ivBytes,
  keyBytes,
  knownCiphers,
  knownMacs,
  macBytes,
  mpint,
  notSsh,
  readPayload,
  type SshCipher,
  type SshPackets,
  sshProtocol,
  sshString,
  uint32,
} from './ssh-packets.ts'

const usualPort = 22
const options = { hostKey: null }
type SshUrl = ServerUrl<typeof options>

export const ssh = defineKind({
  type: 'ssh',
  family: 'network',
  fields: ['connection', 'stream', 'login'],
  sources: ['ip'],
  textName: 'answer',
  schemes: ['ssh'],
  icon: 'key-round',
  example: 'ssh://server.example.com',
  urlForm:
    '`ssh://host[:port]` (22); with `?hostKey=SHA256:…` a server with another host key is down. Signs in if ' +
    'there is a `username`, by `password`; the URL must then have the hostKey. The answer is JSON with `value` (the fingerprint of the host key), ' +
    '`keyType`, `banner`, and what the server offers: `kex`, `hostKeys`, `ciphers`, `macs`',
  finds: 'json',
  ownsQuery: true,
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse: parseSshUrl,
  destination: (url) => url,
  problems({ url, username }) {
    if (!username || /[?&]hostKey=/.test(url ?? '')) return []
    const message =
      'must have a hostKey where there is a username: the password must not go to another server'
    return [{ pointer: '/url', keyword: 'format', message }]
  },
  open: () => ({
    async look({ host, port, options: { hostKey } }, target, run) {
      const place = { host, port, isTls: false }
      const { socket } = await run.connect(place, { isUsualPort: port === usualPort })
      lendSocket(run, socket, { protocol: sshProtocol })
      const reader = readBytes(socket)
      socket.write(`${ourBanner}\r\n`)
      const banner = await bannerFrom(reader)
      const packets = createPackets(socket, reader)
      const found = await exchange(packets, banner, target)
      run.record.text = found.answer.text
      if (hostKey !== undefined && hostKey !== found.fingerprint) {
        throw new RunError(failure('tls', 'the server has another host key'))
      }
      if (target.username) await signIn(packets, found.sessionCiphers(), target)
      packets.send(goodbye)
      return found.answer
    },
  }),
})

function parseSshUrl(text: string): SshUrl | UrlFault {
  const url = parseServerUrl(text, { ports: { ssh: usualPort }, options })
  if (url.problem !== undefined) return url
  const { hostKey } = url.options
  // A plus sign of base64 is a space in a query.
  const given = hostKey?.replaceAll(' ', '+')
  if (given !== undefined && !/^SHA256:[A-Za-z0-9+/]{43}$/.test(given)) {
    return { problem: 'must have as hostKey a fingerprint such as SHA256:…, with 43 characters' }
  }
  return { ...url, options: given === undefined ? {} : { hostKey: given } }
}

/** The digits of base64, without the sign at their end that fills them up. */
const fingerprintChars = 43

const ourBanner = 'SSH-2.0-stillup'
const bannerBytesMax = 255
/** A server may send lines before the one that names its version. */
const linesBeforeBannerMax = 50

async function bannerFrom(reader: SocketReader): Promise<string> {
  for (let lines = 0; lines < linesBeforeBannerMax; lines += 1) {
    let line = ''
    while (!line.endsWith('\n')) {
      if (line.length > bannerBytesMax) throw notSsh()
      line += (await reader.take(1)).toString('latin1')
    }
    line = line.trimEnd()
    if (/^SSH-(2\.0|1\.99)-/.test(line)) return line
    if (line.startsWith('SSH-')) break
  }
  throw notSsh()
}

/** The numbers of the messages, by their names in the RFCs without SSH_MSG_. */
const messages = {
  disconnect: 1,
  serviceRequest: 5,
  serviceAccept: 6,
  kexInit: 20,
  newKeys: 21,
  kexReply: 31,
  userauthRequest: 50,
  userauthFailure: 51,
  userauthSuccess: 52,
} as const

const kexStart = Buffer.from([30])
const goodbye = Buffer.concat([
  Buffer.from([messages.disconnect]),
  uint32(11),
  sshString('the check is over'),
  sshString(''),
])

/** The next message that is not for people or for other extensions. */
async function hear(packets: SshPackets): Promise<Buffer> {
  for (;;) {
    const payload = await packets.next()
    const type = payload[0] ?? 0
    if (type === messages.disconnect) {
      const reason = readPayload(payload)
      reason.bytes(4)
      throw refusedBy('error', '', reason.string().toString())
    }
    // IGNORE, UNIMPLEMENTED, DEBUG, EXT_INFO, and the banner of USERAUTH.
    if (![2, 3, 4, 7, 53].includes(type)) return payload
  }
}

async function expectMessage(packets: SshPackets, type: number): Promise<Buffer> {
  const payload = await hear(packets)
  if (payload[0] !== type) throw notSsh()
  return payload
}

interface Exchanged {
  readonly answer: TargetAnswer
  readonly fingerprint: string
  /** What both directions are encrypted by from here on. */
  readonly sessionCiphers: () => readonly [there: SshCipher, here: SshCipher]
}

async function exchange(
  packets: SshPackets,
  banner: string,
  target: EndpointTarget,
): Promise<Exchanged> {
  // The server speaks without having heard of us, so that we can answer with what it knows.
  const theirInit = await expectMessage(packets, messages.kexInit)
  const offer = readOffer(theirInit)
  const kex = chosen(Object.keys(exchanges), offer.kex)
  const hostKeyName = chosen(hostKeyNames, offer.hostKeys)
  // A check that does not sign in ends before anything is encrypted.
  const [ciphers, macs] = target.username ? agreed(offer) : [offer.ciphers, offer.macs]
  const ourLists = [[kex], [hostKeyName], ciphers, ciphers, macs, macs, ['none'], ['none'], [], []]
  const ourInit = Buffer.concat([
    Buffer.from([messages.kexInit]),
    randomBytes(16),
    ...ourLists.map((names) => sshString(names.join(','))),
    Buffer.alloc(5),
  ])
  packets.send(ourInit)
  const { hash, make } = exchanges[kex] ?? throwNotSsh()
  const half = make()
  packets.send(Buffer.concat([kexStart, half.asSent(half.ours)]))
  // It may have guessed which exchange comes, and have begun that one.
  const isGuess = offer.guesses && (offer.kex[0] !== kex || offer.hostKeys[0] !== hostKeyName)
  if (isGuess) await hear(packets)
  const reply = readPayload(await expectMessage(packets, messages.kexReply))
  const [hostKey, theirs, signature] = [reply.string(), reply.string(), reply.string()]
  const shared = mpint(secretWith(half.secret, theirs))
  const parts = [ourBanner, banner, ourInit, theirInit, hostKey].map(sshString)
  const keys = [half.asSent(half.ours), half.asSent(theirs), shared]
  const hashed = createHash(hash)
  for (const part of [...parts, ...keys]) hashed.update(part)
  const session = hashed.digest()
  if (!hasSigned(hostKey, signature, session)) {
    throw new RunError(failure('tls', 'the server does not prove that it has its host key'))
  }
  const fingerprint = `SHA256:${createHash('sha256').update(hostKey).digest('base64').slice(0, fingerprintChars)}`
  const { guesses: _, ...offered } = offer
  const found = { value: fingerprint, keyType: keyTypeOf(hostKey), banner, ...offered }
  /** RFC 4253 §7.2: a letter for each key. */
  const derived = (letter: string, size: number): Buffer => {
    const start = createHash(hash).update(shared).update(session).update(letter).update(session)
    let key = start.digest()
    while (key.length < size) {
      const more = createHash(hash).update(shared).update(session).update(key)
      key = Buffer.concat([key, more.digest()])
    }
    return key.subarray(0, size)
  }
  const [cipher = '', mac = ''] = [ciphers[0], macs[0]]
  const cipherBy = (iv: string, key: string, macKey: string): SshCipher => ({
    cipher,
    mac,
    iv: derived(iv, ivBytes(cipher)),
    key: derived(key, keyBytes(cipher)),
    macKey: derived(macKey, macBytes(mac)),
  })
  return {
    answer: { text: JSON.stringify(found), contentType: 'application/json' },
    fingerprint,
    sessionCiphers: () => [cipherBy('A', 'C', 'E'), cipherBy('B', 'D', 'F')],
  }
}

function throwNotSsh(): never {
  throw notSsh()
}

function secretWith(make: (theirs: Buffer) => Buffer, theirs: Buffer): Buffer {
  try {
    return make(theirs)
  } catch {
    throw notSsh()
  }
}

/** What the server offers, each the best first. */
function readOffer(payload: Buffer) {
  const read = readPayload(payload)
  read.bytes(16)
  const [kex, hostKeys] = [read.names(), read.names()]
  const [, ciphers] = [read.names(), read.names()]
  const [, macs] = [read.names(), read.names()]
  for (let rest = 0; rest < 4; rest += 1) read.names()
  return { kex, hostKeys, ciphers, macs, guesses: read.flag() }
}

/**
 * The cipher and the authentication codes to agree on. Where the cipher authenticates, the codes do not matter:
 * the server's own list fits every server.
 */
function agreed({ ciphers, macs }: { ciphers: string[]; macs: string[] }): [string[], string[]] {
  const cipher = chosen(knownCiphers, ciphers)
  return [[cipher], authenticates(cipher) ? macs : [chosen(knownMacs, macs)]]
}

/** The first of ours that the server has, too. */
function chosen(ours: readonly string[], theirs: readonly string[]): string {
  const found = ours.find((name) => theirs.includes(name))
  if (found !== undefined) return found
  throw new RunError(
    failure('invalid_response', 'the server offers no algorithm that this check knows'),
  )
}

async function signIn(
  packets: SshPackets,
  [there, here]: readonly [SshCipher, SshCipher],
  { username, password }: EndpointTarget,
): Promise<void> {
  packets.send(Buffer.from([messages.newKeys]))
  packets.sealWith(there)
  await expectMessage(packets, messages.newKeys)
  packets.openWith(here)
  packets.send(Buffer.concat([Buffer.from([messages.serviceRequest]), sshString('ssh-userauth')]))
  await expectMessage(packets, messages.serviceAccept)
  const texts = [username ?? '', 'ssh-connection', 'password'].map(sshString)
  const type = Buffer.from([messages.userauthRequest])
  packets.send(Buffer.concat([type, ...texts, Buffer.alloc(1), sshString(password ?? '')]))
  const answer = await hear(packets)
  if (answer[0] === messages.userauthSuccess) return
  if (answer[0] !== messages.userauthFailure) throw refusedBy('signIn', '', '')
  const ways = readPayload(answer).names()
  throw refusedBy('signIn', '', ways.length === 0 ? '' : `it takes ${ways.join(', ')}`)
}
