// What other products said of monitors: each organization has its own, and it goes with it.
import t from 'tap'
import { monitorA, orgA } from '../../../support/make-incident.ts'
import { orgTwo } from '../../../support/make-page.ts'
import { openTempStore } from '../../../support/temp-store.ts'

t.test('the words of two organizations stay apart', async (t) => {
  const { store } = openTempStore(t)
  const { theirWords } = store
  const word = (orgId: typeof orgA, historyToMs: number) => ({
    ...{ orgId, monitorId: monitorA, outages: [], historyToMs },
  })
  t.same(theirWords.get(orgA, monitorA), { ...word(orgA, 0), historyToMs: null })
  await store.write((tx) => {
    theirWords.put(tx, word(orgA, 1))
    theirWords.put(tx, word(orgTwo, 2))
  })
  t.equal(theirWords.get(orgA, monitorA).historyToMs, 1)
  t.equal(await store.write((tx) => theirWords.forget(tx, orgTwo, 10)), 1)
  t.equal(theirWords.get(orgTwo, monitorA).historyToMs, null)
  await store.write((tx) => theirWords.remove(tx, orgA, monitorA))
  t.equal(theirWords.get(orgA, monitorA).historyToMs, null)
})
