// Redaction of echoes: a secret is masked in each encoding in which programs repeat it.
import t from 'tap'
import { redactorFor } from '../../src/redaction/redaction.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'
import { leastMs } from '../support/starvation.ts'

type Encoding = (text: string) => string

const each = (text: string, way: (byte: number) => string) =>
  Array.from(Buffer.from(text), (byte) => way(byte)).join('')
const units = (text: string, way: (unit: number) => string) =>
  Array.from(text, (_, i) => way(text.charCodeAt(i))).join('')
const hex = (byte: number, digits = 2) => byte.toString(16).padStart(digits, '0')
const wrapped = (text: string, columns: number, mark: string) =>
  text.replace(new RegExp(`.{${columns}}(?=.)`, 'gs'), (line) => line + mark)
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
/** Bytes that are read with a charset that they are not in, as evidence does. */
const readAs = (charset: string, bytes: Uint8Array) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: evidence shows them so
  new TextDecoder(charset).decode(bytes).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd')

const base64: Encoding = (text) => Buffer.from(text).toString('base64')
const json: Encoding = (text) => JSON.stringify(text)
const percent: Encoding = encodeURIComponent
const everyPercent: Encoding = (text) => each(text, (byte) => `%${hex(byte)}`)
const html: Encoding = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const escaped: Encoding = (text) => units(text, (unit) => `\\u${hex(unit, 4)}`)

const encodings: Readonly<Record<string, Encoding>> = {
  'as it is': (text) => text,
  'lower case': (text) => text.toLowerCase(),
  'upper case': (text) => text.toUpperCase(),
  'another case each time': (text) =>
    Array.from(text, (one, i) => (i % 2 ? one.toUpperCase() : one.toLowerCase())).join(''),
  percent,
  'percent, every byte': everyPercent,
  'percent, upper case': (text) => everyPercent(text).toUpperCase(),
  'percent, mixed case': (text) =>
    percent(text).replace(/%(.)(.)/g, (_, a, b) => `%${a.toLowerCase()}${b}`),
  form: (text) => new URLSearchParams({ a: text }).toString(),
  json,
  'json of escapes': escaped,
  'json of escapes in capitals': (text) =>
    units(text, (unit) => `\\u${hex(unit, 4).toUpperCase()}`),
  html,
  'html in decimal': (text) => units(text, (unit) => `&#${unit};`),
  'html in hex': (text) => units(text, (unit) => `&#x${hex(unit)};`),
  'html in capitals': (text) => units(text, (unit) => `&#X${hex(unit).toUpperCase()};`),
  'broken by zero-width spaces': (text) => wrapped(text, 3, '\u200b'),
  base64,
  'base64 behind 1': (text) => base64(`u${text}.`),
  'base64 behind 2': (text) => base64(`u:${text}.`),
  'base64 behind 3': (text) => base64(`us:${text}.`),
  'base64 of a sentence': (text) => base64(`{"authorization":"${text}","other":"field"}`),
  'latin1 in percent': (text) =>
    Array.from(Buffer.from(text, 'latin1'), (byte) => `%${hex(byte)}`).join(''),
  'UTF-8 read as latin1': (text) => readAs('latin1', Buffer.from(text)),
}

/** In these other letters lose their bytes, or their case. */
const asciiEncodings: Readonly<Record<string, Encoding>> = {
  'base64 of lower case': (text) => base64(text.toLowerCase()),
  'UTF-16 read as UTF-8': (text) => readAs('utf-8', Buffer.from(text, 'utf16le')),
  'UTF-16 big-endian read as UTF-8': (text) => readAs('utf-8', utf16be(text)),
  'UTF-32 read as UTF-8': (text) =>
    units(text, (unit) => `${String.fromCharCode(unit)}\ufffd\ufffd\ufffd`),
}

const ways: Readonly<Record<string, (secret: string) => TargetFields>> = {
  header: (secret) => ({ headers: { 'X-Api-Key': secret } }),
  bearer: (secret) => ({ headers: { Authorization: `Bearer ${secret}` } }),
  basic: (secret) => ({ headers: { Authorization: `Basic ${base64(`me:${secret}`)}` } }),
  cookie: (secret) => ({ headers: { Cookie: `a=b; sid=${secret}` } }),
  json: (secret) => ({ body: JSON.stringify({ deep: [{ note: secret }] }) }),
  query: (secret) => ({ url: `https://a.test/?${new URLSearchParams({ token: secret })}` }),
}

const secrets = {
  key: 'sk-Live_9fQ2xZ7LmT4vB8nR1cW6',
  signs: 'P@ss/w0rd+<"Quoted">&%41\\n?',
  umlauts: 'Geheimnisträger-Über-42',
}

