// What every probe promises, whatever it looks at.
import type { Test } from 'tap'
import type { Clock } from '../../src/base/clock.ts'
import { errorKinds, type Reading } from '../../src/domain/checks/reading.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import type { EndpointTarget } from '../../src/domain/monitors/monitor.ts'
import type { Probe } from '../../src/probes/run/probe-run.ts'
import { starvedMs } from '../support/starvation.ts'

export interface ProbeCase {
  readonly title: string
  readonly target: EndpointTarget
}

/** What a check computes makes it late; one that hangs is late by far more than this. */
const slackMs = 250

/** Runs the suite: one subtest for each case. Give it targets of every kind of trouble. */
export async function probeContract(
  t: Test,
  { probe, clock, cases }: { probe: Probe; clock: Clock; cases: readonly ProbeCase[] },
): Promise<void> {
  for (const { title, target } of cases) {
    await t.test(`a check of ${title} ends in time with a reading that says why`, async (t) => {
      const startedAtMs = clock.nowMs()
      const starvedBeforeMs = starvedMs()
      const startedMs = clock.monoMs()
      const reading = await probe(target, { clock })
      const tookMs = clock.monoMs() - startedMs
      const lateMs = tookMs - (starvedMs() - starvedBeforeMs) - target.timeoutMs
      t.ok(lateMs <= slackMs, `${lateMs} ms late`)
      t.ok(reading.atMs >= startedAtMs && reading.atMs <= clock.nowMs(), 'has its time')
      t.ok(reading.durationMs >= 0 && reading.durationMs <= tookMs + 1, 'has its duration')
      checkOutcome(t, reading)
      for (const [phase, ms] of Object.entries(reading.phases ?? {})) {
        t.ok(ms >= 0 && ms <= tookMs + 1, `${phase} is a part of it`)
      }
      t.same(JSON.parse(JSON.stringify(reading)), reading, 'is plain data')
    })
  }
  await t.test('a check that is aborted says nothing about its target', async (t) => {
    const [first] = cases
    if (first === undefined) return
    const reading = await probe(first.target, { clock, signal: AbortSignal.abort() })
    t.equal(reading.result, 'unknown')
  })
}

function checkOutcome(t: Test, { result, error, evidence }: Reading): void {
  t.ok(['good', 'failed', 'unknown'].includes(result), result)
  t.equal(error === undefined, result === 'good', 'an error goes with what is not good')
  if (result !== 'failed') t.equal(evidence, undefined, 'only a failure has evidence')
  if (error === undefined) return
  t.ok(errorKinds.includes(error.kind), error.kind)
  t.match(error.message, /^[^\n]+$/, 'one sentence')
  t.ok(error.message.length <= limits.errorMessageCharsMax, 'short')
}
