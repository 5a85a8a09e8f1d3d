// What recipients see of the letters' outbox: retries, restarts, nobody hurting another; no traces.

import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import type { Outcome } from '../../../src/domain/alerts/delivery.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { StatusPage } from '../../../src/domain/pages/page.ts'
import type { User } from '../../../src/domain/people/person.ts'
import type { LetterEnvelope } from '../../../src/mail/transport.ts'
import type { Tx } from '../../../src/store/engine/write.ts'
import { damageRecords } from '../../support/damaged-records.ts'
import { makeLetter, secretLink, startMailWorld } from '../../support/mail-world.ts'
import { makePage } from '../../support/make-page.ts'
import { makeSubscriber } from '../../support/make-subscriber.ts'
import { until } from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const sentOut: Outcome = { ok: true }
const putOff: Outcome = {
  ok: false,
  mayRetry: true,
  reason: 'The server put the letter off (450).',
}
const refused: Outcome = { ok: false, mayRetry: false, reason: 'The recipient was refused (550).' }

/** A world whose mailer answers as `answer` says and remembers what it was given. */
function start(t: Parameters<typeof startMailWorld>[0]) {
  const given: LetterEnvelope[] = []
  let answer: (envelope: LetterEnvelope) => Outcome | Promise<Outcome> = () => sentOut
  const world = startMailWorld(t, {
    async send(envelope) {
      given.push(envelope)
      return answer(envelope)
    },
  })
  return {
    ...world,
    world,
    given,
    answers: (said: typeof answer) => {
      answer = said
    },
    pending: () => world.letters.pending(),
  }
}

t.test('a letter is sent once, and nothing of it is left', async (t) => {
  const { world, given, store, dir, lines, pending } = start(t)
  await world.mail('ann@example.test')
  await until(() => given.length === 1 && pending() === 0)
  t.match(given[0], { to: 'ann@example.test', letter: { subject: 'Sign in' } })
  const [lane = ''] = store.letters.owedRecipients()
  t.equal(lane, '', 'nothing is owed')
  await settle()
  t.equal(given.length, 1)
  const everything = [
    ...readdirSync(dir).map((name) => readFileSync(join(dir, name))),
    Buffer.from(lines.join('')),
  ]
  for (const bytes of everything) {
    t.notOk(bytes.includes('ann@example.test'), 'no address')
    t.notOk(bytes.includes(secretLink), 'no link')
    t.notOk(bytes.includes('Open the link'), 'no text')
  }
})

t.test('pending letters are encrypted in the data', async (t) => {
  const { world, dir, answers, pending, given } = start(t)
  answers(() => putOff)
  await world.mail('ann@example.test')
  await until(() => given.length === 1)
  await settle()
  t.equal(pending(), 1)
  const bytes = readdirSync(dir).map((name) => readFileSync(join(dir, name)))
  for (const secret of ['ann@example.test', secretLink, 'Open the link']) {
    t.notOk(bytes.some((one) => one.includes(secret)))
  }
})

t.test('a deferred letter is sent again after 5 s and 30 s, as the same one', async (t) => {
  const { world, given, answers, fakeClock, pending } = start(t)
  answers(() => (given.length < 3 ? putOff : sentOut))
  await world.mail('ann@example.test')
  for (const [index, waitMs] of [5_000, 30_000].entries()) {
    await until(() => given.length === index + 1)
    await settle()
    await fakeClock.advance(waitMs - 1)
    await settle()
    t.equal(given.length, index + 1, `nothing before ${waitMs} ms`)
    await fakeClock.advance(1)
  }
  await until(() => pending() === 0)
  t.equal(given.length, 3)
  t.equal(new Set(given.map(({ messageId }) => messageId)).size, 1)
  t.match(given[0]?.messageId, /^<ltr_[0-9a-z]{26}@up\.test>$/)
  t.equal(new Set(given.map(({ writtenAtMs }) => writtenAtMs)).size, 1, 'with the same date')
})

t.test('a refused recipient gets no further attempts, and that is logged', async (t) => {
  const { world, given, answers, fakeClock, pending, lines } = start(t)
  answers(() => refused)
  await world.mail('ann@example.test')
  const isLogged = () => lines.some((line) => /refused \(550\).*letter given up/.test(line))
  await until(() => given.length === 1 && pending() === 0 && isLogged())
  await fakeClock.advance(2 * limits.deliveryAgeMsMax)
  t.equal(given.length, 1)
})

