// Conversions of files of other products: one of an organization at a time, and a few of all.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { ForeignFileRefused } from '../../../src/domain/imports/foreign.ts'
import { foreignYamlCharsMax } from '../../../src/domain/imports/yaml-values.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import {
  conversionsTogether,
  conversionsWaiting,
  createConversions,
} from '../../../src/services/orgs/conversions.ts'
import { callerOf } from '../../support/access.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const file = { product: 'kuma', text: '[]' } as const
const retryAfter = [['Retry-After', /^\d+$/]]

function begin(isLimited = true) {
  const clock = new FakeClock()
  const running: { resolve(text: string): void; reject(error: Error): void }[] = []
  const conversions = createConversions(
    { clock },
    {
      isLimited: () => isLimited,
      fetch: async () => '{"checks":[]}',
      convert: () => new Promise((resolve, reject) => void running.push({ resolve, reject })),
    },
  )
  let made = 0
  const someone = (): OrgScope => {
    made += 1
    return { caller: callerOf(), orgId: newId('org', clock.nowMs() + made), role: 'admin' }
  }
  return { clock, running, conversions, someone }
}

const turn = () => new Promise(setImmediate)

t.test('an organization converts one file at a time', async (t) => {
  const { conversions, running, someone } = begin()
  const [alice, bob] = [someone(), someone()]
  const first = conversions.run(alice, file)
  await t.rejects(conversions.run(alice, file), { code: 'rate_limited', headers: retryAfter })
  const other = conversions.run(bob, file)
  await turn()
  t.equal(running.length, 2, 'which keeps no other from converting theirs')
  running[0]?.reject(new ForeignFileRefused('is not JSON'))
  await t.rejects(first, { code: 'validation_failed', message: 'text is not JSON' })
  running[1]?.resolve('{}')
  t.equal(await other, '{}')
  const again = conversions.run(alice, file)
  await turn()
  running[2]?.resolve('{"a":1}')
  t.equal(await again, '{"a":1}')
})

t.test('what an API tells is converted like a file, in the same turn', async (t) => {
  const { conversions, running, someone } = begin()
  const alice = someone()
  const site = { product: 'healthchecks', url: 'https://hc.example.org', key: 'k' } as const
  const first = conversions.fetched(alice, site)
  await t.rejects(conversions.run(alice, file), { code: 'rate_limited' })
  await turn()
  running[0]?.reject(new ForeignFileRefused('has no monitors'))
  await t.rejects(first, { code: 'validation_failed', errors: [{ pointer: '/url' }] })
})

t.test(
  'a few convert at the same time, a few wait, and others are told when to come back',
  async (t) => {
    const { conversions, running, someone } = begin()
    const most = conversionsTogether + conversionsWaiting
    const all = Array.from({ length: most }, () => conversions.run(someone(), file))
    await turn()
    t.equal(running.length, conversionsTogether)
    await t.rejects(conversions.run(someone(), file), { code: 'unavailable', headers: retryAfter })
    for (let at = 0; at < most; at += 1) {
      running[at]?.resolve('{}')
      await turn()
    }
    t.equal((await Promise.all(all)).length, most)
  },
)

t.test('an organization converts so many files a minute', async (t) => {
  for (const isLimited of [true, false]) {
    const { conversions, running, someone } = begin(isLimited)
    const alice = someone()
    const once = async () => {
      const ended = turn().then(() => running.at(-1)?.resolve('{}'))
      const [result] = await Promise.all([conversions.run(alice, file), ended])
      return result
    }
    for (let left = limits.conversionsOfOrg.quota; left > 0; left -= 1) await once()
    if (!isLimited) t.equal(await once(), '{}', 'unless the operator has switched limits off')
    else await t.rejects(once(), { code: 'rate_limited', headers: retryAfter })
  }
})

t.test('YAML beyond what one request may have is refused before a process starts', async (t) => {
  const { conversions, running, someone } = begin()
  const text = ' '.repeat(foreignYamlCharsMax + 1)
  const told = { code: 'validation_failed', message: /at most 131072 characters of YAML/ }
  await t.rejects(conversions.run(someone(), { product: 'gatus', text }), told)
  t.equal(running.length, 0)
})
