// A cluster of two versions: in both orders of an upgrade it goes on within seconds, loses nothing that was
// acknowledged, and is led by nobody who cannot read its data. The next version changes the data as it changes
// everything, through the log, so nobody takes a copy anew.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createClient } from '../support/api-client.ts'
import type { Owner } from '../support/cast.ts'
import type { DaemonProcess } from '../support/daemon-process.ts'
import { isDeep } from '../support/depth.ts'
import { addMember, heard, isStandby, type Machine, startFirst } from '../support/machines.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { startNatsServers } from '../support/nats-servers.ts'
import { nextData, otherVersion } from '../support/other-version.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const skip = skipWithoutNats() || (isDeep ? false : 'starts other versions from their sources')
/** Longer than a change of leaders takes whose lease is given back. */
const leaseSeconds = 15

t.setTimeout(900_000)

/** The next version, whose process dies before its change of the data is done. */
const dyingChange = {
  'store/migrate.ts': [
    [
      nextData['store/migrate.ts'][0][0],
      nextData['store/migrate.ts'][0][1].replace(
        'run: rewriteUsers',
        `run: async (store, progressed) => {
          await rewriteUsers(store, progressed)
          process.kill(process.pid, 'SIGKILL')
        }`,
      ),
    ],
  ],
} as const

/** The next version, whose records have another shape, and which reads those of this one, too. */
const nextShape = {
  'store/engine/redo.ts': [
    ['const shape = 1', 'const shape = 2'],
    ['version !== shape', 'version > shape'],
  ],
} as const

/** Two members of this version; the first leads, the other one has everything. */
async function startCluster(t: Test) {
  const root = testFolder(t)
  const nats = await startNatsServers(t, { leaseMs: leaseSeconds * 1_000, initialized: false })
  const [a, b] = [
    await addMember(t, nats, root, 'a', leaseSeconds),
    await addMember(t, nats, root, 'b', leaseSeconds),
  ]
  t.match(await a.run('cluster', 'init', '--operator', 'operator.nk'), { code: 0 })
  const { first, owner, key } = await startFirst(a, b)
  const second = b.start()
  await isStandby(a, 'b')
  return { a, b, first, second, writer: startWriter(t, [a, b], owner, key) }
}

type Writer = ReturnType<typeof startWriter>

/**
 * Adds monitors, one after the other: asks each machine until one of them acknowledges, with an Idempotency-Key, so
 * that what was done before an answer was lost is not done twice.
 */
