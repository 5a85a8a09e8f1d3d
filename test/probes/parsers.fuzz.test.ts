// The parsers that meet what targets, registries and callers send, under fire. The suite tries a
// share, a deep run 100,000 inputs of each (test/README.md).

import { isIP, Socket } from 'node:net'
import zlib from 'node:zlib'
import t, { type Test } from 'tap'
import { Fault } from '../../src/base/fault.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { redirectProblem, resolvedRedirect } from '../../src/domain/sign-in/redirect.ts'
import { formFields } from '../../src/http/input/form-body.ts'
import { createCursors } from '../../src/http/input/paging.ts'
import { parseQuery } from '../../src/http/input/query.ts'
import { isUnchanged, wantedRevision } from '../../src/http/output/etag.ts'
import { bearerToken, oneCookie } from '../../src/http/pipeline/auth.ts'
import { isOneAddress, mailboxOf } from '../../src/mail/address.ts'
import { classifyAddress, isPublicAddress } from '../../src/net/address.ts'
import { stapleStatus } from '../../src/net/connection/ocsp.ts'
import { dnsName, nameUrl } from '../../src/net/dns/dns-name.ts'
import { createGuard, hostOf } from '../../src/net/egress-policy.ts'
import { codingsOf, decodeBody } from '../../src/net/http-client/body.ts'
import { textOf } from '../../src/net/http-client/charset.ts'
import { retryAfterMs } from '../../src/net/http-client/retry-after.ts'
import { RunError } from '../../src/net/run/guarded-run.ts'
import { registrationIn, registrationProblem } from '../../src/probes/domain/registrations.ts'
import { readLines } from '../../src/probes/run/lines.ts'
import { parsePlaceUrl } from '../../src/probes/run/place-url.ts'
import {
  createFrameReader,
  websocketFramesMax,
} from '../../src/probes/websocket/websocket-frames.ts'
import { createDeviceSeal } from '../../src/seal/device.ts'
import { createSessionSeal } from '../../src/seal/session.ts'
import { isLinkTokenShaped, isTokenShaped } from '../../src/seal/tokens.ts'
import { amount, patient } from '../support/depth.ts'
import { createDice, createStopwatch, mutated, mutatedBytes } from '../support/fuzz.ts'
import { inheritedKeys } from '../support/fuzz-json.ts'
import { targetRules } from '../support/target-rules.ts'
import { serverFrame } from '../support/websocket.ts'

const turnMsMax = patient(10)
const share = 1_000
const dice = createDice()

/** Tries an input again and again; what it throws besides a refusal is a failure, with its input. */
function fuzz<T>(t: Test, next: () => T, run: (input: T) => void, count = share): void {
  const watch = createStopwatch(turnMsMax)
  for (let left = amount(count, 100_000); left > 0; left--) {
    const input = next()
    const name = (Buffer.isBuffer(input) ? input.toString('hex') : JSON.stringify(input)).slice(
      0,
      300,
    )
    watch.time(name, () => {
      try {
        run(input)
      } catch (cause) {
        if (!(cause instanceof Fault)) throw new Error(`on ${name}`, { cause })
      }
    })
  }
  t.same(watch.slow().slice(0, 5), [])
  t.comment(watch.summary())
}

const urlPieces = [
  ...['http', 'https', 'ws', 'wss', 'tcp', 'smtp', 'ping', 'dns', 'domain', 'ssl', 'file', 'HTTP'],
  ...['://', ':', '/', '//', '\\', '@', '?', '#', '.', '..', '%2e', '%00', '%', '[', ']', '&', '='],
  ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '10.0.0.1', '169.254.169.254'],
  ...['[::1]', '[::ffff:127.0.0.1]', '[fe80::1%25eth0]', '[fd00:ec2::254]', '[64:ff9b::7f00:1]'],
  ...['localhost', 'LOCALHOST.', 'a.localhost', 'example.com', 'ex\u00e4mple.de', 'xn--', '\u3002'],
  ...['\u2460\u2461\u2466', '\uff11', '\u00ad', '\u200b', '\ud800', '\t', '\n', '\0', ' ', '😀'],
  ...['80', '443', '0', '25', '65535', '65536', '99999999999', 'type=', 'server=', 'a', 'com', '1'],
]
const goodUrls = [
  ...['https://example.com/a?b=c#d', 'http://93.184.216.34:8080/', 'http://[2606:2800:220:1::1]/'],
  ...['tcp://example.com:5432', 'smtp://mail.example.com', 'smtps://mail.example.com:465'],
  ...['ping://example.com', 'wss://example.com/x', 'dns://example.com?type=A&server=9.9.9.9'],
  ...['domain://example.com', 'https://user:pw@example.com/', 'ssl://example.com:993'],
]

