// A cluster under load in which everything dies, stands still and is cut off, by seed: what it promised holds.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { OrgId } from '../../src/base/ids.ts'
import { amount, isDeep, testSeed } from '../support/depth.ts'
import { type Api, createApi } from '../support/kill-loop/api.ts'
import { createAuditor, orgIdOf } from '../support/kill-loop/auditor.ts'
import { need, settleIn } from '../support/kill-loop/daemon-process.ts'
import { startHooks } from '../support/kill-loop/hooks.ts'
import { hurryOne, runLoad } from '../support/kill-loop/load.ts'
import { createLogChain, type LogChain } from '../support/kill-loop/log-chain.ts'
import { type Member, startMembers } from '../support/kill-loop/members.ts'
import { brokenMessages } from '../support/kill-loop/messages.ts'
import { recover, sendsAll } from '../support/kill-loop/recovery.ts'
import { createSeeded, type Seeded } from '../support/kill-loop/seeded.ts'
import { copyData, readSnapshot, type Snapshot } from '../support/kill-loop/snapshot.ts'
import { type Switch, startSwitch } from '../support/kill-loop/switch.ts'
import { populate, startTargets, type World } from '../support/kill-loop/world.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { type NatsServers, startNatsServers } from '../support/nats-servers.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const rounds = amount(1, 100)
const seed = testSeed(Date.now() % 1_000_000)
const serverCount = isDeep ? 3 : 1
const leaseSeconds = 5
const leaseMs = leaseSeconds * 1_000
const roundMsMax = 120_000
const settleTurnsMax = 10
const creationsEach = 6

t.setTimeout(rounds * roundMsMax + 600_000)

interface Cluster {
  readonly nats: NatsServers
  readonly members: readonly Member[]
  readonly switching: Switch
  readonly random: Seeded
}

/** Who leads, and the other one. */
async function roles({ members, switching }: Cluster): Promise<{ leader: Member; other: Member }> {
  return until(() => {
    const [port] = switching.ready()
    const leader = members.find((member) => member.port === port)
    const other = members.find((member) => member.port !== port)
    return leader && other ? { leader, other } : undefined
  }, roundMsMax)
}

type Fault = (cluster: Cluster) => Promise<string[]>

/** Whoever leads is away from here on. */
const isAway = (cluster: Cluster, { port }: Member) =>
  until(() => !cluster.switching.ready().includes(port), roundMsMax)

const faults: Readonly<Record<string, Fault>> = {
  async leaderKilled(cluster) {
    const { leader } = await roles(cluster)
    await leader.life.kill('SIGKILL')
    await isAway(cluster, leader)
    return []
  },
  async leaderStandsStill(cluster) {
    const { leader } = await roles(cluster)
    const { life } = leader
    process.kill(life.pid, 'SIGSTOP')
    await sleep(leaseMs + cluster.random.between(500, 4_000))
    process.kill(life.pid, 'SIGCONT')
    const { code } = await life.ended
    return code === 75 ? [] : [`who stood still ended with ${code}`]
  },
  async leaderStopped(cluster) {
    const { leader } = await roles(cluster)
    const { code } = await leader.life.kill('SIGTERM')
    await isAway(cluster, leader)
    return code === 0 ? [] : [`who was told to stop ended with ${code}`]
  },
  async standbyKilled(cluster) {
    const { leader, other } = await roles(cluster)
    const { life } = leader
    await other.life.kill('SIGKILL')
    await sleep(leaseMs)
    return leader.life === life ? [] : ['the leader has gone with the standby']
  },
  async serverKilled({ nats, random }) {
    const index = random.between(0, serverCount - 1)
    await nats.kill(index)
    await sleep(random.between(0, 3_000))
    await nats.restart(index)
    return []
  },
  async majorityKilled(cluster) {
    const { nats, members, random, switching } = cluster
    const { leader } = await roles(cluster)
    const dead = [0, 1, 2].slice(0, serverCount).slice(-2)
    await Promise.all(dead.map((index) => nats.kill(index)))
    const problems: string[] = []
    if (random.chance(0.7)) {
      await isAway(cluster, leader)
      await sleep(random.between(1_000, 4_000))
      if (switching.ready().length > 0) problems.push('somebody leads without a majority')
      for (const member of members) problems.push(...(await refusedPush(member)))
    }
    await Promise.all(dead.map((index) => nats.restart(index)))
    return problems
  },
  async cableCut(cluster) {
    const { random } = cluster
    const { leader, other } = await roles(cluster)
    const { cables } = random.chance(0.75) ? leader : other
    const direction = random.chance(0.5) ? 'in' : 'out'
    for (const cable of cables) cable.cut(direction)
    await sleep(random.between(500, 2 * leaseMs))
    const isLate = random.chance(0.5)
    for (const cable of cables) cable.mend(isLate)
    return []
  },
}
const faultNames = Object.keys(faults)