function startWriter(t: Test, machines: readonly Machine[], { org }: Owner, key: string) {
  const acknowledged: string[] = []
  let longestMs = 0
  let refusals = 0
  let isResting = false
  let isOver = false
  t.teardown(() => {
    isResting = true
    isOver = true
  })

  async function isAcknowledged({ url }: Machine, name: string): Promise<boolean> {
    const answer = await fetch(`${url}/api/v1${org}/monitors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': name },
      body: JSON.stringify({ name, url: 'http://127.0.0.1:9/', intervalSeconds: 3_600 }),
    }).catch(() => undefined)
    // It may break off.
    const text = await answer?.text().catch(() => undefined)
    if (!answer || text === undefined) return false
    if (answer.ok) return true
    if (answer.status !== 503) throw new Error(`${answer.status} ${text}`)
    if (answer.headers.get('retry-after') === null) throw new Error('503 without Retry-After')
    refusals += 1
    return false
  }

  async function isAcknowledgedByOne(name: string): Promise<boolean> {
    for (const machine of machines) if (await isAcknowledged(machine, name)) return true
    return isOver
  }

  async function write(): Promise<void> {
    isResting = false
    while (!isResting) {
      const name = `monitor ${acknowledged.length}`
      const sinceMs = Date.now()
      await until(() => isAcknowledgedByOne(name), 2 * leaseSeconds * 1_000 + 60_000)
      longestMs = Math.max(longestMs, Date.now() - sinceMs)
      acknowledged.push(name)
    }
  }

  let writing = Promise.resolve()
  function goOn(): void {
    writing = write()
    writing.catch(() => {})
  }
  async function rest(): Promise<void> {
    isResting = true
    await writing
  }
  const reaches = (isThere: () => boolean) => Promise.race([until(isThere, 120_000), writing])
  async function more(count: number): Promise<void> {
    const enough = acknowledged.length + count
    await reaches(() => acknowledged.length >= enough)
  }
  goOn()
  return {
    more,
    /** Resolves once nothing is under way; nothing is written until it goes on. */
    rest,
    goOn,
    /** Resolves when senders were asked to come again forty times more. */
    async refused(): Promise<void> {
      const enough = refusals + 40
      await reaches(() => refusals >= enough)
    },
    /** How long nobody acknowledged at most, since this was asked last; says so in the report. */
    longest(what: string): number {
      t.comment(`${what}: writes waited ${longestMs} ms at most`)
      const ms = longestMs
      longestMs = 0
      return ms
    },
    /** Resolves once the leader was found to have each acknowledged change once, and no other. */
    async lostNothing(leader: Machine): Promise<void> {
      await more(5)
      await rest()
      const client = createClient(() => leader.url)
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = `limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
        const { json } = await client.ask('GET', `/api/v1${org}/monitors?${page}`, { key })
        found.push(...json.data.map(({ name }: { readonly name: string }) => name))
        cursor = json.meta.nextCursor
      }
      t.same(found.toSorted(), acknowledged.toSorted(), 'each acknowledged change, once')
      t.comment(`${acknowledged.length} changes`)
    },
  }
}

const upgradeIt = 'this member cannot lead: upgrade it'

/** The member begins to lead, and nobody waited for a lease. */
async function tookOver(t: Test, next: DaemonProcess, writer: Writer, what: string): Promise<void> {
  await next.ready()
  await writer.more(20)
  t.ok(writer.longest(what) < leaseSeconds * 1_000, what)
}

t.test('the standby is upgraded first, then the leader', { skip }, async (t) => {
  const { a, b, first, second, writer } = await startCluster(t)
  const newer = otherVersion(t, nextData)
  t.match(await second.stop(), { code: 0 }, second.err.slice(-1_500))
  const upgraded = b.having(newer).start()
  await isStandby(a, 'b')
  t.notMatch(upgraded.err, upgradeIt)
  await writer.more(20)
  writer.longest('the standby is upgraded')

  t.match(await a.run('cluster', 'step-down'), { code: 0 })
  t.match(await first.ended, { code: 75 })
  await tookOver(t, upgraded, writer, 'the older leader steps down')
  const former = a.start()
  t.match(upgraded.err, /upgrading the data/)
  // It follows what it cannot read, and waits.
  await heard(former, upgradeIt)
  t.match(former.err, /reads version 9/)
  await isStandby(b, 'a')

  await upgraded.stop('SIGKILL')
  await until(async () => /^nobody leads$/m.test((await a.run('cluster', 'status')).said))
  await writer.refused()
  t.match(await a.run('cluster', 'status'), { said: /^nobody leads$/m })
  t.notMatch(former.err, 'this member leads now')
  t.match(await former.stop(), { code: 0 })
  const last = a.having(newer).start()
  await last.ready()
  t.notMatch(last.err, /upgrading the data/, 'it was changed already')
  await writer.more(20)
  writer.longest('nobody is there who can read the data')

  const again = b.having(newer).start()
  await isStandby(a, 'b')
  t.match(await a.run('cluster', 'step-down'), { code: 0 })
  await tookOver(t, again, writer, 'the newer leader steps down')
  await writer.lostNothing(b)
})

