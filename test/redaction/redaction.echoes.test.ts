// Redaction of echoes: whatever spelling a target repeats a secret in, nobody reads it.
import t from 'tap'
import { redactorFor } from '../../src/redaction/redaction.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'

type Spelling = (text: string) => string

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

const base64: Spelling = (text) => Buffer.from(text).toString('base64')
const json: Spelling = (text) => JSON.stringify(text)
const percent: Spelling = encodeURIComponent
const everyPercent: Spelling = (text) => each(text, (byte) => `%${hex(byte)}`)
const html: Spelling = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const escaped: Spelling = (text) => units(text, (unit) => `\\u${hex(unit, 4)}`)

const spellings: Readonly<Record<string, Spelling>> = {
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
  'percent of 16 bits': (text) => units(text, (unit) => `%u${hex(unit, 4)}`),
  'percent thrice': (text) => percent(percent(percent(text))),
  form: (text) => new URLSearchParams({ a: text }).toString(),
  'hex, mixed case': (text) =>
    each(text, (byte) => hex(byte).replace(/^[a-f]/, (one) => one.toUpperCase())),
  'hex with spaces': (text) => each(text, (byte) => `${hex(byte)} `),
  'hex with colons': (text) => each(text, (byte) => `${hex(byte)}:`),
  'hex in lines': (text) => wrapped(each(text, hex), 16, '\n'),
  'hex in C': (text) => each(text, (byte) => `0x${hex(byte)}, `),
  'hex of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  'a string of C': (text) => each(text, (byte) => `\\x${hex(byte)}`),
  'a string of C, octal': (text) => each(text, (byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  'bytes as numbers': (text) => bytesInJson(Buffer.from(text)),
  json,
  'json in json': (text) => json(json(text)),
  'json in json in json': (text) => json(json(json(text))),
  'json of escapes': escaped,
  'json of escapes in capitals': (text) =>
    units(text, (unit) => `\\u${hex(unit, 4).toUpperCase()}`),
  'json with escaped slashes in json': (text) => json(json(text).replaceAll('/', '\\/')),
  html,
  'html twice': (text) => html(html(text)),
  'html in decimal': (text) => units(text, (unit) => `&#${unit};`),
  'html in hex': (text) => units(text, (unit) => `&#x${hex(unit)};`),
  'html in capitals': (text) => units(text, (unit) => `&#X${hex(unit).toUpperCase()};`),
  'html in percent': (text) => percent(html(text)),
  'percent in html': (text) => html(percent(text)),
  'html in json': (text) => json(html(text)),
  'json in html': (text) => html(json(text)),
  'escapes in html in percent': (text) => percent(html(escaped(text))),
  'quoted-printable': (text) => each(text, (byte) => `=${hex(byte).toUpperCase()}`),
  'quoted-printable in lines': (text) => wrapped(text, 9, '=\r\n'),
  'lines of 10': (text) => wrapped(text, 10, '\r\n  '),
  'lines of 5': (text) => wrapped(text, 5, '\n'),
  'broken by zero-width spaces': (text) => wrapped(text, 3, '\u200b'),
  'broken by soft hyphens in html': (text) => wrapped(text, 3, '&shy;'),
  base64,
  'base64 behind 1': (text) => base64(`u${text}.`),
  'base64 behind 2': (text) => base64(`u:${text}.`),
  'base64 behind 3': (text) => base64(`us:${text}.`),
  'base64 of a sentence': (text) => base64(`{"authorization":"${text}","other":"field"}`),
  'base64 in lines': (text) => wrapped(base64(`some user:${text}:and more`), 20, '\r\n'),
  'base64 in lines in json': (text) => json(wrapped(base64(text), 12, '\n')),
  'base64 in percent': (text) => percent(base64(`${text}??>>`)),
  'base64url in percent': (text) => percent(Buffer.from(`~~~${text}`).toString('base64url')),
  'base64 with every byte in percent': (text) => everyPercent(base64(text)),
  'base64 in html': (text) => units(base64(text), (unit) => `&#${unit};`),
  'percent in base64': (text) => base64(percent(text)),
  'json in base64': (text) => base64(json(text)),
  'base64 in json in base64': (text) => base64(JSON.stringify({ a: base64(text) })),
  'base64 twice': (text) => base64(base64(text)),
  'base64 twice, elsewhere': (text) => base64(`a:${base64(`b:${text}`)}`),
  'hex in base64': (text) => base64(Buffer.from(text).toString('hex')),
  'base64 in hex': (text) => Buffer.from(base64(text)).toString('hex'),
  'base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'base64 of UTF-16 the other way': (text) => utf16be(text).toString('base64'),
  'base64 of lower case': (text) => base64(text.toLowerCase()),
  'UTF-16 read as UTF-8': (text) => readAs('utf-8', Buffer.from(text, 'utf16le')),
  'UTF-16 big-endian read as UTF-8': (text) => readAs('utf-8', utf16be(text)),
  'UTF-16 read as latin1': (text) => readAs('latin1', Buffer.from(text, 'utf16le')),
  'UTF-16 read the other way round': (text) => readAs('utf-16le', utf16be(text)),
  'ASCII read as UTF-16': (text) =>
    readAs('utf-16le', Buffer.from(`${text}${text.length % 2 ? ' ' : ''}`)),
  'ASCII read as UTF-16, big-endian': (text) =>
    readAs('utf-16be', Buffer.from(`${text}${text.length % 2 ? ' ' : ''}`)),
  'ASCII read as UTF-16, beside': (text) =>
    readAs('utf-16le', Buffer.from(` ${text}${text.length % 2 ? '' : ' '}`)),
  'UTF-32 read as UTF-8': (text) =>
    units(text, (unit) => `${String.fromCharCode(unit)}\ufffd\ufffd\ufffd`),
  'latin1 read as UTF-8': (text) => readAs('utf-8', Buffer.from(text, 'latin1')),
  'latin1 in percent': (text) =>
    Array.from(Buffer.from(text, 'latin1'), (byte) => `%${hex(byte)}`).join(''),
  'ASCII, signs for the rest': (text) => text.replace(/[^ -~]/g, '?'),
  'UTF-8 read as latin1': (text) => readAs('latin1', Buffer.from(text)),
}

function bytesInJson(bytes: Uint8Array): string {
  return JSON.stringify({ type: 'Buffer', data: [...bytes] })
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
  t.test(`a secret with ${kind} is not to be read in any spelling`, async (t) => {
    for (const [name, spell] of Object.entries(spellings)) {
      const echo = spell(secret)
      const leaky = Object.entries(ways).flatMap(([way, fields]) => {
        const shown = redactorFor(makeTarget(fields(secret)))(`before: "${echo}" after`)
        return isBlotted(shown, spell, secret) ? [] : [`${way}: ${shown}`]
      })
      t.same(leaky, [], name)
    }
  })
}

t.test('so is a short one', async (t) => {
  const headers = { 'X-Pin': 'q7Zx' }
  const spelled = ['q7Zx', 'Q7ZX', '%71%37%5A%78', '\\u0071\\u0037Z\\x78', 'cTdaeA==', '71375a78']
  for (const echo of [...spelled, 'q\ufffd7\ufffdZ\ufffdx\ufffd', '&#113;7Zx', base64('u:q7Zx')]) {
    t.notMatch(redactorFor(makeTarget({ headers }))(`is "${echo}"`), echo, echo)
  }
})

t.test('a very long one is found in every spelling, and from its middle on', async (t) => {
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
      const shown = redact((spellings[name] ?? json)(echo))
      t.ok(shown.replaceAll('••••', '').length <= 8 * 6, `${name}: ${shown.slice(0, 100)}`)
    }
  }
})

t.test('what nobody sent stays, however it is spelled', async (t) => {
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
  const thrice = base64(base64(base64(JSON.stringify({ a: '%41&amp;'.repeat(99) }))))
  const worst = [
    thrice,
    '%',
    '\\',
    '&#38;',
    '&amp;',
    'x&a',
    '服务器',
    '7a',
    '65,',
    'é',
    '\\u{',
    secrets.umlauts,
  ]
  for (const piece of worst) {
    const text = piece.repeat(4_096 / piece.length + 1).slice(0, 4_096)
    const tookMs = Math.min(...Array.from({ length: 5 }, () => cpuMs(() => redact(text))))
    t.ok(tookMs < 15, `${piece.slice(0, 8)}: ${tookMs} ms`)
  }
})

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Of the echo no more is left in one piece than what stood around the secret, and a few letters. */
function isBlotted(shown: string, spell: Spelling, secret: string): boolean {
  const inner = shown.replace(/^before: "/, '').replace(/" after$/, '')
  const frame = spell('').length
  const charsEach = (spell(secret).length - frame) / secret.length
  const pieces = inner.split('••••').map((piece) => piece.length)
  return pieces.length > 1 && Math.max(...pieces) <= frame + 7 * charsEach
}
