// Tokens, session values and webhook signatures: what leaves the daemon and comes back.
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { createSessionSeal } from '../../src/seal/session.ts'
import { mintWebhookSecret, signWebhook } from '../../src/seal/sign.ts'
import { createFieldHash, hashToken, isTokenShaped, mintToken } from '../../src/seal/tokens.ts'

t.test('a token has its kind in front and survives its own check', async (t) => {
  for (const kind of ['sup', 'spp'] as const) {
    const token = mintToken(kind)
    t.match(token, new RegExp(`^${kind}_a[0-9A-Za-z]{36}$`))
    t.ok(isTokenShaped(token, kind))
    t.notOk(isTokenShaped(token, kind === 'sup' ? 'spp' : 'sup'))
  }
  t.match(hashToken('abc'), /^[\w-]{43}$/)
})

t.test('tokens from before there were cell letters stay valid', async (t) => {
  const former = [
    'sup_fjEUOOSyFD0aLXrY3Fbgf2abLCNbcA0SSlSa',
    'spp_sJAUvGOHDGnxu7RgklvrEYAoppCbmx0n0oqf',
  ]
  for (const token of former) {
    const [kind, body = ''] = token.split('_') as ['sup' | 'spp', string]
    t.ok(isTokenShaped(token, kind))
    t.notOk(isTokenShaped(`${kind}_a${body}`, kind), 'a letter cannot be put into one')
  }
  const token = mintToken('sup')
  t.notOk(isTokenShaped(token.replace('_a', '_'), 'sup'), 'nor be taken out of one')
})

t.test('a damaged or cut token is detected without a look-up', async (t) => {
  const token = mintToken('sup')
  let wrong = 0
  for (let at = 0; at < token.length; at += 1) {
    for (const char of '09AZaz') {
      if (char === token[at]) continue
      wrong += 1
      const changed = token.slice(0, at) + char + token.slice(at + 1)
      if (isTokenShaped(changed, 'sup')) t.fail(`${at} ${char} was not noticed`)
    }
  }
  t.ok(wrong > 150)
  for (const text of ['', 'sup_', token.slice(0, -1), `${token}0`, token.toUpperCase()]) {
    t.notOk(isTokenShaped(text, 'sup'))
  }
  t.notOk(isTokenShaped(`sup_${'é'.repeat(36)}`, 'sup'))
})

t.test('every character of the alphabet is equally likely', async (t) => {
  const counts = new Map<string, number>()
  const tokens = 10_000
  for (let n = 0; n < tokens; n += 1) {
    for (const char of mintToken('sup').slice(5, 35)) counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  const expected = (tokens * 30) / 62
  let chiSquare = 0
  for (const count of counts.values()) chiSquare += (count - expected) ** 2 / expected
  t.equal(counts.size, 62)
  // 61 degrees of freedom: beyond 130 once in a million runs; taking bytes modulo 62 gives 3,000.
  t.ok(chiSquare < 130, `chi-square ${chiSquare.toFixed(1)}`)
})

t.test('tokens do not repeat', async (t) => {
  t.equal(new Set(Array.from({ length: 10_000 }, () => mintToken('spp'))).size, 10_000)
})

t.test('a session value is recognised, and only by the key that made it', async (t) => {
  const seal = createSessionSeal(randomBytes(32))
  const { token, tokenHash } = seal.mint()
  const claim = seal.read(token)
  t.ok(claim && seal.matches(claim))
  t.equal(claim?.tokenHash, tokenHash)
  t.match(token, /^s1\.[\w-]{43}\.[\w-]{43}$/)
  t.notOk(token.includes(tokenHash), 'what is stored is not part of the cookie')
  t.notOk(claim && createSessionSeal(randomBytes(32)).matches(claim))
})

t.test('a session value with any other character is refused', async (t) => {
  const seal = createSessionSeal(randomBytes(32))
  const { token, tokenHash } = seal.mint()
  for (let at = 0; at < token.length; at += 1) {
    const changed = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1)
    const claim = seal.read(changed)
    t.notOk(claim && claim.tokenHash === tokenHash && seal.matches(claim), `at ${at}`)
  }
  for (const text of ['', 's1', token.slice(0, -1), `${token}x`, `s2${token.slice(2)}`]) {
    t.equal(seal.read(text), undefined)
  }
  t.equal(seal.read('s1.'.padEnd(90, '.')), undefined)
})

t.test('a standard library verifies the signature of a webhook', async (t) => {
  const secret = mintWebhookSecret()
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const body = JSON.stringify({ type: 'incident.opened', data: { name: 'Grün 🟢' } })
  const signature = signWebhook(secret, 'dlv_1', nowSeconds, body)
  const headers = {
    'webhook-id': 'dlv_1',
    'webhook-timestamp': String(nowSeconds),
    'webhook-signature': signature,
  }
  t.same(new Webhook(secret).verify(body, headers), JSON.parse(body))
  t.throws(() => new Webhook(secret).verify(`${body} `, headers))
  t.throws(() => new Webhook(mintWebhookSecret()).verify(body, headers))
  t.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'dlv_2' }))
  t.equal(Buffer.from(secret.replace('whsec_', ''), 'base64').length, 32)
})

t.test('the same value has the same hash, which needs the key', async (t) => {
  const hash = createFieldHash(Buffer.alloc(32, 1))
  t.equal(hash('secret'), hash('secret'))
  t.not(hash('secret'), hash('Secret'))
  t.not(hash('secret'), createFieldHash(Buffer.alloc(32, 2))('secret'))
  t.match(hash(''), /^[\w-]{22}$/)
})
