// The tokens of links that end letters: they name a channel and an address, and cannot be forged.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { newId } from '../../src/base/ids.ts'
import { createUnsubscribeLinks } from '../../src/seal/unsubscribe-link.ts'

const subject = {
  orgId: newId('org', 1),
  channelId: newId('channel', 2),
  address: 'Ann@example.test',
}

t.test('a token names a channel and stands for one address', async (t) => {
  const links = createUnsubscribeLinks(randomBytes(32))
  const token = links.token(subject)
  t.match(token, /^[\w-]{84}$/, 'characters that a URL takes as they are')
  const { orgId, channelId } = subject
  t.match(links.read(token), { orgId, channelId })
  const isFor = links.read(token)?.isFor
  t.ok(isFor?.('ann@EXAMPLE.test'), 'however it is written')
  t.notOk(isFor?.('bob@example.test'))
})

t.test('a token differs by address, channel and organization', async (t) => {
  const links = createUnsubscribeLinks(randomBytes(32))
  const tokens = [
    subject,
    { ...subject, address: 'bob@example.test' },
    { ...subject, channelId: newId('channel', 3) },
    { ...subject, orgId: newId('org', 4) },
  ].map(links.token)
  t.equal(new Set(tokens).size, 4)
})

t.test('a changed token, or one of another key, names nothing', async (t) => {
  const links = createUnsubscribeLinks(randomBytes(32))
  const token = links.token(subject)
  const foreign = createUnsubscribeLinks(randomBytes(32)).token(subject)
  const other = links.token({ ...subject, address: 'bob@example.test' })
  const mixed = token.slice(0, 52) + other.slice(52, 68) + token.slice(68)
  const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  for (const bad of [foreign, mixed, changed, token.slice(1), `${token}A`, '', 'x'.repeat(84)]) {
    t.equal(links.read(bad), undefined, bad)
  }
})
