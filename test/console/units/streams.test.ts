// How tabs share event streams: one for each organization, as long as a tab that is there wants it.
import t, { type Test } from 'tap'
import { createStreamHub, type StreamMessage } from '../../../src/console/api/stream-hub.ts'
import { followStreams } from '../../../src/console/api/streams.ts'
import { holdTime } from '../../support/held-time.ts'

/** A stream that opens, ends and tells when the test says so. */
class FakeStream extends EventTarget {
  onopen = () => {}
  onerror = () => {}
  readyState = 0
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
  }
  close() {
    this.readyState = 2
  }
  opens() {
    this.readyState = 1
    this.onopen()
  }
  /** The service refuses it. */
  ends() {
    this.readyState = 2
    this.onerror()
  }
  breaks() {
    this.readyState = 0
    this.onerror()
  }
  tells(monitorId: string) {
    const init = { data: JSON.stringify({ monitorId }), lastEventId: 'x-1' }
    this.dispatchEvent(new MessageEvent('monitor.state', init))
  }
}

function holdStreams(t: Test) {
  const time = holdTime(t)
  const made: FakeStream[] = []
  const value = class extends FakeStream {
    constructor(url: string) {
      super(url)
      made.push(this)
    }
  }
  t.intercept(globalThis, 'EventSource', { value, configurable: true, writable: true })
  return {
    ...time,
    made,
    /** The organizations whose streams are not closed. */
    open: () =>
      made.filter(({ readyState }) => readyState !== 2).map(({ url }) => url.split('/')[4]),
    of: (orgId: string) => made.findLast(({ url }) => url === `/api/v1/orgs/${orgId}/events`),
  }
}

const wordOf = (message: StreamMessage): string => {
  if (message.kind === 'connection') return message.connection
  if (message.kind !== 'event') return message.kind
  const { data } = message.event
  return 'monitorId' in data ? data.monitorId : 'gap'
}

/** A tab that answers what the hub asks, until it is closed. */
function openTab(connect: ReturnType<typeof createStreamHub>, orgId: string) {
  let told: string[] = []
  let wanted: string | null = orgId
  let isClosed = false
  const say = connect((message) => {
    if (isClosed) return
    if (message.kind === 'ask') say(wanted)
    else told.push(wordOf(message))
  })
  say(wanted)
  return {
    want(next: string | null) {
      wanted = next
      say(next)
    },
    /** Ends the stream without saying so. */
    close() {
      isClosed = true
    },
    /** Since the last look. */
    told() {
      const before = told
      told = []
      return before
    },
  }
}

t.test('tabs of one organization share a stream, also after the first one is gone', async (t) => {
  const { made, open, of, pass } = holdStreams(t)
  const connect = createStreamHub()
  const tabs = Array.from({ length: 12 }, () => openTab(connect, 'org_a'))
  t.equal(made.length, 1)
  of('org_a')?.opens()
  for (const tab of tabs) t.same(tab.told(), ['connecting', 'live', 'gap'])
  of('org_a')?.tells('mon_1')
  for (const tab of tabs) t.same(tab.told(), ['mon_1'])
  tabs[0]?.close()
  for (let minute = 0; minute < 60; minute += 1) await pass(60_000)
  of('org_a')?.tells('mon_2')
  for (const tab of tabs.slice(1)) t.same(tab.told(), ['mon_2'])
  const late = openTab(connect, 'org_a')
  t.same(late.told(), ['live', 'gap'], 'a tab that comes later reads what it missed')
  t.equal(made.length, 1, 'after an hour it is the same stream')
  for (const tab of [late, ...tabs.slice(2)]) tab.want(null)
  t.same(open(), ['org_a'])
  tabs[1]?.close()
  await pass(10_000)
  await pass(10_000)
  t.same(open(), [], 'a tab that ended without a word is noticed')
})

t.test('a tab that was silent, as in a machine that slept, comes back', async (t) => {
  const { open, of, pass } = holdStreams(t)
  const connect = createStreamHub()
  let isAsleep = true
  const told: string[] = []
  const say = connect((message) => {
    if (!isAsleep && message.kind === 'ask') say('org_a')
    else told.push(wordOf(message))
  })
  say('org_a')
  of('org_a')?.opens()
  await pass(10_000)
  await pass(10_000)
  t.same(open(), [])
  isAsleep = false
  say('org_a')
  of('org_a')?.opens()
  t.same(told.slice(-3), ['connecting', 'live', 'gap'])
})

t.test('a short break is repeated by the service, and only a newcomer reads all', async (t) => {
  const { of } = holdStreams(t)
  const connect = createStreamHub()
  const first = openTab(connect, 'org_a')
  of('org_a')?.opens()
  of('org_a')?.tells('mon_1')
  first.told()
  of('org_a')?.breaks()
  const second = openTab(connect, 'org_a')
  of('org_a')?.opens()
  t.same(first.told(), ['lost', 'live'])
  t.same(second.told(), ['lost', 'live', 'gap'])
})

