// Permits for look-ups: bounded in all, and silent names do not delay names that answer.
import t from 'tap'
import type { Confidence } from '../../../src/net/dns/dns-cache.ts'
import {
  createDnsConcurrency,
  dnsDoubtfulLookupsMax,
  dnsForwarderMs,
  dnsKnownLookupsMax,
  dnsLikelyLookupsMax,
  dnsWaitMsMax,
  type Permit,
} from '../../../src/net/dns/dns-concurrency.ts'
import { FakeClock } from '../../support/fake-clock.ts'

/** How many questions a dnsmasq bears that are not answered. */
const weakForwarderQuestions = 150

function start() {
  const clock = new FakeClock()
  const concurrency = createDnsConcurrency(clock)
  const acquire = async (orgId: string, confidence: Confidence, waitMsMax = 1) => {
    const permit = concurrency.acquire(orgId, confidence, waitMsMax)
    await clock.advance(waitMsMax)
    return permit
  }
  /** All that one organization can have at once. */
  const grab = async (orgId: string, confidence: Confidence): Promise<readonly Permit[]> => {
    const permits: Permit[] = []
    for (;;) {
      const permit = await acquire(orgId, confidence)
      if (!permit) return permits
      permits.push(permit)
    }
  }
  return { clock, concurrency, acquire, grab }
}

t.test('all together never query more than a small forwarder supports', async (t) => {
  const { grab } = start()
  let held = 0
  for (let i = 0; i < 100; i++) {
    for (const confidence of ['known', 'likely', 'doubtful'] as const) {
      held += (await grab(`o${i}`, confidence)).length
    }
  }
  const all = dnsKnownLookupsMax + dnsLikelyLookupsMax + dnsDoubtfulLookupsMax
  t.equal(held, all, 'none stays unused')
  t.ok(2 * held < weakForwarderQuestions, `${2 * held} questions`)
})

t.test('any number of other names leaves permits for those that answer', async (t) => {
  const { acquire, grab } = start()
  for (let i = 0; i < 100; i++) {
    await grab(`o${i}`, 'doubtful')
    await grab(`o${i}`, 'likely')
  }
  t.ok(await acquire('us', 'known'))
})

t.test('one organization alone leaves permits for others', async (t) => {
  for (const confidence of ['known', 'likely', 'doubtful'] as const) {
    const { acquire, grab } = start()
    t.ok((await grab('them', confidence)).length > 1)
    t.ok(await acquire('us', confidence), confidence)
  }
})

t.test('a permit that ended in silence is free when a forwarder has given up', async (t) => {
  const { clock, acquire, grab } = start()
  const [first, second] = await grab('us', 'known')
  first?.release('answered')
  t.ok(await acquire('us', 'known'), 'at once where there was an answer')
  second?.release('silent')
  t.equal(await acquire('us', 'known', dnsWaitMsMax), undefined)
  await clock.advance(dnsForwarderMs - dnsWaitMsMax - 2)
  t.equal(await acquire('us', 'known'), undefined)
  await clock.advance(1)
  t.ok(await acquire('us', 'known'))
})

t.test('the wait for a permit is bounded', async (t) => {
  const { clock, concurrency, grab } = start()
  await grab('us', 'doubtful')
  let permit: Permit | undefined | 'waiting' = 'waiting'
  void concurrency.acquire('us', 'doubtful', 60_000).then((found) => {
    permit = found
  })
  await clock.advance(dnsWaitMsMax - 1)
  t.equal(permit, 'waiting')
  await clock.advance(1)
  t.equal(permit, undefined)
})
