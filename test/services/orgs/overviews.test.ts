// What the front page shows a person of each of their organizations.
import t from 'tap'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { createOverviews } from '../../../src/services/orgs/overviews.ts'
import { createSummaries } from '../../../src/services/orgs/summaries.ts'
import { openAccess } from '../../support/access.ts'
import { makeHealth, makeMonitor, makePage, monitorNo } from '../../support/make-page.ts'

t.test('each organization comes with its monitors, the worst first, and its pages', async (t) => {
  const { core, store, orgs, enrol } = openAccess(t)
  const summaries = createSummaries(core)
  const overviews = createOverviews(core, { orgs, summaries })
  const ada = await enrol('ada')
  const { id: orgId } = ada.organization
  const other = await orgs.create(ada.caller, { name: 'Second' })
  const states = ['up', 'down', 'up'] as const
  await store.write((tx) => {
    for (const [n, state] of states.entries()) {
      store.monitors.put(tx, makeMonitor({ id: monitorNo(n), orgId, name: `Monitor ${n}` }))
      const lastError = { kind: 'connect', message: 'connection refused' } as const
      const health = makeHealth(state, 1_000 + n)
      const monitorState = { ...initialMonitorState(0), health, lastError }
      store.monitorStates.put(tx, orgId, monitorNo(n), monitorState)
    }
    store.pages.put(tx, makePage({ orgId }), 0)
  })
  const [second, first] = await overviews.of(ada.caller)
  t.match(second, { organization: { id: other.id }, monitors: [], pages: [] })
  t.match(first?.states, { up: 2, down: 1 })
  t.match(first?.monitors, [
    { name: 'Monitor 1', state: 'down', sinceMs: 1_001, error: 'connection refused' },
    { name: 'Monitor 2', state: 'up', error: null },
    { name: 'Monitor 0', state: 'up', error: null },
  ])
  t.equal(first?.pages.length, 1)
  await store.write((tx) => {
    store.pages.put(tx, makePage({ orgId, isEnabled: false }), 0)
    const org = store.orgs.get(orgId)
    if (org) store.orgs.put(tx, { ...org, isDisabled: true })
  })
  const off = (await overviews.of(ada.caller))[1]
  t.match(off, { organization: { id: orgId }, states: null, monitors: [], pages: [] })
})
