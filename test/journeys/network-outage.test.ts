// The daemon loses its network for minutes with 1,000 monitors, and three targets are really down
// meanwhile. Real time in a network namespace: only in a deep run, as root.
import { createServer, type Server } from 'node:http'
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startProcess } from '../support/daemon-process.ts'
import { amount } from '../support/depth.ts'
import { namespaceProblem, openNamespace } from '../support/network-namespace.ts'
import { skipWithout } from '../support/programs.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const minutes = amount(0, 5)
const monitorsCount = 1_000
const perBulk = 500
const targets = Array.from({ length: 50 }, (_, n) => `10.${n + 1}.7.9`)
const downTargets = targets.slice(0, 3)
const sentinels = ['10.201.0.1', '10.202.0.1', '10.203.0.1']
const operator = 'the-token-of-the-operator'
const setupToken = 'a-setup-token-of-the-tests'

const skip =
  (minutes === 0 && 'minutes of real time: only in a deep run') ||
  skipWithout('ip', 'nft') ||
  namespaceProblem()

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

for (const how of ['unplugged', 'silent'] as const) {
  t.test(`a network that is ${how} is nobody else’s outage`, { skip }, async (t) => {
    const network = openNamespace(t, [...targets, ...sentinels])
    const servers = new Map<string, Server>()
    const open = async (address: string, port: number) => {
      const server = createServer((_, response) => response.end('ok')).listen(port, address)
      await new Promise((resolve) => server.once('listening', resolve))
      servers.set(`${address}:${port}`, server)
      t.teardown(() => {
        server.closeAllConnections()
        server.close()
      })
    }
    for (const address of targets) await open(address, 8080)
    for (const address of sentinels) await open(address, 443)
    const receiver = await startReceiver(network.testAddress)
    t.teardown(() => receiver.close())

    const daemon = startProcess(
      t,
      testFolder(t),
      {
        STILLUP_HTTP_LISTEN: `${network.daemonAddress}:0`,
        STILLUP_OBSERVER_SENTINELS: sentinels.map((one) => `${one}:443`).join(','),
        STILLUP_AUTH_SETUP_TOKEN: setupToken,
        STILLUP_SYSTEM_TOKEN: operator,
        STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
      },
      'unlimited',
      network.within,
    )
    await daemon.ready()
    const { org, key, cookie } = await registerWithKey(daemon, 'alice', setupToken)
    const channel = await daemon.need('POST', `${org}/alert-channels`, {
      key,
      json: {
        name: 'Desk',
        type: 'webhook',
        isDefault: true,
        config: { url: receiver.url },
      },
    })
    await daemon.need('PUT', '/system/notices', { cookie, json: { channelIds: [channel.id] } })
    for (let from = 0; from < monitorsCount; from += perBulk) {
      const monitors = Array.from({ length: perBulk }, (_, n) => ({
        name: `Monitor ${from + n}`,
        url: `http://${targets[(from + n) % targets.length]}:8080/${from + n}`,
        intervalSeconds: 60,
        timeoutMs: 5_000,
      }))
      await daemon.need('POST', `${org}/monitors/bulk`, { key, json: { monitors } })
    }
    const countOf = async (state: string) => {
      const { monitors } = await daemon.need('GET', `${org}/summary`, { key })
      return Number(monitors[state] ?? 0)
    }
    const incidents = async () => (await daemon.need('GET', `${org}/incidents`, { key })).length
    await until(async () => (await countOf('up')) === monitorsCount, 120_000)

    network.cut(how)
    for (const address of downTargets) {
      const server = servers.get(`${address}:8080`)
      server?.closeAllConnections()
      server?.close()
    }
    const cutMs = Date.now()
    for (let minute = 1; minute <= minutes; minute += 1) {
      await sleep(cutMs + minute * 60_000 - Date.now())
      t.comment(`minute ${minute}: unknown ${await countOf('unknown')}, up ${await countOf('up')}`)
      t.equal(await incidents(), 0, 'no incident')
    }
    network.mend()
    const mendedMs = Date.now()
    const downMonitors = (monitorsCount / targets.length) * downTargets.length
    // A dead target still shows `up` until its failure is confirmed.
    await until(async () => (await countOf('unknown')) === 0, 120_000)
    const settledMs = Date.now() - mendedMs
    t.comment(`nothing unknown after ${(settledMs / 1_000).toFixed(1)} s`)
    t.ok(settledMs <= 60_000, 'every monitor is judged again within a minute')
    await until(async () => (await countOf('down')) === downMonitors, 180_000)
    t.comment(`the really dead are down after ${((Date.now() - mendedMs) / 1_000).toFixed(1)} s`)
    await sleep(90_000)
    t.equal(await countOf('down'), downMonitors, 'exactly those on dead targets')
    t.equal(await countOf('up'), monitorsCount - downMonitors)
    const types = receiver.requests.map((one) => String(bodyOf(one).type))
    t.equal(types.filter((type) => type === 'system.notice').length, 1, 'one system notice')
    t.equal(types.filter((type) => type === 'incident.resolved').length, 0)
    t.comment(types.join(' '))
  })
}
