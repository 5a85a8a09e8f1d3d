// The log and the lease on three nats-servers of which one fails: nothing acknowledged is lost.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { JetStream } from '../../src/cluster/jetstream.ts'
import { createLease } from '../../src/cluster/lease.ts'
import { type LoggedRecord, LogRefused, type ReplicatedLog } from '../../src/cluster/log.ts'
import { leaseStream, logStream } from '../../src/cluster/objects.ts'
import { createStreamLog } from '../../src/cluster/stream-log.ts'
import { amount, isDeep } from '../support/depth.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { type NatsServers, natsCell, patience, startNatsServers } from '../support/nats-servers.ts'
import { until } from '../support/until.ts'

const cell = natsCell
/** A usual run may have a slow machine, where an election takes long. */
const leaseMs = isDeep ? 15_000 : 60_000

/** A writer that appends one record after the other until it is refused. */
function startWriter(log: ReplicatedLog, name: string, from: number) {
  const acknowledged: { readonly sequence: number; readonly text: string }[] = []
  let progress = () => {}
  const run = async () => {
    for (let after = from, count = 0; ; count += 1) {
      const text = `${name} ${count}`
      // Some are cut into parts.
      const padding = count % 10 === 9 ? randomBytes(100_000) : Buffer.alloc(100)
      const bytes = Buffer.concat([Buffer.from(text.padEnd(20)), padding])
      after = await log.append({ after, bytes, id: text }, patience())
      acknowledged.push({ sequence: after, text })
      progress()
    }
  }
  const ended = run().catch((error: unknown) => error)
  return {
    acknowledged,
    /** Why it ended. */
    ended,
    /** Resolves once it has so many more. */
    async more(count: number): Promise<void> {
      const wanted = acknowledged.length + count
      const isThere = new Promise<undefined>((resolve) => {
        progress = () => acknowledged.length >= wanted && resolve(undefined)
      })
      const end = await Promise.race([ended, isThere])
      if (end !== undefined) throw end
    },
  }
}

/** Appends the record of a new leader behind whatever the former one appends meanwhile. */
async function takeOver(log: ReplicatedLog): Promise<number> {
  for (;;) {
    const after = await log.last(patience())
    const record = { after, bytes: Buffer.from('epoch 2'), id: `epoch 2 after ${after}` }
    try {
      return await log.append(record, patience())
    } catch (error) {
      if (!(error instanceof LogRefused)) throw error
    }
  }
}

const textOf = ({ bytes }: LoggedRecord) =>
  Buffer.from(bytes.subarray(0, 20)).toString('utf8').trim()

async function everything(log: ReplicatedLog): Promise<{ sequence: number; text: string }[]> {
  const all = []
  const range = { from: 1, until: await log.last(patience()), signal: patience() }
  for await (const record of log.read(range)) {
    all.push({ sequence: record.sequence, text: textOf(record) })
  }
  return all
}

/** Breaks one server, waits until others have gone on without it, and brings it back. */
async function withoutServer(
  { kill, restart, pause, resume }: NatsServers,
  { index, kind }: { readonly index: number; readonly kind: 'killed' | 'stopped' },
  whileAway: () => Promise<void>,
): Promise<void> {
  if (kind === 'killed') {
    await kill(index)
    await whileAway()
    return restart(index)
  }
  pause(index)
  await whileAway()
  resume(index)
}

t.test('three servers, of which one fails', { skip: skipWithoutNats() }, async (t) => {
  const servers = await startNatsServers(t, { count: 3, leaseMs, maxPayload: 64 * 1024 })
  const own = await servers.connectAs('a')
  const others = await servers.connectAs('b')
  const logOf = (jetstream: JetStream) => createStreamLog(jetstream, { cell, pollMs: 20 })
  const log = logOf(own)
  const reader = logOf(others)
  const lease = createLease(own, { cell, leaseMs, clock: servers.clock })
  t.ok(await lease.take('a', patience()))
  const writer = startWriter(log, 'a', 0)
  const followed: { sequence: number; text: string }[] = []
  const stopping = new AbortController()
  const following = (async () => {
    for await (const record of reader.read({ from: 1, signal: stopping.signal })) {
      followed.push({ sequence: record.sequence, text: textOf(record) })
    }
  })().catch(() => {})
  await writer.more(20)

  const faults = ['killed', 'stopped'] as const
  for (let round = 0; round < amount(1, 6); round += 1) {
    const kind = faults[round % 2] ?? 'killed'
    const index = await servers.leaderOf(round % 3 === 2 ? leaseStream(cell) : logStream(cell))
    await withoutServer(servers, { index, kind }, async () => {
      await writer.more(20)
      t.ok(await lease.renew(patience()), `a healthy leader keeps its lease (${kind})`)
    })
    await writer.more(20)
  }
  t.ok(lease.msLeft() > 0)

  // The former leader does not know yet that it is one.
  const epoch = await takeOver(reader)
  t.match(await writer.ended, { name: 'LogRefused', last: epoch })
  const { acknowledged } = writer
  const last = acknowledged.at(-1)?.sequence ?? 0
  t.ok(last < epoch, 'nothing of the former leader is behind the first record of the new one')
  const large = { after: epoch - 1, bytes: randomBytes(300_000), id: 'late' }
  await t.rejects(log.append(large, patience()), LogRefused)
  const whole = [...acknowledged, { sequence: epoch, text: 'epoch 2' }]
  t.same(await everything(reader), whole, 'each acknowledged record once, in order')
  t.equal(
    await reader.append({ after: epoch, bytes: Buffer.from('on'), id: 'on' }, patience()),
    epoch + 1,
  )
  await until(() => followed.at(-1)?.sequence === epoch + 1)
  stopping.abort()
  await following
  t.same(followed.slice(0, -1), whole, 'also for whoever follows')
})

t.test(
  'without a majority nothing is acknowledged, and later nothing is lost',
  { skip: skipWithoutNats() || (!isDeep && 'only in a deep run') },
  async (t) => {
    const servers = await startNatsServers(t, { count: 3 })
    const log = createStreamLog(await servers.connectAs('a'), { cell })
    t.equal(await log.append({ after: 0, bytes: Buffer.from('one'), id: '1' }, patience()), 1)
    await servers.kill(0)
    await servers.kill(1)
    const record = { after: 1, bytes: Buffer.from('two'), id: '2' }
    await t.rejects(log.append(record, AbortSignal.timeout(3_000)), { name: 'LogUnanswered' })
    await Promise.all([servers.restart(0), servers.restart(1)])
    t.equal(await log.append(record, patience()), 2)
    t.same(
      (await everything(log)).map(({ text }) => text),
      ['one', 'two'],
    )
  },
)
