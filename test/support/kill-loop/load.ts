// The load: many small clients that write until the daemon is gone, and keep books of the answers.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, Reply } from './api.ts'
import type { Fields, Thing } from './ledger.ts'
import { adopt, monitorFields, type Subscriber, type Watched, type World } from './world.ts'

const monitorsMax = 120
const pauseMsMax = 16

type Step = (api: Api, world: World) => Promise<void>

/** Works until `signal` is aborted or the daemon is gone; then nothing of it runs any more. */
export async function runLoad(api: Api, world: World, signal: AbortSignal): Promise<void> {
  const clients: Step[] = [
    ...Array.from({ length: 5 }, () => report),
    ...Array.from({ length: 3 }, () => edit),
    ...[runNow, runNow, respond, verify],
  ]
  await Promise.all(clients.map((step) => work(step, api, world, signal)))
}

async function work(step: Step, api: Api, world: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await step(api, world)
    } catch (error) {
      // The daemon was killed. What it did not answer is in the books as uncertain.
      if (!isBroken(error)) world.problems.push(`the load failed: ${(error as Error).stack}`)
      return
    }
    await sleep(world.random.between(0, pauseMsMax))
  }
}

/** Whether the connection ended without a whole answer. */
function isBroken(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return /^(UND_ERR|ECONN|EPIPE)/.test(code)
}

/** Whether it was done; what may refuse it are the statuses named. */
function isDone({ problems }: World, what: string, reply: Reply, may: number[] = []): boolean {
  if (reply.status === 200) return true
  if (!may.includes(reply.status)) {
    problems.push(`${what}: ${reply.status} ${JSON.stringify(reply.body)}`)
  }
  return false
}

function pickMonitor(world: World, fits: (watched: Watched, fields: Fields) => boolean) {
  const fitting = world.watched.filter((watched) => {
    const fields = world.ledger.certain(watched.thing)
    return fields !== undefined && fits(watched, fields)
  })
  return world.random.pick(fitting)
}

/** What the last life promised is looked at while the others go on. */
async function verify(api: Api, world: World): Promise<void> {
  const { ledger, random, problems } = world
  const some = (things: readonly Thing[]) => things.filter(() => random.chance(4 / things.length))
  problems.push(...(await ledger.verify(api, some)))
  await sleep(50)
}

async function report(api: Api, world: World): Promise<void> {
  const { random, ledger } = world
  const monitor = pickMonitor(world, ({ pushToken }, { isActive }) => !!pushToken && !!isActive)
  if (!monitor) return
  const isError = random.chance(0.3)
  const status = isError ? 'error' : 'ok'
  const message = `report r-${world.next()}`
  const path = `/push/${monitor.pushToken}`
  const reply = random.chance(0.3)
    ? await api.ask('GET', `${path}/${status}?message=${encodeURIComponent(message)}`)
    : await api.ask('POST', path, { status, message, metadata: { seed: random.unit() } })
  // It may be paused or deleted meanwhile, by another client.
  if (!isDone(world, `report to ${monitor.id}`, reply, [404, 410])) return
  if (!ledger.certain(monitor.thing)) return
  ledger.resulted(monitor.thing.path, `${isError ? 'down' : 'up'} ${message.split(' ')[1]}`)
}

async function runNow(api: Api, world: World): Promise<void> {
  const monitor = pickMonitor(world, ({ pushToken }, { isActive }) => !pushToken && !!isActive)
  if (!monitor) return
  const reply = await api.ask('POST', monitor.thing.path)
  if (!isDone(world, `check of ${monitor.id}`, reply, [404, 409])) return
  if (!world.ledger.certain(monitor.thing)) return
  world.ledger.resulted(monitor.thing.path, `${reply.data.outcome} ${reply.data.at}`)
}

/** One person at a time works on incidents, so that each acknowledgement is the first. */
async function respond(api: Api, world: World): Promise<void> {
  const { org, random, ledger } = world
  const list = await api.ask('GET', `${org}/incidents?state=open&limit=20`)
  if (!isDone(world, 'list of incidents', list)) return
  const incident = random.pick<{ id: string }>(list.data)
  if (!incident) return
  const path = `${org}/incidents/${incident.id}`
  const verb = random.pick(['acknowledge', 'acknowledge', 'updates', 'updates', 'resolve'])
  const message = `${verb} a-${world.next()}`
  // It may be over by itself before the request is there.
  const reply = await api.ask('POST', `${path}/${verb}`, { message })
  if (isDone(world, `${verb} of ${incident.id}`, reply, [409])) ledger.said(path, message)
}

