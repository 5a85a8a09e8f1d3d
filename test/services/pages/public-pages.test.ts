// Public pages as they are served: found, fresh, forgotten in time, and cheap.
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { HealthState } from '../../../src/domain/health/health.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { percentText } from '../../../src/pages/wording.ts'
import { createAudit } from '../../../src/services/audit/audit.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { createPages, type NewPage } from '../../../src/services/pages/pages.ts'
import { createPublicPages } from '../../../src/services/pages/public-pages.ts'
import { callerOf } from '../../support/access.ts'
import {
  dayMs,
  makeDay,
  makeHealth,
  makeMonitor,
  makePage,
  makePublicIncident,
  monitorNo,
  noonMs,
  orgOne,
} from '../../support/make-page.ts'
import { addPush } from '../../support/make-push.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { openQuotas } from '../../support/quotas.ts'
import { fairMs } from '../../support/starvation.ts'
import { openTempStore } from '../../support/temp-store.ts'

const alice = { caller: callerOf(), orgId: orgOne, role: 'admin' } as OrgScope

async function open(t: Test, input: Partial<NewPage> = {}) {
  const { store, clock } = openTempStore(t)
  const publicPages = createPublicPages({ store })
  const pages = createPages({
    store,
    clock,
    baseUrl: 'https://up.test',
    statusDomain: 'status.test',
    audit: createAudit({ store, clock }),
    quotas: openQuotas(store),
    listsPages: true,
    mustBeApproved() {},
  })
  const setState = (state: HealthState, id = monitorNo(1)) =>
    store.write((tx) => {
      const monitorState = {
        ...initialMonitorState(noonMs),
        tally: makeDay(0),
        health: makeHealth(state),
      }
      store.monitorStates.put(tx, orgOne, id, monitorState)
    })
  await store.write((tx) => store.monitors.put(tx, makeMonitor()))
  await setState('up')
  const page = await pages.create(alice, { name: 'Acme', ...input })
  const at = (nowMs: number) => publicPages.render({ slug: 'acme' }, nowMs)
  const textAt = (nowMs: number) => Buffer.from(at(nowMs)?.html ?? '').toString()
  return { store, pages, publicPages, page, setState, at, textAt }
}

t.test('a page is found by slug and by subdomain, and no other way', async (t) => {
  const { pages, publicPages, page, at } = await open(t)
  t.equal(publicPages.render({ subdomain: 'acme' }, noonMs), undefined)
  await pages.setSubdomain(alice, page.id, 'acme-live')
  t.ok(publicPages.render({ subdomain: 'acme-live' }, noonMs))
  t.ok(at(noonMs))
  for (const slug of ['', 'ACME', 'acme-live', 'x'.repeat(10_000), '../acme', '\u0000']) {
    t.equal(publicPages.render({ slug }, noonMs), undefined)
  }
})

t.test(
  'the page is the same bytes until something changes, and both encodings agree',
  async (t) => {
    const { at, textAt } = await open(t)
    const first = at(noonMs)
    t.equal(at(noonMs + 900), first)
    t.equal(gunzipSync(first!.gzip).toString(), textAt(noonMs))
    t.equal(at(noonMs + 2_000)?.etag, first?.etag, 'made anew, and the same')
    t.match(first?.etag, /^W\/"[\w-]{22}"$/)
  },
)

t.test('an outage shows within two seconds, and within one where it was announced', async (t) => {
  const { at, textAt, setState, publicPages } = await open(t)
  t.match(textAt(noonMs), 'All systems operational')
  const { etag } = at(noonMs)!
  await setState('down')
  t.match(textAt(noonMs + 1_999), 'All systems operational')
  t.match(textAt(noonMs + 2_000), 'Major outage')
  t.not(at(noonMs + 2_000)?.etag, etag)
  await setState('up')
  publicPages.invalidate(orgOne)
  t.match(textAt(noonMs + 2_999), 'Major outage', 'but not more than once a second')
  t.match(textAt(noonMs + 3_000), 'All systems operational')
  t.match(textAt(noonMs - dayMs), 'operational', 'a clock that is set back does no harm')
})