/** A sender is told to come again. A member that is just being started has no port yet. */
async function refusedPush({ name, port }: Member): Promise<string[]> {
  const url = `http://127.0.0.1:${port}/api/v1/push/${'x'.repeat(30)}`
  const answer = await until(() => fetch(url, { method: 'POST' }).catch(() => undefined))
  const isRight = answer.status === 503 && answer.headers.get('retry-after') !== null
  return isRight ? [] : [`${name} answers a report with ${answer.status} while nobody leads`]
}

/** As createApi, but where nobody leads there is no answer. */
function connectTo({ port }: Switch, key: string): Api {
  const api = createApi(port, { 'x-api-key': key })
  return {
    ...api,
    async ask(...asked) {
      const reply = await api.ask(...asked)
      if (reply.status !== 503) return reply
      throw Object.assign(new Error('nobody leads'), { code: 'ECONNREFUSED' })
    },
  }
}

const isUnanswered = (error: unknown) =>
  /^(UND_ERR|ECONN|EPIPE)/.test((error as { code?: string }).code ?? '')

/** Asks until there is an answer. */
const persist = <T>(ask: () => Promise<T>): Promise<T> =>
  until(async () => {
    try {
      return { answer: await ask() }
    } catch (error) {
      if (!isUnanswered(error)) throw error
      await sleep(100)
      return undefined
    }
  }, roundMsMax).then(({ answer }) => answer)

/** Load for as long as the signal lets it, over all the gaps. */
async function keepLoad(api: Api, world: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await runLoad(api, world, signal)
    await sleep(50)
  }
}

/** Creations during a fault, each repeated afterwards: they exist once, with their first answer. */
function beginCreations(api: Api, { org }: World, round: number) {
  const answers = new Map<string, string>()
  const create = async (name: string) => {
    const json = { name, checkType: 'push', intervalSeconds: 3_600 }
    const headers = { 'idempotency-key': `once ${name}` }
    const { status, data } = await api.ask('POST', `${org}/monitors`, json, headers)
    if (status !== 200) return `${name} could not be created: ${status} ${JSON.stringify(data)}`
    const before = answers.get(name) ?? data.id
    answers.set(name, before)
    return before === data.id ? undefined : `${name} was created twice`
  }
  const names = Array.from({ length: creationsEach }, (_, at) => `made ${round}-${at}`)
  const asked = Promise.allSettled(
    names.map(async (name, at) => {
      await sleep(at * 60)
      return create(name)
    }),
  )
  return async (): Promise<string[]> => {
    await asked
    const problems = await Promise.all(names.map((name) => persist(() => create(name))))
    const found = await Promise.all(names.map((name) => persist(() => countOf(api, org, name))))
    return [
      ...problems.filter((problem) => problem !== undefined),
      ...names.filter((_, at) => found[at] !== 1).map((name) => `${name} does not exist once`),
    ]
  }
}

async function countOf(api: Api, org: string, name: string): Promise<number> {
  const { body } = await api.ask('GET', `${org}/monitors?limit=200&q=${encodeURIComponent(name)}`)
  return body.data.filter((row: { name: string }) => row.name === name).length
}

/** What the standby has, as of now or later: it stands still for the moment of the copy. */
async function copyOfStandby(cluster: Cluster, chain: LogChain, copyDir: string, orgId: OrgId) {
  const last = await chain.last()
  return until(async () => {
    const { other } = await roles(cluster)
    const { pid } = other.life
    try {
      process.kill(pid, 'SIGSTOP')
      copyData(other.dir, copyDir)
    } catch {
      // It is just being started, or takes a copy of the leader.
      return undefined
    } finally {
      try {
        process.kill(pid, 'SIGCONT')
      } catch {}
    }
    const snapshot = await readSnapshot(copyDir, orgId)
    const { position } = snapshot
    if (position && position.sequence >= last && (await chain.has(position))) return snapshot
    await sleep(200)
    return undefined
  }, roundMsMax)
}

