// Which headers a tenant may set.
import t from 'tap'
import { headerProblems } from '../../../src/domain/checks/header-rules.ts'

const isRefused = (name: string, value = 'x') => headerProblems({ [name]: value }).length > 0

t.test('headers that frame the request, belong to us or smuggle are refused', async (t) => {
  const refused: [string, string][] = [
    ['Host', 'x'],
    ['content-LENGTH', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'x'],
    ['Upgrade', 'x'],
    ['HTTP2-Settings', 'AAMAAABkAAQAAP__'],
    ['Expect', '100-continue'],
    ['TE', 'trailers'],
    ['Trailer', 'x'],
    ['Keep-Alive', 'x'],
    ['Cookie2', 'x'],
    ['Proxy-Authorization', 'x'],
    ['Sec-Fetch-Site', 'x'],
    ['webhook-id', 'msg_1'],
    ['Webhook-Timestamp', '1'],
    ['WEBHOOK-SIGNATURE', 'v1,x'],
    ['', 'x'],
    ['a b', 'x'],
    ['a:b', 'x'],
    ['x'.repeat(65), 'x'],
    ['X-Long', 'x'.repeat(1_025)],
    ['X-Split', 'a\r\nHost: b'],
    ['X-Nul', '\0'],
    ['X-Wide', '€'],
    ['X-Old-Control', '\x85'],
  ]
  for (const [name, value] of refused) t.ok(isRefused(name, value), name)
  for (const name of ['Authorization', 'X-Api-Key', 'Content-Type', 'Cookie']) {
    t.notOk(isRefused(name, 'Bearer ä\tb'), name)
  }
})

t.test('an invalid value is reported with its defect', async (t) => {
  const said = (value: string) => headerProblems({ 'X-Key': value })[0]?.message
  t.equal(said('a\nb'), 'must not contain control characters')
  t.equal(said('10 €'), 'must contain only Latin-1 characters: HTTP headers allow no others')
  t.match(said('••••'), /is the mask/)
  t.equal(said('x'.repeat(1_025)), 'must have at most 1024 characters')
})

t.test('a problem points at its header, and one name in two spellings is one name', async (t) => {
  t.match(headerProblems({ 'a/b~': 'x' }), [{ pointer: '/headers/a~1b~0', keyword: 'header' }])
  t.same(headerProblems({ 'X-Key': 'a', 'x-key': 'b' }), [
    { pointer: '/headers/x-key', keyword: 'header', message: 'is given twice' },
  ])
})
