// The post: a letter is owed with its cause or not at all, and nobody's letter is forgotten.
import t, { type Test } from 'tap'
import type { LetterEnvelope } from '../../src/mail/transport.ts'
import { makeLetter, startMailWorld } from '../support/mail-world.ts'
import { until } from '../support/outbox-world.ts'
import { settle } from '../support/temp-store.ts'

function start(t: Test) {
  const given: LetterEnvelope[] = []
  const world = startMailWorld(t, {
    async send(envelope) {
      given.push(envelope)
      return { ok: true }
    },
  })
  return { given, world, store: world.store }
}

t.test('a letter whose transaction is rolled back was never queued', async (t) => {
  const { given, world, store } = start(t)
  const undone = store.write((tx) => {
    world.mailer.enqueue(tx, 'ann@example.test', makeLetter())
    throw new Error('undone')
  })
  await t.rejects(undone, { message: 'undone' })
  await settle()
  t.same(given, [])
  t.equal(world.letters.pending(), 0)
  await world.mail('bob@example.test')
  await until(() => given.length === 1)
})

t.test('two letters to one recipient, queued at the same moment, are both sent', async (t) => {
  const { given, world, store } = start(t)
  const first = store.write((tx) => world.mailer.enqueue(tx, 'ann@example.test', makeLetter('One')))
  const second = store.write((tx) =>
    world.mailer.enqueue(tx, 'ann@example.test', makeLetter('Two')),
  )
  await Promise.all([first, second])
  await until(() => given.length === 2)
  await until(() => world.letters.pending() === 0)
})

t.test('letters that many callers queue at once are all sent, once each', async (t) => {
  const { given, world } = start(t)
  const people = Array.from({ length: 60 }, (_, index) => `u${index % 7}@example.test`)
  await Promise.all(people.map((to, index) => world.mail(to, `Letter ${index}`)))
  await until(() => given.length === 60 && world.letters.pending() === 0)
  t.equal(new Set(given.map(({ letter }) => letter.subject)).size, 60)
  t.equal(new Set(given.map(({ messageId }) => messageId)).size, 60)
})

t.test('a letter that somebody waits for passes a bulk letter that hangs', async (t) => {
  const sent: string[] = []
  const hanging: (() => void)[] = []
  const world = startMailWorld(t, {
    async send({ letter, isBulk }) {
      if (isBulk) await new Promise<void>((resolve) => hanging.push(resolve))
      sent.push(letter.subject)
      return { ok: true }
    },
  })
  const bulk = { isBulk: true } as const
  await world.store.write((tx) => {
    world.mailer.enqueue(tx, 'ann@example.test', makeLetter('Outage'), bulk)
    world.mailer.enqueue(tx, 'ann@example.test', makeLetter('Outage over'), bulk)
  })
  await until(() => hanging.length === 1)
  await world.mail('Ann@example.test')
  await until(() => sent.length === 1)
  t.same(sent, ['Sign in'])
  t.equal(hanging.length, 1, 'bulk letters stay in order')
  hanging.pop()?.()
  await until(() => hanging.length === 1)
  hanging.pop()?.()
  await until(() => sent.length === 3)
  t.same(sent, ['Sign in', 'Outage', 'Outage over'])
})