t.test('after a day of failures a letter is given up', async (t) => {
  const { world, answers, fakeClock, pending } = start(t)
  answers(() => putOff)
  await world.mail('ann@example.test')
  for (let hour = 0; hour < 60 && pending() > 0; hour += 1) {
    await settle()
    await fakeClock.advance(30 * 60_000)
  }
  t.equal(pending(), 0)
})

t.test('a fresh letter does not wait behind one that keeps failing', async (t) => {
  const { world, given, answers, pending } = start(t)
  answers(({ letter }) => (letter.subject === 'Old' ? putOff : sentOut))
  await world.mail('ann@example.test', 'Old')
  await until(() => given.length === 1)
  await settle()
  await world.mail('ann@example.test', 'New')
  await until(() => pending() === 1)
  t.same(
    given.map(({ letter }) => letter.subject),
    ['Old', 'New'],
  )
})

t.test('a recipient with a hanging server delays nobody; at most five go at once', async (t) => {
  const { world, given, answers, pending } = start(t)
  const held: (() => void)[] = []
  answers(({ to }) =>
    to.startsWith('slow') ? new Promise((done) => held.push(() => done(sentOut))) : sentOut,
  )
  await world.mail(['slow1@example.test', 'slow2@example.test', 'slow3@example.test'])
  await until(() => held.length === 3)
  const others = Array.from({ length: 30 }, (_, index) => `u${index}@example.test`)
  await world.mail(others)
  await until(() => pending() === 3)
  t.equal(given.length, 33)
  await world.mail(Array.from({ length: 5 }, (_, index) => `slow1${index}@example.test`))
  await until(() => held.length === 5)
  await settle()
  t.equal(held.length, limits.lettersInFlightMax)
  for (let at = 0; pending() > 0; at += 1) {
    await until(() => held.length > at || pending() === 0)
    held[at]?.()
    await settle()
  }
})

t.test('one address is one queue, however it is written', async (t) => {
  const { world, store, answers, given } = start(t)
  answers(() => putOff)
  await world.mail(['ann@example.test', 'Ann@Example.Test'])
  await until(() => given.length === 2)
  t.equal(store.letters.owedRecipients().length, 1)
})

t.test('letters pending at a stop are sent after the next start', async (t) => {
  const { world, given, pending } = start(t)
  await world.letters.stop()
  await world.mail(['ann@example.test', 'bob@example.test'])
  await settle()
  t.equal(given.length, 0, 'a stopped outbox sends nothing')
  t.equal(pending(), 2)
  world.restart().start()
  await until(() => world.letters.pending() === 0)
  t.same(given.map(({ to }) => to).sort(), ['ann@example.test', 'bob@example.test'])
})

t.test('a crash before the record repeats a letter with the same id, once', async (t) => {
  const { world, given, store } = start(t)
  await world.letters.stop()
  await world.mail('ann@example.test')
  const dying = world.restart({
    store: { ...store, write: () => new Promise<never>(() => {}) },
  })
  dying.start()
  await until(() => given.length === 1)
  await settle()
  t.equal(dying.pending(), 1, 'not sent before it is recorded')
  world.restart().start()
  await until(() => world.letters.pending() === 0)
  t.equal(given.length, 2)
  t.same(given[0], given[1])
})

t.test('a stop waits for the letter in progress, and starts no other', async (t) => {
  const { world, given, answers, pending } = start(t)
  let finish = () => {}
  answers(() => new Promise((done) => (finish = () => done(sentOut))))
  await world.mail('ann@example.test', 'One')
  await until(() => given.length === 1)
  await world.mail('ann@example.test', 'Two')
  const stopped = world.letters.stop()
  await settle()
  finish()
  await stopped
  t.equal(given.length, 1)
  t.equal(pending(), 1)
})

