// What every channel type must do: its requests are those of the golden file, the longest message
// fits, and each answer of the platform has its meaning. Run by each type against a real receiver.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import { Fault } from '../../src/base/fault.ts'
import { createCheck } from '../../src/base/schema/validate.ts'
import type { Config, OpenedChannel } from '../../src/channels/model/config.ts'
import type { ChannelDefinition } from '../../src/channels/model/definition.ts'
import type { Message } from '../../src/channels/model/message.ts'
import { createSender } from '../../src/channels/sender.ts'
import type { Outcome } from '../../src/domain/alerts/delivery.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import {
  createEgress,
  type WebClient,
  type WebRequest,
} from '../../src/net/http-client/guarded-client.ts'
import { createBox } from '../../src/seal/box.ts'
import { mintSigningKey, publicKeyOf, signWebhook } from '../../src/seal/sign.ts'
import { createConfigs } from '../../src/services/alerts/channel-config.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeChannel } from '../support/make-channel.ts'
import { type Answer, type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import {
  longestMessages,
  messageFrom,
  olderPayload,
  samplePayloads,
} from '../support/sample-messages.ts'

interface PlatformAnswerCase {
  /** What the platform answers. */
  readonly answer: Answer
  /** What that means; compared with `t.match`. */
  readonly means: object
}

export interface ChannelCase {
  readonly definition: ChannelDefinition
  /** A whole config; that of the declaration's example if absent. */
  readonly config?: Config
  /** What the platform answers when it accepted the message; 200 with `ok` if absent. */
  readonly accepts?: Answer
  /** The platform's own answers, from its documentation. */
  readonly answers: readonly PlatformAnswerCase[]
  /** Throws, by assertions, if a request of the longest message breaks a limit of the platform. */
  readonly fits: (t: Test, request: WebRequest) => void
}

/**
 * The golden file is test/channels/golden/<type>.json: for each sample message the requests, with
 * JSON bodies parsed. GOLDEN=1 writes it anew; read the difference before you commit it.
 */
export function channelContract(one: ChannelCase): void {
  const { definition, accepts = { status: 200, body: 'ok' } } = one
  const { type } = definition
  const config = one.config ?? definition.example
  const channel: OpenedChannel = { channel: makeChannel({ type, config: {} }), config }

  /** The requests of a message, without sending them. */
  async function requestsOf(message: Message, given = config): Promise<WebRequest[]> {
    const requests: WebRequest[] = []
    const send = createSender({
      sign: signWebhook,
      async request(request) {
        requests.push(request)
        return { kind: 'answered', headers: {}, body: '', ...accepts }
      },
    })
    const clock = new FakeClock(1_767_225_600_000)
    await send(message, { ...channel, config: given }, { clock })
    return requests
  }

  /** Sends through the real client; whatever host the type calls, the receiver takes its place. */
  async function setUp(test: Test, targets: 'any' | 'public' = 'any') {
    const clock = startClock()
    const receiver = await startReceiver()
    test.teardown(async () => {
      clock.stop()
      await receiver.close()
    })
    const guard = createGuard({ targets })
    const egress = createEgress({ clock, guard, resolver: createResolver({ clock }) })
    const request: WebClient = (asked) => egress({ ...asked, url: atReceiver(asked.url, receiver) })
    const sender = createSender({ request, sign: signWebhook })
    const send = (signal?: AbortSignal): Promise<Outcome> =>
      sender(messageFrom(opened), channel, { clock, ...(signal ? { signal } : {}) })
    return { receiver, send }
  }

  t.test(`${type}: its example is a config that its schema accepts`, async (t) => {
    t.same([...createCheck(definition.config, 10)(definition.example)], [])
    t.same(definition.problems?.(definition.example) ?? [], [])
    t.match(definition.guide, /^https:\/\//)
    for (const name of definition.secrets) t.ok(name in definition.config.properties, name)
    for (const [name, field] of Object.entries(definition.config.properties)) {
      const { description, examples } = field as { description?: string; examples?: unknown[] }
      t.ok(description, `${name} has a description`)
      t.equal(examples?.length, 1, `${name} has an example`)
    }
  })

  t.test(`${type}: each kind of message is the request of the golden file`, async (t) => {
    const file = join(import.meta.dirname, '../channels/golden', `${type}.json`)
    const found: Record<string, unknown> = {}
    for (const [name, payload] of Object.entries(samplePayloads)) {
      found[name] = (await requestsOf(messageFrom(payload))).map(shown)
    }
    if (process.env.GOLDEN) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
    t.ok(existsSync(file), `${file} is there`)
    const golden = JSON.parse(readFileSync(file, 'utf8'))
    for (const name of Object.keys(samplePayloads)) t.same(found[name], golden[name], name)
  })

  t.test(`${type}: no message links to the API`, async (t) => {
    for (const payload of [...Object.values(samplePayloads), olderPayload]) {
      // The payload of a webhook is the record itself.
      const requests = await requestsOf(messageFrom(payload))
      const texts = requests.map(({ body }) => body).join('\n')
      if (payload !== olderPayload || type !== 'webhook') t.notMatch(texts, '/api/v1/')
    }
  })

  t.test(`${type}: the longest message stays within the limits`, async (t) => {
    for (const message of longestMessages()) {
      const requests = await requestsOf(message)
      t.ok(requests.length > 0)
      for (const request of requests) {
        t.ok(request.body.isWellFormed(), 'no character is cut in two')
        one.fits(t, request)
      }
    }
  })

  t.test(`${type}: it is delivered when the platform says so`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.always(accepts)
    t.match(await send(), { ok: true, status: accepts.status })
  })

  t.test(`${type}: what the platform answers decides`, async (t) => {
    const { receiver, send } = await setUp(t)
    for (const { answer, means } of one.answers) {
      receiver.always(answer)
      t.match(await send(), means, `${answer.status} ${answer.body ?? ''}`.trim())
    }
  })

  t.test(`${type}: a web page is no confirmation, unless it is a webhook`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.always({ status: 200, body: '<!DOCTYPE html><html><title>Sign in</title></html>' })
    const means = type === 'webhook' ? { ok: true } : { ok: false, mayRetry: true }
    t.match(await send(), means)
  })

  t.test(`${type}: what may pass is tried again, redirects are not followed`, async (t) => {
    const { receiver, send } = await setUp(t)
    for (const status of [429, 500, 502, 503, 504]) {
      receiver.always({ status })
      t.match(await send(), { ok: false, mayRetry: true, status }, String(status))
    }
    receiver.always({ status: 302, headers: { location: `${receiver.url}/elsewhere` } })
    t.match(await send(), { ok: false, mayRetry: true, status: 302, reason: /redirect/ })
    receiver.always({ status: 429, headers: { 'retry-after': '120' } })
    t.match(await send(), { retryAfterMs: 120_000 })
  })

  t.test(`${type}: a receiver that breaks off or hangs is tried again`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.always('reset')
    t.match(await send(), { ok: false, mayRetry: true, reason: /broke off/ })
    receiver.always('hang')
    const abort = new AbortController()
    const before = receiver.requests.length
    const outcome = send(abort.signal)
    await receiver.received(before + 1)
    abort.abort()
    t.match(await outcome, { ok: false, mayRetry: true })
  })

  t.test(`${type}: no secret is in what is stored of a failure`, async (t) => {
    const { receiver, send } = await setUp(t)
    const secrets = definition.secrets.flatMap((name) => secretTexts(config[name]))
    const outcomes = []
    for (const status of [500, 400, 200]) {
      receiver.always({ status, body: 'no' })
      await send()
      const { path, headers, body } = receiver.requests.at(-1) as Received
      // Programs that look for mistakes repeat what they got.
      for (const repeated of [`no ${path}`, JSON.stringify(headers), body]) {
        receiver.always({ status, body: repeated })
        outcomes.push(JSON.stringify(await send()))
      }
    }
    for (const secret of secrets) for (const outcome of outcomes) t.notMatch(outcome, secret)
  })

  if (!('compose' in definition)) {
    t.test(`${type}: no config puts anything but a value into a header`, async (t) => {
      const headersOf = async (stored: Config) =>
        (await requestsOf(messageFrom(opened), stored)).map(({ headers }) => headers)
      const tried = new Set<string>()
      for (const base of configsOf(definition)) {
        const usual = await headersOf(base)
        for (const [field, value] of Object.entries(base)) {
          for (const replaced of replacements(value)) {
            tried.add(field)
            for (const wrong of unfitForHeaders) {
              const stored = storedOrRefused(type, { ...base, [field]: replaced(wrong) })
              if (stored instanceof Fault) t.match(stored.errors[0]?.pointer, /^\/config\//)
              else t.same((await headersOf(stored)).flatMap(unfitHeaders), [], field)
            }
          }
          if (typeof value !== 'string' || !isInHeader(value, usual)) continue
          const pasted = storedOrRefused(type, { ...base, [field]: ` ${value}\r\n` })
          t.match(pasted, { [field]: value }, `${field} is stored without white space around it`)
        }
      }
      const texts = Object.entries(definition.config.properties)
        .filter(([, schema]) => replacements(exampleOf(schema)).length > 0)
        .map(([name]) => name)
      t.same([...tried].toSorted(), texts.toSorted(), 'every text was tried')
    })
  }

  t.test(`${type}: an address that the policy forbids is never contacted`, async (t) => {
    const { receiver, send } = await setUp(t, 'public')
    t.match(await send(), { ok: false, class: 'not_allowed', reason: /not allowed/ })
    t.equal(receiver.requests.length, 0)
  })
}

