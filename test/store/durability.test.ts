// What is acknowledged is on disk: nothing is told early on a slow disk, and a failed one ends it.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { stopMsMax } from '../../src/commands/serve.ts'
import { bareNode } from '../support/bare-node.ts'
import { buildShim, type DiskShim, skipWithoutShim } from '../support/durability/disk-shim.ts'
import type { Timing } from '../support/durability/write-slowly.ts'
import { freePort } from '../support/free-port.ts'
import { type Api, createApi } from '../support/kill-loop/api.ts'
import {
  type DaemonProcess,
  type Household,
  need,
  settleIn,
  spawnDaemon,
} from '../support/kill-loop/daemon-process.ts'
import { startReceiver } from '../support/receiver.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const slowMs = 400
/** For what comes too early to show; what is right does not depend on it. */
const earlyMs = 100
const EIO = 5
const ENOSPC = 28
const whereItCan = { skip: skipWithoutShim() }

interface Place {
  readonly shim: DiskShim
  readonly port: number
  start(): DaemonProcess
}

async function makePlace(t: Test): Promise<Place> {
  const base = testFolder(t, { data: {} })
  const shim = buildShim(base)
  const port = await freePort()
  return {
    shim,
    port,
    start: () => spawnDaemon(t, { dir: join(base, 'data'), port, env: shim.env }),
  }
}

const clientOf = (port: number, { key }: Household) => createApi(port, { 'x-api-key': key })

const pushMonitor = (name: string) => ({ name, checkType: 'push', intervalSeconds: 3_600 })

t.test('no write resolves, and no reader sees it, before it is on disk', whereItCan, async (t) => {
  const base = testFolder(t, { sync: {}, meta: {} })
  const { env } = buildShim(base)
  const script = join(import.meta.dirname, '../support/durability/write-slowly.ts')
  for (const place of ['sync', 'meta']) {
    const args = [script, join(base, place), env.DISK_SHIM ?? '', place, String(slowMs)]
    const output = execFileSync(...bareNode(args, env))
    const timings = JSON.parse(output.toString()) as Timing[]
    t.equal(timings.length, 3)
    for (const { kind, resolvedMs, visibleMs } of timings) {
      t.ok(
        resolvedMs >= slowMs,
        `slow ${place}: ${kind} resolved after ${Math.round(resolvedMs)} ms`,
      )
      t.ok(
        visibleMs >= slowMs,
        `slow ${place}: ${kind} was visible after ${Math.round(visibleMs)} ms`,
      )
    }
  }
})