function nextUrl(): string {
  const text = dice.chance(0.3)
    ? dice.text(1 + dice.below(10), urlPieces)
    : mutated(dice, dice.pick(goodUrls), urlPieces)
  return dice.chance(0.01) ? text + dice.pick(urlPieces).repeat(3_000) : text
}

t.test('no URL of a target breaks a rule of its parser', async (t) => {
  const guard = createGuard({ targets: 'public' })
  const rules = targetRules(guard)
  const kinds = [
    ...(['endpoint', 'health', 'keyword', 'websocket', 'ssl', 'smtp', 'tcp', 'ping'] as const),
    ...(['dns', 'domain', 'push'] as const),
  ]
  const schemes = ['tcp', 'smtp', 'ping']
  const escaped: string[] = []
  fuzz(t, nextUrl, (url) => {
    if (guard.judgeUrl(url) === null) {
      const host = hostOf(new URL(url))
      if (isIP(host) !== 0 && !isPublicAddress(host)) escaped.push(url)
      if (/(^|\.)localhost$/.test(host)) escaped.push(url)
    }
    for (const kind of kinds) {
      const isFine = rules.judgeUrl(kind, url) === null
      const host = rules.hostOf(kind, url)
      if (isFine && isIP(host) !== 0 && !isPublicAddress(host)) escaped.push(`${kind} ${url}`)
    }
    const place = parsePlaceUrl(url, schemes)
    // What ends in two dots is no name, and is not found.
    if (place.problem !== undefined || place.host.endsWith('.')) return
    const again = isIP(place.host) === 6 ? `[${place.host}]` : place.host
    const { host = '' } = parsePlaceUrl(`tcp://${again}:1`, schemes) as { host?: string }
    if (host !== place.host) escaped.push(`${url} is read in two ways`)
  })
  t.same(escaped.slice(0, 5), [])
})

t.test('no name or address breaks what reads it', async (t) => {
  const wrong: string[] = []
  fuzz(t, nextUrl, (text) => {
    const kind = classifyAddress(text)
    if (kind !== undefined && isIP(kind.canonical) === 0) wrong.push(text)
    const { name } = dnsName(text) as { name?: string }
    if (name !== undefined && !/^[\x21-\x7e]{1,253}$/.test(name)) wrong.push(text)
    nameUrl(text, 'dns')
    mailboxOf(text)
    isOneAddress(text)
  })
  t.same(wrong.slice(0, 5), [])
})

const origin = 'https://up.example.com'
const redirectRules = { baseOrigin: origin, origins: ['https://app.example.com'] }

t.test('no redirect leads astray', async (t) => {
  const bases = [
    '/',
    '/a/b?c=d',
    `${origin}/x`,
    'https://app.example.com/y',
    '//evil.example',
    '/\\e',
  ]
  const astray: string[] = []
  const next = () => mutated(dice, dice.pick(bases), [...urlPieces, 'evil.example', '%5c', '%2f'])
  fuzz(t, next, (uri) => {
    if (redirectProblem(uri, redirectRules) !== null) return
    const { origin: to } = new URL(resolvedRedirect(uri, origin))
    if (to !== origin && !redirectRules.origins.includes(to)) astray.push(uri)
  })
  t.same(astray.slice(0, 5), [])
})