t.test('the leader is upgraded first, then the standby', { skip }, async (t) => {
  const { a, b, first, second, writer } = await startCluster(t)
  const newer = otherVersion(t, nextData)
  await writer.more(20)
  t.match(await first.stop(), { code: 0 })
  const upgraded = a.having(newer).start()
  await tookOver(t, second, writer, 'the older leader stops')
  await isStandby(b, 'a')
  t.notMatch(upgraded.err, upgradeIt)

  t.match(await b.run('cluster', 'step-down'), { code: 0 })
  t.match(await second.ended, { code: 75 })
  await tookOver(t, upgraded, writer, 'the next older leader steps down')
  const former = b.start()
  await heard(former, upgradeIt)
  await isStandby(a, 'b')
  t.match(await former.stop(), { code: 0 })

  const last = b.having(newer).start()
  await isStandby(a, 'b')
  t.notMatch(last.err, upgradeIt)
  t.match(await a.run('cluster', 'step-down'), { code: 0 })
  await tookOver(t, last, writer, 'the newer leader steps down')
  for (const { err } of [upgraded, last]) t.notMatch(err, 'a copy of all data')
  await writer.lostNothing(b)
})

t.test('the newer leader dies while it changes the data', { skip }, async (t) => {
  const { a, b, first, second, writer } = await startCluster(t)
  const [dying, newer] = [otherVersion(t, dyingChange), otherVersion(t, nextData)]
  t.match(await second.stop(), { code: 0 }, second.err.slice(-1_500))
  const half = b.having(dying).start()
  await isStandby(a, 'b')
  await writer.more(20)
  // A change that is under way when its leader ends is on its disk alone: it would need a copy of another leader.
  await writer.rest()
  t.match(await a.run('cluster', 'step-down'), { code: 0 })
  t.match(await first.ended, { code: 75 })
  t.match(await half.ended, { signal: 'SIGKILL' })

  writer.goOn()
  const former = a.start()
  await heard(former, upgradeIt)
  t.notMatch(former.err, 'a copy of all data', 'what was changed came with the log')
  t.match(former.err, /began to upgrade the data to version 9 and did not finish/)
  await until(async () => /^nobody leads$/m.test((await a.run('cluster', 'status')).said))
  await writer.refused()
  t.notMatch(former.err, 'this member leads now')

  const whole = b.having(newer).start()
  await whole.ready()
  t.match(whole.err, /the data was upgraded/)
  await isStandby(b, 'a')
  writer.longest('the change of the data is done by the next start')
  await writer.lostNothing(b)
})

t.test('records of a shape that an older member does not know end it', { skip }, async (t) => {
  const { a, b, first, second, writer } = await startCluster(t)
  const newer = otherVersion(t, nextShape)
  t.match(await second.stop(), { code: 0 }, second.err.slice(-1_500))
  const upgraded = b.having(newer).start()
  await isStandby(a, 'b')
  await writer.more(20)
  t.match(await a.run('cluster', 'step-down'), { code: 0 })
  t.match(await first.ended, { code: 75 })
  await tookOver(t, upgraded, writer, 'the older leader steps down')

  const tooNew = { code: 78, said: /is newer than this standby\nUpgrade this machine/ }
  t.match(await a.run('serve'), tooNew, 'it has what came before')
  // Nobody leads, and it does not either.
  await upgraded.stop('SIGKILL')
  await until(async () => /^nobody leads$/m.test((await a.run('cluster', 'status')).said))
  const alone = await a.run('serve')
  t.match(alone, tooNew)
  t.notMatch(alone.said, 'this member leads now')
  t.match(await b.run('serve'), tooNew, 'it led itself, as the newer one')

  const last = a.having(newer).start()
  await last.ready()
  await writer.more(20)
  writer.longest('nobody is there who knows the records')
  for (const file of ['data.mdb', 'lock.mdb']) rmSync(join(b.dir, file))
  t.match(await b.run('serve'), tooNew, 'its copy is the newest')
  const again = b.having(newer).start()
  await isStandby(a, 'b')
  t.match(await a.run('cluster', 'step-down'), { code: 0 })
  t.match(await last.ended, { code: 75 })
  await tookOver(t, again, writer, 'the newer leader steps down')
  await writer.lostNothing(b)
})
