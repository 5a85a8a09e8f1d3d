// Which headers a tenant may set.
import t from 'tap'
import { headerProblems } from '../../src/domain/header-rules.ts'

const isRefused = (name: string, value = 'x', ownStart?: string) =>
  headerProblems({ [name]: value }, ownStart).length > 0

t.test('headers that frame the request, belong to us or smuggle are refused', async (t) => {
  const refused: [string, string][] = [
    ['Host', 'x'],
    ['content-LENGTH', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'x'],
    ['Proxy-Authorization', 'x'],
    ['Sec-Fetch-Site', 'x'],
    ['', 'x'],
    ['a b', 'x'],
    ['a:b', 'x'],
    ['x'.repeat(65), 'x'],
    ['X-Long', 'x'.repeat(1_025)],
    ['X-Split', 'a\r\nHost: b'],
    ['X-Nul', '\0'],
    ['X-Wide', '€'],
  ]
  for (const [name, value] of refused) t.ok(isRefused(name, value), name)
  for (const name of ['Authorization', 'X-Api-Key', 'Content-Type', 'Cookie']) {
    t.notOk(isRefused(name, 'Bearer ä\tb'), name)
  }
})

t.test('what the sender itself sets is refused, and only there', async (t) => {
  t.ok(isRefused('Webhook-Signature', 'x', 'webhook-'))
  t.notOk(isRefused('Webhook-Signature', 'x'))
})

t.test('a problem points at its header, and one name in two spellings is one name', async (t) => {
  t.match(headerProblems({ 'a/b~': 'x' }), [{ pointer: '/headers/a~1b~0', keyword: 'header' }])
  t.same(headerProblems({ 'X-Key': 'a', 'x-key': 'b' }), [
    { pointer: '/headers/x-key', keyword: 'header', message: 'is there twice' },
  ])
})
