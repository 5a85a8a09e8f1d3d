// What the load works on: the organization's channels and monitors, and the targets they watch.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { ChannelId, MonitorId } from '../../../src/base/ids.ts'
import type { Api } from './api.ts'
import { need } from './daemon-process.ts'
import { type Hooks, moodNames } from './hooks.ts'
import { createLedger, type Fields, type Ledger, type Thing } from './ledger.ts'
import type { Seeded } from './seeded.ts'
import type { SubscriberType } from './wire.ts'

/** A monitor that the load knows: it was acknowledged. */
export interface Watched {
  readonly id: MonitorId
  readonly thing: Thing
  /** The channels that hear of it. */
  readonly audience: readonly ChannelId[]
  /** Present on a push monitor. */
  readonly pushToken: string | null
}

/** A channel that stays as it is, so that what it is owed follows from the incidents alone. */
export interface Subscriber {
  readonly id: ChannelId
  /** Its name, which is also its path at the receiver. */
  readonly name: string
  readonly type: SubscriberType
  readonly config: Fields
  /** What its messages are signed with; null where they are not. */
  readonly secret: string | null
  readonly thing: Thing
}

export interface Targets {
  /** The address of the n-th of them. */
  url(number: number): string
  /** Each turns good or bad. */
  flip(): void
  behave(): void
}

export interface World {
  readonly org: string
  readonly random: Seeded
  readonly ledger: Ledger
  readonly hooks: Hooks
  readonly targets: Targets
  readonly subscribers: readonly Subscriber[]
  readonly watched: Watched[]
  /** Monitors that nobody changes, and on which others depend. */
  readonly routers: MonitorId[]
  /** A number that was never used before, for names and messages. */
  next(): number
  /** What went wrong in the load itself. */
  readonly problems: string[]
}

const targetCount = 20

export async function startTargets(t: Test, random: Seeded): Promise<Targets> {
  const bad = new Set<string>()
  const server = createServer((request, response) => {
    response.writeHead(bad.has(request.url ?? '') ? 503 : 200).end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: (number) => `http://127.0.0.1:${port}/${number % targetCount}`,
    flip() {
      for (let number = 0; number < targetCount; number++) {
        if (random.chance(0.3)) bad.add(`/${number}`)
        else bad.delete(`/${number}`)
      }
    },
    behave: () => bad.clear(),
  }
}

export interface WorldParts {
  readonly org: string
  readonly random: Seeded
  readonly hooks: Hooks
  readonly targets: Targets
}

/** What the most impatient push monitors wait for a report. */
export const impatientSeconds = 10
const pushMonitors = 30
const endpointMonitors = 12
const routerMonitors = 3

/** Each has the mood that its name begins with. */
const channelsMade: readonly (readonly [name: string, type: SubscriberType])[] = [
  ...moodNames.map((mood) => [`${mood}-one`, 'webhook'] as const),
  ['quick-too', 'webhook'],
  ['flaky-pager', 'pagerduty'],
  ['flaky-mail', 'email'],
]

/** The events of incidents. Notices are left out: their alerts have keys of their own. */
const incidentEvents = ['opened', 'acknowledged', 'updated', 'resolved'].map(
  (what) => `incident.${what}`,
)

function configOf(type: SubscriberType, name: string, hooks: Hooks): Fields {
  if (type === 'email') return { to: [`${name}@example.com`] }
  const url = hooks.url(name)
  return type === 'pagerduty' ? { routingKey: 'R'.repeat(32), url } : { url }
}

/** Makes what a life begins with: a channel of each mood, some tens of monitors. */
export async function populate(api: Api, parts: WorldParts): Promise<World> {
  const ledger = createLedger()
  let number = 0
  const subscribers: Subscriber[] = []
  const world: World = {
    ...parts,
    ledger,
    subscribers,
    watched: [],
    routers: [],
    problems: [],
    next: () => ++number,
  }
  for (const [name, type] of channelsMade) {
    const fields = { name, type, isActive: true, isDefault: subscribers.length === 0 }
    const config = configOf(type, name, parts.hooks)
    const json = { ...fields, config, ...(type === 'webhook' ? {} : { events: incidentEvents }) }
    const made = await need(api, 'POST', `${world.org}/alert-channels`, json)
    const thing = ledger.add(`${world.org}/alert-channels/${made.id}`, fields)
    const secret = type === 'webhook' ? made.config.secret : null
    subscribers.push({ id: made.id, name, type, config, secret, thing })
  }
  for (let made = 0; made < routerMonitors; made++) {
    const { data } = await postMonitor(api, world, 'endpoint')
    world.routers.push(data.id)
  }
  const make = async (kind: Kind) => adopt(world, await postMonitor(api, world, kind))
  await Promise.all([
    ...Array.from({ length: pushMonitors }, () => make('push')),
    ...Array.from({ length: endpointMonitors }, () => make('endpoint')),
    // Nobody reports to these two often enough.
    ...Array.from({ length: 2 }, () => make('impatient')),
  ])
  return world
}

interface Made {
  readonly id: MonitorId
  readonly pushToken: string | null
}

interface MonitorFields extends Fields {
  readonly notifyChannelIds: readonly ChannelId[]
}

export type Kind = 'push' | 'impatient' | 'endpoint'

/** The fields of a new monitor of a kind; its channels, or none and so the default one. */
export function monitorFields(world: World, kind: Kind): MonitorFields {
  const { random, targets, subscribers, routers, next } = world
  const number = next()
  const common = {
    name: `${kind} ${number}`,
    tags: [`t${number % 7}`],
    isActive: true,
    notifyChannelIds: subscribers.filter(() => random.chance(0.4)).map(({ id }) => id),
    dependsOn: routers.filter(() => random.chance(0.2)),
  }
  if (kind !== 'endpoint') {
    return {
      ...common,
      checkType: 'push',
      intervalSeconds: kind === 'push' ? 3_600 : impatientSeconds,
    }
  }
  const url = targets.url(number)
  const pace = { intervalSeconds: 20, failureThreshold: 1, recoveryThreshold: 1 }
  // The targets answer at once, if this process has its turn.
  return { ...common, ...pace, checkType: 'endpoint', url, timeoutMs: 20_000 }
}

async function postMonitor(api: Api, world: World, kind: Kind) {
  const fields = monitorFields(world, kind)
  const data = await need(api, 'POST', `${world.org}/monitors`, fields)
  return { fields, data }
}

/** Takes an acknowledged monitor into the books. */
export function adopt(
  { org, ledger, watched, subscribers }: World,
  made: { readonly fields: MonitorFields; readonly data: Made },
): void {
  const { id, pushToken } = made.data
  const { notifyChannelIds: named } = made.fields
  // The first channel is the default one.
  const audience = named.length > 0 ? named : subscribers.slice(0, 1).map((channel) => channel.id)
  const thing = ledger.add(`${org}/monitors/${id}`, made.fields)
  watched.push({ id, pushToken, thing, audience })
}
