// Threads of checks that are killed again and again under load: no check is lost, and nobody is alarmed.
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { amount } from '../support/depth.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { startReceiver } from '../support/receiver.ts'
import { answer, type Call, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const monitorCount = amount(150, 300)
const intervalMs = 20_000
/** What was lost is checked again within so long. */
const againMs = 10_000
/** How late one may begin, as time leaps by a tenth of a second. */
const lateMs = 1_000
const kills = amount(3, 5)
const systemToken = 'a-system-token-of-the-tests-0123456789'

class StoppableClock extends FakeClock {
  readonly stop = (): void => {}
}

interface Row {
  readonly outcome: string
  readonly atMs: number
  /** When the next check of the monitor began; or now. */
  readonly nextAtMs: number
}

/** The threads of checks that this process starts from now on. */
function watchThreads(t: { after(run: () => void): void }): readonly Worker[] {
  const threads: Worker[] = []
  const note = (worker: Worker) => {
    if (worker.threadName === 'checks') threads.push(worker)
  }
  process.on('worker', note)
  t.after(() => process.off('worker', note))
  return threads
}

t.test('threads that are killed under load lose no check and alarm nobody', async (t) => {
  const threads = watchThreads(t)
  const names = await startDnsServer({ '*': ['127.0.0.1'] })
  const target = await startTarget()
  const receiver = await startReceiver()
  t.after(() => Promise.all([names.close(), target.close(), receiver.close()]))
  const clock = new StoppableClock()
  const daemon = await startDaemon(t, {
    clock,
    env: {
      CHECKS_WORKERS: '2',
      DNS_SERVERS: names.server,
      SYSTEM_TOKEN: systemToken,
    },
  })
  const { org, key } = await registerWithKey(daemon)
  const get = (path: string) => daemon.need('GET', `${org}${path}`, { key })
  await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'Desk', type: 'webhook', isDefault: true, config: { url: receiver.url } },
  })
  const monitors = Array.from({ length: monitorCount }, (_, n) => ({
    name: `Checked ${n}`,
    url: `http://host-${n % 30}.test:${target.port}/${n}`,
    intervalSeconds: intervalMs / 1_000,
  }))
  const { ids } = await daemon.need('POST', `${org}/monitors/bulk`, { key, json: { monitors } })
  /** Waits while time goes on, several times as fast as it does. */
  const inTime = <T>(look: () => T | false | Promise<T | false>) =>
    until(async () => {
      await clock.advance(100)
      return look()
    })
  const rowsOf = (shown: { at: string; outcome: string }[]): Row[] => {
    const times = [clock.nowMs(), ...shown.map(({ at }) => Date.parse(at))]
    return shown.map(({ outcome }, n) => ({
      outcome,
      atMs: times[n + 1] ?? 0,
      nextAtMs: times[n] ?? 0,
    }))
  }
  const pass = (ms: number) => {
    const endMs = clock.nowMs() + ms
    return inTime(() => clock.nowMs() >= endMs)
  }
  const figures = async () => {
    const { text } = await daemon.ask('GET', '/metrics', { bearer: systemToken })
    const sumOf = (name: string) =>
      [...text.matchAll(new RegExp(`^stillup_${name}(?:\\{.*\\})? (\\d+)`, 'gm'))].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      )
    return {
      inside: sumOf('checks_inside'),
      made: sumOf('check_lateness_seconds_count'),
      stored: sumOf('checks_total'),
    }
  }
  await inTime(async () => (await get('/summary')).monitors.up === monitorCount)
  t.equal(threads.length, 2)

  const held: Call[] = []
  const killedAtMs: number[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    target.script = (call) => void held.push(call)
    await inTime(() => held.length >= 20)
    const live = threads.filter(({ threadId }) => threadId !== -1)
    await live[kill % 2]?.terminate()
    killedAtMs.push(clock.nowMs())
    target.script = answer()
    for (const call of held.splice(0)) answer()(call)
    await pass(3_000)
  }
  await pass(intervalMs)
  t.equal(threads.length, 2 + kills)
  // Time goes on so slowly that all checks end before the next one begins.
  const results = await until(async () => {
    await clock.advance(1)
    const { inside, made, stored } = await figures()
    return inside === 0 && made === stored && stored
  })
  const rows: Row[] = []
  for (const id of ids) rows.push(...rowsOf(await get(`/monitors/${id}/checks?limit=50`)))
  t.equal(rows.length, results, 'each check has a row')
  const lost = rows.filter(({ outcome }) => outcome === 'unknown')
  t.ok(lost.length >= kills, `${lost.length} checks of ${results} were lost with their threads`)
  const againAfterMs = ({ atMs, nextAtMs }: Row) =>
    nextAtMs - (killedAtMs.find((killedMs) => killedMs >= atMs) ?? 0)
  t.ok(Math.max(...lost.map(againAfterMs)) <= againMs + lateMs, 'and made again soon')
  t.ok(
    rows.every(({ atMs, nextAtMs }) => nextAtMs - atMs < 2 * intervalMs),
    'none was left out',
  )
  t.match((await get('/summary')).monitors, { up: monitorCount, down: 0, degraded: 0 })
  t.same(await get('/incidents'), [], 'no incident')
  t.equal(receiver.requests.length, 0, 'no message')
})
