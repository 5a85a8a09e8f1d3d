// The tables of remote probes: their look-ups, and what their damage and deletion leave.
import t, { type Test } from 'tap'
import type { ProbeId } from '../../../../src/base/ids.ts'
import type { Store } from '../../../../src/store/store.ts'
import { damageRecords } from '../../../support/damaged-records.ts'
import { orgA } from '../../../support/make-incident.ts'
import { orgTwo } from '../../../support/make-page.ts'
import { locationNo, makeProbe, probeNo } from '../../../support/make-probe.ts'
import { openTempStore } from '../../../support/temp-store.ts'

const sighting = { atMs: 5, version: '1.0.0', address: '192.0.2.1' }
const former = [{ authHash: 'former', sealBox: 'sealed', untilMs: 9 }]
const first = makeProbe({ former })
const elsewhere = makeProbe({ id: probeNo(2), locationId: locationNo(2) })
const foreign = makeProbe({ id: probeNo(3), orgId: orgTwo })

async function open(t: Test) {
  const { store } = openTempStore(t)
  const lost: ProbeId[] = []
  store.signals.probeLost.listen((id) => void lost.push(id))
  await store.write((tx) => {
    for (const probe of [first, elsewhere, foreign]) {
      store.probes.put(tx, probe, 0)
      store.probes.noteSighting(tx, probe, sighting)
    }
  })
  return { store, lost }
}

const idsAt = (store: Store, no: number) => store.probes.idsAt(orgA, locationNo(no))

t.test('a probe is found at its location, and by the hashes of its tokens', async (t) => {
  const { store, lost } = await open(t)
  t.same(idsAt(store, 1), [first.id])
  t.same(store.probes.listAt(orgTwo, locationNo(1), 5), [foreign])
  t.same(store.probes.findByAuth(first.authHash), first)
  t.same(store.probes.findByAuth('former'), first)
  t.equal(store.probes.findByAuth('unknown'), undefined)
  t.same(store.probes.sighting(orgA, first.id), sighting)
  t.same(lost, [])

  const renewed = { ...first, authHash: 'new', former: [] }
  await store.write((tx) => store.probes.put(tx, renewed, 0, first))
  t.same(store.probes.findByAuth('new'), renewed)
  t.equal(store.probes.findByAuth(first.authHash), undefined)
  t.equal(store.probes.findByAuth('former'), undefined)
  t.same(lost, [first.id], 'who used the token is told')
})

t.test('a deleted probe leaves nothing, and hears of it', async (t) => {
  const { store, lost } = await open(t)
  await store.write((tx) => store.probes.remove(tx, first))
  t.same(idsAt(store, 1), [])
  t.equal(store.probes.findByAuth(first.authHash), undefined)
  t.equal(store.probes.findByAuth('former'), undefined)
  t.equal(store.probes.sighting(orgA, first.id), undefined)
  t.same(lost, [first.id])
  await store.write((tx) => store.probes.noteSighting(tx, first, sighting))
  t.equal(store.probes.sighting(orgA, first.id), undefined, 'a late sighting brings nothing back')
})

t.test('a damaged probe is not let in, hides no other, and can be deleted', async (t) => {
  const { store, lost } = await open(t)
  await damageRecords(store, 'probes', first.id)
  t.throws(() => store.probes.findByAuth(first.authHash), { code: 'damaged_record' })
  t.same(store.probes.listAt(orgA, locationNo(1), 5), [])
  t.same(idsAt(store, 1), [first.id], 'it still counts')
  await store.write((tx) => store.probes.discard(tx, orgA, first.id))
  t.same(idsAt(store, 1), [])
  t.equal(store.probes.findByAuth(first.authHash), undefined)
  t.equal(store.probes.findByAuth('former'), undefined)
  t.same(lost, [first.id])
  t.same(store.probes.findByAuth(elsewhere.authHash), elsewhere)
})

t.test('the probes of an organization go with it, also damaged ones', async (t) => {
  const { store, lost } = await open(t)
  await damageRecords(store, 'probes', elsewhere.id)
  await store.write((tx) => store.probes.forget(tx, orgA))
  t.same([...idsAt(store, 1), ...idsAt(store, 2)], [])
  t.equal(store.probes.findByAuth(elsewhere.authHash), undefined)
  t.equal(store.probes.sighting(orgA, elsewhere.id), undefined)
  t.same(lost.toSorted(), [first.id, elsewhere.id])
  t.same(store.probes.findByAuth(foreign.authHash), foreign, 'others keep theirs')
})
