// What follows a committed reading: pages are made again, streams and metrics hear of it.
import t from 'tap'
import type { CommitResult } from '../../../src/actors/monitor/commit.ts'
import type { MonitorId } from '../../../src/base/ids.ts'
import type { LiveEvent } from '../../../src/domain/live-events/live-event.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { createCommitListeners } from '../../../src/services/live-events/commit-listeners.ts'
import { makeMonitor } from '../../support/make-page.ts'
import { makeReading } from '../../support/monitor-world.ts'

const monitor = makeMonitor()

function open(isListening = true) {
  const told: string[] = []
  const streamed: LiveEvent[] = []
  const listeners = createCommitListeners({
    publicPages: { invalidate: (orgId) => told.push(`pages of ${orgId}`) },
    events: {
      hasListeners: () => isListening,
      publish: (_orgId, event) => streamed.push(event),
    },
    watch: { onVerdict: ({ id }, verdict) => told.push(`${verdict} of ${id}`) },
    found: { note: ({ id }) => told.push(`found of ${id}`) },
    memberTurned() {},
    monitorOf: (id) => (id === monitor.id ? monitor : undefined),
    failingFrom: () => null,
    noteHealth: ({ id }, { state }) => told.push(`${state} of ${id}`),
  })
  return { told, streamed, ...listeners }
}

function committed(hasTurned: boolean): CommitResult {
  const monitorState = initialMonitorState(1_000)
  return { monitorState, verdict: 'up', hasTurned } as CommitResult
}

t.test('a change of health makes the pages anew and reaches the streams', async (t) => {
  const { told, streamed, announce } = open()
  announce(monitor.orgId, monitor.id, committed(true))
  t.same(told, [`pages of ${monitor.orgId}`, `pending of ${monitor.id}`])
  t.match(streamed, [{ type: 'monitor.state' }])
  announce(monitor.orgId, monitor.id, committed(false))
  t.equal(streamed.length, 1, 'an unchanged state is no event')
})

t.test('a monitor that was just stopped still makes its pages anew', async (t) => {
  const { told, streamed, announce } = open()
  announce(monitor.orgId, 'mon_01k0000000000000000000000z' as MonitorId, committed(true))
  t.same(told, [`pages of ${monitor.orgId}`])
  t.same(streamed, [])
})

t.test('a reading is counted and remembered, and streamed only to listeners', async (t) => {
  const quiet = open(false)
  quiet.onReading(monitor, makeReading(1_000), committed(false))
  t.same(quiet.told, [`up of ${monitor.id}`, `found of ${monitor.id}`])
  t.same(quiet.streamed, [])
  const heard = open()
  heard.onReading(monitor, makeReading(1_000), committed(false))
  t.match(heard.streamed, [{ type: 'check.completed' }])
})