t.test('no input of a caller breaks its parser', async (t) => {
  const key = Buffer.alloc(32, 7)
  const sessions = createSessionSeal(key)
  const devices = createDeviceSeal(key)
  const cursors = createCursors(key)
  const session = sessions.mint().token
  const device = devices.mint(`usr_${'0'.repeat(26)}`, 1_700_000_000_000)
  const cursor = cursors.seal('list', 'mon_1')
  const genuine = [session, device, cursor]
  const texts = [
    ...genuine,
    ...[`auth-token=${session}; a=b`, `Bearer sup_${'0'.repeat(36)}`, '"12-ab", W/"3"', '120'],
    ...['Wed, 21 Oct 2015 07:28:00 GMT', 'a=b&c=%20%zz&__proto__=x', 'a[b]=c', '*'],
  ]
  const pieces = [
    '=',
    ';',
    ' ',
    ',',
    '"',
    '.',
    '_',
    '%',
    '%c3',
    '\u00e9',
    '\0',
    '&',
    'W/',
    'auth-token=',
  ]
  const forged: string[] = []
  const next = () => {
    const text = mutated(dice, dice.pick(texts), [...pieces, ...inheritedKeys])
    return dice.chance(0.01) ? text + dice.pick(pieces).repeat(8_000) : text
  }
  fuzz(t, next, (text) => {
    const claim = sessions.read(text)
    if (claim !== undefined && sessions.matches(claim) && text !== session) forged.push(text)
    if (devices.read(text) !== undefined && text !== device) forged.push(text)
    bearerToken(text)
    isTokenShaped(text, 'sup')
    isLinkTokenShaped(text)
    isUnchanged(text, '"1-a"')
    retryAfterMs(text, 0, 86_400_000)
    const fields = formFields(Buffer.from(text))
    if (Object.getPrototypeOf(fields) !== Object.prototype && Object.getPrototypeOf(fields)) {
      forged.push(text)
    }
    for (const [name] of parseQuery(text)) if (typeof name !== 'string') forged.push(text)
    for (const refusing of [
      () => oneCookie(text, 'auth-token'),
      () => wantedRevision(text),
      () => {
        if (cursors.open('list', text) !== 'mon_1') forged.push(text)
      },
    ]) {
      try {
        refusing()
      } catch (cause) {
        if (!(cause instanceof Fault)) throw cause
      }
    }
  })
  t.same(forged.slice(0, 5), [])
})

t.test('no answer of a registry breaks what reads it', async (t) => {
  const answer = JSON.stringify({
    ...{ objectClassName: 'domain', ldhName: 'EXAMPLE.COM', status: ['active', 'clientHold'] },
    events: [{ eventAction: 'expiration', eventDate: '2030-01-01T00:00:00Z' }],
    entities: [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Reg']]] }],
    nameservers: [{ ldhName: 'a.example.' }],
    secureDNS: { delegationSigned: true },
  })
  const values = ['null', '[]', '{}', '1', '"x"', 'true', '[null]', '[[[]]]', '1e999', '"-1"']
  const fields = [...answer.matchAll(/"\w+"|:[^,:{}[\]]+|\[[^[\]]*\]/g)].map(([field]) => field)
  /** Stays JSON: whole fields and values are put in each other's places. */
  const next = (): unknown => {
    for (;;) {
      let text = answer
      for (let left = 1 + dice.below(4); left > 0; left--) {
        const field = dice.pick(fields)
        const other = dice.pick([...values, ...fields, '"__proto__"'])
        text = text.replace(
          field,
          field.startsWith(':') && !other.startsWith(':') ? `:${other}` : other,
        )
      }
      try {
        return JSON.parse(text)
      } catch {
        // That was none any more.
      }
    }
  }
  const wrong: string[] = []
  fuzz(t, next, (document) => {
    const found = registrationIn(document, 'www.example.com')
    if (found === undefined) return
    const { name, status, nameServers, expiresAtMs } = found
    if (![name, ...status, ...nameServers].every((one) => typeof one === 'string')) {
      wrong.push(JSON.stringify(document))
    }
    if (expiresAtMs !== null && !Number.isFinite(expiresAtMs)) wrong.push(JSON.stringify(document))
    registrationProblem(found, 0)
  })
  t.same(wrong.slice(0, 3), [])
})

t.test('no bytes of a WebSocket break the frame parser', async (t) => {
  const good = Buffer.concat([
    serverFrame(0x01, 'Hel'),
    serverFrame(0x89, 'ping'),
    serverFrame(0x80, 'lo'),
    serverFrame(0x82, Buffer.alloc(300)),
    serverFrame(0x88, Buffer.from('03e8', 'hex')),
  ])
  const tooMuch: string[] = []
  const next = () => (dice.chance(0.2) ? dice.bytes(dice.below(40)) : mutatedBytes(dice, good))
  fuzz(t, next, (bytes) => {
    const reader = createFrameReader()
    let heard = 0
    for (let at = 0; at < bytes.length; at += 1 + (bytes[at] ?? 0) / 8) {
      heard += reader.take(bytes.subarray(at, at + 1 + (bytes[at] ?? 0) / 8)).length
    }
    if (heard > websocketFramesMax + 1) tooMuch.push(bytes.toString('hex'))
  })
  t.same(tooMuch.slice(0, 3), [])
})

t.test('no lines of a server break what reads them', async (t) => {
  const pieces = ['220 ', '250-', '250 ok', '\r\n', '\n', '\r', '\0', 'x'.repeat(900), '😀', '\xff']
  const bounds = { lineBytesMax: 1_024, bytesMax: 4_096 }
  const strange: unknown[] = []
  const pending: Promise<void>[] = []
  const readAll = async (text: string) => {
    const socket = new Socket()
    const reader = readLines(socket, bounds)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 200) socket.emit('data', bytes.subarray(at, at + 200))
    socket.emit('end')
    try {
      for (;;) {
        const line = await reader.next()
        if (Buffer.byteLength(line) > 3 * bounds.lineBytesMax) strange.push(text)
      }
    } catch (cause) {
      if (!(cause instanceof RunError)) strange.push(cause)
    }
    reader.release()
    socket.destroy()
  }
  fuzz(
    t,
    () => dice.text(dice.below(20), pieces),
    (text) => void pending.push(readAll(text)),
    300,
  )
  await Promise.all(pending)
  t.same(strange, [])
})

