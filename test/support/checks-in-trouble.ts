// A process that checks many targets while its own network fails, and again right afterwards, and
// prints how they ended. LD_PRELOAD has it run on the network of `socket-shim.ts`.

import { newId } from '../../src/base/ids.ts'
import { testMessage } from '../../src/channels/model/message.ts'
import { createSender } from '../../src/channels/sender.ts'
import { defaultLocale } from '../../src/domain/language.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { createEgress } from '../../src/net/http-client/guarded-client.ts'
import { ping } from '../../src/probes/ping/ping.ts'
import { createPinger } from '../../src/probes/ping/ping-command.ts'
import { createProbes } from '../../src/probes/registry.ts'
import { mintWebhookSecret, signWebhook } from '../../src/seal/sign.ts'
import { testCa } from './certificates.ts'
import { makeChannel } from './make-channel.ts'
import { makeTarget, type TargetFields } from './make-target.ts'
import { behave, failCalls, type SocketCall, type SocketError } from './socket-shim.ts'
import { startTickingClock } from './ticking-clock.ts'

export type Trouble = readonly [call: SocketCall, error: SocketError]

export interface Troubles {
  /** By what is looked at; `{n}` in a URL is another number in each trouble. */
  readonly targets: Readonly<Record<string, TargetFields>>
  readonly webhookUrl: string
  /** As `address:port`. */
  readonly nameServer: string
  /** The program that sends ICMP echo requests. */
  readonly pingPath: string
  /** To which ports a call fails. */
  readonly ports: Readonly<Record<SocketCall, readonly number[]>>
  readonly troubles: readonly Trouble[]
}

/** How one check or one message ended, and the same once the trouble was over. */
export interface InTrouble {
  readonly trouble: Trouble
  readonly what: string
  /** Such as `unknown connect`, `failed timeout (ipv4)`, `retry`, `good`. */
  readonly end: string
  readonly message: string
  readonly after: string
}

const input = JSON.parse(process.argv[2] ?? '{}') as Troubles
const shim = { SOCKET_SHIM: process.env.SOCKET_SHIM ?? '' }
// It ends with the process.
const clock = startTickingClock({ teardown() {} })
const guard = createGuard({ targets: 'any' })
const resolver = createResolver({ clock, servers: [input.nameServer] })
const deps = { guard, clock, resolver, ca: [testCa] }
const { probe } = createProbes(deps)
const pinger = createPinger({ clock, paths: [input.pingPath] })
const pingProbe = ping.open({ ...deps, pinger }).probe
const send = createSender({ request: createEgress({ clock, guard, resolver }), sign: signWebhook })

interface End {
  readonly end: string
  readonly message: string
}

const probeFor = ({ checkType }: TargetFields) => (checkType === 'ping' ? pingProbe : probe)

async function look(fields: TargetFields, number: number): Promise<End> {
  const url = (fields.url ?? '').replace('{n}', String(number))
  const { result, error, doubt } = await probeFor(fields)(makeTarget({ ...fields, url }), {
    clock,
  })
  if (error === undefined) return { end: result, message: '' }
  const { kind, message } = error
  return { end: `${result} ${kind}${doubt === undefined ? '' : ` (${doubt})`}`, message }
}

async function deliver(): Promise<End> {
  const config = { url: input.webhookUrl, secret: mintWebhookSecret() }
  const channel = makeChannel()
  const message = testMessage(channel, newId('delivery', 0), { locale: defaultLocale, nowMs: 0 })
  const outcome = await send(message, { channel, config }, { clock })
  if (outcome.ok) return { end: 'good', message: '' }
  return { end: outcome.mayRetry ? 'retry' : 'dead', message: outcome.reason ?? '' }
}

async function all(number: number): Promise<ReadonlyMap<string, End>> {
  const looks = Object.entries(input.targets).map(async ([what, fields]) => {
    return [what, await look(fields, number)] as const
  })
  return new Map([...(await Promise.all(looks)), ['webhook', await deliver()]])
}

const found: InTrouble[] = []
for (const [number, trouble] of input.troubles.entries()) {
  failCalls(shim, ...trouble, input.ports[trouble[0]])
  const during = await all(number)
  behave(shim)
  const afterwards = await all(number)
  for (const [what, { end, message }] of during) {
    found.push({ trouble, what, end, message, after: afterwards.get(what)?.end ?? '' })
  }
}
console.log(JSON.stringify(found))
