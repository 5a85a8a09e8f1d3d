// Which headers a tenant may set.
import t from 'tap'
import { headerProblem } from '../../src/domain/header-rules.ts'

t.test('headers that frame the request, belong to us or smuggle are refused', async (t) => {
  const refused: [string, string][] = [
    ['Host', 'x'],
    ['content-LENGTH', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'x'],
    ['Proxy-Authorization', 'x'],
    ['Sec-Fetch-Site', 'x'],
    ['Webhook-Signature', 'x'],
    ['', 'x'],
    ['a b', 'x'],
    ['a:b', 'x'],
    ['x'.repeat(65), 'x'],
    ['X-Long', 'x'.repeat(1_025)],
    ['X-Split', 'a\r\nHost: b'],
    ['X-Nul', '\0'],
    ['X-Wide', '€'],
  ]
  for (const [name, value] of refused) t.type(headerProblem(name, value), 'string', name)
  for (const name of ['Authorization', 'X-Api-Key', 'Content-Type', 'Cookie']) {
    t.equal(headerProblem(name, 'Bearer ä\tb'), null, name)
  }
})
