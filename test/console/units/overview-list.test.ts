// The list of the overview under events: its order, its pace, and the place of whoever reads it.
import t, { type Test } from 'tap'
import { movedBy, offsetsOf, rangeOf } from '../../../src/console/base/list-range.ts'
import { paced } from '../../../src/console/base/paced.ts'
import { settled } from '../../../src/console/base/settled.ts'
import { filterOf, isSameItem, rowsOf } from '../../../src/console/pages/overview/rows/filter.ts'
import { inNameOrder, withChanged } from '../../../src/console/stores/monitor-order.ts'
import { answersArrive, holdTime } from '../../support/held-time.ts'
import { leastMs } from '../../support/starvation.ts'

const named = (...names: string[]) => names.map((name, at) => ({ id: `${at}`, name }))
const namesOf = (entries: Iterable<{ name: string }>) => Array.from(entries, ({ name }) => name)

t.test('names are in the order in which people look for them', async (t) => {
  const wanted = ['api', 'Äpfel', 'Birnen', 'shop 2', 'Shop 10', 'Ärzte'].toSorted((a, b) =>
    new Intl.Collator('de', { numeric: true }).compare(a, b),
  )
  t.same(
    namesOf(inNameOrder(named('Shop 10', 'Ärzte', 'Birnen', 'api', 'shop 2', 'Äpfel'))),
    wanted,
  )
  const same = [
    { id: 'b', name: 'Same' },
    { id: 'a', name: 'same' },
  ]
  t.same(
    inNameOrder(same).map(({ id }) => id),
    ['a', 'b'],
    'equal names have an order that never changes',
  )
})

const entry = (id: string, state = 'up', name = `Service ${id}`) =>
  ({ id, name, state, tags: [], checkType: 'endpoint', since: '' }) as never as Parameters<
    typeof rowsOf
  >[0] extends ReadonlyMap<string, infer Entry>
    ? Entry
    : never
const mapOf = (...entries: ReturnType<typeof entry>[]) => new Map(entries.map((e) => [e.id, e]))
const shown = (monitors: Parameters<typeof rowsOf>[0], query = {}) =>
  rowsOf(monitors, filterOf(query)).map(({ key }) => key)

t.test('a change of state moves the row to its place, and a new name too', async (t) => {
  const all = mapOf(entry('1'), entry('2'), entry('3'), entry('4'))
  const worse = withChanged(all, mapOf(entry('3', 'down'), entry('2', 'degraded')))
  t.same(shown(worse), ['3', '2', '1', '4'])
  t.same(shown(withChanged(worse, mapOf(entry('3'), entry('2')))), ['1', '2', '3', '4'])
  const renamed = withChanged(all, mapOf(entry('4', 'up', 'A shop')))
  t.same(shown(renamed), ['4', '1', '2', '3'])
  t.same(
    shown(withChanged(all, mapOf(entry('9')))),
    ['1', '2', '3', '4'],
    'what is gone stays gone',
  )
  t.same(shown(all), ['1', '2', '3', '4'], 'what was shown before is left as it was')
})

t.test('ten thousand monitors are put in order in a part of a frame', async (t) => {
  const all = mapOf(...Array.from({ length: 10_000 }, (_, at) => entry(`${at}`)))
  rowsOf(all, filterOf({}))
  const rounds = 10
  const tookMs = leastMs(100 * rounds, () => {
    for (let round = 0; round < rounds; round += 1) {
      const changed = mapOf(...Array.from({ length: 125 }, (_, at) => entry(`${at * 7}`, 'down')))
      rowsOf(withChanged(all, changed), filterOf({}))
    }
  })
  const eachMs = tookMs / rounds
  // It takes 3 ms; the bound leaves room for a busy machine.
  t.ok(eachMs < 100, `${eachMs.toFixed(1)} ms`)
})

