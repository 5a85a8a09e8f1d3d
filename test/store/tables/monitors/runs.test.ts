// Runs of push monitors: a bounded number of each, and organizations apart.
import t from 'tap'
import { limits } from '../../../../src/domain/limits/limits.ts'
import { begunRun } from '../../../../src/domain/monitors/run.ts'
import { orgA } from '../../../support/make-incident.ts'
import { monitorNo, orgTwo } from '../../../support/make-page.ts'
import { openTempStore } from '../../../support/temp-store.ts'

const started = (number: number) => begunRun(number, { status: 'start' }, number)

t.test('the newest runs are kept with their logs, and pages follow each other', async (t) => {
  const { store } = openTempStore(t, { inMemory: true })
  const [monitorId, other] = [monitorNo(1), monitorNo(2)]
  await store.write((tx) => {
    for (let number = 1; number <= limits.runsKept + 3; number++) {
      store.runs.put(tx, orgA, monitorId, started(number), `log ${number}`)
    }
    store.runs.put(tx, orgA, other, started(1), undefined)
    store.runs.put(tx, orgTwo, monitorId, started(7), 'of another')
  })
  const { runs } = store
  t.equal(runs.newest(orgA, monitorId), limits.runsKept + 3)
  t.equal(runs.list(orgA, monitorId, 1_000).length, limits.runsKept)
  t.equal(runs.get(orgA, monitorId, 3), undefined)
  t.equal(runs.log(orgA, monitorId, 3), undefined)
  t.same(runs.get(orgA, monitorId, 4), started(4))
  const page = runs.list(orgA, monitorId, 2, 50)
  t.same(page, [started(49), started(48)])
  t.equal(runs.log(orgTwo, monitorId, 7), 'of another')
  t.equal(runs.log(orgA, other, 1), undefined)
  await store.write((tx) => void runs.forget(tx, orgA, 1_000))
  t.equal(runs.newest(orgA, monitorId), 0)
  t.equal(runs.newest(orgTwo, monitorId), 7)
})
