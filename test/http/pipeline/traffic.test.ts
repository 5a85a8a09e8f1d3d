// Counting requests, and waiting until none runs.
import t from 'tap'
import { createMetrics } from '../../../src/base/metrics.ts'
import type { EndpointTraits, Exchange } from '../../../src/http/edge/exchange.ts'
import { watchRequests } from '../../../src/http/pipeline/traffic.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const endpoint = { name: 'notes.get' } as EndpointTraits
const done = (status: number) => ({ status, startedMonoMs: 0 }) as Exchange

t.test('requests are counted by route and status, with the time they took', async (t) => {
  const metrics = createMetrics()
  const clock = new FakeClock()
  const traffic = watchRequests(metrics, clock)
  traffic.onStart(endpoint)
  traffic.onStart(endpoint)
  await clock.advance(30)
  traffic.onDone(done(200), endpoint)
  const text = await metrics.text()
  t.match(text, 'stillup_http_requests_total{route="notes.get",status="200"} 1')
  t.match(text, 'stillup_http_requests_running 1')
  t.match(text, 'stillup_http_request_duration_seconds_bucket{le="0.025",route="notes.get"} 0')
  t.match(text, 'stillup_http_request_duration_seconds_bucket{le="0.1",route="notes.get"} 1')
})

t.test('quick answers are counted once, however often the metrics are read', async (t) => {
  const metrics = createMetrics()
  const traffic = watchRequests(metrics, new FakeClock())
  const count = traffic.quickCounter('pages.status')
  for (const status of [200, 304, 200] as const) count(status)
  await metrics.text()
  const text = await metrics.text()
  t.match(text, 'stillup_http_requests_total{route="pages.status",status="200"} 2')
  t.match(text, 'stillup_http_requests_total{route="pages.status",status="304"} 1')
  count(200)
  t.match(await metrics.text(), 'requests_total{route="pages.status",status="200"} 3')
})

t.test('waiting ends with the last request', async (t) => {
  const clock = new FakeClock()
  const traffic = watchRequests(createMetrics(), clock)
  await traffic.whenIdle(1_000)
  traffic.onStart(endpoint)
  const idle = traffic.whenIdle(1_000)
  traffic.onDone(done(0), endpoint)
  await idle
  t.equal(clock.pending, 0, 'no timer is left behind')
})

t.test('waiting ends with the deadline', async (t) => {
  const clock = new FakeClock()
  const traffic = watchRequests(createMetrics(), clock)
  traffic.onStart(endpoint)
  const idle = traffic.whenIdle(1_000)
  await clock.advance(1_000)
  await idle
  t.pass()
})

t.test('what outlives the end of the service is not waited for', async (t) => {
  const clock = new FakeClock()
  const traffic = watchRequests(createMetrics(), clock)
  const held = { name: 'standby-records', outlivesDrain: true } as EndpointTraits
  traffic.onStart(held)
  await traffic.whenIdle(1_000)
  traffic.onStart(endpoint)
  const idle = traffic.whenIdle(1_000)
  traffic.onDone(done(200), held)
  t.equal(clock.pending, 1, 'its end is not the end of another one')
  traffic.onDone(done(200), endpoint)
  await idle
})