t.test(
  'a cluster keeps its promises, whatever happens to it',
  { skip: skipWithoutNats() || (!isDeep && 'a matter of quantity: in deep runs') },
  async (t) => {
    const random = createSeeded(seed)
    const hooks = await startHooks(t, random.fork())
    const base = testFolder(t, {})
    const nats = await startNatsServers(t, { count: serverCount, leaseMs, initialized: false })
    const problems: string[] = []
    const { members, exits, masterKeyFile } = await startMembers(t, {
      ...{ nats, base, leaseSeconds, random: random.fork() },
      env: {
        STILLUP_MAIL_SMTP_URL: hooks.smtpUrl,
        STILLUP_MAIL_FROM: 'stillup@example.com',
        // What links begin with, whoever leads.
        STILLUP_HTTP_BASE_URL: 'http://127.0.0.1:9',
      },
      problem: (text) => problems.push(text),
    })
    const switching = await startSwitch(
      t,
      members.map(({ port }) => port),
    )
    const cluster: Cluster = { nats, members, switching, random }
    const targets = await startTargets(t, random.fork())
    await roles(cluster)
    const { org, key } = await settleIn(switching.port)
    const api = connectTo(switching, key)
    const world = await populate(api, { org, random: random.fork(), hooks, targets })
    const chain = createLogChain(await nats.connectAs('operator'), masterKeyFile)
    const auditor = createAuditor(world)
    const orgId = orgIdOf(world)
    const quiet = await need(api, 'POST', `${org}/monitors`, {
      ...{ name: 'quiet', checkType: 'push', intervalSeconds: 86_400, notifyChannelIds: [] },
    })
    await need(api, 'POST', `/push/${quiet.pushToken}`, { status: 'ok' })

    async function audit(): Promise<Snapshot> {
      auditor.hear()
      const snapshot = await copyOfStandby(cluster, chain, join(base, 'copy'), orgId)
      problems.push(...auditor.problems(snapshot), ...(await chain.problems()))
      return snapshot
    }
    await audit()

    const told = new Map<string, number>()
    const over = new AbortController()
    const load = keepLoad(api, world, over.signal)
    let done = 0
    let acknowledged = 0
    for (; done < rounds && problems.length === 0; done++) {
      const name = random.pick(faultNames) ?? ''
      const fault = faults[name]
      targets.flip()
      const atMs = Date.now()
      const epoch = chain.epoch()
      await sleep(random.between(0, 400))
      const repeatCreations = beginCreations(api, world, done)
      await sleep(random.between(0, 400))
      problems.push(...((await fault?.(cluster)) ?? []))
      await roles(cluster)
      problems.push(...(await repeatCreations()))
      await audit()
      acknowledged = chain.records()
      told.set(name, (told.get(name) ?? 0) + 1)
      problems.push(...world.problems.splice(0))
      const tookMs = Date.now() - atMs
      t.comment(`round ${done}: ${name}, epoch ${epoch} to ${chain.epoch()}, ${tookMs} ms`)
    }
    over.abort()
    await roles(cluster)
    await load
    t.same(problems, [], `after ${done} rounds; STILLUP_TEST_SEED=${seed}`)
    t.comment(`${JSON.stringify(Object.fromEntries(told))}; exits ${JSON.stringify([...exits])}`)
    t.comment(`${acknowledged} records, ${chain.epoch()} epochs`)
    t.comment(`longest without a leader: ${Math.round(switching.longestMs())} ms`)
    if (problems.length > 0) {
      for (const { name, life } of members)
        t.comment(`${name}: ${life.lines.slice(-15).join('\n')}`)
      return
    }

    world.ledger.doubtAll()
    t.same(await world.ledger.verify(api, () => []), [], 'every promise was kept')
    const { health, state = health } = await need(api, 'GET', `${org}/monitors/${quiet.id}`)
    t.not(state, 'down', 'time without a leader counts nowhere')
    await recover(api, world)
    await settle(t, cluster, api, world)

    const { leader, other } = await roles(cluster)
    await other.stop()
    await leader.stop()
    copyData(leader.dir, join(base, 'copy'))
    auditor.hear()
    const snapshot = await readSnapshot(join(base, 'copy'), orgId)
    t.same(auditor.problems(snapshot), [], 'what it left is in order')
    for (const subscriber of world.subscribers) {
      t.same(brokenMessages(snapshot, subscriber, hooks.arrivals), [], `told to ${subscriber.name}`)
    }
    t.same(await chain.problems(), [], 'the log is one history')
  },
)

/** Each turn has another leader: within a minute after a digest one holds back further openings. */
async function settle(t: Test, cluster: Cluster, api: Api, world: World): Promise<void> {
  for (let turn = 0; turn < settleTurnsMax; turn++) {
    for (const subscriber of world.subscribers) await hurryOne(api, world, subscriber)
    if (await sendsAll(api, world)) {
      t.same(await need(api, 'GET', `${world.org}/incidents?state=open`), [], 'all is well')
      t.same(await world.ledger.verify(api, () => []), [], 'all is as it was promised')
      return
    }
    const { leader } = await roles(cluster)
    await leader.life.kill('SIGTERM')
    await isAway(cluster, leader)
    await roles(cluster)
  }
  t.fail('not everything owed goes out')
}