const opened = samplePayloads.opened as NonNullable<(typeof samplePayloads)[string]>

/** What would end a header, or what no header can carry. */
const unfitForHeaders = ['\r\nx-evil: 1', '\n', '\0', 'ł']

type Headers = Readonly<Record<string, string>>

const isFit = ([name, value]: [string, string]) =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
const unfitHeaders = (headers: Headers) => Object.entries(headers).filter((one) => !isFit(one))
const isInHeader = (value: string, all: readonly Headers[]) =>
  all.some((headers) => Object.values(headers).some((header) => header.includes(value)))

/** Puts a text before, into and behind each text of a value, names in it included. */
function replacements(value: unknown): ((wrong: string) => unknown)[] {
  if (typeof value === 'string') {
    const half = Math.ceil(value.length / 2)
    return [0, half, value.length].map(
      (at) => (wrong) => value.slice(0, at) + wrong + value.slice(at),
    )
  }
  if (Array.isArray(value)) return replacements(value[0]).map((make) => (wrong) => [make(wrong)])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...replacements(inner).map((make) => (wrong: string) => ({ [name]: make(wrong) })),
    ...replacements(name).map((make) => (wrong: string) => ({ [String(make(wrong))]: inner })),
  ])
}

const key = { id: '0123abcd', bytes: randomBytes(32) }
const clock = new FakeClock(1_767_225_600_000)
const box = createBox({ newest: key, oldest: key, hasOlder: false, find: () => key })
const configs = createConfigs(
  { clock, box },
  {
    mintSecret: () => `whsec_${'A'.repeat(32)}`,
    mintSigningKey,
    publicKeyOf,
    judgeUrl: createGuard({ targets: 'any' }).judgeUrl,
    judgeMailServer: () => null,
  },
)

