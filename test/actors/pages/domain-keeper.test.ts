// The keeper of custom domains: what is due is checked, also after a restart, and the first proof
// wins.
import t, { type Test } from 'tap'
import { createDomainKeeper } from '../../../src/actors/pages/domain-keeper.ts'
import { type DomainId, newId, type OrgId, type PageId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  type CustomDomain,
  type DomainSight,
  domainReverifyMs,
  newDomain,
} from '../../../src/domain/pages/custom-domain.ts'
import { recordingLog } from '../../support/http.ts'
import { orgOne, orgTwo } from '../../support/make-page.ts'
import { openTempStore } from '../../support/temp-store.ts'

const pageId = 'pag_01k0000000000000000000000a' as PageId
const well: DomainSight = { proof: 'seen', place: 'here' }
const none: DomainSight = { proof: 'missing', place: 'nowhere' }
const goOn = new AbortController().signal

function open(t: Test) {
  const { store, clock } = openTempStore(t)
  const sights = new Map<DomainId, DomainSight | Error>()
  const looked: string[] = []
  const noted: string[] = []
  const makeKeeper = () =>
    createDomainKeeper({
      store,
      clock,
      log: recordingLog([]),
      async look({ id, hostname }) {
        looked.push(hostname)
        const sight = sights.get(id) ?? none
        if (sight instanceof Error) throw sight
        return sight
      },
      note: (_tx, { hostname, orgId }, action) =>
        void noted.push(`${orgId === orgOne ? 'one' : 'two'} ${hostname} ${action}`),
    })
  async function claim(hostname: string, orgId: OrgId = orgOne): Promise<CustomDomain> {
    const nowMs = clock.nowMs()
    const id = newId('domain', nowMs)
    const domain = newDomain({ id, orgId, pageId, hostname, token: `${orgId} ${hostname}`, nowMs })
    await store.write((tx) => store.customDomains.put(tx, domain))
    return domain
  }
  const now = ({ orgId, id }: CustomDomain) => store.customDomains.get(orgId, id)
  return { store, clock, sights, looked, noted, makeKeeper, claim, now }
}

t.test('what is due is checked, and nothing else', async (t) => {
  const { clock, sights, looked, noted, makeKeeper, claim, now } = open(t)
  const keeper = makeKeeper()
  const early = await claim('early.example.com')
  t.equal(await keeper.round(goOn), 0)
  await clock.advance(30_000)
  await claim('late.example.com')
  await clock.advance(30_000)
  sights.set(early.id, well)
  t.equal(await keeper.round(goOn), 1)
  t.same(looked, ['early.example.com'])
  t.match(now(early), { state: 'active', nextCheckAtMs: clock.nowMs() + domainReverifyMs })
  t.same(noted, ['one early.example.com domain.activated'])
  await clock.advance(30_000)
  t.equal(await makeKeeper().round(goOn), 1, 'another keeper goes on where the first ended')
  t.same(looked.slice(1), ['late.example.com'])
})

t.test('a domain without its records is not served any more after days', async (t) => {
  const { store, clock, sights, noted, makeKeeper, claim, now } = open(t)
  const keeper = makeKeeper()
  const domain = await claim('status.example.com')
  sights.set(domain.id, well)
  await clock.advance(60_000)
  await keeper.round(goOn)
  t.equal(store.customDomains.holder('status.example.com')?.id, domain.id)
  sights.set(domain.id, none)
  const hours = 24 + limits.domainGraceMs / 3_600_000
  for (let hour = 0; hour < hours - 1; hour += 1) {
    await clock.advance(3_600_000)
    await keeper.round(goOn)
    t.ok(store.customDomains.holder('status.example.com'), `after ${hour + 1} h`)
  }
  await clock.advance(3_600_000)
  await keeper.round(goOn)
  t.match(now(domain), { state: 'failed', problem: 'proof_missing', nextCheckAtMs: null })
  t.equal(store.customDomains.holder('status.example.com'), undefined)
  t.same(noted.slice(1), ['one status.example.com domain.failed'])
})

t.test('the first proof wins, also where both are seen in one round', async (t) => {
  const { store, clock, sights, noted, makeKeeper, claim, now } = open(t)
  const keeper = makeKeeper()
  const one = await claim('status.example.com', orgOne)
  const two = await claim('status.example.com', orgTwo)
  for (const { id } of [one, two]) sights.set(id, well)
  await clock.advance(60_000)
  await keeper.round(goOn)
  const states = [now(one)?.state, now(two)?.state].toSorted()
  t.same(states, ['active', 'failed'])
  const winner = now(one)?.state === 'active' ? one : two
  t.equal(store.customDomains.holder('status.example.com')?.orgId, winner.orgId)
  t.equal(noted.length, 2)
})

t.test('checks of one domain at the same time are one', async (t) => {
  const { looked, makeKeeper, claim } = open(t)
  const keeper = makeKeeper()
  const domain = await claim('status.example.com')
  await Promise.all([keeper.check(domain), keeper.check(domain)])
  t.equal(looked.length, 1)
})

t.test('a domain that is deleted while it is checked stays deleted', async (t) => {
  const { store, makeKeeper, claim, now } = open(t)
  const keeper = makeKeeper()
  const domain = await claim('status.example.com')
  const checking = keeper.check(domain)
  await store.write((tx) => store.customDomains.remove(tx, domain))
  t.equal(await checking, undefined)
  t.equal(now(domain), undefined)
  t.same(store.customDomains.due(Number.MAX_SAFE_INTEGER, 10), [])
})

t.test('a look that breaks off says nothing about the domain', async (t) => {
  const { clock, sights, makeKeeper, claim, now } = open(t)
  const keeper = makeKeeper()
  const domain = await claim('status.example.com')
  sights.set(domain.id, well)
  await clock.advance(60_000)
  await keeper.round(goOn)
  sights.set(domain.id, new Error('a bug'))
  await clock.advance(domainReverifyMs)
  await keeper.round(goOn)
  t.match(now(domain), { state: 'active', problem: 'names_unanswered', failingSinceMs: null })
})

t.test('an organization takes its domains with it', async (t) => {
  const { store, clock, sights, makeKeeper, claim } = open(t)
  const one = await claim('one.example.com')
  const two = await claim('two.example.com', orgTwo)
  for (const { id } of [one, two]) sights.set(id, well)
  await clock.advance(60_000)
  await makeKeeper().round(goOn)
  await store.write((tx) => store.customDomains.forget(tx, orgOne))
  t.equal(store.customDomains.holder('one.example.com'), undefined)
  t.same(store.customDomains.claimants('one.example.com'), [])
  t.equal(store.customDomains.holder('two.example.com')?.orgId, orgTwo)
  t.equal(store.customDomains.due(Number.MAX_SAFE_INTEGER, 10).length, 1)
})
