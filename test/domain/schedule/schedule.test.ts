// When a monitor is due: no drift, no herd, no burst, and nobody is forgotten.
import fc from 'fast-check'
import t from 'tap'
import { type MonitorId, newId } from '../../../src/base/ids.ts'
import { dueAfterCheck, firstDueAtMs, slotOf } from '../../../src/domain/schedule/schedule.ts'
import { runs } from '../../support/depth.ts'

const monitorA = 'mon_01k0000000000000000000000a' as MonitorId
const minuteMs = 60_000

/** The time after a check that confirmed nothing. */
function nextDueAtMs(previousDueAtMs: number, intervalMs: number, nowMs: number): number {
  const check = { monitorId: monitorA, intervalMs, retryMs: 1_000, isConfirming: false }
  return dueAfterCheck({ ...check, previousDueAtMs, nowMs })
}

t.test('the due time does not drift by the length of a check', async (t) => {
  const slotAtMs = slotOf(monitorA, minuteMs)
  let dueAtMs = slotAtMs
  for (let run = 0; run < 1_000; run++) dueAtMs = nextDueAtMs(dueAtMs, minuteMs, dueAtMs + 777)
  t.equal(dueAtMs, slotAtMs + 1_000 * minuteMs)
})

t.test('missed runs are skipped, not made up for', async (t) => {
  const slotAtMs = slotOf(monitorA, 1_000)
  t.equal(nextDueAtMs(slotAtMs, 1_000, slotAtMs + 10_500), slotAtMs + 11_000)
  t.equal(nextDueAtMs(slotAtMs, 1_000, slotAtMs + 10_000), slotAtMs + 11_000, 'strictly later')
})

t.test('a timer that fires early does not run twice', async (t) => {
  const slotAtMs = slotOf(monitorA, 1_000)
  t.equal(nextDueAtMs(slotAtMs + 10_000, 1_000, slotAtMs + 9_998), slotAtMs + 11_000)
})

t.test('a clock set back by years does not stall the monitor', async (t) => {
  const nowMs = 500
  t.ok(nextDueAtMs(1e12, 1_000, nowMs) <= nowMs + 1_000)
})

t.test('the next due time is the slot of the monitor, at most two intervals away', async () => {
  const times = fc.integer({ min: 0, max: 4e12 })
  const intervals = fc.integer({ min: 1_000, max: 86_400_000 })
  const property = fc.property(times, intervals, times, (dueAtMs, intervalMs, nowMs) => {
    const nextAtMs = nextDueAtMs(dueAtMs, intervalMs, nowMs)
    const isSlot = (nextAtMs - slotOf(monitorA, intervalMs)) % intervalMs === 0
    return isSlot && nextAtMs > nowMs && nextAtMs <= nowMs + 2 * intervalMs
  })
  fc.assert(property, runs())
})

t.test('a new monitor is checked at once', async (t) => {
  t.equal(firstDueAtMs(monitorA, minuteMs, 12_345, 'created'), 12_345)
})

t.test('every start of the daemon finds the same slots', async (t) => {
  const before = firstDueAtMs(monitorA, minuteMs, 1_000_000, 'start')
  const after = firstDueAtMs(monitorA, minuteMs, 5_000_000, 'start')
  t.equal((after - before) % minuteMs, 0)
  t.ok(after >= 5_000_000 && after < 5_000_000 + minuteMs)
  t.equal(firstDueAtMs(monitorA, minuteMs, before, 'start'), before, 'due now is due')
})

t.test('a fleet starts as a smooth load', async (t) => {
  const perSecond = new Array<number>(60).fill(0)
  for (let count = 0; count < 60_000; count++) {
    const second = Math.floor(slotOf(newId('monitor', 1_700_000_000_000), minuteMs) / 1_000)
    perSecond[second] = (perSecond[second] ?? 0) + 1
  }
  t.ok(Math.max(...perSecond) < 1_200, `most in one second: ${Math.max(...perSecond)}`)
  t.ok(Math.min(...perSecond) > 800, `fewest in one second: ${Math.min(...perSecond)}`)
})

t.test('while something is confirmed checks hurry, then return to their slot', async (t) => {
  const check = { monitorId: monitorA, intervalMs: 5 * minuteMs, retryMs: 30_000 }
  const slotAtMs = firstDueAtMs(monitorA, check.intervalMs, 0, 'start')
  const retryAtMs = dueAfterCheck({
    ...check,
    previousDueAtMs: slotAtMs,
    isConfirming: true,
    nowMs: slotAtMs + 250,
  })
  t.equal(retryAtMs, slotAtMs + 30_250)
  const backAtMs = dueAfterCheck({
    ...check,
    previousDueAtMs: retryAtMs,
    isConfirming: false,
    nowMs: retryAtMs + 250,
  })
  t.equal(backAtMs, slotAtMs + check.intervalMs)
})
