// The check of a Kafka cluster: signs in to a broker, and looks at leaders, replicas and the lag of a group.
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken, refusedBy } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'
import { conversing } from './frames.ts'
import { int32, int64, list, text } from './kafka-fields.ts'
import {
  type KafkaCheck,
  type KafkaPlace,
  type KafkaTalk,
  protocol,
  saslMechanisms,
  signedIn,
  throwRefusal,
} from './kafka-talk.ts'

const usualPorts: Readonly<Record<string, number>> = { kafka: 9_092, kafkas: 9_093 }
const topicForm = /^[\w.-]{1,249}$/
/** Brokers that one check connects to. */
const brokersMax = 32

export const kafka = defineKind({
  type: 'kafka',
  fields: ['connection', 'streams', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes: Object.keys(usualPorts),
  family: 'queues',
  icon: 'logs',
  example: 'kafka://broker.example.com/orders',
  urlForm:
    '`kafka://host[:port][/topic]` (9092) or `kafkas://host[:port][/topic]` with TLS (9093): any broker of the ' +
    'cluster, and a topic that must be there and have its leaders. The answer is JSON with the numbers of ' +
    '`brokers`, `topics`, `partitions`, those `leaderless` and `underReplicated`, which is the `value`. With ' +
    '`?group=name` the `value` is the `lag` of the group of consumers in the topic, or in all of its topics: the ' +
    'leaders that the broker names are asked for it. `username` and `password` sign in by SCRAM, or by PLAIN ' +
    'where the broker has no other, or as `?sasl=` says: ' +
    `${Object.keys(saslMechanisms).join(', ')}`,
  finds: 'json',
  ownsQuery: true,
  typed: { ports: [9_092] },
  usualPorts: new Set(Object.values(usualPorts)),
  parse: parseKafkaUrl,
  destination: (url) => url,
  open: () => ({
    look: (url, target, run) =>
      conversing(protocol, async () => {
        const check = { target, run }
        const isUsualPort = isUsual(url.port)
        const talk = await signedIn(url, check, { isUsualPort })
        const { topic, group } = url
        const cluster = await clusterOf(talk, topic !== '' ? [topic] : group === '' ? null : [])
        const isLed = cluster.partitions.every(({ leader }) => leader >= 0)
        if (topic !== '' && !isLed) throwRefusal(leaderNotAvailable)
        if (group === '') return answerOf(stateOf(cluster))
        const asked: GroupCheck = { ...check, url, talk, cluster, talks: new Map() }
        return answerOf(await groupOf(asked))
      }),
  }),
})

interface KafkaUrl extends KafkaPlace {
  /** '' if the URL names none. */
  readonly topic: string
  /** The group of consumers; '' if the URL names none. */
  readonly group: string
  readonly problem?: never
}

/** Reads `kafka://host[:port][/topic][?group=name]` or `kafkas://…`. */
export function parseKafkaUrl(written: string): KafkaUrl | UrlFault {
  const url = parsePlaceUrl(written, Object.keys(usualPorts))
  if (url.problem !== undefined) return url
  const options = readOptions(url.query, { group: null, sasl: Object.keys(saslMechanisms) })
  if ('problem' in options) return options as UrlFault
  const topic = url.path.slice(1)
  if (topic !== '' && !topicForm.test(topic)) {
    return { problem: 'must end after the name of one topic, such as /orders' }
  }
  const port = url.port ?? usualPorts[url.scheme] ?? 0
  const isTls = url.scheme === 'kafkas'
  const { group = '', sasl } = options
  return { host: url.host, port, isTls, sasl: sasl ?? null, topic, group }
}

function isUsual(port: number): boolean {
  return Object.values(usualPorts).includes(port)
}

interface KafkaPartition {
  readonly topic: string
  readonly index: number
  /** The id of its leader; -1 if it has none. */
  readonly leader: number
  readonly isUnderReplicated: boolean
}

interface KafkaCluster {
  readonly brokers: readonly { readonly id: number; readonly host: string; readonly port: number }[]
  readonly topics: number
  readonly partitions: readonly KafkaPartition[]
}

/** What a broker knows of the cluster. `topics`: null for all. It makes none that is missing. */
async function clusterOf(talk: KafkaTalk, topics: string[] | null): Promise<KafkaCluster> {
  const makesTopics = Buffer.from([0])
  const answer = await talk.ask('metadata', [list(topics?.map(text) ?? null), makesTopics])
  answer.int32()
  const brokers = answer.list(() => {
    const broker = { id: answer.int32(), host: answer.text(), port: answer.int32() }
    answer.text()
    return broker
  })
  answer.text()
  answer.int32()
  const found = answer.list(() => {
    const code = answer.int16()
    const topic = answer.text()
    if (topics !== null) throwRefusal(code)
    answer.int8()
    return answer.list((): KafkaPartition => {
      answer.int16()
      const fields = { topic, index: answer.int32(), leader: answer.int32() }
      const [replicas, inSync] = [
        answer.list(() => answer.int32()),
        answer.list(() => answer.int32()),
      ]
      return { ...fields, isUnderReplicated: inSync.length < replicas.length }
    })
  })
  return { brokers, topics: found.length, partitions: found.flat() }
}

function stateOf({ brokers, topics, partitions }: KafkaCluster) {
  const underReplicated = partitions.filter((one) => one.isUnderReplicated).length
  return {
    value: underReplicated,
    brokers: brokers.length,
    topics,
    partitions: partitions.length,
    leaderless: partitions.filter(({ leader }) => leader < 0).length,
    underReplicated,
  }
}

interface GroupCheck extends KafkaCheck {
  readonly url: KafkaUrl
  /** The broker that the URL names. */
  readonly talk: KafkaTalk
  readonly cluster: KafkaCluster
  /** Connections to others, by host and port. */
  readonly talks: Map<string, KafkaTalk>
}

/** The state of the topics of a group, with how far it is behind. */
async function groupOf(asked: GroupCheck): Promise<object> {
  const { talk, cluster, url } = asked
  const committed = await committedOf(asked)
  // A group that never committed anything is more likely a slip of the pen than one without lag.
  if (committed.size === 0) throw refusedBy('missing', '', `the group ${url.group}`)
  const topics = [...new Set([...committed.values()].map(({ topic }) => topic))]
  const { partitions, brokers } = url.topic === '' ? await clusterOf(talk, topics) : cluster
  const own = partitions.filter((one) => committed.has(keyOf(one)))
  let lag = 0n
  for (const [leader, led] of Map.groupBy(own, (one) => one.leader)) {
    const at = brokers.find(({ id }) => id === leader)
    if (at === undefined) throwRefusal(leaderNotAvailable)
    const ends = await endsOf(at === undefined ? talk : await talkWith(at, asked), led)
    for (const [key, end] of ends) {
      const behind = end - (committed.get(key)?.offset ?? end)
      if (behind > 0n) lag += behind
    }
  }
  const { value: _, ...state } = stateOf({ brokers, partitions, topics: topics.length })
  return { value: Number(lag), lag: Number(lag), ...state }
}
const leaderNotAvailable = 5

const keyOf = ({ topic, index }: Pick<KafkaPartition, 'topic' | 'index'>) => `${topic}:${index}`

/** A connection to another broker of the cluster, which is judged as any other. */
async function talkWith(
  { host, port }: { readonly host: string; readonly port: number },
  { talk, cluster, url, talks, target, run }: GroupCheck,
): Promise<KafkaTalk> {
  // The only broker is the one that was asked, whatever it calls itself.
  if (cluster.brokers.length === 1 || (host === talk.host && port === talk.port)) return talk
  const key = `${host}:${port}`
  const known = talks.get(key)
  if (known !== undefined) return known
  if (talks.size === brokersMax) throw tooManyBrokers()
  const scheme = url.isTls ? 'kafkas' : 'kafka'
  const hostText = host.includes(':') ? `[${host}]` : host
  const place = parseKafkaUrl(`${scheme}://${hostText}:${port}`)
  if (place.problem !== undefined) throw new RunError(notSpoken(protocol))
  const naming = { subject: 'the connection', detail: () => key }
  const options = { isUsualPort: isUsual(port), isOwn: true, ...naming }
  const found = await signedIn({ ...place, sasl: url.sasl }, { target, run }, options)
  talks.set(key, found)
  return found
}

function tooManyBrokers(): RunError {
  return new RunError(failure('invalid_response', `the group has more than ${brokersMax} brokers`))
}

interface Committed {
  readonly topic: string
  readonly offset: bigint
}

/** How far the group says that it is, by partition. */
async function committedOf(asked: GroupCheck): Promise<ReadonlyMap<string, Committed>> {
  const { talk, url } = asked
  const found = await talk.ask('findCoordinator', [text(url.group)])
  throwRefusal(found.int16())
  found.int32()
  const at = { host: found.text(), port: found.int32() }
  const coordinator = await talkWith(at, asked)
  const answer = await coordinator.ask('offsetFetch', [text(url.group), list(null)])
  const committed = answer
    .list(() => {
      const topic = answer.text()
      return answer.list(() => {
        const [index, offset] = [answer.int32(), answer.int64()]
        answer.text()
        throwRefusal(answer.int16())
        return { topic, index, offset }
      })
    })
    .flat()
  throwRefusal(answer.int16())
  const own = committed.filter(
    ({ topic, offset }) => offset >= 0n && (url.topic === '' || topic === url.topic),
  )
  return new Map(own.map((one) => [keyOf(one), one]))
}

/** Where the partitions of a leader end. */
async function endsOf(
  leader: KafkaTalk,
  partitions: readonly KafkaPartition[],
): Promise<ReadonlyMap<string, bigint>> {
  const latest = int64(-1n)
  const topics = [...Map.groupBy(partitions, ({ topic }) => topic)].map(([topic, own]) =>
    Buffer.concat([
      text(topic),
      list(own.map(({ index }) => Buffer.concat([int32(index), latest]))),
    ]),
  )
  const answer = await leader.ask('listOffsets', [int32(-1), list(topics)])
  const ends = answer
    .list(() => {
      const topic = answer.text()
      return answer.list(() => {
        const index = answer.int32()
        throwRefusal(answer.int16())
        answer.int64()
        return [keyOf({ topic, index }), answer.int64()] as const
      })
    })
    .flat()
  return new Map(ends)
}
