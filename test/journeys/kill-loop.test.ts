// A daemon that is killed again and again under load: what it promised holds, what it owes arrives.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import { amount, isDeep, testSeed } from '../support/depth.ts'
import { freePort } from '../support/free-port.ts'
import { type Api, createApi } from '../support/kill-loop/api.ts'
import { type Auditor, createAuditor, orgIdOf } from '../support/kill-loop/auditor.ts'
import {
  type DaemonProcess,
  type Household,
  need,
  settleIn,
  spawnDaemon,
} from '../support/kill-loop/daemon-process.ts'
import { startHooks } from '../support/kill-loop/hooks.ts'
import { hurryOne, runLoad } from '../support/kill-loop/load.ts'
import { brokenMessages } from '../support/kill-loop/messages.ts'
import { recover, sendsAll } from '../support/kill-loop/recovery.ts'
import { createSeeded } from '../support/kill-loop/seeded.ts'
import { copyData, readSnapshot, type Snapshot } from '../support/kill-loop/snapshot.ts'
import { populate, startTargets, type World } from '../support/kill-loop/world.ts'
import { testFolder } from '../support/test-folder.ts'

const cycles = amount(4, 100)
const seed = testSeed(Date.now() % 1_000_000)
/** Half of the starts are quicker. A single one may meet a disk that does much else. */
const usualStartMsMax = 5_000
const startMsMax = 30_000
const killWithinMs = 400
const settleTurnsMax = 10

t.setTimeout(cycles * 20_000 + 600_000)

/** The daemon's lives, one after the other, on one directory and one port. */
async function createLives(t: Test, env: Readonly<Record<string, string>> = {}) {
  const base = testFolder(t, { data: {} })
  const dir = join(base, 'data')
  const port = await freePort()
  const starts: number[] = []
  let generation = 0

  /** Whose directory it is now, and since which take-over. */
  function owner() {
    const numbers = readdirSync(dir).map((name) => Number(/^control\.(\d+)\./.exec(name)?.[1] ?? 0))
    const { pid } = JSON.parse(readFileSync(join(dir, 'owner'), 'utf8')) as { pid: number }
    return { generation: Math.max(...numbers), pid }
  }

  return {
    dir,
    port,
    starts,
    copyDir: join(base, 'copy'),
    begin: () => spawnDaemon(t, { dir, port, env }),
    /** Waits for readiness; tells what is wrong with how it came about. */
    async ready(life: DaemonProcess): Promise<string[]> {
      const startMs = await life.ready
      starts.push(startMs)
      const now = owner()
      const isTaken = now.pid === life.pid && now.generation > generation
      generation = now.generation
      return [
        ...(startMs <= startMsMax ? [] : [`the start took ${Math.round(startMs)} ms`]),
        ...(isTaken ? [] : [`the directory was not taken over: ${JSON.stringify(now)}`]),
      ]
    },
  }
}

type Lives = Awaited<ReturnType<typeof createLives>>

/** Takes a copy of what a dead daemon left; the result judges it while the next one starts. */
function leftBehind({ dir, copyDir }: Lives, world: World, auditor: Auditor) {
  copyData(dir, copyDir)
  auditor.hear()
  return async () => {
    const snapshot = await readSnapshot(copyDir, orgIdOf(world))
    return { snapshot, problems: auditor.problems(snapshot) }
  }
}

/** Load until the kill; tells everything that went wrong. */
async function liveAndDie(life: DaemonProcess, api: Api, world: World): Promise<string[]> {
  const gone = new AbortController()
  world.targets.flip()
  const load = runLoad(api, world, gone.signal)
  await sleep(world.random.between(0, killWithinMs))
  const { signal, code } = await life.kill('SIGKILL')
  gone.abort()
  await api.close()
  await load
  const how = signal === 'SIGKILL' ? [] : [`it had ended by itself with ${code}`]
  const problems = [...how, ...world.problems.splice(0)]
  // What the daemon itself had to say about it.
  return problems.length === 0 ? [] : [...problems, ...life.lines.slice(-10)]
}

/**
 * Lives in which everything owed goes out. More than one, because within a minute after a digest
 * a life holds back further openings: the next one, which does not remember it, tells them.
 */
