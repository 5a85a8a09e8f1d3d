// Subscribers who confirmed elsewhere come along, are told without being asked, and stay away once they left.
import t, { type Test } from 'tap'
import type { Incident } from '../../../src/domain/incidents/incident.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { subscribersOfPageMax } from '../../../src/services/subscribers/subscriber-writer.ts'
import { callerOf } from '../../support/access.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { makePage, orgOne } from '../../support/make-page.ts'
import { startSubscriberWorld, told } from '../../support/subscriber-world.ts'

const page = makePage({ allowsSubscribers: true })
const scope = { caller: callerOf(), orgId: orgOne, role: 'owner' } as const
const row = (address: string, confirmedAt = '2025-03-01T09:30:00Z') =>
  `${address},${confirmedAt},status.acme.test\n`
const table = (...rows: readonly string[]) => `email,confirmedAt,source\n${rows.join('')}`

async function start(t: Test, options = {}) {
  const world = startSubscriberWorld(t, options)
  await world.putPage(page)
  world.news.start()
  const bring = (csv: string, more = {}) =>
    world.imports.importTable(scope, { csv, statusPageId: page.id, ...more })
  const tell = async (more: Partial<Incident> = {}) => {
    const nowMs = world.clock.nowMs()
    await world.putIncident(
      makeIncident({
        ...{ isDeclared: true, severity: 'declared', title: 'Payments fail' },
        ...{ monitorIds: [], startedAtMs: nowMs, confirmedAtMs: nowMs },
        timeline: [{ atMs: nowMs, kind: 'opened', message: 'x', isPublic: true, by: 'ann' }],
        ...more,
      }),
    )
    await told(world, 60_000)
  }
  const found = () => world.store.subscribers.list(orgOne, page.id, 100)
  return { ...world, bring, tell, found }
}

t.test('they hear without being asked, and each letter says why they get it', async (t) => {
  const { bring, tell, found, letters, store } = await start(t)
  const twice = table(row('Ann@r.test'), row('bob@r.test'), row('ann@r.test'))
  t.same(await bring(twice), { added: 2, known: 0, ended: 0, leftOut: 0 })
  t.same(letters(), [], 'nobody is asked')
  const confirmedAtMs = Date.UTC(2025, 2, 1, 9, 30)
  t.match(found(), [
    { state: 'active', confirmedAtMs, consent: { source: 'status.acme.test', importId: null } },
    { state: 'active' },
  ])
  await tell()
  const [letter] = letters()
  t.equal(letters().length, 2)
  t.match(letter?.letter.text, 'you confirmed it on 1 March 2025 (status.acme.test)')
  t.match(letter?.letter.text, /: https:\/\/up\.test\/subscriptions\/[^\s]+\/unsubscribe/)
  t.same(await bring(twice), { added: 0, known: 2, ended: 0, leftOut: 0 }, 'nothing is doubled')
  const [, entry] = store.audit.list(orgOne, 2)
  t.match(entry, { action: 'subscriber.imported', detail: '2 from status.acme.test' })
})

t.test('who left stays away, unless the consent elsewhere is a later one', async (t) => {
  const { bring, found, subscriptions, links, clock, store } = await start(t)
  await bring(table(row('ann@r.test')))
  const [ann] = found()
  if (!ann) return t.fail('nobody came')
  await subscriptions.leave(links.token(ann))
  t.same(found(), [])
  t.same(await bring(table(row('ann@r.test'))), { added: 0, known: 0, ended: 1, leftOut: 0 })
  await clock.advance(86_400_000)
  const leftMs = clock.nowMs() - 86_400_000
  const later = new Date(leftMs + 3_600_000).toISOString()
  t.match(await bring(table(row('ann@r.test', later))), { added: 1 })
  t.same(store.endedSubscriptions.of(orgOne, 'x'), [])

  // The page is deleted and made again: who left the first one left this one.
  const [again] = found()
  if (again) await subscriptions.leave(links.token(again))
  await store.write((tx) => store.pages.remove(tx, page, clock.nowMs()))
  const second = makePage({ ...page, id: 'pag_01k00000000000000000000099' as typeof page.id })
  await store.write((tx) => store.pages.put(tx, second, clock.nowMs()))
  t.match(await bring(table(row('ann@r.test', later)), { statusPageId: second.id }), { ended: 1 })
})

t.test('a row without a date or a source is refused by row, column and rule', async (t) => {
  const { bring, found } = await start(t)
  const csv = 'email,confirmedAt,source\nann@r.test,2025-03-01,here\nbob@r.test,,\n'
  const wrong = await bring(csv).catch((error: unknown) => error)
  t.match(wrong, {
    code: 'validation_failed',
    errors: [
      { pointer: '/csv', message: 'row 3: source must say where the address confirmed' },
      { message: 'row 3: confirmedAt must be a time such as 2026-03-29T02:30:00Z' },
    ],
  })
  t.same(found(), [], 'nobody came')
  const named = 'email,confirmedAt\nbob@r.test,2025-03-01\n'
  t.match(await bring(named, { consent: 'the form of our shop' }), { added: 1 })
  await t.rejects(bring(`email,confirmedAt,source,page\nx@r.test,2025-03-01,y,nowhere\n`), {
    errors: [{ message: 'row 2: page must be the id, slug or name of a status page' }],
  })
})

t.test('quotas, the size of a page and the operator bound what comes', async (t) => {
  let mayImport = true
  const world = await start(t, { mayImport: () => mayImport })
  const rows = Array.from({ length: subscribersOfPageMax + 1 }, (_, no) => row(`r${no}@r.test`))
  await t.rejects(world.bring(table(...rows)), { code: 'conflict' })
  mayImport = false
  await t.rejects(world.bring(table(row('ann@r.test'))), { code: 'forbidden' })
  t.same(world.found(), [])
  t.ok(limits.subscribersImportedByOrg.quota > 0)
})

t.test('whoever asked before and has not confirmed is confirmed by the consent', async (t) => {
  const { bring, found, subscriptions, letters } = await start(t)
  const wanted = { kind: 'email', address: 'ann@r.test', language: 'de', sectionNames: [] } as const
  await subscriptions.ask(page, wanted, '192.0.2.1')
  t.equal(letters().length, 1)
  t.match(await bring(table(row('ann@r.test'))), { added: 1 })
  t.match(found(), [{ state: 'active' }])
  t.equal(found().length, 1)
})
