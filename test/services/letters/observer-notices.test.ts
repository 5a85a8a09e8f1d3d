// The administrators, and nobody else, hear of the time in which the daemon could not see.
import t from 'tap'
import { createObserverNotices } from '../../../src/services/letters/observer-notices.ts'
import { openAccess } from '../../support/access.ts'

t.test('each administrator gets one letter, in words that people know', async (t) => {
  const { store, clock, mailer, letters, enrol } = openAccess(t)
  await enrol('alice')
  for (const name of ['bob', 'carol']) {
    const { user } = await enrol(name)
    await store.write((tx) => store.users.put(tx, { ...user, isSystemAdmin: true }))
  }
  const before = letters.length
  const wokenBefore = mailer.woken
  const told: { kind: string; isOver: boolean; text: string }[] = []
  const systemNotices = {
    tell: (_tx: unknown, notice: (typeof told)[number]) => void told.push(notice),
  }
  const baseUrl = 'https://up.test'
  const notices = createObserverNotices({ store, clock, mailer, systemNotices, baseUrl })
  const span = { fromMs: 0, toMs: 3_600_000, lengthMs: 3_600_000, wasCutOff: false }
  const episode = { ...span, capabilities: ['ipv6', 'dns'], heldMonitors: 3 } as const
  await notices.tell(episode)
  const [letter, ...more] = letters.slice(before)
  t.same([letter, ...more].map((one) => one?.to).toSorted(), [
    'bob@example.com',
    'carol@example.com',
  ])
  t.match(letter?.text, /from 1 January 1970, 00:00 UTC to 1 January 1970, 01:00 UTC/)
  t.match(letter?.text, /the network over IPv6 and the name servers did not work/)
  t.match(letter?.text, /3 monitors/)
  t.equal(mailer.woken, wokenBefore + 2)
  t.match(told, [{ kind: 'network', isOver: true, text: /3 monitors/ }])

  await notices.tell(episode)
  await notices.tell(episode)
  t.equal(letters.length, before + 2, 'a network that comes and goes is no flood of letters')
  await clock.advance(15 * 60_000)
  await notices.tell(episode)
  t.match(letters.at(-1)?.text, /2 more such interruptions/)
})

t.test('a letter that could not be written does not keep the next one back', async (t) => {
  const { store, clock, mailer, letters, enrol } = openAccess(t)
  const { user } = await enrol('bob')
  await store.write((tx) => store.users.put(tx, { ...user, isSystemAdmin: true }))
  const before = letters.length
  let isBroken = true
  const write: typeof store.write = (work) =>
    isBroken ? Promise.reject(new Error('no disk')) : store.write(work)
  const systemNotices = { tell: () => {} }
  const deps = { clock, mailer, systemNotices, baseUrl: 'https://up.test' }
  const notices = createObserverNotices({ ...deps, store: { ...store, write } })
  const span = { fromMs: 0, toMs: 1, lengthMs: 1, wasCutOff: true, heldMonitors: 1 }
  const episode = { ...span, capabilities: ['ipv4'] } as const
  await t.rejects(notices.tell(episode), /no disk/)
  isBroken = false
  await notices.tell(episode)
  t.equal(letters.length, before + 1)
})
