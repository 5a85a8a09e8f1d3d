// Turns to ask: bounded in all, and silent names hold up nobody whose names answer.
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { Prospect } from '../../../src/net/dns/dns-cache.ts'
import { createNameTurns, type Turn } from '../../../src/net/dns/dns-concurrency.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const prospects: readonly Prospect[] = ['known', 'likely', 'new', 'doubtful']
/** How many questions a dnsmasq bears that nobody answers. */
const weakForwarderQuestions = 150

function start() {
  const clock = new FakeClock()
  const turns = createNameTurns(clock)
  /** All that one can have at once. */
  const grab = (orgId: string, prospect: Prospect): Turn[] => {
    const taken: Turn[] = []
    for (;;) {
      const turn = turns.take(orgId, prospect, 1)
      if (turn instanceof Promise) return taken
      taken.push(turn)
    }
  }
  return { clock, turns, grab }
}

t.test('all together never ask more than a small forwarder bears', (t) => {
  const { grab } = start()
  const all = Array.from({ length: 100 }, (_, i) => prospects.flatMap((one) => grab(`o${i}`, one)))
  const held = all.flat().length
  t.ok(held > 20 && 2 * held < weakForwarderQuestions, `${2 * held} questions`)
  t.end()
})

t.test('any number of silent names leaves turns for those that answer', async (t) => {
  const { turns, grab } = start()
  for (const prospect of ['new', 'likely', 'doubtful'] as const) {
    for (let i = 0; i < 100; i++) grab(`o${i}`, prospect)
  }
  t.notOk(turns.take('us', 'known', 1_000) instanceof Promise)
})

t.test('one alone leaves turns for others', (t) => {
  for (const prospect of prospects) {
    const { turns, grab } = start()
    t.ok(grab('them', prospect).length > 1)
    t.notOk(turns.take('us', prospect, 1_000) instanceof Promise, prospect)
  }
  t.end()
})

t.test('a turn that ended in silence is free only when a forwarder has given up', async (t) => {
  for (const [isSilent, busyMs] of [
    [true, limits.dnsForwarderMs],
    [false, 0],
  ] as const) {
    const { clock, turns, grab } = start()
    const [turn] = grab('us', 'known')
    await clock.advance(1)
    turn?.end(isSilent ? 'silent' : 'answered')
    const early = turns.take('us', 'known', limits.dnsWaitMsMax)
    await clock.advance(busyMs - 1)
    if (isSilent) t.equal(await early, undefined, 'it did not come in time')
    else t.ok(await early)
    await clock.advance(1)
    if (isSilent) t.notOk(turns.take('us', 'known', 1) instanceof Promise)
  }
})

t.test('what is answered widens its window while some wait; silence narrows it', async (t) => {
  const least = start().grab('us', 'known').length
  const { clock, turns, grab } = start()
  const held: Turn[] = []
  const waiting = Array.from({ length: 3_000 }, async () => {
    const turn = await turns.take('us', 'known', 1_000)
    if (turn) held.push(turn)
  })
  for (let i = 0; i < 2_500; i++) {
    held.shift()?.end('answered')
    await setImmediate()
  }
  const most = held.length
  t.ok(most > 2 * least && most <= limits.dnsKnownAsksMax, `${least} became ${most}`)
  for (const refused of held.splice(0, 3)) refused.end('refused')
  await clock.advance(limits.dnsWaitMsMax)
  await Promise.all(waiting)
  for (const turn of held) turn.end()
  await setImmediate()
  t.equal(grab('us', 'known').length, least, 'as few as at first')
})
