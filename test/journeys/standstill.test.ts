// The whole process stands still for minutes, as a suspended machine does: nobody is alarmed, and
// the time counts in no uptime. Real time: only in a deep run.
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startProcess } from '../support/daemon-process.ts'
import { amount } from '../support/depth.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const minutes = amount(0, 10)
const skip = minutes === 0 && 'minutes of real time: only in a deep run'
const checkedCount = 300
const pushCount = 50
const setupToken = 'a-setup-token-of-the-tests'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

t.test('minutes in SIGSTOP are no outage and no uptime', { skip }, async (t) => {
  const target = await startTarget()
  const receiver = await startReceiver()
  t.teardown(() => Promise.all([target.close(), receiver.close()]))
  const daemon = startProcess(t, testFolder(t), {
    STILLUP_AUTH_SETUP_TOKEN: setupToken,
    STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
    STILLUP_HTTP_RATE_PUSH_PER_MINUTE: '0',
  })
  await daemon.ready()
  const { org, key } = await registerWithKey(daemon, 'alice', setupToken)
  await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'Desk', type: 'webhook', isDefault: true, config: { url: receiver.url } },
  })
  const checked = Array.from({ length: checkedCount }, (_, n) => ({
    name: `Checked ${n}`,
    url: `http://127.0.0.1:${target.port}/${n}`,
    intervalSeconds: 20,
  }))
  const jobs = Array.from({ length: pushCount }, (_, n) => ({
    name: `Job ${n}`,
    checkType: 'push',
    intervalSeconds: 60,
    graceSeconds: 10,
  }))
  await daemon.need('POST', `${org}/monitors/bulk`, { key, json: { monitors: checked } })
  const tokens: string[] = []
  for (const json of jobs) {
    tokens.push((await daemon.need('POST', `${org}/monitors`, { key, json })).pushToken)
  }
  // Senders go on whatever happens, and lose what nobody takes.
  const report = (token: string) =>
    fetch(`${daemon.url}/api/v1/push/${token}`, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.ok,
      () => false,
    )
  let isOver = false
  const sending = (async () => {
    while (!isOver) {
      await Promise.all(tokens.map(report))
      await sleep(20_000)
    }
  })()
  t.teardown(() => {
    isOver = true
  })
  const states = async () => (await daemon.need('GET', `${org}/summary`, { key })).monitors
  await until(async () => (await states()).up === checkedCount + pushCount, 120_000)

  daemon.child.kill('SIGSTOP')
  const stoppedMs = Date.now()
  await sleep(minutes * 60_000)
  daemon.child.kill('SIGCONT')
  const stillSeconds = (Date.now() - stoppedMs) / 1_000
  t.comment(`stood still for ${stillSeconds.toFixed(0)} s`)
  await sleep(150_000)
  isOver = true
  await sending
  const { up, down, degraded } = await states()
  t.same({ up, down, degraded }, { up: checkedCount + pushCount, down: 0, degraded: 0 })
  t.same(await daemon.need('GET', `${org}/incidents`, { key }), [], 'no incident')
  t.equal(receiver.requests.length, 0, 'no message')
  t.match(daemon.err, /stood still|slept/)
})
