// Case (n): what a result costs the daemon that a remote probe sends, beyond its fold and its commit, which
// are those of its place and those of the monitor. Beside a check that was made here, with one fold. By turns,
// in one process.
import { Pool } from 'undici'
import type {
  ReadingsAsk,
  ReadingsInput,
  ReadingsReady,
  ReadingsSpent,
} from '../load/readings-process.ts'
import { startFlags } from '../world/daemon.ts'
import { atMost, type CaseResult, info, toFloor } from '../world/figure.ts'
import { ended, nextMessage, type Workplace } from '../world/workplace.ts'

export interface ReadingsOptions {
  /** How many are checked here, and as many at the location. */
  readonly monitors: number
  readonly nodeArgs: readonly string[]
}

/** The same results: of checks made here, of a place without a probe, and sent by a probe. */
const ways = ['home', 'placed', 'sent'] as const
type Way = (typeof ways)[number]

const batch = 100
/** Each may send so many requests a minute. */
const probes = 5
const warmupRounds = 2
const rounds = 9
const batchesOfRound = 50
const beyondMicrosecondsMost = 10
const startMs = 60_000
const roundMs = 60_000
const stopMs = 15_000

export async function measureReadings(
  work: Workplace,
  { monitors, nodeArgs }: ReadingsOptions,
): Promise<CaseResult> {
  const input: ReadingsInput = { dataDir: work.directory('readings'), batch, monitors, probes }
  const child = work.fork('load/readings-process.ts', input, [...startFlags(), ...nodeArgs])
  const ready = await nextMessage<ReadingsReady>(child, startMs)
  const senders = await startSenders(ready)

  function ask(message: ReadingsAsk): Promise<ReadingsSpent> {
    const answer = nextMessage<ReadingsSpent>(child, roundMs)
    child.send(message)
    return answer
  }

  async function measure(way: Way, round: number): Promise<number> {
    const from = (round * batchesOfRound * batch) % monitors
    const before = await ask({ kind: 'spent' })
    if (way === 'sent') {
      for (let at = 0; at < batchesOfRound; at += 1) await senders.send(at, from + at * batch)
    } else await ask({ kind: way, from, batches: batchesOfRound })
    const after = await ask({ kind: 'spent' })
    return (after.microseconds - before.microseconds) / (batchesOfRound * batch)
  }

  const spent: Record<Way, number>[] = []
  for (let round = 0; round < warmupRounds + rounds; round += 1) {
    // By turns, so that what else this machine does falls on all of them.
    const one = { home: 0, placed: 0, sent: 0 }
    for (const way of ways) one[way] = await measure(way, round)
    if (round >= warmupRounds) spent.push(one)
  }
  await senders.stop()
  child.disconnect()
  await ended(child, stopMs)
  const beyond = (way: Way, than: Way) => median(spent.map((one) => one[way] - one[than]))
  const [home, sent] = [median(spent.map((one) => one.home)), median(spent.map((one) => one.sent))]
  return {
    title: `readings: of ${monitors} monitors, ${batch} at once, ${rounds} rounds`,
    figures: [
      info('fold and commit of a check that was made here', home, 'µs'),
      toFloor(info('a result that a probe sends, all', sent, 'µs'), home),
      info('of this, fold and commit of its place, and the vote', beyond('placed', 'home'), 'µs'),
      atMost(
        'of this, beyond fold and commit: the request, and reading it',
        ...([beyond('sent', 'placed'), 'µs', beyondMicrosecondsMost] as const),
      ),
    ],
    details: { spent },
  }
}

/** Plays the probes, each with its session. */
async function startSenders({ port, protocol, bearers, ids, revision, finding }: ReadingsReady) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 })

  async function post<T>(bearer: string, path: string, document: object): Promise<T> {
    const { statusCode, body } = await pool.request({
      ...{ method: 'POST', path: `/api/v1/probe/${path}`, body: JSON.stringify(document) },
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
    return JSON.parse(text) as T
  }

  const hello = { protocol, version: '1.0.0', kinds: ['endpoint'] }
  const known: { readonly bearer: string; readonly session: string }[] = []
  for (const bearer of bearers) {
    const { session } = await post<{ session: string }>(bearer, 'session', hello)
    known.push({ bearer, session })
  }
  const self = { checks: 0, dropped: 0, lateMs: 0, monitors: ids.length }
  return {
    async send(number: number, from: number): Promise<void> {
      const { bearer = '', session = '' } = known[number % known.length] ?? {}
      const dueAtMs = Date.now()
      const results = ids.slice(from, from + batch).map((monitorId) => {
        return { monitorId, revision, dueAtMs, try: 0, ...finding, ageMs: 120 }
      })
      const { taken } = await post<{ taken: number }>(bearer, 'results', { session, results, self })
      if (taken !== batch) throw new Error(`${taken} of ${batch} results were taken`)
    },
    stop: () => pool.close(),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
