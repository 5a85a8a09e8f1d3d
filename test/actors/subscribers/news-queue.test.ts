// Subscribers are told once: in slices, through crashes, and only of what the page shows.
import t from 'tap'
import { noticeSliceSubscribers } from '../../../src/actors/subscribers/news-queue.ts'
import { type ImportId, type IncidentId, newId, type SubscriberId } from '../../../src/base/ids.ts'
import {
  type Incident,
  liveIncident,
  resolvedIncident,
} from '../../../src/domain/incidents/incident.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { User } from '../../../src/domain/people/person.ts'
import { subscriberGoneMax } from '../../../src/domain/subscribers/subscriber.ts'
import { audienceOf, silentCounter } from '../../../src/store/page-audience.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { makeMonitor, makePage, monitorNo } from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'
import { startSubscriberWorld, told } from '../../support/subscriber-world.ts'

const page = makePage({ allowsSubscribers: true })
const readers = (count: number) => Array.from({ length: count }, (_, n) => `reader-${n}@r.test`)

/** An incident of the first monitor, as of now. */
function outage(nowMs: number, incident: Partial<Incident> = {}): Incident {
  return makeIncident({
    monitorIds: [monitorNo(1)],
    title: 'Website is down',
    startedAtMs: nowMs - 60_000,
    confirmedAtMs: nowMs,
    timeline: [{ atMs: nowMs, kind: 'opened', message: 'timeout at 10.0.0.7', isPublic: true }],
    ...incident,
  })
}

const declared = (nowMs: number, more: Partial<Incident> = {}) =>
  outage(nowMs, { isDeclared: true, severity: 'declared', title: 'Payments fail', ...more })

t.test('a crash in the middle of a thousand letters loses none and doubles none', async (t) => {
  let slices = 0
  function isBusy(): boolean {
    slices += 1
    return slices > 3
  }
  const first = startSubscriberWorld(t, { isBusy })
  const { clock, store } = first
  await first.putPage(page)
  await first.enlist(page, readers(1_000))
  await first.putIncident(declared(clock.nowMs(), { monitorIds: [] }))
  for (let turn = 0; turn < 50; turn += 1) {
    await clock.advance(1)
    await store.flush()
  }
  const some = first.letters().length
  t.equal(some, 3 * noticeSliceSubscribers, 'so far')
  await first.close()

  const next = startSubscriberWorld(t, { dir: first.dir, clock })
  next.news.start()
  await told(next, 10_000)
  const all = next.letters().map(({ to }) => to)
  t.equal(all.length, 1_000)
  t.equal(new Set(all).size, 1_000)
  t.same(next.store.subscriberNews.orgIds(), [], 'nothing is left to do')
})

t.test('what waits is read once, however many changes follow', async (t) => {
  const world = startSubscriberWorld(t)
  const { store, clock } = world
  const later = clock.nowMs() + 3_600_000
  await store.write((tx) => {
    for (let count = 0; count < 20_000; count += 1) {
      store.subscriberNews.note(tx, page.orgId, newId('incident', clock.nowMs()), later)
    }
  })
  const waiting = store.subscriberNews.subjects(page.orgId)
  t.equal(waiting.size, 20_000)
  const id = newId('incident', clock.nowMs())
  await store.write((tx) => store.subscriberNews.note(tx, page.orgId, id, later))
  t.equal(store.subscriberNews.subjects(page.orgId), waiting, 'it is not read again')
  t.equal(waiting.get(id), later)
  await store.write((tx) => store.subscriberNews.lookAgain(tx, page.orgId, id, null))
  t.notOk(waiting.has(id))
})

t.test('what flaps for minutes is told once, without the address that failed', async (t) => {
  const world = startSubscriberWorld(t)
  const { clock } = world
  await world.store.write((tx) => world.store.monitors.put(tx, makeMonitor()))
  await world.putPage(page)
  await world.enlist(page, ['ann@r.test'])
  let incident = outage(clock.nowMs())
  await world.putIncident(incident)
  await told(world, 30_000)
  t.same(world.letters(), [])
  for (let round = 0; round < 20; round += 1) {
    const atMs = clock.nowMs()
    incident =
      incident.state === 'resolved'
        ? outage(atMs, { timeline: [...incident.timeline, reopening(atMs)] })
        : resolvedIncident(incident, { resolution: 'recovered', resolvedAtMs: atMs, atMs })
    await world.putIncident(incident)
    await told(world, 60_000)
  }
  t.equal(incident.state, 'open')
  await told(world, 10 * 60_000)
  t.equal(world.letters().length, 1)
  const [{ letter, unsubscribeUrl, matterId } = {}] = world.letters()
  t.equal(letter?.subject, 'Incident: Website is down · Acme status')
  t.notMatch(letter?.text, '10.0.0.7')
  t.match(unsubscribeUrl, /^https:\/\/up\.test\/subscriptions\/[\w-]+\/unsubscribe$/)
  t.equal(matterId, incident.id)
})