const announced = 'nothing is announced before it is on disk, and what cannot be stored ends it'
t.test(announced, whereItCan, async (t) => {
  const { shim, port, start } = await makePlace(t)
  const receiver = await startReceiver()
  const slow = await startReceiver()
  t.teardown(() => Promise.all([receiver.close(), slow.close()]))
  const life = start()
  await life.ready
  const household = await settleIn(port)
  const { org } = household
  const api = clientOf(port, household)
  t.teardown(() => api.close())
  const config = { url: receiver.url }
  const hook = { name: 'hook', type: 'webhook', config, isDefault: true }
  await need(api, 'POST', `${org}/alert-channels`, hook)
  const monitor = await need(api, 'POST', `${org}/monitors`, pushMonitor('job'))
  const target = { name: 'target', url: receiver.url }
  const { id: checkedId } = await need(api, 'POST', `${org}/monitors`, target)
  // Its first check runs by itself, and one that is asked for meanwhile joins it.
  await need(api, 'POST', `${org}/monitors/${checkedId}`)

  /** Asks while the disk holds back what is written; `look` is at what others see meanwhile. */
  const whileHeld = async (
    what: string,
    path: string,
    { json, look = () => {} }: { json?: unknown; look?: () => unknown } = {},
  ) => {
    const held = shim.hold()
    let isAnswered = false
    const asked = need(api, 'POST', path, json).finally(() => {
      isAnswered = true
    })
    // Without a flush it is answered.
    await Promise.race([held, asked])
    await sleep(earlyMs)
    await look()
    t.notOk(isAnswered, `${what} is not answered before it is on disk`)
    shim.behave()
    await held
    return asked
  }
  await whileHeld('a creation', `${org}/monitors`, {
    json: pushMonitor('late'),
    async look() {
      const meanwhile = await need(api, 'GET', `${org}/monitors`)
      const names = meanwhile.map(({ name }: { name: string }) => name)
      t.same(names, ['target', 'job'], 'nobody sees a monitor that is not on disk yet')
    },
  })
  await whileHeld('a check', `${org}/monitors/${checkedId}`)
  // The receiver is a target as well.
  const alerts = () => receiver.requests.filter(({ headers }) => 'webhook-id' in headers)
  await whileHeld('a report', `/push/${monitor.pushToken}`, {
    json: { status: 'error' },
    look: () => t.same(alerts(), [], 'no alert leaves before its incident is on disk'),
  })
  await until(() => alerts().length === 1)
  const [incident] = await need(api, 'GET', `${org}/incidents`)
  await whileHeld('an acknowledgement', `${org}/incidents/${incident.id}/acknowledge`)

  // A delayed result ends it as well.
  slow.always('hang')
  await need(api, 'POST', `${org}/monitors`, { name: 'site', url: slow.url })
  await slow.received(1)
  shim.fail('sync', EIO)
  slow.release({ status: 200 })
  t.same(await life.ended, { code: 74, signal: null }, 'a result that cannot be stored ends it')
})

t.test(
  'a failing disk ends the daemon at once, and the next start is clean',
  whereItCan,
  async (t) => {
    const { shim, port, start } = await makePlace(t)
    let life = start()
    await life.ready
    const household = await settleIn(port)
    const names: string[] = []
    let api: Api = clientOf(port, household)
    t.teardown(() => api.close())
    const create = async (name: string) => {
      const reply = await api.ask('POST', `${household.org}/monitors`, pushMonitor(name))
      return reply.status
    }
    const failures = [
      ['a flush fails', 'sync', EIO],
      ['a flush finds the disk full', 'sync', ENOSPC],
      ['the write that commits fails', 'meta', EIO],
      ['a page finds the disk full', 'page', ENOSPC],
    ] as const
    let leastMs = Number.POSITIVE_INFINITY
    for (const [what, place, errno] of failures) {
      names.unshift(`before ${what}`)
      t.equal(await create(names[0] ?? ''), 200)
      shim.fail(place, errno)
      const failedMs = performance.now()
      const statuses = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7, 8].map(async (turns) => {
          // They arrive one after another: some while the disk is failing the first.
          for (let turn = 0; turn < turns * 3; turn += 1) await setImmediate()
          return create(`while ${what}`).catch(() => 'no answer')
        }),
      )
      const told = [...new Set(statuses)].join(', ')
      t.notOk(statuses.includes(200), `${what}: what was not stored is not acknowledged (${told})`)
      const { code, signal } = await life.ended
      // On a page that could not be written LMDB damages its heap: that may end it even sooner.
      t.ok(code === 74 || (place === 'page' && signal), `${what}: it ends with ${code ?? signal}`)
      // A stop would wait for what is under way.
      t.notMatch(life.lines.join('\n'), /"message":"stopping"/)
      const tookMs = performance.now() - failedMs
      t.ok(tookMs < stopMsMax / 2, `it ended after ${Math.round(tookMs)} ms`)
      leastMs = Math.min(leastMs, tookMs)
      await api.close()
      life = start()
      await life.ready
      api = clientOf(port, household)
      const found = await need(api, 'GET', `${household.org}/monitors`)
      const kept = found.map(({ name }: { name: string }) => name)
      t.same(kept, names, 'everything acknowledged is there, and nothing else')
    }
    // A busy machine may hold up one of them.
    t.ok(leastMs < 1_000, `the quickest end took ${Math.round(leastMs)} ms`)
  },
)
