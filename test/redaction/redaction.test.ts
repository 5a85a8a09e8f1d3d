// Redaction: what a check sent is masked in what its target answers.
import t from 'tap'
import { redactorFor, redactorOf } from '../../src/redaction/redaction.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'
import { leastMs } from '../support/starvation.ts'

const redacted = (text: string, fields: TargetFields, also?: readonly string[]) =>
  redactorFor(makeTarget(fields), also)(text)

const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Every form in which frameworks repeat a value. */
function echoesOf(secret: string): readonly string[] {
  const plain = Buffer.from(secret)
  const inside = (before: string) => Buffer.from(`${before}${secret}.`)
  return [
    ...[secret, encodeURIComponent(secret), new URLSearchParams({ a: secret }).toString()],
    ...[JSON.stringify([secret]), JSON.stringify([secret]).replaceAll('/', '\\/')],
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
    html(secret).replaceAll('"', '&quot;'),
    html(secret).replaceAll('"', '&#34;'),
    ...[plain, inside(''), inside('x'), inside('xy')].flatMap((bytes) => [
      bytes.toString('base64'),
      bytes.toString('base64url'),
    ]),
  ]
}

t.test('a secret is masked however it was sent and returned', async (t) => {
  const secrets = ['tok-en_0123456789', 'pa&ss/wörd <"quoted"> ?', 'eyJhbGciOiJub25lIn0.e30']
  const ways: Readonly<Record<string, (secret: string) => TargetFields>> = {
    header: (secret) => ({ headers: { 'X-Api-Key': secret } }),
    bearer: (secret) => ({ headers: { Authorization: `Bearer ${secret}` } }),
    basic: (secret) => ({
      headers: { Authorization: `Basic ${Buffer.from(`me:${secret}`).toString('base64')}` },
    }),
    cookie: (secret) => ({ headers: { Cookie: `a=b; sid=${secret.replaceAll(';', '')}` } }),
    json: (secret) => ({ body: JSON.stringify({ deep: [{ note: secret }] }) }),
    form: (secret) => ({ body: new URLSearchParams({ a: '1', b: secret }).toString() }),
    query: (secret) => ({ url: `https://a.test/?${new URLSearchParams({ token: secret })}` }),
    line: (secret) => ({ body: secret }),
  }
  for (const [way, fields] of Object.entries(ways)) {
    for (const secret of secrets) {
      for (const echo of echoesOf(secret)) {
        const shown = redacted(`before ${echo} after`, fields(secret))
        t.match(shown, /^before .*••••.* after$/, `${way}: ${echo}`)
        const rest = shown.slice('before '.length, -' after'.length).split('••••')
        t.ok(Math.max(...rest.map((piece) => piece.length)) < 8, shown)
      }
    }
  }
})

t.test('a part of a secret is masked as well', async (t) => {
  const headers = { Authorization: 'Bearer 0123456789abcdefghij' }
  t.equal(redacted('bad token "0123456789ab..."', { headers }), 'bad token "••••..."')
  t.equal(redacted('…456789abcdefghij', { headers }), '…••••')
  t.equal(redacted('account 4567', { headers }), 'account 4567')
  const url = 'https://a.test/hooks/T00000000/Zm9vYmFyYmF6cXV4MTIzNDU2/now'
  t.equal(redacted('no hook Zm9vYmFyYmF6cXV4MTIzNDU2', { url }), 'no hook ••••')
})

t.test('words that are not secret stay', async (t) => {
  const said = 'HTTP/1.1 503 login open 1000 monitoring application/json'
  const body = JSON.stringify({ action: 'login', state: 'open', limit: 1_000 })
  const headers = { Accept: 'application/json', 'X-Version': 'HTTP/1.1' }
  const url = 'https://a.test/monitoring?keyword=monitoring'
  t.equal(redacted(said, { url, headers, body }), said)
  t.equal(redacted('-ERR PASS is wrong', {}, ['PASS hunter2']), '-ERR PASS is wrong')
  t.equal(redacted("-ERR 'hunter2' is wrong", {}, ['PASS hunter2']), "-ERR '••••' is wrong")
  t.equal(
    redacted('name=ns1.example.com', { url: 'dns://a.test?server=ns1.example.com' }),
    'name=ns1.example.com',
  )
})

