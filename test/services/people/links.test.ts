// Links in letters: each opens one thing, once, in time, and the newest one only.
import t, { type Test } from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { linkPurposes } from '../../../src/domain/sign-in/link.ts'
import { createLinks } from '../../../src/services/people/links.ts'
import { callerOf } from '../../support/access.ts'
import { openCore } from '../../support/core.ts'

function open(t: Test) {
  const core = openCore(t)
  const { store, clock } = core
  const links = createLinks(core)
  const make = (purpose: (typeof linkPurposes)[number], subject = 'alice@example.com') =>
    store.write((tx) =>
      links.make(tx, callerOf(), { purpose, subject, userId: null, email: subject }),
    )
  return { store, clock, links, make }
}

const expired = { code: 'link_expired' }

t.test('a link is for its own purpose, and works once', async (t) => {
  const { store, links, make } = open(t)
  const tokens = new Set<string>()
  for (const purpose of linkPurposes) {
    const token = await make(purpose)
    tokens.add(token)
    for (const other of linkPurposes) {
      if (other !== purpose) t.throws(() => links.look(other, token), expired)
    }
    t.match(links.look(purpose, token), { purpose, email: 'alice@example.com' })
    await store.write((tx) => links.spend(tx, purpose, token))
    t.throws(() => links.look(purpose, token), expired)
  }
  t.equal(tokens.size, linkPurposes.length)
})

t.test('the newest link of a purpose and person is the only one', async (t) => {
  const { store, links, make } = open(t)
  const [first, others] = [await make('sign-in'), await make('sign-in', 'bob@example.com')]
  const second = await make('sign-in')
  t.throws(() => links.look('sign-in', first), expired)
  t.ok(links.look('sign-in', second))
  t.ok(links.look('sign-in', others))
  await store.write((tx) => links.revoke(tx, 'sign-in', 'alice@example.com'))
  t.throws(() => links.look('sign-in', second), expired)
})

t.test('a link ends to the millisecond', async (t) => {
  const { clock, links, make } = open(t)
  for (const purpose of linkPurposes) {
    const token = await make(purpose)
    await clock.advance(limits.linkMs[purpose] - 1)
    t.ok(links.look(purpose, token), purpose)
    await clock.advance(1)
    t.throws(() => links.look(purpose, token), expired, purpose)
  }
})

t.test('a malformed token is a link that does not work, without a look-up', async (t) => {
  const { links } = open(t)
  for (const token of [
    '',
    'x',
    'a'.repeat(43),
    `${'a'.repeat(42)}\n`,
    'a'.repeat(10_000),
    '../..',
  ]) {
    t.throws(() => links.look('sign-in', token), expired)
  }
})
