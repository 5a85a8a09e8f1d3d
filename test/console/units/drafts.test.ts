// Drafts of forms: whose they are, and what they leave out.
import t from 'tap'
import {
  draftKey,
  draftOf,
  draftText,
  dropDraftsOfOthers,
  secretsIn,
} from '../../../src/console/base/drafts.ts'

t.test('a draft brings back what was typed, but secrets as they are stored', async (t) => {
  const stored = { name: 'Chat', config: { token: '••••', room: '1' }, body: 'a password' }
  const typed = { name: 'Talk', config: { token: 'very secret', room: '2' }, body: 'a password' }
  const secrets = new Set(['/config/token', '/body'])
  const text = draftText({ values: typed, initial: stored, revision: 'r1' }, secrets)
  t.notMatch(text, 'very secret')
  t.notMatch(text, 'a password')
  t.same(draftOf(text, stored), {
    values: { ...stored, name: 'Talk', config: { token: '••••', room: '2' } },
    initial: stored,
    revision: 'r1',
  })
})

t.test(
  'a secret that nothing is stored of stays empty, and makes no fields around it',
  async (t) => {
    const initial = { name: '', config: {} }
    const values = { name: 'Chat', config: { token: 'x' } }
    const text = draftText({ values, initial }, new Set(['/config/token', '/request/body']))
    t.same(draftOf(text, initial).values, { name: 'Chat', config: {} })
  },
)

t.test('the secrets of a body are those that its schema names', async (t) => {
  const config = { properties: { token: { 'x-secret': true }, room: {} } }
  const schema = { properties: { name: {}, config, body: { 'x-secret': true } } }
  t.same(secretsIn(schema), ['/config/token', '/body'])
})

t.test('a draft that names the prototype changes no other object', async (t) => {
  const text = '{"values":{"__proto__":{"bad":1}},"initial":{},"left":["/__proto__/bad"]}'
  draftOf(text, JSON.parse('{"__proto__":{"bad":1}}'))
  t.notOk('bad' in {})
})

t.test('the drafts of others go away, nothing else does', async (t) => {
  const kept = new Map([
    [draftKey('usr_a', 'org_1', 'key'), '1'],
    [draftKey('usr_ab', 'org_1', 'key'), '2'],
    ['of another program', '4'],
  ])
  const storage = {
    get length() {
      return kept.size
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    removeItem: (key: string) => void kept.delete(key),
  }
  dropDraftsOfOthers(storage as Storage, 'usr_a')
  t.same([...kept.values()], ['1', '4'])
})
