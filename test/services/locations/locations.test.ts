// The rules of locations and of their probes, besides those of every noun.
import t, { type Test } from 'tap'
import type { ProbeId } from '../../../src/base/ids.ts'
import type { ProbeLoad } from '../../../src/domain/locations/protocol.ts'
import { probeSecrets } from '../../../src/seal/probe-token.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { createLocations } from '../../../src/services/locations/locations.ts'
import { portableLocations } from '../../../src/services/locations/portable-locations.ts'
import { createSharedLocations } from '../../../src/services/locations/shared-locations.ts'
import type { References } from '../../../src/services/portable.ts'
import { callerOf } from '../../support/access.ts'
import { openCore } from '../../support/core.ts'
import { orgA, orgB } from '../../support/http.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'

const scope = { caller: callerOf(), orgId: orgA, role: 'admin' } as OrgScope
const stranger = { ...scope, orgId: orgB } as OrgScope
const dayMs = 86_400_000
const load: ProbeLoad = { checks: 1, dropped: 0, lateMs: 2, monitors: 3 }

function open(t: Test) {
  const core = openCore(t)
  const live = new Set<ProbeId>()
  const probeLoad = (id: ProbeId) => (live.has(id) ? load : null)
  const locations = createLocations(core, { probeLoad })
  const shared = createSharedLocations(core, { probeLoad })
  const lost: ProbeId[] = []
  core.store.signals.probeLost.listen((id) => void lost.push(id))
  const authOf = (token: string) => probeSecrets(token).auth
  const finds = (token: string) =>
    locations.probes.findByAuth(authOf(token), core.clock.nowMs())?.probe.id
  return { ...core, core, locations, shared, live, lost, finds }
}

t.test('no two locations of an organization have one name', async (t) => {
  const { locations } = open(t)
  const first = await locations.create(scope, { name: 'Frankfurt' })
  const taken = { errors: [{ pointer: '/name', message: 'is taken by another location' }] }
  await t.rejects(locations.create(scope, { name: ' frankfurt' }), taken)
  const second = await locations.create(scope, { name: 'Oslo', description: 'Our rack' })
  await t.rejects(locations.change(scope, second.id, { name: 'Frankfurt' }), taken)
  const changed = await locations.change(scope, second.id, { name: 'OSLO', description: null })
  t.match(changed, { name: 'OSLO', description: null, revision: 2 })
  t.ok(await locations.create(stranger, { name: first.name }), 'another organization may')
})

t.test('a token is shown once, and its secrets are stored hashed and sealed', async (t) => {
  const { locations, store, box, finds } = open(t)
  const { id } = await locations.create(scope, { name: 'Frankfurt' })
  const { token, ...made } = await locations.probes.create(scope, id, { name: 'fra-1' })
  t.match(token, /^stp_/)
  t.equal(finds(token), made.id)
  const { auth, sealKey } = probeSecrets(token)
  const stored = store.probes.get(orgA, made.id)
  t.equal(box.open(stored?.sealBox ?? ''), sealKey)
  const written = JSON.stringify([stored, locations.probes.list(scope, id, { limit: 5 }).items])
  for (const secret of [token, auth, sealKey]) t.notOk(written.includes(secret))
  t.notOk('authHash' in made)
})

t.test('a replaced token works for another day, or no more', async (t) => {
  const { locations, clock, lost, finds } = open(t)
  const { id } = await locations.create(scope, { name: 'Frankfurt' })
  const first = await locations.probes.create(scope, id, { name: 'fra-1' })
  const second = await locations.probes.rotate(scope, id, first.id, {})
  t.equal(second.formerTokenUntilMs, clock.nowMs() + dayMs)
  t.same([first.token, second.token].map(finds), [first.id, first.id])
  t.same(lost, [])
  await clock.advance(dayMs)
  t.same([first.token, second.token].map(finds), [undefined, first.id])
  const third = await locations.probes.rotate(scope, id, first.id, { revokeNow: true })
  t.same([second.token, third.token].map(finds), [undefined, first.id])
  t.same(lost, [first.id], 'who used it is told')
  t.equal(third.formerTokenUntilMs, null)

  for (let count = 0; count < 6; count += 1) await locations.probes.rotate(scope, id, first.id, {})
  t.equal(finds(third.token), undefined, 'at most five replaced tokens work')
})

