// Redaction: whatever a check sent is not to be read in what its target says.
import t from 'tap'
import { redactorFor } from '../../src/probes/redaction.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'

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
    ...[plain.toString('hex'), plain.toString('hex').toUpperCase()],
  ]
}

t.test('whatever way a secret went and comes back, it is not to be read', async (t) => {
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

t.test('a piece of a secret is not told either', async (t) => {
  const headers = { Authorization: 'Bearer 0123456789abcdefghij' }
  t.equal(redacted('bad token "0123456789ab..."', { headers }), 'bad token "••••..."')
  t.equal(redacted('…456789abcdefghij', { headers }), '…••••')
  t.equal(redacted('account 4567', { headers }), 'account 4567')
  const url = 'https://a.test/hooks/T00000000/Zm9vYmFyYmF6cXV4MTIzNDU2/now'
  t.equal(redacted('no hook Zm9vYmFyYmF6cXV4MTIzNDU2', { url }), 'no hook ••••')
})

t.test('words that are nobody’s secret stay', async (t) => {
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

t.test('very much that was sent takes no time', async (t) => {
  const lines = Array.from({ length: 4_000 }, (_, i) => `word${i} ${i}word`)
  const headers = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`x-${i}`, `${i}`.padEnd(1_000, 'abc')]),
  )
  const before = process.cpuUsage()
  const shown = redacted(`${'z'.repeat(4_000)} 7abcabcabcabc`, { headers, body: lines.join('\n') })
  const { user, system } = process.cpuUsage(before)
  t.match(shown, /^z+ ••••$/)
  const tookMs = (user + system) / 1_000
  t.comment(`${tookMs} ms`)
  t.ok(tookMs < 500, `${tookMs} ms`)
})
