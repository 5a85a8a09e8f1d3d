// How a monitor is checked once: what was seen while we stood still is not believed.
import t from 'tap'
import { createGate } from '../../../src/base/gate.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { createCheckTools } from '../../../src/services/monitors/check-tools.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeMonitor } from '../../support/make-page.ts'

const { signal } = new AbortController()

/** A target that is seen like this, after so long a stall of ours. */
function start(seen: Partial<Reading>, stallMs: number) {
  const clock = new FakeClock()
  const believed: Reading[] = []
  const sealed = () => {
    throw new Error('nothing is sealed')
  }
  const tools = createCheckTools({
    box: { open: sealed, seal: sealed } as unknown as Parameters<typeof createCheckTools>[0]['box'],
    secretsOf: () => new Map(),
    clock,
    gate: createGate({ total: 10, perKey: 10 }),
    checks: {
      async check() {
        const atMs = clock.nowMs()
        if (stallMs > 0) clock.stall(stallMs)
        const reading = { atMs, durationMs: stallMs, result: 'good', ...seen }
        return { reading, stalledMs: stallMs }
      },
      hostOf: () => 'a.test',
      judgeUrl: () => undefined,
    } as unknown as Parameters<typeof createCheckTools>[0]['checks'],
    believe(reading) {
      believed.push(reading)
      return reading
    },
  })
  return { tools, clock, believed }
}

t.test('a reading across a stall says nothing about the target', async (t) => {
  const error = { kind: 'timeout', message: 'not finished within 1000 ms' } as const
  for (const seen of [{}, { result: 'failed', error, doubt: 'dns' }] as const) {
    const { tools, clock, believed } = start(seen, 1_600)
    const atMs = clock.nowMs()
    t.same(await tools.probe(makeMonitor(), signal), {
      atMs,
      durationMs: 1_600,
      result: 'unknown',
      message: 'not counted: this machine stood still for 1.6 s during the check',
      isSetAside: true,
    })
    t.same(believed, [], 'so the sentinels are not needed')
    const { result } = await tools.probe(makeMonitor(), signal, true)
    t.equal(result, { result: 'good', ...seen }.result, 'unless it must count')
  }
})

t.test('a stall before the check does not matter', async (t) => {
  const { tools, clock, believed } = start({}, 0)
  clock.stall(5_000)
  t.match(await tools.probe(makeMonitor(), signal), { result: 'good' })
  t.equal(believed.length, 1)
})

t.test('a monitor that is upside down is asked of our own network first', async (t) => {
  const error = { kind: 'connect', message: 'connection refused by 192.0.2.1:22' } as const
  const { tools, believed } = start({ result: 'failed', error }, 0)
  const reading = await tools.probe(makeMonitor({ isUpsideDown: true }), signal)
  t.match(reading, { result: 'good', message: `as expected: ${error.message}` })
  t.match(believed, [{ result: 'failed', error }], 'the failure itself may be our own')
})