const reopening = (atMs: number) =>
  ({ atMs, kind: 'reopened', message: 'again', isPublic: true }) as const

t.test('letters call a monitor by its public name', async (t) => {
  const world = startSubscriberWorld(t)
  const { clock, store } = world
  const named = { name: 'db.internal:5432', publicName: 'Order database' }
  await store.write((tx) => {
    store.monitors.put(tx, makeMonitor(named))
    store.monitors.put(tx, makeMonitor({ id: monitorNo(2) }))
  })
  await world.putPage(page)
  await world.enlist(page, ['ann@r.test'])
  await world.putIncident(outage(clock.nowMs(), { title: `${named.name} is down` }))
  const startsAtMs = clock.nowMs() + 3_600_000
  const times = { kind: 'once' as const, startsAtMs, endsAtMs: startsAtMs + 3_600_000 }
  const window = makeWindow({ isPublic: true, monitorIds: [monitorNo(1)], times })
  await store.write((tx) => store.windows.put(tx, window))
  await told(world, 10 * 60_000)
  const texts = world.letters().map(({ letter }) => `${letter.subject} ${letter.text}`)
  t.equal(texts.length, 2)
  for (const text of texts) {
    t.match(text, 'Order database')
    t.notMatch(text, /internal|5432/)
  }
})

t.test('outages that the daemon found together are one letter', async (t) => {
  const world = startSubscriberWorld(t)
  const { store, clock } = world
  await store.write((tx) => {
    for (let n = 1; n <= 5; n += 1) {
      store.monitors.put(tx, makeMonitor({ id: monitorNo(n), name: `Service ${n}` }))
    }
  })
  await world.putPage(page)
  await world.enlist(page, ['ann@r.test'])
  for (let n = 1; n <= 5; n += 1) {
    const id = `inc_01k0000000000000000000000${n}` as IncidentId
    const title = `Service ${n} is down`
    await world.putIncident(outage(clock.nowMs(), { id, title, monitorIds: [monitorNo(n)] }))
    await told(world, 3_000)
  }
  await told(world, 300_000)
  const [{ letter } = {}, ...others] = world.letters()
  t.same(others, [])
  t.match(letter?.subject, /^Incident: Service \d is down \(and 4 more\)/)
  for (let n = 1; n <= 5; n += 1) t.match(letter?.text, `Service ${n} is down`)
})

t.test('what the page hides is told to nobody, nor is anything once it is off', async (t) => {
  const world = startSubscriberWorld(t)
  const { store, clock } = world
  await store.write((tx) => store.monitors.put(tx, makeMonitor({ isPublic: false })))
  await world.putPage(page)
  await world.enlist(page, ['ann@r.test'])
  await world.enlist(page, ['asked@r.test'], { state: 'pending', confirmedAtMs: null })
  await world.putIncident(outage(clock.nowMs()))
  await world.putIncident(declared(clock.nowMs(), { isPublic: false, monitorIds: [] }))
  await told(world, 300_000)
  for (const off of [
    { isEnabled: false },
    { allowsSubscribers: false },
    { showIncidents: false },
  ]) {
    await world.putPage({ ...page, ...off })
    await world.putIncident(declared(clock.nowMs(), { monitorIds: [] }))
    await told(world, 60_000)
  }
  t.same(world.letters(), [])
  await world.putPage(page)
  await world.putIncident(declared(clock.nowMs(), { monitorIds: [], revision: 2 }))
  await told(world, 1_000)
  t.same(
    world.letters().map(({ to }) => to),
    ['ann@r.test'],
  )
})

t.test(
  'maintenance is told when it is planned, begins and ends, in the reader’s language',
  async (t) => {
    const world = startSubscriberWorld(t)
    const { store, clock } = world
    await store.write((tx) => store.monitors.put(tx, makeMonitor()))
    await world.putPage(page)
    await world.enlist(page, ['ann@r.test'], { language: 'de' })
    const nowMs = clock.nowMs()
    const times = {
      kind: 'once',
      startsAtMs: nowMs + 3_600_000,
      endsAtMs: nowMs + 7_200_000,
    } as const
    const window = makeWindow({ times, coversFromMs: nowMs, isPublic: true, name: 'New disks' })
    await store.write((tx) => store.windows.put(tx, window))
    await told(world, 30_000)
    t.same(world.letters(), [])
    await told(world, 9_000_000)
    const subjects = world.letters().map(({ letter }) => letter.subject)
    t.same(subjects.toSorted(), [
      'Wartung abgeschlossen: New disks · Acme status',
      'Wartung geplant: New disks · Acme status',
      'Wartung hat begonnen: New disks · Acme status',
    ])
    await store.write((tx) => store.windows.put(tx, { ...window, isPublic: false }))
    await told(world, 120_000)
    t.equal(world.letters().length, 3)
  },
)

