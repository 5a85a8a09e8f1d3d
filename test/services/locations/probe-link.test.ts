// The daemon's side of the protocol of remote probes, in simulated time.
import t from 'tap'
import { required } from '../../../src/base/assert.ts'
import { newId } from '../../../src/base/ids.ts'
import { placedId } from '../../../src/domain/locations/place.ts'
import { type ProbePlan, planHoldMs } from '../../../src/domain/locations/protocol.ts'
import { completedAuth } from '../../../src/domain/monitors/monitor-auth.ts'
import { emptyRequest } from '../../../src/domain/monitors/monitor-fields.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { probeBox, probeSecrets } from '../../../src/seal/probe-token.ts'
import { assignmentOf } from '../../../src/services/locations/assignments.ts'
import { planPutMax, resultsBurst } from '../../../src/services/locations/probe-link.ts'
import { sealRequest } from '../../../src/services/monitors/monitor-request.ts'
import { newSecret } from '../../../src/services/secrets/secrets.ts'
import { readAssignment } from '../../../src/uplink/answers.ts'
import { testCertificates } from '../../support/certificates.ts'
import {
  never,
  openLinkWorld,
  placedMonitor,
  probeLoad,
  sentResult,
} from '../../support/link-world.ts'
import { orgA } from '../../support/make-incident.ts'
import { orgTwo } from '../../support/make-page.ts'
import { settle } from '../../support/temp-store.ts'

const idsOf = ({ put }: ProbePlan) => put.map(({ monitorId }) => monitorId)
t.test('the first plan is whole, and later ones have what changed', async (t) => {
  const world = await openLinkWorld(t)
  const { link, clock } = world
  const { auth } = await world.addProbe()
  world.put([placedMonitor(1), placedMonitor(2)])
  const { known, session, plan, welcome } = await world.begin(auth)
  t.equal(welcome.nowMs, clock.nowMs())
  t.equal(plan.isWhole, true)
  t.same(idsOf(plan), [placedMonitor(1).id, placedMonitor(2).id])
  const next = link.plan(known, session, plan.revision, never)
  world.put([placedMonitor(2, { revision: 2, timeoutMs: 900 }), placedMonitor(3)])
  await clock.advance(100)
  const changed = required(await next, 'the plan')
  t.match(changed, { isWhole: false, revision: plan.revision + 1, remove: [placedMonitor(1).id] })
  t.match(changed.put, [
    { monitorId: placedMonitor(2).id, timeoutMs: 900 },
    { monitorId: placedMonitor(3).id },
  ])
  t.equal(changed.put.length, 2)
})

t.test('a plan says of what the location has no result yet', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  const [seen, fresh] = [placedMonitor(1), placedMonitor(2)]
  await world.store.write((tx) => {
    const state = { ...initialMonitorState(1), lastAtMs: 1 }
    world.store.placed.monitorStates.put(tx, orgA, placedId(seen.id, world.location.id), state)
  })
  world.put([seen, fresh])
  const { plan } = await world.begin(auth)
  t.match(plan.put, [
    { monitorId: seen.id, isNew: false },
    { monitorId: fresh.id, isNew: true },
  ])
})

t.test('a probe that missed an answer gets the whole plan again', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  world.put([placedMonitor(1)])
  const { known, session, plan } = await world.begin(auth)
  const again = await world.link.plan(known, session, plan.revision - 1, never)
  t.match(again, { isWhole: true, put: [{ monitorId: placedMonitor(1).id }] })
  t.match(await world.link.plan(known, session, Number.NaN, never), { isWhole: true })
})

t.test('without news the question is held for 25 s, and nothing is the answer', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  world.put([placedMonitor(1)])
  const { known, session, plan } = await world.begin(auth)
  let answer: ProbePlan | null | undefined
  void Promise.resolve(world.link.plan(known, session, plan.revision, never)).then((got) => {
    answer = got
  })
  await world.clock.advance(planHoldMs - 1)
  t.equal(answer, undefined)
  // A change of another location, or that is none for this probe, is no news.
  world.tellOfAsk()
  await world.clock.advance(1)
  t.equal(answer, null)
})