t.test('very much sent data takes no time', async (t) => {
  const lines = Array.from({ length: 4_000 }, (_, i) => `word${i} ${i}word`)
  const headers = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`x-${i}`, `${i}`.padEnd(1_000, 'abc')]),
  )
  const body = lines.join('\n')
  const tookMs = leastMs(500, () => {
    t.match(redacted(`${'z'.repeat(4_000)} 7abcabcabcabc`, { headers, body }), /^z+ ••••$/)
  })
  t.comment(`${tookMs} ms`)
  t.ok(tookMs < 500, `${tookMs} ms`)
})

t.test('long secrets are found whole in every form, and by their beginnings', async (t) => {
  const token = Array.from({ length: 1_024 }, (_, i) =>
    (((i * i * 7919 + i * 31) % 1_009) % 36).toString(36),
  ).join('')
  const secret = `é"${token.slice(3)}<`
  for (const fields of [{ headers: { 'X-Key': secret } }, { body: JSON.stringify({ secret }) }]) {
    for (const echo of echoesOf(secret)) {
      const shown = redacted(`before ${echo} after`, fields)
      const rest = shown.replaceAll('••••', ' ').split(' ')
      t.ok(Math.max(...rest.map((piece) => piece.length)) < 8, shown.slice(0, 100))
    }
  }
  const rows = Array.from({ length: 100 }, (_, i) => ({ id: i, is: 'ok', of: 'a&b' }))
  const body = JSON.stringify(rows)
  t.ok(body.length > 2_000)
  t.equal(redacted(`got ${body}.`, { body }), 'got ••••.')
  for (const echo of [JSON.stringify(body), encodeURIComponent(body), html(body)]) {
    t.match(redacted(`got ${echo}.`, { body }), /^got "?••••"?\.$/)
  }
})

t.test('text that two secrets share hides neither', async (t) => {
  const headers = {
    'X-One': 'shared-part-aaaaaaaa-one',
    'X-Two': 'aaaa-one-bbbbbbbb',
    'X-3': 'abcd',
  }
  t.equal(redacted('shared-part-aaaaaaaa-one-bbbbbbbb!', { headers }), '••••!')
  t.equal(redacted('abcd, abc, abcde', { headers }), '••••, abc, ••••e')
})

t.test('a body of any kind is prepared in no time', async (t) => {
  const size = 64 * 1_024
  const fill = (pattern: string) => `a ${pattern.repeat(size)}`.slice(0, size)
  const words = Array.from({ length: 190 }, (_, i) => '"&é'.repeat(80) + i).join(' ')
  const bodies = [...['"', `'"`, '<"&>', '&', 'é', 'é"&<', '\u0001', 'xx=y'].map(fill), words]
  for (const body of bodies) {
    const text = body.slice(0, 4_096)
    const tookMs = leastMs(30, () => redacted(text, { body }), 5)
    t.ok(tookMs < 30, `${JSON.stringify(body.slice(0, 8))}: ${tookMs} ms`)
  }
})

t.test('texts that were sent are masked where they are whole', async (t) => {
  const redact = redactorOf(['tok/en-0123456789', 'ab'])
  const echo = `tok/en-0123456789, tok%2Fen-0123456789, ${btoa('user:tok/en-0123456789')}`
  t.notMatch(redact(echo), /0123456789|ab$/)
  t.equal(redact('tok/en-0123'), 'tok/en-0123')
  t.equal(redact('ab'), 'ab', 'too short to be a secret')
})

t.test('nothing that is found in texts takes the place of a variable or a secret', (t) => {
  const long = (at: number) => `${at}-`.repeat(2_000).slice(0, 4_000 + at)
  const variables = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`v${at}`, long(at)]))
  const secrets = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`S${at}`, { value: long(50 + at), hosts: [] }]),
  )
  const cookies = Array.from({ length: 150 }, (_, at) => long(100 + at).slice(0, 1_000))
  const redact = redactorFor(makeTarget({ variables, secrets }), cookies)
  for (const secret of [...Object.values(variables), secrets.S19?.value ?? '']) {
    t.equal(redact(`got ${secret}!`), 'got ••••!')
  }
  t.end()
})
