// Case (j): from the report that confirms an outage to the alert at the receiver.
//
// It uses push monitors, because the bench knows the moment of their reports: a report of a failure opens the
// incident. The times begin when the report is sent, so the commit of the verdict is part of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Receiver, startReceiver } from '../load/alert-receiver.ts'
import { type Account, openAccount } from '../world/account.ts'
import { type Daemon, startDaemon } from '../world/daemon.ts'
import { atMost, type CaseResult, type Figure, info } from '../world/figure.ts'
import { busySeconds, cpuSecondsOf, memoryOf } from '../world/procfs.ts'
import type { Workplace } from '../world/workplace.ts'

export interface AlertsOptions {
  /** How many fail at once, into one channel. */
  readonly monitors: number
  /** How long the alerts of the many channels are measured, twice. */
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

interface Place {
  readonly daemon: Daemon
  readonly account: Account
  readonly receiver: Receiver
}

/** A push monitor, and the channel that hears of it. */
interface Reporter {
  readonly token: string
  readonly channel: string
}

const channelCount = 100
const reportsPerSecond = 50
const connections = 20
const hangMs = 20_000
/** Until the last alert has come; beyond it the missing alerts are counted. */
const arrivalMsMax = 30_000
/** Several digests, a minute apart. */
const stormMsMax = 240_000
const lookMs = 20
/** No digests, so that each incident is a message of its own. */
const eachByItself = ['incident.opened', 'incident.resolved']

export async function measureAlerts(work: Workplace, options: AlertsOptions): Promise<CaseResult> {
  const { monitors, seconds, nodeArgs } = options
  const receiver = await startReceiver()
  const dataDir = work.directory('alerts')
  const daemon = await startDaemon(work, { dataDir, nodeArgs })
  const place: Place = { daemon, account: await openAccount(daemon), receiver }
  try {
    const channels = await makeChannels(place)
    const calm = await makeReporters(place, channels, seconds * reportsPerSecond)
    const troubled = await makeReporters(place, channels, seconds * reportsPerSecond)
    const single = new Map([['all', await makeChannel(place, 'all', undefined)]])
    const crowd = await makeReporters(place, single, monitors)

    const calmFigures = await measureLatency(place, 'none hangs', calm, 100)
    const openings = await measureStorm(place, 'incident.opened', crowd)
    const ends = await measureStorm(place, 'incident.resolved', crowd)
    receiver.hang('channel-0', hangMs)
    const others = await measureLatency(place, 'one hangs', troubled, 2_000, 'channel-0')
    await daemon.stop()
    return {
      title: `alerts: ${channelCount} channels, ${reportsPerSecond}/s, ${seconds} s; ${monitors} at once`,
      figures: [...calmFigures, ...others, ...openings.figures, ...ends.figures],
      details: { options, openings: openings.messages, ends: ends.messages },
    }
  } finally {
    receiver.close()
  }
}

async function makeChannels(place: Place): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (let number = 0; number < channelCount; number += 1) {
    const name = `channel-${number}`
    ids.set(name, await makeChannel(place, name, eachByItself))
  }
  return ids
}

async function makeChannel(
  { daemon, account, receiver }: Place,
  name: string,
  events: readonly string[] | undefined,
): Promise<string> {
  const config = { url: receiver.urlOf(name) }
  const fields = { name, type: 'webhook', isDefault: false, config, ...(events && { events }) }
  const { id } = await account.create(daemon, '/alert-channels', fields)
  return String(id)
}

/** So many monitors, for one channel after the other. */
async function makeReporters(
  { daemon, account }: Place,
  channels: ReadonlyMap<string, string>,
  count: number,
): Promise<Reporter[]> {
  const names = [...channels.keys()]
  const reporters: Reporter[] = []
  await inParallel(count, async (number) => {
    const channel = names[number % names.length] ?? ''
    const made = await account.create(daemon, '/monitors', {
      name: `Job ${number}`,
      checkType: 'push',
      intervalSeconds: 3_600,
      notifyChannelIds: [channels.get(channel)],
    })
    reporters[number] = { token: String(made.pushToken), channel }
  })
  return reporters
}

/** Calls it with each number below the count, some at a time. */
async function inParallel(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: connections }, worker))
}

