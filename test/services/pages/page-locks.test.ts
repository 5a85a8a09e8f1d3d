// Passwords of status pages: who may read, for how long, and how often one may guess.
import t, { type Test } from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { createLimiter } from '../../../src/base/limiter.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createPageKeys } from '../../../src/seal/page-key.ts'
import { createPasswords } from '../../../src/seal/passwords.ts'
import { createPageLocks, wrongPagePasswords } from '../../../src/services/pages/page-locks.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makePage } from '../../support/make-page.ts'

const right = 'correct horse'

async function open(_t: Test) {
  const clock = new FakeClock()
  let verified = 0
  const cheap = createPasswords({ memoryKiB: 64, passes: 1, parallelism: 1 })
  const passwords: typeof cheap = {
    hash: cheap.hash,
    verify(password, stored) {
      verified += 1
      return cheap.verify(password, stored)
    },
  }
  const locks = createPageLocks({
    clock,
    passwords,
    keys: createPageKeys(Buffer.alloc(32, 1)),
    limiter: (_name, policy) => createLimiter(policy, limits.rateKeysMax),
  })
  const page = makePage({ passwordHash: (await locks.hashOf(right)) ?? null })
  return { clock, locks, page, verified: () => verified }
}

t.test('the key of a page opens that page with that password, for thirty days', async (t) => {
  const { clock, locks, page } = await open(t)
  const key = (await locks.unlock(page, right, '203.0.113.7')) ?? ''
  t.ok(locks.isOpenTo(page, [key]))
  t.ok(locks.isOpenTo(page, ['', 'p1.0.x', key]), 'others do not spoil it')
  t.notOk(locks.isOpenTo(page, []))
  t.notOk(locks.isOpenTo({ ...page, id: makePage().id.replace(/.$/, 'z') as never }, [key]))
  t.notOk(locks.isOpenTo({ ...page, passwordHash: (await locks.hashOf(right)) ?? null }, [key]))
  const [, time = '', mac = ''] = key.split('.')
  for (const forged of [
    `p1.${time}.${mac.slice(1)}A`,
    `p1.zzzzzzzz.${mac}`,
    `p1.${time}.${'A'.repeat(43)}`,
    `${key}x`,
    'p1..',
  ]) {
    t.notOk(locks.isOpenTo(page, [forged]), forged)
  }
  await clock.advance(limits.pageKeyMs - 1)
  t.ok(locks.isOpenTo(page, [key]))
  await clock.advance(1)
  t.notOk(locks.isOpenTo(page, [key]))
  t.ok(locks.isOpenTo({ ...page, passwordHash: null }, []), 'without a password it is open')
})

t.test('undefined keeps a password, null and an empty text remove it', async (t) => {
  const { locks } = await open(t)
  t.equal(await locks.hashOf(undefined), undefined)
  t.equal(await locks.hashOf(null), null)
  t.equal(await locks.hashOf(''), null)
  t.match(await locks.hashOf(right), /^\$argon2id\$/)
})

t.test('guesses are counted, also those made at the same time; right ones are not', async (t) => {
  const { clock, locks, page, verified } = await open(t)
  for (let count = 0; count < 100; count += 1) {
    t.ok(await locks.unlock(page, right, '203.0.113.7'))
  }
  const before = verified()
  const { quota } = wrongPagePasswords
  const answers = await Promise.allSettled(
    Array.from({ length: quota + 5 }, () => locks.unlock(page, 'wrong one', '203.0.113.7')),
  )
  const refused = answers.filter(({ status }) => status === 'rejected')
  t.equal(refused.length, 5)
  t.ok(
    refused.every(
      (one) => one.status === 'rejected' && (one.reason as Fault).code === 'rate_limited',
    ),
  )
  t.equal(verified() - before, quota, 'nothing is computed for them')
  await t.rejects(locks.unlock(page, right, '203.0.113.7'), Fault, 'not even the right one')
  t.ok(await locks.unlock(page, right, '203.0.113.8'), 'others are not shut out')
  const other = { ...page, id: `${page.id.slice(0, -1)}z` as never }
  t.equal(await locks.unlock(other, 'wrong one', '203.0.113.7'), undefined, 'another page')
  await clock.advance(wrongPagePasswords.windowSeconds * 1_000)
  t.ok(await locks.unlock(page, right, '203.0.113.7'))
})

t.test('addresses of one network of IPv6 guess as one', async (t) => {
  const { locks, page } = await open(t)
  const { quota } = wrongPagePasswords
  for (let count = 0; count < quota; count += 1) {
    await locks.unlock(page, 'wrong one', `2001:db8::${count.toString(16)}`)
  }
  await t.rejects(locks.unlock(page, 'wrong one', '2001:db8::ffff'), Fault)
})