t.test('a refused stream is tried again, and what is shown is read meanwhile', async (t) => {
  const { made, of, pass } = holdStreams(t)
  const tab = openTab(createStreamHub(), 'org_a')
  of('org_a')?.ends()
  t.same(tab.told(), ['connecting', 'lost', 'refused', 'gap'])
  await pass(5_000)
  t.equal(made.length, 2)
  of('org_a')?.opens()
  t.same(tab.told(), ['live', 'gap'])
  of('org_a')?.ends()
  tab.want(null)
  tab.want('org_a')
  t.equal(made.length, 3, 'after a new sign-in at once')
})

t.test('four organizations side by side leave connections for requests', async (t) => {
  const { open, of, pass } = holdStreams(t)
  const connect = createStreamHub()
  const tabs = ['org_a', 'org_b', 'org_c', 'org_d'].map((orgId) => {
    const tab = openTab(connect, orgId)
    of(orgId)?.opens()
    tab.told()
    return tab
  })
  t.same(open(), ['org_b', 'org_c', 'org_d'])
  tabs[0]?.told()
  await pass(5_000)
  t.same(tabs[0]?.told(), ['gap'], 'without a stream, a tab reads again what it shows')
  tabs[2]?.want(null)
  t.same(open(), ['org_b', 'org_d', 'org_a'], 'it has a stream as soon as there is room')
})

/** The globals of a tab; a browser without shared workers, unless `SharedWorker` is one. */
function holdPage(t: Test, more: object = {}) {
  const listeners = new Map<string, (event: object) => void>()
  const addEventListener = (type: string, listener: () => void) => listeners.set(type, listener)
  const document = { visibilityState: 'visible', addEventListener }
  const globals = { document, addEventListener, streamsWorkerUrl: '/worker.js', ...more }
  for (const [name, value] of Object.entries(globals))
    t.intercept(globalThis, name as 'document', { value, configurable: true, writable: true })
  return {
    look(visibilityState: 'hidden' | 'visible') {
      document.visibilityState = visibilityState
      listeners.get('visibilitychange')?.({})
    },
    happens: (type: string, event = {}) => listeners.get(type)?.(event),
  }
}

t.test('a hidden tab leaves its stream after a moment, a closed one at once', async (t) => {
  const { open, of, pass } = holdStreams(t)
  const { look, happens } = holdPage(t)
  const told: string[] = []
  const { follow } = followStreams((message) => void told.push(wordOf(message)))
  follow('org_a')
  of('org_a')?.opens()
  look('hidden')
  await pass(4_000)
  look('visible')
  await pass(4_000)
  t.same(told.splice(0), ['connecting', 'live', 'gap'], 'a glance at another tab costs nothing')
  look('hidden')
  await pass(5_000)
  t.same(open(), [])
  follow('org_b')
  t.same(open(), [])
  look('visible')
  t.same(open(), ['org_b'])
  of('org_b')?.opens()
  t.same(told.splice(0), ['connecting', 'live', 'gap'])
  happens('pagehide')
  t.same(open(), [])
  happens('pageshow', { persisted: true })
  t.same(open(), ['org_b'])
  follow(null)
  t.same(open(), [])
})

t.test('a tab whose shared worker is dead or missing has a stream of its own', async (t) => {
  const { open, pass } = holdStreams(t)
  const workers: FakeWorker[] = []
  class FakeWorker {
    readonly said: unknown[] = []
    onerror = () => {}
    readonly port = {
      onmessage: (_: object) => {},
      postMessage: (message: unknown) => void this.said.push(message),
      close() {},
    }
    constructor() {
      workers.push(this)
    }
  }
  holdPage(t, { SharedWorker: FakeWorker })
  const { follow } = followStreams(() => {})
  follow('org_a')
  for (let round = 0; round < 6; round += 1) {
    workers[0]?.port.onmessage({ data: { kind: 'ask' } })
    await pass(10_000)
  }
  t.equal(workers.length, 1)
  t.same(new Set(workers[0]?.said), new Set(['org_a']))
  await pass(25_000)
  t.equal(workers.length, 2, 'another one starts')
  t.same(workers[1]?.said, ['org_a'])
  t.same(open(), [])
  await pass(25_000)
  t.same(open(), ['org_a'])
  const { follow: other, prepare } = followStreams(() => {})
  prepare()
  t.same(workers.at(-1)?.said, [null], 'it starts before the tab knows what it wants')
  other('org_b')
  workers.at(-1)?.onerror()
  t.same(open(), ['org_a', 'org_b'], 'also where its file is gone')
})