t.test('a location has few probes, and is as live as the best of them', async (t) => {
  const { locations, live } = open(t)
  const { id, state } = await locations.create(scope, { name: 'Frankfurt' })
  t.equal(state, 'empty')
  const made: ProbeId[] = []
  for (let no = 1; no <= 5; no += 1) {
    made.push((await locations.probes.create(scope, id, { name: `fra-${no}` })).id)
  }
  await t.rejects(locations.probes.create(scope, id, { name: 'fra-6' }), {
    code: 'conflict',
    message: 'A location may have at most 5 probes.',
  })
  t.match(locations.get(scope, id), { state: 'silent', probes: 5 })
  live.add(made[2] ?? ('' as ProbeId))
  t.equal(locations.get(scope, id).state, 'live')
  const shown = locations.probes.list(scope, id, { limit: 5 }).items.toReversed()
  t.same(
    shown.map(({ isLive }) => isLive),
    [false, false, true, false, false],
  )
  t.same(shown[2]?.load, load)
  t.equal(shown[0]?.load, null)
})

t.test('a probe is reached only through its location', async (t) => {
  const { locations } = open(t)
  const here = await locations.create(scope, { name: 'Frankfurt' })
  const there = await locations.create(scope, { name: 'Oslo' })
  const { id } = await locations.probes.create(scope, here.id, { name: 'fra-1' })
  const unknown = { code: 'not_found' }
  await t.rejects(locations.probes.rename(scope, there.id, id, { name: 'x' }), unknown)
  await t.rejects(locations.probes.rotate(scope, there.id, id, {}), unknown)
  await t.rejects(locations.probes.remove(scope, there.id, id), unknown)
  await t.rejects(locations.probes.create(stranger, here.id, { name: 'x' }), unknown)
})

t.test('a deleted location takes its probes along, and their tokens end', async (t) => {
  const { locations, store, lost, finds } = open(t)
  const { id } = await locations.create(scope, { name: 'Frankfurt' })
  const probe = await locations.probes.create(scope, id, { name: 'fra-1' })
  await t.rejects(locations.remove(scope, id, 7), { code: 'precondition_failed' })
  t.equal(finds(probe.token), probe.id)
  await locations.remove(scope, id)
  t.equal(finds(probe.token), undefined)
  t.same(lost, [probe.id])
  t.equal(store.probes.count(orgA), 0)
})

t.test('a location that checks monitors is not deleted, and names some of them', async (t) => {
  const { locations, shared, store } = open(t)
  const { id } = await locations.create(scope, { name: 'Frankfurt' })
  const operator = shared.scopeOf(scope.caller)
  const common = await shared.create(operator, { name: 'Oslo' })
  const places = ['home', id, common.id] as const
  const monitorOf = (no: number) =>
    makeMonitor({ orgId: orgA, id: monitorNo(no), name: `Shop ${no}`, locations: places })
  const foreign = makeMonitor({ orgId: orgB, id: monitorNo(9), locations: [common.id] })
  await store.write((tx) => {
    for (const no of [1, 2, 3, 4]) store.monitors.put(tx, monitorOf(no))
    store.monitors.put(tx, foreign)
  })
  const countsOf = (from: typeof locations, by: OrgScope) =>
    [...from.list(by, { limit: 5 }).items].reverse().map(({ monitors }) => monitors)
  t.same(countsOf(locations, scope), [4, 4])
  t.same(countsOf(locations, stranger), [1], 'what others check is not counted')
  t.same(countsOf(shared, operator), [5])
  const message =
    'This location checks Shop 1, Shop 2, Shop 3, …: take it out of these monitors first.'
  await t.rejects(locations.remove(scope, id), { code: 'conflict', message })
  await t.rejects(shared.remove(operator, common.id), {
    message: 'Organizations check 5 monitors from this location.',
  })
  await store.write((tx) => {
    store.monitors.put(tx, { ...monitorOf(1), locations: ['home'] })
    store.monitors.remove(tx, monitorOf(2))
    store.monitors.discard(tx, orgA, monitorNo(3))
    store.monitors.discard(tx, orgB, foreign.id)
  })
  t.same(countsOf(locations, scope), [1, 1])
  await store.write((tx) => store.monitors.forget(tx, orgA, 10))
  await locations.remove(scope, id)
  await shared.remove(operator, common.id)
})