t.test('an outage grows on the page as in the API, even without reports', async (t) => {
  const world = startMonitorServices(t)
  const { store, clock, readings, push, done } = world
  const { monitor, token } = await addPush(world.world)
  await store.write((tx) => store.pages.put(tx, makePage(), clock.nowMs()))
  const publicPages = createPublicPages({ store })
  const text = () => {
    const page = publicPages.render({ slug: 'acme' }, clock.nowMs())
    return Buffer.from(page?.html ?? '').toString()
  }
  await done(push.report(token, { status: 'ok' }))
  await clock.advance(200_000)
  await done(push.report(token, { status: 'error' }))
  t.match(text(), 'Major outage')
  for (const [passedMs, uptime, summary] of [
    [2_000, '—', '2 s of downtime on the only day with data.'],
    [198_000, '—', '3 min of downtime on the only day with data.'],
    [dayMs, '0.23%', '1 d of downtime on 2 of 2 days with data.'],
  ] as const) {
    await clock.advance(passedMs)
    t.match(text(), `${uptime}</b> uptime`)
    t.match(text(), `<summary>${summary}</summary>`)
    const { '90d': ratio } = readings.uptime(monitor, world.monitorState(monitor))
    t.equal(uptime, ratio === null ? '—' : percentText(ratio), 'the API says the same')
  }
  t.notMatch(text(), /100%|No downtime/)
})

t.test('hidden, disabled, moved or deleted content is gone at once', async (t) => {
  const { pages, page, at, textAt, store } = await open(t, { title: 'Old' })
  t.match(textAt(noonMs), '<h1 dir="auto">Old</h1>')
  await pages.change(alice, page.id, { title: 'New' })
  t.match(textAt(noonMs), '<h1 dir="auto">New</h1>')
  await store.write((tx) => store.monitors.put(tx, makeMonitor({ isPublic: false })))
  t.notMatch(textAt(noonMs), 'Website')
  await pages.change(alice, page.id, { isEnabled: false })
  t.equal(at(noonMs), undefined)
  await pages.change(alice, page.id, { isEnabled: true })
  t.ok(at(noonMs))
  await pages.change(alice, page.id, { slug: 'elsewhere' })
  t.equal(at(noonMs), undefined)
  await pages.change(alice, page.id, { slug: 'acme' })
  t.ok(at(noonMs))
  await pages.remove(alice, page.id)
  t.equal(at(noonMs), undefined)
})

t.test('monitors, days and incidents come from the store', async (t) => {
  const { store, textAt } = await open(t)
  await store.write((tx) => {
    store.monitors.put(tx, makeMonitor({ id: monitorNo(2), name: 'Hidden', isPublic: false }))
    store.monitors.put(tx, makeMonitor({ id: monitorNo(3), name: 'Search' }))
    store.days.put(tx, orgOne, monitorNo(1), makeDay(1, 8_640_000))
    store.incidents.put(tx, makePublicIncident({ title: 'Checkout trouble' }))
  })
  const text = textAt(noonMs)
  for (const shown of [
    'Website',
    'Search',
    '95.00%',
    'Checkout trouble',
    '2 h 24 min down (90.00% up)',
  ]) {
    t.match(text, shown)
  }
  t.notMatch(text, 'Hidden')
})

t.test('a page of twenty monitors with a bad quarter is small and quick', async (t) => {
  const { store, at, setState } = await open(t)
  await store.write((tx) => {
    for (let number = 1; number <= 20; number += 1) {
      store.monitors.put(tx, makeMonitor({ id: monitorNo(number), name: `Service ${number}` }))
      for (let ago = 1; ago < 90; ago += 1) {
        const downMs = (ago * number) % 11 === 0 ? ago * 50_000 : 0
        store.days.put(tx, orgOne, monitorNo(number), makeDay(ago, downMs))
      }
    }
  })
  for (let number = 1; number <= 20; number += 1) await setState('up', monitorNo(number))
  const page = at(noonMs)!
  t.ok(page.html.length < 60_000, `${page.html.length} bytes`)
  t.notMatch(Buffer.from(page.html).toString(), /<script|javascript:|\son[a-z]+=/i)
  const startedAt = fairMs()
  for (let round = 0; round < 100_000; round += 1) at(noonMs)
  const perSecond = 100_000 / ((fairMs() - startedAt) / 1_000)
  t.ok(perSecond > 300_000, `${Math.round(perSecond)} look-ups a second`)
})