async function edit(api: Api, world: World): Promise<void> {
  const chosen = world.random.unit()
  if (chosen < 0.25) return createMonitor(api, world)
  if (chosen < 0.5) return changeMonitor(api, world)
  if (chosen < 0.65) return toggleMonitor(api, world)
  if (chosen < 0.75) return removeMonitor(api, world)
  if (chosen < 0.95) return editChannel(api, world)
  return hurry(api, world)
}

async function createMonitor(api: Api, world: World): Promise<void> {
  const { org, random, ledger, watched } = world
  const alive = watched.filter(({ thing }) => ledger.certain(thing)).length
  if (alive >= monitorsMax) return
  const fields = monitorFields(world, random.chance(0.8) ? 'push' : 'endpoint')
  const headers = { 'idempotency-key': `k-${world.next()}` }
  const reply = await api.ask('POST', `${org}/monitors`, fields, headers)
  if (!isDone(world, 'creation of a monitor', reply)) return
  adopt(world, { fields, data: reply.data })
  if (!random.chance(0.2)) return
  // A client that did not see the answer asks again.
  const again = await api.ask('POST', `${org}/monitors`, fields, headers)
  if (!isDone(world, 'repeated creation', again)) return
  if (again.data.id !== reply.data.id) world.problems.push(`made twice: ${reply.data.id}`)
}

async function changeMonitor(api: Api, world: World): Promise<void> {
  const monitor = pickMonitor(world, () => true)
  const fields = monitor && world.ledger.certain(monitor.thing)
  if (!fields) return
  const number = world.next()
  const change = { description: `changed ${number}`, tags: [`t${number % 7}`, 'changed'] }
  const { path } = monitor.thing
  const reply = await world.ledger.change(monitor.thing, { ...fields, ...change }, () =>
    api.ask('PATCH', path, change),
  )
  isDone(world, `change of ${path}`, reply)
}

async function toggleMonitor(api: Api, world: World): Promise<void> {
  const monitor = pickMonitor(world, () => true)
  const fields = monitor && world.ledger.certain(monitor.thing)
  if (!fields) return
  const verb = fields.isActive ? 'pause' : 'resume'
  const { path } = monitor.thing
  const reply = await world.ledger.change(
    monitor.thing,
    { ...fields, isActive: verb === 'resume' },
    () => api.ask('POST', `${path}/${verb}`),
  )
  isDone(world, `${verb} of ${path}`, reply)
}

async function removeMonitor(api: Api, world: World): Promise<void> {
  const monitor = pickMonitor(world, () => true)
  if (!monitor) return
  const { path } = monitor.thing
  world.ledger.forgetResults(path)
  const reply = await world.ledger.change(monitor.thing, 'gone', () => api.ask('DELETE', path))
  isDone(world, `deletion of ${path}`, reply)
}

/** Channels that no monitor names: they come, change and go. */
async function editChannel(api: Api, world: World): Promise<void> {
  const { org, random, ledger, hooks, subscribers } = world
  const steady = new Set(subscribers.map((subscriber) => subscriber.thing))
  const extra = ledger.things.filter((thing) => {
    return thing.path.includes('/alert-channels/') && !steady.has(thing) && ledger.certain(thing)
  })
  const thing = random.pick(extra)
  const fields = thing && ledger.certain(thing)
  if (!fields || (extra.length < 15 && random.chance(0.4))) {
    const made = { name: `extra ${world.next()}`, type: 'webhook', isDefault: false }
    const json = { ...made, config: { url: hooks.url('extra') } }
    const reply = await api.ask('POST', `${org}/alert-channels`, json)
    // Channels whose creation was never answered count as well.
    if (!isDone(world, 'creation of a channel', reply, [409])) return
    ledger.add(`${org}/alert-channels/${reply.data.id}`, made)
    return
  }
  const isLeaving = random.chance(0.4)
  const change = { delayMinutes: random.between(1, 60), name: `extra ${world.next()}` }
  const next = isLeaving ? 'gone' : { ...fields, ...change }
  const reply = await ledger.change(thing, next, () =>
    isLeaving ? api.ask('DELETE', thing.path) : api.ask('PATCH', thing.path, change),
  )
  isDone(world, `edit of ${thing.path}`, reply)
}

/** A channel's address is entered once more: what waits for its next attempt goes out at once. */
async function hurry(api: Api, world: World): Promise<void> {
  const { random, subscribers } = world
  const subscriber = random.pick(subscribers)
  if (subscriber) await hurryOne(api, world, subscriber)
}

export async function hurryOne(
  api: Api,
  world: World,
  { thing, config }: Subscriber,
): Promise<void> {
  const fields = world.ledger.certain(thing)
  if (!fields) return
  const reply = await world.ledger.change(thing, fields, () =>
    api.ask('PATCH', thing.path, { config }),
  )
  isDone(world, `change of ${thing.path}`, reply)
}