t.test('a URL that finds nobody again and again ends its subscription', async (t) => {
  const world = startSubscriberWorld(t, {
    send: () => ({ ok: false, mayRetry: true, status: 404, reason: 'It is not there.' }),
  })
  const { store, clock } = world
  await world.putPage(page)
  const [id] = await world.enlist(page, ['https://hook.test/1'], { kind: 'webhook' })
  await world.putIncident(declared(clock.nowMs(), { monitorIds: [] }))
  await told(world, 12 * 3_600_000)
  t.equal(world.sent.length, subscriberGoneMax)
  t.equal(new Set(world.sent.map((message) => message.id)).size, 1, 'under one id')
  t.match(id && store.subscribers.get(page.orgId, page.id, id), { state: 'failed' })
  t.same(store.subscriberNews.owed(), [])
})

t.test('a URL that fails for a day is given up, and stays subscribed', async (t) => {
  let isUp = false
  const world = startSubscriberWorld(t, {
    send: () => (isUp ? { ok: true } : { ok: false, mayRetry: true, status: 503, reason: 'No.' }),
  })
  const { store, clock } = world
  await world.putPage(page)
  await world.enlist(page, ['https://hook.test/1'], { kind: 'slack' })
  await world.putIncident(declared(clock.nowMs(), { monitorIds: [] }))
  await told(world, 30 * 3_600_000)
  t.same(store.subscriberNews.owed(), [])
  isUp = true
  const tries = world.sent.length
  const id = 'inc_01k0000000000000000000000z' as IncidentId
  await world.putIncident(declared(clock.nowMs(), { id, monitorIds: [] }))
  await told(world, 1_000)
  t.equal(world.sent.length, tries + 1)
  t.same(store.subscribers.counts(page.orgId, page.id), { active: 1, pending: 0, failed: 0 })
})

t.test(
  'a page for members tells members alone, and everybody again once it is public',
  async (t) => {
    const world = startSubscriberWorld(t)
    const { clock, store, sent } = world
    const members = { ...page, visibility: 'members' } as const
    const person = (no: number, email: string, more: Partial<User> = {}) =>
      store.write((tx) => {
        const userId = newId('user', no)
        store.users.put(tx, {
          ...{ id: userId, email, emailVerifiedAtMs: null, name: null, passwordHash: null },
          ...{ isSystemAdmin: false, isDisabled: false, revision: 1 },
          ...{ createdAtMs: 0, updatedAtMs: 0, ...more },
        })
        store.memberships.put(tx, { orgId: page.orgId, userId, role: 'viewer', joinedAtMs: 0 })
      })
    await person(1, 'Ann@r.test', { emailVerifiedAtMs: 1 })
    await person(2, 'unproven@r.test')
    await person(3, 'locked@r.test', { emailVerifiedAtMs: 1, isDisabled: true })
    const strangers = ['bob@r.test', 'locked@r.test', 'unproven@r.test']
    await world.putPage(page)
    await world.enlist(page, ['ann@r.test', ...strangers])
    await world.enlist(page, ['https://hook.test/1'], { kind: 'slack' })
    t.equal(silentCounter(store, page.orgId)(page), 0)

    await world.putPage(members)
    const subscribers = store.subscribers.list(page.orgId, page.id, 10)
    t.equal(silentCounter(store, page.orgId)(members), strangers.length + 1)
    t.same(
      subscribers.filter(audienceOf(store, members)).map(({ maskedAddress }) => maskedAddress),
      ['ann@r.test'],
    )
    await world.putIncident(declared(clock.nowMs(), { monitorIds: [] }))
    await told(world, 1_000)
    t.same(
      world.letters().map(({ to }) => to),
      ['ann@r.test'],
    )
    t.same(sent, [])
    t.match(store.subscribers.counts(page.orgId, page.id), { active: 5 }, 'they are kept')

    await world.putPage(page)
    const id = 'inc_01k0000000000000000000000z' as IncidentId
    await world.putIncident(declared(clock.nowMs(), { id, monitorIds: [] }))
    await told(world, 1_000)
    t.same(
      world
        .letters()
        .map(({ to }) => to)
        .sort(),
      ['ann@r.test', 'ann@r.test', ...strangers],
    )
    t.equal(sent.length, 1)
  },
)

