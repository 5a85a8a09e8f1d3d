// The standings of a data directory that an older version wrote.
import { join } from 'node:path'
import t from 'tap'
import { initialMonitorState } from '../../../../src/domain/monitors/monitor-state.ts'
import { openEnv } from '../../../../src/store/engine/env.ts'
import { openTable } from '../../../../src/store/engine/table.ts'
import { createWriter } from '../../../../src/store/engine/write.ts'
import { openMonitorStates } from '../../../../src/store/tables/monitors/monitor-states.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { makeMonitor } from '../../../support/make-page.ts'

t.test('a state keeps what was added to it; an old one has none of it', async (t) => {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const onFatal = (error: unknown) => t.fail(String(error))
  const { write } = createWriter(env, {
    clock: new FakeClock(),
    commitDelayMs: 0,
    onFatal,
    onError: onFatal,
  })
  const { orgId, id } = makeMonitor()
  const monitorStates = openMonitorStates(env)
  const told = [{ expiresAtMs: 1_800_000_000_000, thresholdDays: 7 }]
  const openRuns = [{ number: 7, runId: 'x', startedAtMs: 1, endsByAtMs: null }]
  const ofRuns = { openRuns, recoversAtMs: 5, runCount: 7 }
  const ofDomain = { domainsTold: told, domainExpiresAtMs: 9 }
  const lastSlot = { dueAtMs: 3, try: 2 }
  const added = {
    certificatesTold: told,
    excuses: 2,
    ...ofDomain,
    ...ofRuns,
    lastSlot,
    isUnsure: true,
  }
  const monitorState = { ...initialMonitorState(1_000), isPaused: true, ...added }
  await write((tx) => monitorStates.put(tx, orgId, id, monitorState))
  t.same(monitorStates.get(orgId, id), monitorState)
  const raw = openTable<unknown[]>(env, { name: 'standings', version: 1 })
  const values = raw.get([orgId, id]) ?? []
  const atEnd = [told, 2, told, openRuns, 5, 7, 9, [3, 2], true]
  t.same(values.slice(-9), atEnd, 'at the end: what lies before it is where it was')
  await write((tx) => raw.put(tx, [orgId, id], values.slice(0, -9)))
  t.same(monitorStates.get(orgId, id), {
    ...monitorState,
    certificatesTold: [],
    excuses: 0,
    domainsTold: [],
    openRuns: [],
    recoversAtMs: null,
    runCount: 0,
    domainExpiresAtMs: null,
    lastSlot: null,
    isUnsure: false,
  })
})
