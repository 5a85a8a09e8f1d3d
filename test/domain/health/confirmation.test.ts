// How far the confirmation of an outage is.
import t from 'tap'
import { confirmationOf } from '../../../src/domain/health/confirmation.ts'
import { makePolicy, minuteMs, startLife } from '../../support/life.ts'

function confirmations(verdicts: string, failureThreshold = 3) {
  const policy = makePolicy({ failureThreshold })
  const life = startLife(policy)
  return [...verdicts].map((letter, index) => {
    life.see(letter === 'U' ? 'up' : 'down', (index + 1) * minuteMs)
    const { failed, needed } = confirmationOf(life.health, policy) ?? {}
    return failed === undefined ? '-' : `${failed}/${needed}`
  })
}

t.test('each failure counts until the outage is confirmed, and then none does', async (t) => {
  t.same(confirmations('UDDDDUU'), ['-', '1/3', '2/3', '-', '-', '-', '-'])
  t.same(confirmations('DDD'), ['1/3', '2/3', '-'], 'also before anything else is known')
  t.same(confirmations('UD', 1), ['-', '-'], 'one failure that suffices confirms itself')
})

t.test('a good result ends it, but an earlier failure counts for a while', async (t) => {
  t.same(confirmations('UDUDD'), ['-', '1/3', '-', '2/3', '-'])
  t.same(confirmations('UDUUUUD'), ['-', '1/3', '-', '-', '-', '-', '1/3'])
})

t.test('it never counts more than are needed, also if a person asks for fewer now', async (t) => {
  const life = startLife(makePolicy({ failureThreshold: 5 }))
  for (const minute of [1, 2, 3]) life.see('down', minute * minuteMs)
  t.same(confirmationOf(life.health, { failureThreshold: 2 }), { failed: 2, needed: 2 })
})