t.test('what somebody asks for reaches the probe at once, and once', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  world.put([placedMonitor(1)])
  const { known, session, plan } = await world.begin(auth)
  const next = world.link.plan(known, session, plan.revision, never)
  const untilMs = world.clock.nowMs() + 30_000
  world.asks.push({ askId: 7, monitorId: placedMonitor(1).id, untilMs })
  world.asks.push({ askId: 8, monitorId: placedMonitor(9).id, untilMs })
  world.tellOfAsk()
  const asked = required(await next, 'the plan')
  t.match(asked, { isWhole: false, put: [], remove: [], ask: [{ askId: 7 }] })
  t.equal(asked.ask.length, 1, 'not what others check')
  const held = world.link.plan(known, session, asked.revision, never)
  world.tellOfAsk()
  await world.clock.advance(planHoldMs)
  t.equal(await held, null)
  const again = await world.link.plan(known, session, plan.revision, never)
  t.equal(again?.ask.length, 1, 'whoever missed it gets it again')
})

t.test('a probe knows of a monitor what a check needs, and reads its secrets alone', async (t) => {
  const world = await openLinkWorld(t)
  const { auth, sealKey } = await world.addProbe()
  const headers = { Authorization: 'Bearer secret' }
  const login = { username: 'ada', password: 's3cret', secret: 's2' }
  const auths = { auth: completedAuth({ type: 'digest' }) }
  const request = { ...emptyRequest, headers, body: 'ping', ...login, ...auths }
  const requestBox = sealRequest(world.box, request)
  world.put([
    placedMonitor(1),
    placedMonitor(2, { requestBox, name: 'Inner', description: 'of the bank' }),
  ])
  const { plan } = await world.begin(auth)
  const [plain, withSecrets] = plan.put
  t.equal(plain?.sealed, null)
  t.match(plain, {
    intervalMs: 60_000,
    retryMs: 30_000,
    checkType: 'endpoint',
    failureThreshold: 3,
  })
  const whole = { ...request, auth: completedAuth(auths.auth) }
  t.same(JSON.parse(probeBox(sealKey).open(withSecrets?.sealed ?? '')), whole)
  const text = JSON.stringify(plan)
  for (const word of ['secret', 'Inner', 'bank', orgA]) t.notOk(text.includes(word), word)
})

t.test(
  'a secret that changes reaches at once the probes that check with it, and no others',
  async (t) => {
    const world = await openLinkWorld(t)
    const { link, store, box } = world
    const { auth, sealKey } = await world.addProbe()
    const secret = newSecret({ box }, orgA, { name: 'TOKEN', value: 'the first' }, 1)
    await store.write((tx) => store.orgSecrets.put(tx, secret))
    const requestBox = sealRequest(box, emptyRequest) ?? box.seal('{}')
    const sender = placedMonitor(2, { requestBox, secretNames: ['TOKEN', 'UNKNOWN'] })
    await store.write((tx) => store.monitors.put(tx, sender))
    world.put([placedMonitor(1), sender])
    const { known, session, plan } = await world.begin(auth)
    const sentIn = ({ put }: ProbePlan) =>
      JSON.parse(probeBox(sealKey).open(put.at(-1)?.sealed ?? '')).secrets
    t.same(sentIn(plan), { TOKEN: { value: 'the first', hosts: [] } })
    t.notOk(JSON.stringify(plan).includes('the first'))

    const next = link.plan(known, session, plan.revision, never)
    const changed = newSecret({ box }, orgA, { name: 'TOKEN', value: 'the second' }, 1)
    await store.write((tx) => store.orgSecrets.put(tx, { ...changed, id: secret.id }))
    const told = required(await next, 'the plan')
    t.same(idsOf(told), [sender.id])
    t.match(told, { isWhole: false, remove: [] })
    t.match(sentIn(told), { TOKEN: { value: 'the second' } })

    // A change of which the probe hears together with the end of the monitor there.
    await store.write((tx) => store.orgSecrets.remove(tx, secret))
    world.put([placedMonitor(1)])
    await world.clock.advance(100)
    const last = await link.plan(known, session, told.revision, never)
    t.match(last, { put: [], remove: [sender.id] })
  },
)

