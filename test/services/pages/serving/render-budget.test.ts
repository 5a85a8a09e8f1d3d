// The time that rendering may take: who asks for much waits, and nobody else.
import t from 'tap'
import {
  createRenderBudget,
  newRenderAccount,
  pageDebtMsMax,
  type Rendering,
} from '../../../../src/services/pages/serving/render-budget.ts'

const kinds: readonly Rendering[] = ['page', 'again', 'first']

t.test('an organization that asks for many documents waits; a quiet one does not', async (t) => {
  for (const which of kinds) {
    const budget = createRenderBudget()
    const busy = newRenderAccount()
    let nowMs = 1_000_000
    let made = 0
    while (budget.allows(busy, which, nowMs) && made < 10_000) {
      budget.pay(busy, which, 20, nowMs)
      made += 1
    }
    t.ok(made > 0 && made < 10_000, `${which}: ${made} at once`)
    t.throws(() => budget.refuseTooMany(busy, which, nowMs), { code: 'unavailable' })
    t.ok(budget.allows(newRenderAccount(), which, nowMs))
    nowMs = busy[which]
    t.ok(budget.allows(busy, which, nowMs), 'once it is paid for')
  }
})

t.test('no kind of document takes the time of another', async (t) => {
  for (const which of kinds) {
    const budget = createRenderBudget()
    const nowMs = 1_000_000
    // As much as anybody can ask for: of some organization that is not quiet, and of many others.
    const busy = newRenderAccount()
    for (const account of [busy, ...Array.from({ length: 1_000 }, newRenderAccount)]) {
      while (budget.allows(account, which, nowMs)) budget.pay(account, which, 20, nowMs)
    }
    for (const other of kinds) {
      t.equal(budget.allows(busy, other, nowMs), other !== which, `${other} beside ${which}`)
    }
  }
})

t.test('a clock that is set back leaves no debt', async (t) => {
  const budget = createRenderBudget()
  const account = newRenderAccount()
  const nowMs = 1_000_000_000
  for (let made = 0; made < 100; made += 1) budget.pay(account, 'again', 50, nowMs)
  t.notOk(budget.allows(account, 'again', nowMs))
  t.ok(budget.allows(account, 'again', nowMs - 10 * pageDebtMsMax))
})
