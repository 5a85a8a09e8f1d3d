// A disk or a budget that is used up: nothing is created, and checks, incidents and alerts go on.
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { register, registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startProcess } from '../support/daemon-process.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { mountSmall, noMount } from '../support/small-disk.ts'
import { until } from '../support/until.ts'

const MiB = 1024 ** 2
const waitMs = 60_000
const push = (name: string) => ({ name, checkType: 'push', intervalSeconds: 3_600 })

t.test('a budget that is used up refuses new objects, and loses no alert', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const first = await startDaemon(t)
  const { org, key } = await registerWithKey(first, 'ada', first.setupToken)
  const config = { url: receiver.url }
  const hook = { name: 'hook', type: 'webhook', config, isDefault: true }
  await first.need('POST', `${org}/alert-channels`, { key, json: hook })
  const monitor = await first.need('POST', `${org}/monitors`, { key, json: push('job') })
  // Descriptions fill the data.
  const monitors = Array.from({ length: 600 }, (_, at) => ({
    ...push(`filler ${at}`),
    description: 'x'.repeat(2_000),
  }))
  await first.need('POST', `${org}/monitors/bulk`, { key, json: { monitors } })
  await first.stop()

  const token = 'operator-0123456789abcdef0123456789abcdef'
  const env = { DATA_MAX_MIB: '2', SYSTEM_TOKEN: token }
  const daemon = await startDaemon(t, { dir: first.dir, env })
  const info = await daemon.need('GET', '/system/info', { bearer: token })
  t.match(info.data, { maxBytes: 2 * MiB, sizeState: 'full' })
  t.ok(info.data.usedBytes > 2 * MiB)
  t.match(daemon.lines.join(), /has used up data\.maxMib/)
  const path = `/api/v1${org}/monitors`
  const refused = await daemon.ask('POST', path, { key, json: push('one more') })
  t.match(refused, { status: 503, json: { code: 'storage_full' } })
  await daemon.need('PATCH', `${org}/monitors/${monitor.id}`, { key, json: { name: 'renamed' } })
  await daemon.need('POST', `/push/${monitor.pushToken}`, { json: { status: 'error' } })
  const [alert] = await receiver.received(1)
  t.match(bodyOf(alert), { type: 'incident.opened' })
  await daemon.need('POST', `/push/${monitor.pushToken}`, { json: { status: 'ok' } })
  await receiver.received(2)
  t.equal((await daemon.need('GET', `${org}/incidents`, { key })).length, 1)
})

t.test(
  'while another program fills the disk to the last byte, alerts leave and nothing ends',
  { skip: noMount },
  async (t) => {
    const disk = mountSmall(t, 256)
    if (disk === undefined) {
      t.pass('a small disk', { skip: 'this machine permits no mount' })
      return
    }
    const free = () => {
      const { bavail, bsize } = statfsSync(disk)
      return bavail * bsize
    }
    const receiver = await startReceiver()
    t.teardown(() => receiver.close())
    const token = 'operator-0123456789abcdef0123456789abcdef'
    const daemon = startProcess(t, disk, {
      STILLUP_SYSTEM_TOKEN: token,
      STILLUP_AUTH_SETUP_TOKEN: 'a-setup-token-of-the-tests',
      STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
      STILLUP_HTTP_RATE_PUSH_PER_MINUTE: '0',
    })
    await daemon.ready()
    const { org, cookie } = await register(daemon, 'ada', 'a-setup-token-of-the-tests')
    const config = { url: receiver.url }
    const hook = { name: 'hook', type: 'webhook', config, isDefault: true }
    const { id } = await daemon.need('POST', `${org}/alert-channels`, { cookie, json: hook })
    await daemon.need('PUT', '/system/notices', { cookie, json: { channelIds: [id] } })
    const monitor = await daemon.need('POST', `${org}/monitors`, { cookie, json: push('job') })
    // Looking at the file costs less than asking.
    const stored = () => statSync(join(disk, 'data/data.mdb')).size
    await until(() => stored() > 16 * MiB, waitMs)
    await until(async () => {
      const tasks = await daemon.need('GET', '/system/tasks', { bearer: token })
      const { lastDetail } = tasks.find(({ name }: { name: string }) => name === 'space')
      return /[1-9]\d MiB reserved/.test(lastDetail)
    }, waitMs)
    t.ok(stored() > 16 * MiB, 'there was space to reserve')

    const filler = join(disk, 'filler')
    try {
      writeFileSync(filler, Buffer.alloc(300 * MiB))
    } catch {
      // To the last byte.
    }
    t.ok(free() < MiB / 8, `${free()} bytes are free`)
    const told = () => receiver.requests.map(({ body }) => body).join()
    await until(() => told().includes('The disk is full'), waitMs)
    await until(async () => {
      const info = await daemon.need('GET', '/system/info', { bearer: token })
      return info.data.diskState === 'full'
    }, waitMs)
    const path = `/api/v1${org}/monitors`
    const refused = await daemon.ask('POST', path, { cookie, json: push('one more') })
    t.match(refused, { status: 503, json: { code: 'storage_full' } })
    const rounds = 12
    for (let round = 0; round < rounds; round += 1) {
      for (const status of ['error', 'ok']) {
        await daemon.need('POST', `/push/${monitor.pushToken}`, {
          json: { status, message: 'x'.repeat(1_000), metadata: { text: 'y'.repeat(10_000) } },
        })
      }
    }
    await until(() => told().includes('incident.opened'), waitMs)
    t.equal(daemon.child.exitCode, null, daemon.err)

    rmSync(filler)
    await until(async () => {
      const reply = await daemon.ask('POST', path, { cookie, json: push('one more') })
      return reply.status === 200
    }, waitMs)
    t.same((await daemon.stop()).code, 0)
  },
)