t.test('what waits for a URL is dropped when the page turns away from strangers', async (t) => {
  const refused = { ok: false, mayRetry: true, class: 'not_sent', reason: '503' } as const
  const world = startSubscriberWorld(t, { send: () => refused })
  const { clock, sent } = world
  await world.putPage(page)
  const [hook = ''] = await world.enlist(page, ['https://hook.test/1'], { kind: 'slack' })
  await world.putIncident(declared(clock.nowMs(), { monitorIds: [] }))
  await told(world, 1_000)
  t.equal(sent.length, 1)
  await world.putPage({ ...page, visibility: 'members' })
  await told(world, 3_600_000)
  t.equal(sent.length, 1)
  t.same(world.store.subscriberNews.messages(page.orgId, hook as SubscriberId, 1), [])
})

t.test('a deleted page leaves nothing of its subscribers', async (t) => {
  const world = startSubscriberWorld(t, { isBusy: () => true })
  const { store, clock } = world
  await world.putPage(page)
  await world.enlist(page, readers(1_200))
  await world.putIncident(declared(clock.nowMs(), { monitorIds: [] }))
  await clock.advance(10)
  await store.write((tx) => {
    store.pages.remove(tx, page, clock.nowMs())
    store.subscriberNews.note(tx, page.orgId, page.id, clock.nowMs())
  })
  await told(world, 10_000)
  t.same(store.subscribers.list(page.orgId, page.id, 10), [])
  t.equal(store.subscribers.count(page.orgId), 0)
  t.same(store.subscriberNews.orgIds(), [])
  t.same(world.letters(), [])
})

t.test('lists and exports of many subscribers leave time for other work', async (t) => {
  const clock = new FakeClock()
  const world = startSubscriberWorld(t, { clock })
  await world.putPage(page)
  await world.enlist(page, ['https://hook.test/1'], { kind: 'slack' })
  await clock.advance(1)
  await world.enlist(page, readers(2_500))
  const principal = { kind: 'command_line' } as const
  const caller = { principal, requestId: '', address: '', userAgent: '', language: 'en' } as const
  const scope = { caller, orgId: page.orgId, role: 'admin' } as const
  const first = world.subscribers.list(scope, page.id, { kind: 'slack', limit: 10 })
  t.same(first.items, [], 'a page looks at a bounded number')
  const after = String(first.nextAfter)
  const second = world.subscribers.list(scope, page.id, { kind: 'slack', limit: 10, after })
  t.match(second, { items: [{ kind: 'slack' }], nextAfter: undefined })
  // Each look at the clock finds that its time is used up.
  let monoMs = 0
  Object.assign(clock, { monoMs: () => (monoMs += limits.turnMs) })
  let others = 0
  const { list } = world.store.subscribers
  Object.assign(world.store.subscribers, {
    list(...asked: Parameters<typeof list>) {
      setImmediate(() => {
        others += 1
      })
      return list(...asked)
    },
  })
  const all = await world.subscribers.export(scope, page.id)
  t.ok(others > 0, 'other work went on before the last was read')
  t.equal(new Set(all.map(({ address }) => address)).size, 2_501)
  t.equal(all.at(-1)?.address, 'https://hook.test/1', 'the newest first')
})

t.test(
  'a silent monitor tells no subscriber; once it is live, what is still true is told',
  async (t) => {
    const world = startSubscriberWorld(t)
    const { store, clock } = world
    const importId = 'imp_01arz3ndektsv4rrffq69g5fav' as ImportId
    const shadow = { importId, sinceMs: clock.nowMs(), liveAtMs: null }
    const monitor = makeMonitor({ id: monitorNo(1), isPublic: true, shadow })
    await store.write((tx) => store.monitors.put(tx, monitor))
    await world.putPage(page)
    await world.enlist(page, readers(2))
    const over = outage(clock.nowMs(), { isPublic: false, isShadow: true })
    await world.putIncident(over)
    await told(world, 3_600_000)
    const atMs = clock.nowMs()
    const end = { resolution: 'recovered', resolvedAtMs: atMs, atMs } as const
    await world.putIncident(resolvedIncident(over, end))
    const open = outage(atMs, {
      ...{ id: newId('incident', atMs), title: 'Website is down', isPublic: false, isShadow: true },
    })
    await world.putIncident(open)
    await told(world, 3_600_000)
    t.equal(world.letters().length, 0)
    await store.write((tx) => {
      const liveAtMs = clock.nowMs()
      store.monitors.put(tx, { ...monitor, shadow: { ...shadow, liveAtMs } })
      store.incidents.put(tx, liveIncident(open, true, liveAtMs))
    })
    await told(world, 3_600_000)
    t.match(
      world.letters().map(({ letter }) => letter.subject),
      [/Website/, /Website/],
      'of the outage that goes on, and of none before',
    )
  },
)