t.test(
  'a probe hears which way a check goes, and for whom where organizations share it',
  async (t) => {
    const { box } = await openLinkWorld(t)
    const monitor = placedMonitor(1, {
      ...{ connectTo: '192.0.2.7:8443', proxy: 'office' },
      clientCertificate: testCertificates.good.cert,
    })
    const secretsOf = () => new Map<never, never>()
    const heard = (isShared: boolean) =>
      readAssignment(
        JSON.parse(
          JSON.stringify(
            assignmentOf(monitor, {
              ...{ box, probeBox: box, secretsOf, isShared, isNew: false },
              locationId: newId('location', 0),
            }),
          ),
        ),
      )
    const { connectTo, proxy, clientCertificate } = monitor
    t.match(heard(true), { connectTo, proxy, clientCertificate, orgId: orgA })
    t.equal(heard(false)?.orgId, undefined, 'a probe of the organization is its own')
  },
)

t.test('a monitor whose secrets cannot be read any more is not checked elsewhere', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  world.put([placedMonitor(1, { requestBox: 'v1.00000000.x.y' }), placedMonitor(2)])
  const { plan } = await world.begin(auth)
  t.same(idsOf(plan), [placedMonitor(2).id])
})

t.test('a large plan comes in pieces', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  world.put(Array.from({ length: planPutMax + 10 }, (_, no) => placedMonitor(no)))
  const { known, session, plan } = await world.begin(auth)
  t.equal(plan.put.length, planPutMax)
  const rest = await world.link.plan(known, session, plan.revision, never)
  t.match(rest, { isWhole: false })
  t.equal(rest?.put.length, 10)
})

t.test('kinds that a probe does not know are not given to it, whatever its version', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  world.put([placedMonitor(1), placedMonitor(2, { checkType: 'ping' })])
  t.same(idsOf((await world.begin(auth)).plan), [placedMonitor(1).id])
  const newer = await world.begin(auth, { kinds: ['endpoint', 'ping', 'quic'] })
  t.same(idsOf(newer.plan), [placedMonitor(1).id, placedMonitor(2).id])
})

t.test(
  'two probes share a location; what one leaves, the other takes over after 30 s',
  async (t) => {
    const world = await openLinkWorld(t)
    const { link, clock } = world
    const [one, other] = [await world.addProbe(), await world.addProbe()]
    const all = Array.from({ length: 40 }, (_, no) => placedMonitor(no))
    world.put(all)
    const first = await world.begin(one.auth)
    t.equal(first.plan.put.length, 40)
    const second = await world.begin(other.auth)
    const cut = await link.plan(first.known, first.session, first.plan.revision, never)
    t.equal(cut?.remove.length, second.plan.put.length)
    t.ok(second.plan.put.length > 8)
    // The second one says nothing more.
    let { revision } = required(cut, 'the plan')
    let taken: ProbePlan | null = null
    for (let passed = 0; passed <= 40_000 && !taken; passed += 10_000) {
      await link.results(first.known, { session: first.session, results: [], self: probeLoad })
      const next = link.plan(first.known, first.session, revision, never)
      await clock.advance(10_000)
      const settled = await Promise.race([next, Promise.resolve(undefined)])
      if (settled) taken = settled
    }
    t.equal(taken?.put.length, second.plan.put.length)
    revision = taken?.revision ?? 0
    t.equal(world.presence.counts().silent, 1)
  },
)

t.test('results are folded in with our time; how the probe is, is shown', async (t) => {
  const world = await openLinkWorld(t)
  const { clock, location } = world
  const { auth, id } = await world.addProbe()
  const monitor = placedMonitor(1)
  world.put([monitor])
  const { known, session, plan } = await world.begin(auth)
  const nowMs = clock.nowMs()
  const answer = await world.link.results(known, {
    session,
    results: [sentResult(monitor, nowMs)],
    self: probeLoad,
  })
  t.same(answer, { taken: 1, refused: [], planRevision: plan.revision })
  t.match(world.placed, [
    { monitorId: monitor.id, place: location.id, dueAtMs: nowMs - 2_000, try: 0 },
  ])
  t.match(world.placed[0]?.reading, { atMs: nowMs - 1_500, durationMs: 80, status: 200 })
  t.same(world.presence.loadOf(id), probeLoad)
  await clock.advance(60_000)
  await settle()
  const [view] = world.locations.probes.list(world.scope, location.id, { limit: 9 }).items
  t.match(view, { version: '1.0.0', address: '192.0.2.9', lastSeenAtMs: nowMs })
})

