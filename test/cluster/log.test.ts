// The log of a cluster on a real nats-server: what it promises to whoever appends and reads.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { JetStream } from '../../src/cluster/jetstream.ts'
import { LogGap, LogRefused, LogUnanswered, type ReplicatedLog } from '../../src/cluster/log.ts'
import { logStream, logSubject, wantedStreams } from '../../src/cluster/objects.ts'
import { recreateLog } from '../../src/cluster/setup.ts'
import { createStreamLog } from '../../src/cluster/stream-log.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { type NatsServers, natsCell, patience, startNatsServers } from '../support/nats-servers.ts'
import { until } from '../support/until.ts'

const skip = skipWithoutNats()
const cell = natsCell
const stream = logStream(cell)
const partBytesMax = 64 * 1024 - 1_024
const bytesOf = (text: string) => Buffer.from(text)

t.test('the log of a cluster', { skip }, async (t) => {
  const servers: NatsServers = await startNatsServers(t, { maxPayload: 64 * 1024 })
  const operator = await servers.connectAs('operator')
  const a = await servers.connectAs('a')
  const b = await servers.connectAs('b')
  const log = createStreamLog(a, { cell, pollMs: 10, settleMs: 50 })
  const other = createStreamLog(b, { cell, pollMs: 10, settleMs: 50 })

  /** Where the log ends: tests share it. */
  const end = () => log.last(patience())
  const append = (after: number, text: string, id = `${after} ${text}`, by = log) =>
    by.append({ after, bytes: bytesOf(text), id }, patience())

  async function textsFrom(from: number, by: ReplicatedLog = other): Promise<string[]> {
    const texts: string[] = []
    const range = { from, until: await by.last(patience()), signal: patience() }
    for await (const { bytes } of by.read(range)) texts.push(Buffer.from(bytes).toString('utf8'))
    return texts
  }

  /** What a writer sends that dies before its record is whole. */
  async function leaveUnfinished(by: JetStream, after: number, parts: number, of: number) {
    for (let part = 0; part < parts; part += 1) {
      await by.publish(
        {
          ...{
            stream,
            subject: logSubject(cell),
            bytes: bytesOf('left'),
            id: `left ${after} ${part}`,
          },
          expect: { last: after + part },
          headers: { 'Stillup-Part': `${part + 1}/${of}` },
        },
        patience(),
      )
    }
  }

  t.test('records are read as they were appended, by everybody', async (t) => {
    t.equal(await end(), 0)
    t.same(await textsFrom(1), [])
    t.equal(await append(0, 'one'), 1)
    t.equal(await append(1, 'two'), 2)
    t.equal(await append(2, ''), 3)
    t.same(await textsFrom(1), ['one', 'two', ''])
    t.same(await textsFrom(3), [''])
    t.match(await other.get(2, patience()), { sequence: 2, bytes: bytesOf('two') })
  })

  t.test('a writer that somebody else has overtaken is refused', async (t) => {
    const after = await end()
    await append(after, 'of the new leader', 'new', other)
    const refused = append(after, 'of the old leader', 'old').catch((error: unknown) => error)
    t.match(await refused, { name: 'LogRefused', last: after + 1 })
    await t.rejects(append(after + 2, 'ahead of the log', 'ahead'), LogRefused)
    t.same(await textsFrom(after + 1), ['of the new leader'])
  })

  t.test('an append that is repeated is in the log once, and answers as before', async (t) => {
    const after = await end()
    t.equal(await append(after, 'once', 'same'), after + 1)
    await append(after + 1, 'behind it')
    t.equal(await append(after, 'once', 'same'), after + 1, 'although something is behind it')
    t.same(await textsFrom(after + 1), ['once', 'behind it'])
  })

  t.test('a repeated append is known although the server has forgotten its id', async (t) => {
    const after = await end()
    const [{ config = {} } = {}] = wantedStreams(servers.objects)
    const windowMs = 100
    const shorter = { name: stream, ...config, duplicate_window: windowMs * 1e6 }
    await operator.asked(`STREAM.UPDATE.${stream}`, shorter)
    await append(after, 'kept', 'kept')
    const begunMs = performance.now()
    await until(() => performance.now() - begunMs > 4 * windowMs)
    t.equal(await append(after, 'kept', 'kept'), after + 1)
    t.same(await textsFrom(after + 1), ['kept'])
    await operator.asked(`STREAM.UPDATE.${stream}`, { name: stream, ...config })
  })

  t.test('a large record is one record, of parts that follow each other', async (t) => {
    const after = await end()
    const bytes = randomBytes(20 * partBytesMax + 1)
    t.equal(log.partsOf(bytes.length), 21)
    t.equal(log.partsOf(0), 1)
    t.equal(log.partsOf(partBytesMax), 1)
    t.equal(log.partsOf(partBytesMax + 1), 2)
    const record = { after, bytes, id: 'large' }
    t.equal(await log.append(record, patience()), after + 21)
    t.equal(await log.append(record, patience()), after + 21, 'repeated')
    t.equal(await end(), after + 21)
    for await (const read of other.read({
      from: after + 1,
      until: after + 21,
      signal: patience(),
    })) {
      t.equal(read.sequence, after + 21)
      t.ok(bytes.equals(read.bytes))
    }
    const got = await other.get(after + 21, patience())
    t.ok(got && bytes.equals(got.bytes))
    t.equal(await other.get(after + 20, patience()), null, 'no record ends within it')
  })

  t.test('a large record of a writer that was overtaken leaves nothing behind', async (t) => {
    const after = await end()
    await append(after, 'first', 'first', other)
    const large = { after, bytes: randomBytes(3 * partBytesMax), id: 'too late' }
    const refused = log.append(large, patience()).catch((error: unknown) => error)
    t.match(await refused, { name: 'LogRefused', last: after + 1 })
    t.equal(await end(), after + 1, 'although its second part expects just that sequence')
    t.same(await textsFrom(after + 1), ['first'])
  })

  t.test('what a writer left unfinished is dropped', async (t) => {
    const after = await end()
    await leaveUnfinished(a, after, 2, 3)
    t.same(await textsFrom(after + 1), [], 'nothing whole')
    t.equal(await end(), after + 2, 'but others append behind it')
    const next = await other.append(
      { after: after + 2, bytes: randomBytes(2 * partBytesMax), id: 'whole' },
      patience(),
    )
    await append(next, 'last')
    const found = []
    for await (const record of log.read({ from: after + 1, until: next + 1, signal: patience() })) {
      found.push(record.sequence)
    }
    t.same(found, [next, next + 1])
  })

  t.test('an append goes on where an earlier attempt was interrupted', async (t) => {
    const after = await end()
    const bytes = randomBytes(3 * partBytesMax)
    const [part] = [bytes.subarray(0, partBytesMax)]
    await a.publish(
      {
        ...{ stream, subject: logSubject(cell), bytes: part, id: 'taken up.1' },
        ...{ expect: { last: after }, headers: { 'Stillup-Part': '1/3' } },
      },
      patience(),
    )
    t.equal(await log.append({ after, bytes, id: 'taken up' }, patience()), after + 3)
    const got = await other.get(after + 3, patience())
    t.ok(got && bytes.equals(got.bytes))
  })

  t.test('whoever follows the log gets what is appended later', async (t) => {
    const after = await end()
    const stopping = new AbortController()
    const follower = other.read({ from: after + 1, signal: stopping.signal })
    const first = follower.next()
    await append(after, 'later')
    t.match(await first, { value: { sequence: after + 1 } })
    const second = follower.next()
    await append(after + 1, 'later still')
    t.match(await second, { value: { sequence: after + 2 } })
    const third = follower.next()
    stopping.abort()
    await t.rejects(third, LogUnanswered)
  })

  t.test('a sequence that the log does not have is absent', async (t) => {
    const after = await end()
    t.equal(await log.get(0, patience()), null)
    t.equal(await log.get(after + 1, patience()), null)
    await t.rejects(log.read({ from: after + 2, signal: patience() }).next(), LogGap)
  })

  t.test('a member can neither delete, empty nor change the log', async (t) => {
    const requests: [string, object | null][] = [
      [`STREAM.DELETE.${stream}`, null],
      [`STREAM.PURGE.${stream}`, null],
      [`STREAM.MSG.DELETE.${stream}`, { seq: 1 }],
      [`STREAM.UPDATE.${stream}`, { name: stream, subjects: ['other'] }],
      ['STREAM.CREATE.MORE', { name: 'MORE', subjects: ['more'] }],
      [`CONSUMER.CREATE.${stream}`, { stream_name: stream, config: {} }],
    ]
    for (const [subject, body] of requests) await t.rejects(a.asked(subject, body), subject)
    const entry = { stream: 'KV_STILLUP_c0_MEMBERS', subject: '$KV.STILLUP_c0_MEMBERS.b' }
    const forged = { ...entry, bytes: bytesOf('b'), id: 'b', expect: { lastOfSubject: 0 } }
    await t.rejects(a.publishNow(forged), 'nor speak for another member')
    t.equal(await log.get(1, patience()).then((found) => found?.sequence), 1)
    await t.rejects(
      operator.asked(`STREAM.MSG.DELETE.${stream}`, { seq: 1 }),
      'not even the operator can take a record out of it',
    )
    await t.rejects(operator.asked(`STREAM.PURGE.${stream}`, null))
  })

  t.test('a new generation is empty, and its sequences go on', async (t) => {
    const after = await end()
    const options = { ...servers.objects, signal: patience(), settleMs: 0 }
    t.equal(await recreateLog(operator, { ...options, after: after + 10 }), after + 10)
    t.equal(await end(), after + 10)
    await t.rejects(append(after, 'of the former generation'), LogRefused)
    t.equal(await log.get(after, patience()), null)
    await t.rejects(log.read({ from: after, signal: patience() }).next(), LogGap)
    t.equal(await append(after + 10, 'new'), after + 11)
    t.same(await textsFrom(after + 11), ['new'])
  })

  t.test('what cannot be read is not absent, and what is unanswered may be there', async (t) => {
    const after = await end()
    await servers.kill(0)
    const soon = AbortSignal.timeout(1_000)
    const questions: Promise<unknown>[] = [
      log.get(after, soon),
      log.last(soon),
      log.read({ from: after, signal: soon }).next(),
      log.append({ after, bytes: bytesOf('sooner or later'), id: 'unanswered' }, soon),
    ]
    for (const question of questions) await t.rejects(question, LogUnanswered)
    const waiting = log.get(after, patience())
    await servers.restart(0)
    t.match(await waiting, { sequence: after })
    t.equal(await append(after, 'sooner or later', 'unanswered'), after + 1)
    t.same(await textsFrom(after + 1), ['sooner or later'])
  })
})