t.test('the rows of the screen are drawn, and some beside it', async (t) => {
  const offsets = offsetsOf(Array.from({ length: 1_000 }), () => 56)
  const place = { topPx: 200, screenPx: 560, offsets }
  t.same(rangeOf(place), { first: 0, last: 15 })
  t.same(rangeOf({ ...place, topPx: -5_600 }), { first: 92, last: 118 })
  t.same(rangeOf({ ...place, topPx: -100_000 }), { first: 999, last: 999 }, 'the list became short')
  t.same(rangeOf({ ...place, offsets: [0] }), { first: 0, last: -1 })
  const mixed = offsetsOf([40, 120, 120, 40, ...Array(20).fill(120)], (px) => px)
  t.same(rangeOf({ topPx: -1_300, screenPx: 240, offsets: mixed }), { first: 4, last: 23 })
})

t.test('what somebody reads stays where it is while rows come and go above', async (t) => {
  const all = mapOf(...Array.from({ length: 9 }, (_, at) => entry(`${at + 1}`)))
  const before = rowsOf(all, filterOf({}))
  const moved = (...changes: ReturnType<typeof entry>[]) => {
    const after = rowsOf(withChanged(all, mapOf(...changes)), filterOf({}))
    const { from, to } = movedBy(before, after, { first: 4, last: 8 }, isSameItem)
    return to - from
  }
  t.equal(moved(), 0)
  t.equal(moved(entry('1', 'down')), 0, 'it moved above what is read')
  t.equal(moved(entry('9', 'down')), 1, 'it came from below')
  t.equal(moved(entry('1', 'paused')), -1, 'it went below')
  t.equal(moved(entry('5', 'down')), 0, 'the first row went away, and the others did not move')
  const allDown = [5, 6, 7, 8, 9].map((id) => entry(`${id}`, 'down'))
  t.equal(moved(...allDown), 0, 'nobody is taken along when all that is read goes away')
})

t.test('many wishes are one deed, and the first is granted at once', async (t) => {
  const { pass } = holdTime(t)
  let deeds = 0
  const want = paced(() => {
    deeds += 1
  }, 250)
  want()
  t.equal(deeds, 1)
  for (let frame = 0; frame < 10; frame += 1) {
    await pass(16)
    want()
  }
  t.equal(deeds, 1)
  await pass(100)
  t.equal(deeds, 2, 'the last wish is granted too')
  await pass(1_000)
  t.equal(deeds, 2, 'nothing more is done than was wanted')
  want()
  t.equal(deeds, 3)
  want()
  want.stop()
  await pass(1_000)
  t.equal(deeds, 3)
})

t.test('the last of many changes is read soon after it, and each is read in time', async (t) => {
  const { pass } = holdTime(t)
  let reads = 0
  let answer = () => {}
  const want = settled(
    () => {
      reads += 1
      return new Promise<void>((resolve) => {
        answer = resolve
      })
    },
    { quietMs: 150, everyMs: 3_000 },
  )
  const answered = () => {
    answer()
    return answersArrive()
  }
  want()
  t.equal(reads, 1)
  await answered()
  await pass(350)
  want()
  await pass(150)
  t.equal(reads, 2, 'a second change half a second later waits no longer than the first')
  want()
  await pass(1_000)
  t.equal(reads, 2, 'nothing is asked anew before its answer is here')
  await answered()
  await pass(1_000)
  t.equal(reads, 2, 'what is slow to read is read less often')
  await pass(1_000)
  t.equal(reads, 3, 'what changed while it was read is read afterwards')
  await answered()
  for (let change = 0; change < 60; change += 1) {
    want()
    await pass(100)
    await answered()
  }
  t.equal(reads, 5, 'changes that do not end are read now and then')
  want.stop()
  await pass(5_000)
  t.equal(reads, 5)
})