t.test('a batch that is sent twice, in any order, counts once', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  const monitor = placedMonitor(1)
  world.put([monitor])
  const { known, session } = await world.begin(auth)
  const nowMs = world.clock.nowMs()
  const batches = [60_000, 50_000, 40_000].map((dueAgoMs) => [
    sentResult(monitor, nowMs, { dueAtMs: nowMs - dueAgoMs }),
    sentResult(monitor, nowMs, { dueAtMs: nowMs - dueAgoMs, try: 1 }),
  ])
  for (const at of [0, 1, 1, 0, 2, 0, 2, 1]) {
    const results = batches[at] ?? []
    const answer = await world.link.results(known, { session, results, self: probeLoad })
    t.match(answer, { taken: 2, refused: [] }, 'the probe need not send it again')
  }
  t.same(
    world.placed.map((one) => [nowMs - one.dueAtMs, one.try]),
    [60_000, 50_000, 40_000].flatMap((agoMs) => [
      [agoMs, 0],
      [agoMs, 1],
    ]),
  )
})

t.test('a result of a monitor as it was is taken and dropped', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  const monitor = placedMonitor(1, { revision: 4 })
  world.put([monitor])
  const { known, session } = await world.begin(auth)
  const results = [sentResult(monitor, world.clock.nowMs(), { revision: 3 })]
  t.match(await world.link.results(known, { session, results, self: probeLoad }), { taken: 1 })
  t.same(world.placed, [])
})

t.test('what can never be right is refused, one by one', async (t) => {
  const world = await openLinkWorld(t)
  const elsewhere = await world.make(orgA, 'Singapore')
  const foreign = await world.make(orgTwo, 'Frankfurt')
  const { auth } = await world.addProbe()
  const [own, there, theirs] = [
    placedMonitor(1),
    placedMonitor(2),
    placedMonitor(3, { orgId: orgTwo }),
  ]
  world.put([own, placedMonitor(4, { orgId: orgTwo })])
  world.put([there], elsewhere.location.id)
  world.put([theirs], foreign.location.id)
  const { known, session } = await world.begin(auth)
  const nowMs = world.clock.nowMs()
  const results = [
    sentResult(own, nowMs),
    sentResult(there, nowMs),
    sentResult(theirs, nowMs),
    sentResult(placedMonitor(4), nowMs),
    sentResult(placedMonitor(99), nowMs),
    sentResult(own, nowMs, { dueAtMs: nowMs + 61_000 }),
    sentResult(own, nowMs, { dueAtMs: nowMs - 3_661_000 }),
    sentResult(own, nowMs, { ageMs: 3_600_001 }),
    sentResult(own, nowMs, { try: 1_001 }),
    'nothing',
  ]
  const { taken, refused } = await world.link.results(known, { session, results, self: probeLoad })
  t.equal(taken, 1)
  t.same(
    refused.map(({ index, code }) => `${index} ${code}`),
    [
      ...['1 unknown_monitor', '2 unknown_monitor', '3 unknown_monitor', '4 unknown_monitor'],
      ...['5 invalid', '6 too_old', '7 too_old', '8 invalid', '9 invalid'],
    ],
  )
  t.equal(world.placed.length, 1)
})

t.test('a probe cannot send more than its plan makes', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  const monitor = placedMonitor(1)
  world.put([monitor])
  const { known, session } = await world.begin(auth)
  const results = Array.from({ length: 500 }, () => sentResult(monitor, world.clock.nowMs()))
  const send = () => world.link.results(known, { session, results, self: probeLoad })
  for (let sent = 0; sent < resultsBurst; sent += 500) await send()
  await t.rejects(send(), { code: 'rate_limited' })
  await world.clock.advance(60_000)
  const few = { session, results: results.slice(0, 3), self: probeLoad }
  await world.link.results(known, few)
  await t.rejects(world.link.results(known, few), { code: 'rate_limited' })
})

