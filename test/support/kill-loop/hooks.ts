// A receiver of alerts that is slow or fails at random, and remembers everything that came.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { startMailServer } from './mail-server.ts'
import type { Seeded } from './seeded.ts'
import { nameOfRequest } from './wire.ts'

/** One request, in the order of arrival. */
export interface Arrival {
  /** The last part of the path: which channel it was for. */
  readonly channel: string
  /** What the receiver recognizes a repetition by. */
  readonly name: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Hooks {
  url(channel: string): string
  /** Takes letters; the part of an address before its @ is the channel. */
  readonly smtpUrl: string
  readonly arrivals: readonly Arrival[]
  /** Names of the messages that were answered as taken. */
  readonly taken: ReadonlySet<string>
  /** From now on every message is taken at once. */
  behave(): void
}

/** What a receiver does with a message. */
export type Fate = 'taken' | 'refused' | 'cut off'

const moods = {
  quick: { failure: 0.02, slowness: 0.05 },
  slow: { failure: 0.05, slowness: 0.7 },
  flaky: { failure: 0.4, slowness: 0.2 },
} as const
export type Mood = keyof typeof moods
export const moodNames = Object.keys(moods) as readonly Mood[]

/** Each channel has the mood that its name begins with, such as `slow-2`. */
export async function startHooks(t: Test, random: Seeded): Promise<Hooks> {
  const arrivals: Arrival[] = []
  const taken = new Set<string>()
  let isGood = false

  /** Notes it; after the time that it takes, tells what becomes of it. */
  async function receive(arrival: Arrival): Promise<Fate> {
    arrivals.push(arrival)
    const mood = moods[arrival.channel.split('-')[0] as Mood] ?? moods.quick
    const fails = !isGood && random.chance(mood.failure)
    const waitMs = !isGood && random.chance(mood.slowness) ? random.between(5, 500) : 0
    if (fails && random.chance(0.3)) return 'cut off'
    await sleep(waitMs)
    // From here on the sender may know that it was taken.
    if (!fails) taken.add(arrival.name)
    return fails ? 'refused' : 'taken'
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request)
    const headers = request.headers as Record<string, string>
    const channel = request.url?.split('/').at(-1) ?? ''
    const fate = await receive({ channel, name: nameOfRequest(headers, body), body, headers })
    if (fate === 'cut off') response.destroy()
    else response.writeHead(fate === 'refused' ? 500 : acceptedStatus(headers)).end()
  }

  const server = createServer((request, response) => {
    response.on('error', () => {})
    // The sender was killed in the middle of it.
    answer(request, response).catch(() => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    smtpUrl: await startMailServer(t, receive),
    url: (channel) => `http://127.0.0.1:${port}/${channel}`,
    arrivals,
    taken,
    behave() {
      isGood = true
    },
  }
}

/** PagerDuty says 202. */
function acceptedStatus(headers: Arrival['headers']): number {
  return 'webhook-id' in headers ? 200 : 202
}

/** The whole body; rejects where the sender was killed in the middle of it. */
async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