t.test('an organization sees what the operator shares, and cannot change it', async (t) => {
  const { locations, shared, store, finds } = open(t)
  const own = await locations.create(scope, { name: 'Frankfurt' })
  const operator = shared.scopeOf(scope.caller)
  const { id } = await shared.create(operator, { name: 'Frankfurt' })
  await t.rejects(shared.create(operator, { name: 'Frankfurt' }), {
    errors: [{ pointer: '/name' }],
  })
  const probe = await shared.probes.create(operator, id, { name: 'fra-1' })
  t.equal(finds(probe.token), probe.id)
  const idsOf = (page: { readonly items: readonly { readonly id: string }[] }) =>
    page.items.map((one) => one.id)
  const page = locations.list(scope, { limit: 1 })
  t.same(idsOf(page), [id], 'the newest of all')
  const rest = locations.list(scope, { limit: 1, after: page.nextAfter ?? '' })
  t.same(idsOf(rest), [own.id])
  t.equal(rest.nextAfter, undefined)
  t.same(idsOf(shared.list(operator, { limit: 5 })), [id])
  t.match(locations.get(stranger, id), { isShared: true, name: 'Frankfurt', probes: 1 })
  const unknown = { code: 'not_found' }
  await t.rejects(locations.change(scope, id, { name: 'x' }), unknown)
  await t.rejects(locations.remove(scope, id), unknown)
  t.throws(() => locations.probes.list(scope, id, { limit: 5 }), unknown)
  await t.rejects(shared.change(operator, own.id, { name: 'x' }), unknown)
  await shared.remove(operator, id)
  t.equal(finds(probe.token), undefined)
  t.same(
    store.audit.slice('system', 9, 0).map(({ action }) => action),
    ['location.created', 'probe.created', 'location.deleted', 'probe.deleted'],
  )
})

t.test('an import takes what is there under the same name, and no name twice', async (t) => {
  const { locations, core, store } = open(t)
  const kept = await locations.create(scope, { name: 'Frankfurt', description: 'Our rack' })
  const portable = portableLocations(core)
  const [{ item } = { item: undefined }] = await portable.export(orgA)
  t.same(item, { id: kept.id, name: 'Frankfurt', description: 'Our rack' })
  const references = { note: (_id: unknown, record: object) => record } as unknown as References
  const ready = ['FRANKFURT', 'Oslo'].map((name) => portable.prepare({ name }, orgA, references))
  t.equal(portable.countNew?.(orgA, ready), 1, 'the other one takes no room')
  await store.write((tx) => portable.put(tx, orgA, ready, '/locations'))
  t.same(
    store.locations.list(orgA, 5).map(({ name }) => name),
    ['Oslo', 'Frankfurt'],
  )
  const twice = ['Rome', 'rome'].map((name) => portable.prepare({ name }, orgA, references))
  await t.rejects(
    store.write((tx) => portable.put(tx, orgA, twice, '/locations')),
    { errors: [{ pointer: '/locations/1/name' }] },
  )
})
