// The monitors of a data directory that an older version wrote.
import { join } from 'node:path'
import t from 'tap'
import type { Monitor } from '../../../../src/domain/monitors/monitor.ts'
import { openEnv } from '../../../../src/store/engine/env.ts'
import { createSignals } from '../../../../src/store/engine/signals.ts'
import { jsonCodec, openTable } from '../../../../src/store/engine/table.ts'
import { createWriter } from '../../../../src/store/engine/write.ts'
import { openMonitors } from '../../../../src/store/tables/monitors/monitors.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { makeMonitor } from '../../../support/make-page.ts'
import { openTempStore } from '../../../support/temp-store.ts'

t.test('a monitor from before lists of assertions has an empty one', async (t) => {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const onFatal = (error: unknown) => t.fail(String(error))
  const { write } = createWriter(env, {
    clock: new FakeClock(),
    commitDelayMs: 0,
    onFatal,
    onError: onFatal,
  })
  const { assertions, ...before } = makeMonitor()
  const codec = jsonCodec<Omit<Monitor, 'assertions'>>()
  const old = openTable(env, { name: 'monitors', version: 1, codec })
  await write((tx) => old.put(tx, [before.orgId, before.id], before))
  const monitors = openMonitors(env, createSignals())
  t.same(monitors.get(before.orgId, before.id), { ...before, assertions })
  t.equal(monitors.slice(10).length, 1)
  const changed = makeMonitor({
    assertions: [{ source: 'ip', path: null, type: 'exists', value: null }],
  })
  await write((tx) => monitors.put(tx, changed))
  t.same(monitors.get(before.orgId, before.id), changed)
})

t.test('a monitor from before certificate warnings has the default ones', async (t) => {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const onFatal = (error: unknown) => t.fail(String(error))
  const { write } = createWriter(env, {
    clock: new FakeClock(),
    commitDelayMs: 0,
    onFatal,
    onError: onFatal,
  })
  const { certificateWarnDays, ...before } = makeMonitor({
    assertions: [{ source: 'ip', path: null, type: 'exists', value: null }],
  })
  const codec = jsonCodec<Omit<Monitor, 'certificateWarnDays'>>()
  const old = openTable(env, { name: 'monitors', version: 2, codec })
  await write((tx) => old.put(tx, [before.orgId, before.id], before))
  const monitors = openMonitors(env, createSignals())
  t.same(monitors.get(before.orgId, before.id), {
    ...before,
    certificateWarnDays: [30, 14, 7, 3, 1],
  })
  const silent = makeMonitor({ certificateWarnDays: [] })
  await write((tx) => monitors.put(tx, silent))
  t.same(monitors.get(before.orgId, before.id), silent)
})

t.test('a monitor has the defaults of fields that are newer than its record', async (t) => {
  const { store } = openTempStore(t)
  const monitor = makeMonitor({ tags: ['shop'], autoRecoveryMinutes: 5 })
  const { sloPercent, autoRecoveryMinutes, ...earlier } = monitor
  await store.write((tx) => store.monitors.put(tx, earlier as Monitor))
  t.same(store.monitors.get(monitor.orgId, monitor.id), { ...monitor, autoRecoveryMinutes: 0 })
})