async function settle(t: Test, lives: Lives, api: Api, world: World): Promise<boolean> {
  for (let turn = 0; turn < settleTurnsMax; turn++) {
    const life = lives.begin()
    t.same(await lives.ready(life), [], 'it starts again')
    for (const subscriber of world.subscribers) await hurryOne(api, world, subscriber)
    if (!(await sendsAll(api, world))) {
      await life.kill('SIGKILL')
      continue
    }
    t.same(await need(api, 'GET', `${world.org}/incidents?state=open`), [], 'all is well')
    t.same(await world.ledger.verify(api, () => []), [], 'all is as it was promised')
    await api.close()
    t.same(await life.kill('SIGTERM'), { code: 0, signal: null }, 'and stops when it is told to')
    return true
  }
  return false
}

t.test('killed at any moment, it keeps its promises and sends what is pending', async (t) => {
  const random = createSeeded(seed)
  const hooks = await startHooks(t, random.fork())
  const mail = { STILLUP_MAIL_SMTP_URL: hooks.smtpUrl, STILLUP_MAIL_FROM: 'stillup@example.com' }
  const lives = await createLives(t, mail)
  const targets = await startTargets(t, random.fork())
  const connect = ({ key }: Household) => createApi(lives.port, { 'x-api-key': key })

  // The first life ends in an orderly way.
  const first = lives.begin()
  await first.ready
  const household = await settleIn(lives.port)
  const api = connect(household)
  const world = await populate(api, { org: household.org, random, hooks, targets })
  await api.close()
  t.same(await first.kill('SIGTERM'), { code: 0, signal: null }, 'it stops when it is told to')

  const auditor = createAuditor(world)
  const problems: string[] = []
  let kills = 0
  for (; kills < cycles && problems.length === 0; kills++) {
    const look = leftBehind(lives, world, auditor)
    const life = lives.begin()
    const judged = look()
    if (random.chance(0.1)) {
      await sleep(random.between(0, killWithinMs))
      await life.kill('SIGKILL')
      problems.push(...(await judged).problems)
      continue
    }
    problems.push(...(await lives.ready(life)), ...(await judged).problems)
    problems.push(...(await liveAndDie(life, connect(household), world)))
  }
  t.same(problems, [], `after ${kills} kills; STILLUP_TEST_SEED=${seed}`)
  if (problems.length > 0) return

  // One more life to get well in, cut off like the others, and one to settle everything in.
  const healing = lives.begin()
  t.same(await lives.ready(healing), [], 'it starts again')
  const healer = connect(household)
  world.ledger.doubtAll()
  t.same(await world.ledger.verify(healer, () => []), [], 'every promise was kept')
  await recover(healer, world)
  await healing.kill('SIGKILL')
  await healer.close()

  t.ok(await settle(t, lives, connect(household), world), 'everything owed goes out')

  const { snapshot, problems: broken } = await leftBehind(lives, world, auditor)()
  t.same(broken, [], 'what it left is in order')
  for (const subscriber of world.subscribers) {
    t.same(brokenMessages(snapshot, subscriber, hooks.arrivals), [], `told to ${subscriber.name}`)
  }
  tellFigures(t, lives, snapshot, world)
})

/** A creation with a key of its own, whose answer shows a secret. */
interface Creation {
  readonly path: string
  readonly key: string
  readonly name: string
  readonly json: unknown
}

const lonelyCreations = isDeep ? 192 : 96
/** About the time between two answers of many. */
const killLateMs = 12
const bulkSize = amount(400, 2_500)

function creationsOf(org: string, round: number): Creation[] {
  const push = (name: string) => ({ name, checkType: 'push', intervalSeconds: 3_600 })
  const config = { url: 'http://127.0.0.1:9/' }
  const lonely = Array.from({ length: lonelyCreations }, (_, at): Creation => {
    const name = `made ${round}-${at}`
    const key = `once ${round}-${at}`
    return at % 24 === 0
      ? { path: `${org}/alert-channels`, key, name, json: { name, type: 'webhook', config } }
      : { path: `${org}/monitors`, key, name, json: push(name) }
  })
  const monitors = Array.from({ length: bulkSize }, (_, at) => push(`bulk ${round}-${at}`))
  const path = `${org}/monitors/bulk`
  const bulk = { path, key: `bulk ${round}`, name: `bulk ${round}-7`, json: { monitors } }
  return [...lonely.slice(0, 20), bulk, ...lonely.slice(20)]
}