t.test('news that waits goes to nobody who may not hear of the page any more', async (t) => {
  const { world, store, given, answers, pending, lines } = start(t)
  const page = makePage({ allowsSubscribers: true })
  const { orgId, id: pageId } = page
  const subscriber = makeSubscriber({ orgId, pageId, kind: 'email', state: 'active' })
  const putPage = (more: Partial<StatusPage>) =>
    store.write((tx) => store.pages.put(tx, { ...page, ...more }, world.fakeClock.nowMs()))
  const endings: [string, () => Promise<void>][] = [
    ['The status page is for members only now.', () => putPage({ visibility: 'members' })],
    ['The status page tells no news any more.', () => putPage({ isEnabled: false })],
    [
      'The subscription has ended.',
      () => store.write((tx) => store.subscribers.put(tx, { ...subscriber, state: 'failed' })),
    ],
  ]
  answers(() => putOff)
  for (const [reason, change] of endings) {
    given.length = 0
    await putPage({})
    await store.write((tx) => {
      store.subscribers.put(tx, subscriber)
      const subscription = { orgId, pageId, subscriberId: subscriber.id }
      world.mailer.enqueue(tx, 'bob@example.test', makeLetter(), { isBulk: true, subscription })
    })
    await until(() => given.length === 1)
    await settle()
    await change()
    await world.fakeClock.advance(60_000)
    await until(() => lines.some((line) => /letter dropped/.test(line) && line.includes(reason)))
    t.equal(pending(), 0)
    t.equal(given.length, 1, 'it was not tried again')
  }
})

t.test('of a page for members, news that waits goes to verified members alone', async (t) => {
  const { world, store, given, lines } = start(t)
  const page = makePage({ allowsSubscribers: true, visibility: 'members' })
  const { orgId, id: pageId } = page
  const join = (tx: Tx, no: number, email: string, isMember: boolean, more: Partial<User> = {}) => {
    const userId = newId('user', no)
    store.users.put(tx, {
      ...{ id: userId, email, emailVerifiedAtMs: 1, name: null, passwordHash: null },
      ...{ isSystemAdmin: false, isDisabled: false, revision: 1 },
      ...{ createdAtMs: 0, updatedAtMs: 0, ...more },
    })
    if (!isMember) return
    store.memberships.put(tx, { orgId, userId, role: 'viewer', joinedAtMs: 0 })
  }
  await store.write((tx) => {
    store.pages.put(tx, page, 0)
    join(tx, 1, 'Ann@example.test', true)
    join(tx, 2, 'ben@example.test', true, { emailVerifiedAtMs: null })
    join(tx, 3, 'cy@example.test', true, { isDisabled: true })
    join(tx, 4, 'dan@example.test', false)
    join(tx, 5, 'flo@example.test', true)
  })
  const damaged = hash('sha256', 'flo@example.test', 'base64url')
  t.equal(await damageRecords(store, 'userEmails', damaged), 1)
  await store.write((tx) => {
    for (const [no, name] of ['ann', 'ben', 'cy', 'dan', 'eve', 'flo'].entries()) {
      const subscriberId = newId('subscriber', no)
      const mark = name
      store.subscribers.put(
        tx,
        makeSubscriber({ id: subscriberId, orgId, pageId, mark, kind: 'email', state: 'active' }),
      )
      const subscription = { orgId, pageId, subscriberId }
      world.mailer.enqueue(tx, `${name}@example.test`, makeLetter(), { isBulk: true, subscription })
    }
  })
  const dropped = () => lines.filter((line) => /letter dropped/.test(line))
  await until(() => given.length === 2 && dropped().length === 4)
  const told = given.map(({ to }) => to).toSorted()
  t.same(told, ['ann@example.test', 'flo@example.test'], 'also one whose address is damaged')
})

t.test('a letter whose key is gone stays pending and harms no other', async (t) => {
  const { world, given, store, lines, pending } = start(t)
  await world.letters.stop()
  await world.mail(['ann@example.test', 'bob@example.test'])
  const [lane = ''] = store.letters.owedRecipients()
  const [letter] = store.letters.pending(lane, 1)
  await store.write((tx) => letter && store.letters.put(tx, { ...letter, sealed: '00000000.AAAA' }))
  world.restart().start()
  await until(() => given.length === 1 && pending() === 1)
  await until(() => lines.join('').includes('cannot be opened'))
  t.match(store.letters.pending(lane, 1), [{ state: 'pending' }])
})

t.test('the short record of a letter is deleted a week after its end', async (t) => {
  const { world, store, answers, given, pending, fakeClock } = start(t)
  answers(({ to }) => (to === 'ann@example.test' ? sentOut : putOff))
  await world.mail(['ann@example.test', 'bob@example.test'])
  await until(() => given.length === 2 && pending() === 1)
  const trim = (beforeMs: number) => store.write((tx) => store.letters.trim(tx, beforeMs, 10))
  const nowMs = fakeClock.nowMs()
  await settle()
  t.equal(await trim(nowMs), 0)
  t.equal(await trim(nowMs + 1), 1)
  t.equal(pending(), 1)
})