t.test('nothing that happens is lost, whatever the loads and the stream do', async (t) => {
  const page = await openStore(t)
  const { pass, streams } = page
  t.same(page.names(), [])
  page.store.openMonitors()
  await pass(100)
  streams[0]?.opens()
  await page.answers([page.monitor('1'), page.monitor('2')])
  t.same(page.names(), ['1 up', '2 up'])
  t.equal(page.asked(), 1, 'they are read once, when the stream is open')

  streams[0]?.tells(
    'monitor.changed',
    { monitorId: '3', name: '3', change: 'created', at: '' },
    '7',
  )
  await page.frame()
  await pass(150)
  t.equal(page.asked(), 2)
  streams[0]?.tells('monitor.state', { monitorId: '1', name: '1', state: 'down', at: '' }, '8')
  await page.refuses(503)
  await pass(250)
  t.same(page.names(), ['1 down', '2 up'], 'what happened during a load that failed is shown')
  t.equal(page.store.monitorsProblem.value?.status, 503)
  await pass(5_000)
  await page.answers([page.monitor('1', 'down'), page.monitor('2'), page.monitor('3')])
  t.same(page.names(), ['1 down', '2 up', '3 up'], 'the load that failed is made up for')
  t.equal(page.store.monitorsProblem.value, undefined)

  const before = page.asked()
  streams[0]?.opens()
  await page.frame()
  await pass(1_000)
  t.equal(page.asked(), before, 'after a short break the stream itself repeats what was missed')

  page.chooseOrganization('org_b')
  t.same(page.names(), [], 'another organization does not show the monitors of the first')
  page.store.openMonitors()
  await pass(300)
  const first = page.asked()
  await page.refuses(503)
  t.same(page.names(), [], 'a stream that is slow to open is not waited for')
  streams[1]?.opens()
  await page.answers([page.monitor('9')])
  t.same(page.names(), ['9 up'])
  t.equal(page.asked(), first + 1, 'what was read before the stream was open is read again')
  streams[1]?.opens()
  await page.frame()
  await pass(1_000)
  await page.answers([page.monitor('9', 'down')])
  t.same(page.names(), ['9 down'], 'a stream that told nothing yet cannot repeat what was missed')
})

class FakeStream extends EventTarget {
  onopen = () => {}
  onerror = () => {}
  readyState = 1
  close() {}
  opens() {
    this.onopen()
  }
  tells(type: string, data: object, lastEventId: string) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId }))
  }
}

/** The store of the monitors, with a service that answers when the test says so. */
async function openStore(t: Test) {
  const time = holdTime(t)
  const streams: FakeStream[] = []
  const questions: ((response: Response) => void)[] = []
  let asked = 0
  const storage = { getItem: () => null, setItem() {}, removeItem() {}, clear() {}, length: 0 }
  const page = {
    sessionStorage: storage,
    localStorage: storage,
    document: {
      visibilityState: 'visible',
      documentElement: { lang: 'en' },
      addEventListener() {},
    },
    addEventListener() {},
    location: { search: '' },
    BroadcastChannel: class {},
    EventSource: class extends FakeStream {
      constructor() {
        super()
        streams.push(this)
      }
    },
    requestAnimationFrame: (run: () => void) => setTimeout(run, 0),
    fetch: (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        asked += 1
        questions.push(resolve)
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  for (const [name, value] of Object.entries(page))
    t.intercept(globalThis, name as 'fetch', { value, configurable: true, writable: true })
  // The daemon's sources are not compiled with the types of a browser.
  await import(new URL('../../support/console-modules.ts', import.meta.url).href)
  const { session, chooseOrganization } = await import('../../../src/console/stores/session.ts')
  const store = await import('../../../src/console/stores/monitors.ts')
  session.value = { organizations: [{ id: 'org_a' }, { id: 'org_b' }] } as never
  chooseOrganization('org_a')
  /** What the stream told is shown with the next one. */
  const frame = () => time.pass(0)
  async function answer(status: number, body: object): Promise<void> {
    await frame()
    for (const resolve of questions.splice(0)) resolve(Response.json(body, { status }))
    await answersArrive()
    await time.pass(250)
  }
  return {
    ...time,
    frame,
    store,
    streams,
    chooseOrganization,
    asked: () => asked,
    answers: (monitors: readonly object[]) => answer(200, { data: { monitors } }),
    refuses: (status: number) => answer(status, {}),
    monitor: (id: string, state = 'up') => ({ id, name: id, state, tags: [] }),
    names: () => [...store.monitors.value.values()].map(({ id, state }) => `${id} ${state}`),
  }
}