t.test('no stapled response breaks what reads it', async (t) => {
  const der = (tag: number, ...parts: Buffer[]): Buffer => {
    const content = Buffer.concat(parts)
    const length = content.length < 128 ? [content.length] : [0x81, content.length]
    return Buffer.concat([Buffer.from([tag, ...length]), content])
  }
  const one = Buffer.from([1])
  const id = der(0x30, der(0x30), der(4, one), der(4, one), der(2, Buffer.from('0abc', 'hex')))
  const data = der(0x30, der(0xa1), der(0x18), der(0x30, der(0x30, id, Buffer.from([0x80, 0]))))
  const basic = der(0x30, der(6, one), der(4, der(0x30, data)))
  const good = der(0x30, der(0x0a, Buffer.from([0])), der(0xa0, basic))
  t.equal(stapleStatus(good, '0ABC'), 'good')
  const statuses = ['good', 'revoked', 'unknown', 'unreadable']
  const wrong: string[] = []
  const next = () => (dice.chance(0.1) ? dice.bytes(dice.below(60)) : mutatedBytes(dice, good))
  fuzz(t, next, (bytes) => {
    if (!statuses.includes(stapleStatus(bytes, '0ABC'))) wrong.push(bytes.toString('hex'))
  })
  t.same(wrong, [])
})

t.test('no charset breaks the decoder of bodies', async (t) => {
  const types = ['text/html; charset=utf-8', 'text/xml', 'application/xhtml+xml;charset="x', '']
  const bodies = ['<?xml version="1" encoding="utf-16"?>', '<meta charset=iso-2022-jp>', '\ufeffx']
  const pieces = [
    'charset=',
    '"',
    "'",
    ';',
    ' ',
    'utf-7',
    'x-user-defined',
    'replacement',
    '<meta ',
    '\0',
  ]
  const next = (): readonly [string, string] => [
    mutated(dice, dice.pick(types), pieces),
    mutated(dice, dice.pick(bodies), pieces) + (dice.chance(0.02) ? '<meta '.repeat(10_000) : ''),
  ]
  fuzz(t, next, ([type, body]) => {
    textOf(Buffer.from(body), type)
    textOf(mutatedBytes(dice, Buffer.from(body, 'utf16le')), type)
  })
})

t.test('no content encoding breaks decoding, or exceeds the bound', async (t) => {
  const plain = Buffer.from('all is well '.repeat(50))
  const bodies: Readonly<Record<string, Buffer>> = {
    gzip: zlib.gzipSync(plain),
    deflate: zlib.deflateSync(plain),
    br: zlib.brotliCompressSync(plain),
    zstd: zlib.zstdCompressSync(plain),
  }
  const names = [...Object.keys(bodies), 'identity', 'x-gzip', ',', ' ', ';q=1', ...inheritedKeys]
  const wrong: string[] = []
  for (let left = amount(400, 100_000); left > 0; left--) {
    const name = dice.pick(Object.keys(bodies))
    const header = dice.chance(0.3) ? dice.text(dice.below(5), names) : name
    const bytes = mutatedBytes(dice, bodies[name] ?? plain)
    const options = { isPartial: dice.chance(0.5) }
    const { bytes: out, failure } = await decodeBody(bytes, codingsOf(header), options)
    if (out !== undefined && out.length > limits.responseBodyBytesMax) wrong.push(header)
    if (out === undefined && failure === undefined) wrong.push(header)
  }
  t.same(wrong, [])
})