for (const [kind, secret] of Object.entries(secrets)) {
  t.test(`a secret with ${kind} is masked in every encoding`, async (t) => {
    const isAscii = !/[^ -~]/.test(secret)
    const all = isAscii ? { ...encodings, ...asciiEncodings } : encodings
    for (const [name, encode] of Object.entries(all)) {
      const echo = encode(secret)
      const leaky = Object.entries(ways).flatMap(([way, fields]) => {
        const shown = redactorFor(makeTarget(fields(secret)))(`before: "${echo}" after`)
        return isBlotted(shown, encode, secret) ? [] : [`${way}: ${shown}`]
      })
      t.same(leaky, [], name)
    }
  })
}

t.test('so is a short one', async (t) => {
  const headers = { 'X-Pin': 'q7Zx' }
  const encoded = ['q7Zx', 'Q7ZX', '%71%37%5A%78', '\\u0071\\u0037Zx', 'cTdaeA==']
  for (const echo of [...encoded, 'q\ufffd7\ufffdZ\ufffdx\ufffd', '&#113;7Zx', base64('u:q7Zx')]) {
    t.notMatch(redactorFor(makeTarget({ headers }))(`is "${echo}"`), echo, echo)
  }
})

t.test('a very long one is found in every encoding, and from its middle on', async (t) => {
  const secret = Array.from({ length: 7_000 }, (_, i) =>
    (((i * i * 7919 + i * 31) % 10_007) % 36).toString(36),
  ).join('')
  const redact = redactorFor(makeTarget({ body: JSON.stringify({ secret }) }))
  const piece = secret.slice(5_000, 7_000)
  for (const name of [
    'as it is',
    'upper case',
    'percent, every byte',
    'base64',
    'json of escapes',
  ]) {
    for (const echo of [secret, piece]) {
      const shown = redact((encodings[name] ?? json)(echo))
      t.ok(shown.replaceAll('••••', '').length <= 8 * 6, `${name}: ${shown.slice(0, 100)}`)
    }
  }
})

t.test('text that nobody sent stays, however it is encoded', async (t) => {
  const noise = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * i * 31) % 251))
  const page = [
    '<p class="a">It&nbsp;is &quot;down&quot; &amp; true</p>{"ok":true,"format":"json","n":1}',
    `data:image/png;base64,${noise.toString('base64')}`,
    '0123456789abcdef'.repeat(20),
    '[1,2,3,100,101,102] %E4%B8%AD服务器错误 C:\\users\\x =3D',
  ].join('\n    ')
  const headers = {
    'X-Debug': 'true',
    'X-Format': 'json',
    'X-Level': '1',
    'X-Api-Key': secrets.key,
    Authorization: `Basic ${base64('me:hunter2!')}`,
    'X-Other': secrets.umlauts,
  }
  t.equal(redactorFor(makeTarget({ headers }))(page), page)
})

t.test('no text takes long', async (t) => {
  const headers = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`X-Key-${i}`, `${i}-${secrets.umlauts}-${i * i}`]),
  )
  const redact = redactorFor(makeTarget({ headers }))
  const worst = ['%', '%41', '\\', '\\u00e9', '&#38;', '&amp;', '&#', 'x&a', '服务器', 'c2Vj', 'é']
  for (const piece of [...worst, secrets.umlauts]) {
    const text = piece.repeat(4_096 / piece.length + 1).slice(0, 4_096)
    const tookMs = leastMs(15, () => redact(text))
    t.ok(tookMs < 15, `${piece.slice(0, 8)}: ${tookMs} ms`)
  }
})

t.test('sent and received text cannot multiply', async (t) => {
  const a = (count: number) => 'a'.repeat(count)
  const sent: readonly TargetFields[] = [
    { body: `${a(16_000)}b` },
    { body: `b${a(16_000)}` },
    { body: `${a(8_000)}b${a(8_000)}` },
    { body: a(16_000) },
    { body: Array.from({ length: 300 }, (_, i) => `x aaaa${i}`).join('\n') },
    { body: Array.from({ length: 300 }, (_, i) => `x ${a(190)}${i}`).join('\n') },
  ]
  for (const fields of sent) {
    const half = leastMs(0, () => redactorFor(makeTarget(fields))(a(16 * 1_024)))
    const tookMs = leastMs(0, () => redactorFor(makeTarget(fields))(a(32 * 1_024)))
    t.ok(tookMs < 250, `${fields.body?.slice(0, 8)}: ${tookMs} ms`)
    t.ok(tookMs < 3 * half + 10, `linear: ${half} ms, then ${tookMs} ms`)
  }
})

/** Whether no more of the echo is left in one piece than what stood around the secret, and a few letters. */
function isBlotted(shown: string, encode: Encoding, secret: string): boolean {
  const inner = shown.replace(/^before: "/, '').replace(/" after$/, '')
  const frame = encode('').length
  const charsEach = (encode(secret).length - frame) / secret.length
  const pieces = inner.split('••••').map((piece) => piece.length)
  return pieces.length > 1 && Math.max(...pieces) <= frame + 7 * charsEach
}