t.test('a new process has a session of its own; the oldest of three ends', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  const first = await world.begin(auth)
  const held = world.link.plan(first.known, first.session, first.plan.revision, never)
  const ends = t.rejects(Promise.resolve(held), { code: 'conflict' })
  const second = await world.begin(auth)
  const third = await world.begin(auth)
  await ends
  const send = (session: string) =>
    world.link.results(second.known, { session, results: [], self: probeLoad })
  await t.rejects(send(first.session), { code: 'conflict' })
  t.match(await send(second.session), { taken: 0 })
  t.match(await send(third.session), { taken: 0 })
})

t.test('a session is of one token', async (t) => {
  const world = await openLinkWorld(t)
  const [one, other] = [await world.addProbe(), await world.addProbe()]
  const { session } = await world.begin(one.auth)
  t.throws(() => world.link.plan(world.known(other.auth), session, 0, never), { code: 'conflict' })
})

t.test('a revoked token ends the held question at once', async (t) => {
  const world = await openLinkWorld(t)
  const { auth, id } = await world.addProbe()
  world.put([placedMonitor(1)])
  const { known, session, plan } = await world.begin(auth)
  const held = world.link.plan(known, session, plan.revision, never)
  const ends = t.rejects(Promise.resolve(held), { code: 'unauthenticated' })
  await world.locations.probes.remove(world.scope, world.location.id, id)
  await ends
  t.throws(() => world.known(auth), { code: 'unauthenticated' })
  t.same(world.presence.counts(), { live: 0, silent: 0 })
})

t.test('a replaced token works for a day, and reads what is sealed for it', async (t) => {
  const world = await openLinkWorld(t)
  const { auth, sealKey, id } = await world.addProbe()
  const requestBox = sealRequest(world.box, { ...emptyRequest, headers: { A: '1' } })
  world.put([placedMonitor(1, { requestBox })])
  const before = await world.begin(auth)
  const made = await world.locations.probes.rotate(world.scope, world.location.id, id, {})
  const after = await world.begin(probeSecrets(made.token).auth)
  const still = await world.link.plan(before.known, before.session, 0, never)
  t.match(probeBox(sealKey).open(still?.put[0]?.sealed ?? ''), /"A":"1"/)
  const newKey = probeSecrets(made.token).sealKey
  t.match(probeBox(newKey).open(after.plan.put[0]?.sealed ?? ''), /"A":"1"/)
  await world.clock.advance(24 * 3_600_000)
  t.throws(() => world.known(auth), { code: 'unauthenticated' })
})

t.test('a token that is replaced at once ends the session of the one before', async (t) => {
  const world = await openLinkWorld(t)
  const { auth, id } = await world.addProbe()
  const { known, session, plan } = await world.begin(auth)
  const held = world.link.plan(known, session, plan.revision, never)
  const ends = t.rejects(Promise.resolve(held), { code: 'unauthenticated' })
  await world.locations.probes.rotate(world.scope, world.location.id, id, { revokeNow: true })
  await ends
})

t.test('after a start of the daemon, a probe says hello again', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  world.put([placedMonitor(1)])
  const { session } = await world.begin(auth)
  world.restart()
  t.throws(() => world.link.plan(world.known(auth), session, 1, never), { code: 'conflict' })
  t.equal((await world.begin(auth)).plan.put.length, 1)
})

t.test('a switched-off organization has no probes', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  world.off.add(orgA)
  t.throws(() => world.known(auth), { code: 'forbidden' })
  t.throws(() => world.known('x'), { code: 'unauthenticated' })
  t.throws(() => world.known('x'.repeat(43)), { code: 'unauthenticated' })
})

t.test('a daemon that stops lets the probes go, and a probe that goes is let go', async (t) => {
  const world = await openLinkWorld(t)
  const { auth } = await world.addProbe()
  const { known, session, plan } = await world.begin(auth)
  const leaving = new AbortController()
  const left = world.link.plan(known, session, plan.revision, leaving.signal)
  leaving.abort()
  t.equal(await left, null)
  const held = world.link.plan(known, session, plan.revision, never)
  world.link.stop()
  await t.rejects(Promise.resolve(held), { code: 'shutting_down' })
  t.throws(() => world.link.plan(known, session, plan.revision, never), { code: 'shutting_down' })
})