/** The whole config as the service would store it. */
function storedOrRefused(type: string, given: Config): Config | Fault {
  try {
    const channel = makeChannel({ type, ...configs.seal(type, given) })
    return configs.open(channel).config
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

const exampleOf = (schema: unknown) => (schema as { examples?: unknown[] }).examples?.[0]

/** Configs with the example of every field, as few as do: some exclude each other. */
function configsOf({ type, example, config: { properties } }: ChannelDefinition): Config[] {
  const all = Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema)] as const)
  const without = (left: string) => Object.fromEntries(all.filter(([name]) => name !== left))
  const alone = all.map(([name, value]) => ({ ...example, [name]: value }))
  const covered = new Set<string>()
  return [...['', ...Object.keys(properties)].map(without), ...alone].filter((config) => {
    const isNew = Object.keys(config).some((name) => !covered.has(name))
    if (!isNew || storedOrRefused(type, config) instanceof Fault) return false
    for (const name of Object.keys(config)) covered.add(name)
    return true
  })
}

function atReceiver(url: string, receiver: Receiver): string {
  const { pathname, search } = new URL(url)
  return new URL(pathname + search, receiver.url).href
}

/** A request for the golden file: a JSON body is shown parsed. */
function shown({ url, method, headers, body }: WebRequest) {
  return { method, url, headers, body: parsed(body) }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function secretTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.length > 7 ? [value] : []
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(secretTexts)
    : []
}