/** How often each name is in the list. */
async function namesIn(api: Api, path: string): Promise<Map<string, number>> {
  const names = new Map<string, number>()
  for (let cursor = ''; ; ) {
    const { body } = await api.ask('GET', `${path}?limit=200${cursor}`)
    for (const { name } of body.data) names.set(name, (names.get(name) ?? 0) + 1)
    if (body.meta.nextCursor === null) return names
    cursor = `&cursor=${encodeURIComponent(body.meta.nextCursor)}`
  }
}

t.test('a creation that is repeated after a kill exists once, with its first answer', async (t) => {
  const random = createSeeded(seed)
  const lives = await createLives(t, { STILLUP_QUOTAS_CHANNELS: '1000' })
  const first = lives.begin()
  await first.ready
  const { org, key } = await settleIn(lives.port)
  const connect = () => createApi(lives.port, { 'x-api-key': key })
  await first.kill('SIGTERM')

  let unanswered = 0
  for (let round = 0; round < amount(1, 20); round++) {
    const life = lives.begin()
    await life.ready
    const api = connect()
    const creations = creationsOf(org, round)
    const answers = new Map<Creation, unknown>()
    const killAfter = random.between(0, lonelyCreations - 20)
    const killSoon = async () => {
      await sleep(random.between(0, killLateMs))
      await life.kill('SIGKILL')
    }
    const ask = async (creation: Creation) => {
      const { path, key: once, json } = creation
      const { status, data } = await api.ask('POST', path, json, { 'idempotency-key': once })
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(data)}`)
      answers.set(creation, data)
      if (answers.size === killAfter) void killSoon()
    }
    const asked = Promise.allSettled(creations.map(ask))
    if (killAfter === 0) void killSoon()
    await life.ended
    await api.close()
    await asked
    unanswered += creations.length - answers.size

    const next = lives.begin()
    await next.ready
    const later = connect()
    for (const turn of ['repeated', 'repeated again']) {
      await Promise.all(
        creations.map(async (creation) => {
          const { path, key: once, json, name } = creation
          const { status, data } = await later.ask('POST', path, json, { 'idempotency-key': once })
          if (status !== 200) t.fail(`${turn}: ${status} ${JSON.stringify(data)}`)
          const before = answers.get(creation) ?? data
          answers.set(creation, before)
          if (!isDeepStrictEqual(data, before)) t.same(data, before, `${turn}: ${name}`)
        }),
      )
    }
    const made = new Map([
      ...(await namesIn(later, `${org}/monitors`)),
      ...(await namesIn(later, `${org}/alert-channels`)),
    ])
    const wrong = creations.filter(({ name }) => made.get(name) !== 1)
    t.same(wrong, [], `each exists once; STILLUP_TEST_SEED=${seed}`)
    await later.close()
    await next.kill('SIGTERM')
  }
  t.comment(`${unanswered} creations were not answered before a kill`)
})

function tellFigures(t: Test, { starts }: Lives, snapshot: Snapshot, world: World): void {
  const { hooks, subscribers } = world
  const { incidents, deliveries } = snapshot
  const sorted = starts.toSorted((a, b) => a - b)
  const rows = [...deliveries.values()].flat()
  const merged = rows.filter((row) => row.mergedIntoId !== null).length
  const median = Math.round(sorted[sorted.length >> 1] ?? 0)
  t.ok(median <= usualStartMsMax, `half of the starts took at most ${median} ms`)
  t.comment(`starts: median ${median} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms`)
  t.comment(`${incidents.size} incidents, ${rows.length} deliveries, ${merged} folded into others`)
  for (const { name: channel } of subscribers) {
    const own = hooks.arrivals.filter((arrival) => arrival.channel === channel)
    const names = new Set(own.map(({ name }) => name))
    t.comment(`${channel}: ${names.size} messages, ${own.length} arrivals`)
  }
}
