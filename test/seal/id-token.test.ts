// The tokens of links in alerts and of shadow runs: they name things by their ids, and cannot be forged.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { newId } from '../../src/base/ids.ts'
import { createAlertLinks, createShadowTokens } from '../../src/seal/id-token.ts'

const subject = {
  orgId: newId('org', 1),
  incidentId: newId('incident', 2),
  channelId: newId('channel', 3),
}

t.test(
  'a token names what it was made of, in characters that a URL takes as they are',
  async (t) => {
    const links = createAlertLinks(randomBytes(32))
    const token = links.token(subject)
    t.match(token, /^[\w-]{94}$/)
    t.same(links.read(token), subject)
  },
)

t.test('a changed token, or one of another key, names nothing', async (t) => {
  const links = createAlertLinks(randomBytes(32))
  const token = links.token(subject)
  const other = createAlertLinks(randomBytes(32)).token(subject)
  const swapped = token.slice(26, 52) + token.slice(0, 26) + token.slice(52)
  const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  for (const bad of [other, swapped, changed, token.slice(1), `${token}A`, '', 'x'.repeat(94)]) {
    t.equal(links.read(bad), undefined, bad)
  }
})

t.test('a token of a shadow run names its import, and is none of an alert', async (t) => {
  const key = randomBytes(32)
  const tokens = createShadowTokens(key)
  const named = { orgId: newId('org', 1), importId: newId('import', 2) }
  const token = tokens.token(named)
  t.match(token, /^[\w-]{68}$/)
  t.same(tokens.read(token), named)
  t.equal(createAlertLinks(key).read(token), undefined)
  t.equal(tokens.read(createAlertLinks(key).token(subject)), undefined)
  t.equal(tokens.read(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`), undefined)
  const replaced = { ...named, addressId: newId('request', 3) }
  t.same(tokens.read(tokens.token(replaced)), replaced)
  t.equal(createAlertLinks(key).read(tokens.token(replaced)), undefined, 'also of the same length')
})