async function report({ daemon }: Place, { token }: Reporter, status: string): Promise<void> {
  const response = await fetch(`${daemon.baseUrl}/api/v1/push/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`a report was answered with ${response.status}`)
}

/** Failures one after the other, at an even pace; `unheeded` is not among the channels that count. */
async function measureLatency(
  place: Place,
  label: string,
  reporters: readonly Reporter[],
  p99MsMost: number,
  unheeded?: string,
): Promise<Figure[]> {
  const { arrivals } = place.receiver
  const from = arrivals.length
  const sent = new Map<string, number[]>()
  const [cpuBefore, busyBefore, beganMs] = spent(place)
  const reports = reporters.map(async (reporter, number) => {
    await sleep((number * 1_000) / reportsPerSecond)
    // The reports of one channel are seconds apart, and its alerts come in their order.
    const times = sent.get(reporter.channel) ?? []
    sent.set(reporter.channel, [...times, performance.now()])
    await report(place, reporter, 'error')
  })
  await Promise.all(reports)
  const counted = () => arrivals.slice(from).filter(({ channel }) => channel !== unheeded)
  const owed = reporters.filter(({ channel }) => channel !== unheeded).length
  await untilOver(() => counted().length >= owed, arrivalMsMax)
  const [cpuAfter, busyAfter, endedMs] = spent(place)
  const tookMs = counted().map(({ channel, atMs }) => {
    return atMs - (sent.get(channel)?.shift() ?? Number.NaN)
  })
  const sorted = tookMs.toSorted((one, other) => one - other)
  const share = (seconds: number) => (100_000 * seconds) / (endedMs - beganMs)
  return [
    info(`${label}: alerts`, sorted.length, ''),
    atMost(`${label}: alerts that did not come`, owed - sorted.length, '', 0),
    info(`${label}: report to first attempt p50`, quantileOf(sorted, 0.5), 'ms'),
    atMost(`${label}: report to first attempt p99`, quantileOf(sorted, 0.99), 'ms', p99MsMost),
    info(`${label}: report to first attempt, longest`, sorted.at(-1) ?? Number.NaN, 'ms'),
    info(`${label}: CPU of the daemon`, share(cpuAfter - cpuBefore), '%'),
    info(
      `${label}: CPU of all others`,
      share(busyAfter - busyBefore - (cpuAfter - cpuBefore)),
      '%',
    ),
  ]
}

const spent = ({ daemon }: Place) =>
  [cpuSecondsOf(daemon.pid), busySeconds(), performance.now()] as const

function quantileOf(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}

/** Everything fails, or recovers, at once: how many messages tell it, and when has the last come? */
async function measureStorm(
  place: Place,
  event: 'incident.opened' | 'incident.resolved',
  reporters: readonly Reporter[],
) {
  const { arrivals } = place.receiver
  const from = arrivals.length
  const label = event === 'incident.opened' ? 'storm' : 'its end'
  const beganMs = performance.now()
  const status = event === 'incident.opened' ? 'error' : 'ok'
  await inParallel(reporters.length, (number) =>
    report(place, reporters[number] as Reporter, status),
  )
  const reportedMs = performance.now()
  const toldIds = () => arrivals.slice(from).flatMap(({ incidentIds }) => incidentIds)
  await untilOver(() => new Set(toldIds()).size >= reporters.length, stormMsMax)
  const messages = arrivals.slice(from)
  const told = new Set(toldIds()).size
  const secondsTo = (ms: number) => (ms - beganMs) / 1_000
  const figures = [
    info(`${label}: reports sent within`, secondsTo(reportedMs), 's'),
    info(`${label}: messages`, messages.length, ''),
    atMost(`${label}: incidents of which nobody was told`, reporters.length - told, '', 0),
    atMost(`${label}: incidents told twice`, toldIds().length - told, '', 0),
    info(`${label}: first message after`, secondsTo(messages[0]?.atMs ?? Number.NaN), 's'),
    info(`${label}: last message after`, secondsTo(messages.at(-1)?.atMs ?? Number.NaN), 's'),
    info(`${label}: resident memory`, memoryOf(place.daemon.pid).rssKb / 1_024, 'MB'),
  ]
  const rows = messages.map(({ type, atMs, incidentIds }) => {
    return { type, seconds: secondsTo(atMs), incidents: incidentIds.length }
  })
  return { figures, messages: rows }
}

async function untilOver(isOver: () => boolean, msMax: number): Promise<void> {
  const endMs = performance.now() + msMax
  while (!isOver() && performance.now() < endMs) await sleep(lookMs)
}
