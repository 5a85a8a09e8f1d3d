// Public pages as they are served: found, fresh, forgotten in time, and cheap.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { newId } from '../../../src/base/ids.ts'
import type { HealthState } from '../../../src/domain/health/health.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import type { DocumentContext } from '../../../src/pages/view/public-page.ts'
import { percentText } from '../../../src/pages/wording.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { createPageUrls } from '../../../src/services/pages/page-urls.ts'
import { createPages, type NewPage } from '../../../src/services/pages/pages.ts'
import { createPublicPages } from '../../../src/services/pages/public-pages.ts'
import type { Store } from '../../../src/store/store.ts'
import { callerOf } from '../../support/access.ts'
import { openAddressChanges } from '../../support/address-changes.ts'
import { openCore } from '../../support/core.ts'
import { makeOrg } from '../../support/make-org.ts'
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
import { makeWindow } from '../../support/make-window.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { renderPage } from '../../support/render-page.ts'
import { leastMs } from '../../support/starvation.ts'
import { openTempStore } from '../../support/temp-store.ts'
import { until } from '../../support/until.ts'

const alice = { caller: callerOf(), orgId: orgOne, role: 'admin' } as OrgScope

const urlsOf = (store: Store) =>
  createPageUrls({ store, baseUrl: 'https://up.test', statusDomain: 'status.test' })

interface RenderCost {
  readonly tookMs: number
  readonly workedMs: number
}

/** Each rendering takes so long by the clock, and so much work. */
function startTicking({ tookMs, workedMs }: RenderCost) {
  let monoMs = 0
  let cpuMs = 0
  return { monoMs: () => (monoMs += tookMs), cpuMs: () => (cpuMs += workedMs) }
}

/** A page of one monitor, on such a clock. */
async function openTicking(t: Test, cost: RenderCost) {
  const { store } = openTempStore(t)
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: orgOne }))
    store.monitors.put(tx, makeMonitor())
    store.pages.put(tx, makePage(), noonMs)
  })
  const clock = startTicking(cost)
  return { store, publicPages: createPublicPages({ store, clock, urls: urlsOf(store) }) }
}

async function open(t: Test, input: Partial<NewPage> = {}) {
  const core = openCore(t)
  const { store, clock } = core
  const urls = urlsOf(store)
  const publicPages = createPublicPages({ store, clock, urls })
  const pages = createPages(core, {
    urls,
    addresses: openAddressChanges(),
    listsPages: () => true,
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
  const at = (nowMs: number) => renderPage(publicPages, { slug: 'acme' }, nowMs)
  const textAt = (nowMs: number) => Buffer.from(at(nowMs)?.plain ?? '').toString()
  return { store, pages, publicPages, page, setState, at, textAt }
}

t.test('a page is found by slug and by subdomain, and no other way', async (t) => {
  const { pages, publicPages, page, at } = await open(t)
  t.equal(renderPage(publicPages, { host: 'acme.status.test' }, noonMs), undefined)
  await pages.setSubdomain(alice, page.id, 'acme-live')
  t.ok(renderPage(publicPages, { host: 'acme-live.status.test' }, noonMs))
  t.ok(at(noonMs))
  for (const slug of ['', 'ACME', 'acme-live', 'x'.repeat(10_000), '../acme', '\u0000']) {
    t.equal(renderPage(publicPages, { slug }, noonMs), undefined)
  }
})

t.test('a document that is kept does not keep what it was made from', async (t) => {
  const { publicPages, pages } = await open(t)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const sources: WeakRef<object>[] = []
  const wanted = {
    key: 'large',
    language: null,
    root: '',
    make({ view, figures, reader }: DocumentContext) {
      sources.push(new WeakRef(view), new WeakRef(figures), new WeakRef(reader))
      return { contentType: 'text/plain', body: 'large '.repeat(10_000) }
    },
  }
  const kept: unknown[] = [publicPages.render({ slug: 'acme' }, wanted, noonMs)]
  // The last few are kept, because more is often made from them.
  for (const name of ['Two', 'Three', 'Four']) {
    const { slug } = await pages.create(alice, { name })
    kept.push(renderPage(publicPages, { slug }, noonMs))
  }
  await nextTurn()
  collect()
  t.equal(kept.includes(undefined), false)
  t.same(
    sources.map((source) => source.deref()),
    [undefined, undefined, undefined],
  )
})

t.test('the page is the same bytes until something changes, in each coding', async (t) => {
  const { at, textAt } = await open(t)
  const first = at(noonMs)!
  t.equal(at(noonMs + 29_999), first)
  const plain = textAt(noonMs)
  const codings = { gzip: true, br: true }
  t.match(first.take({ gzip: false, br: false }, 0), { coding: 'identity' })
  const early = first.take(codings, 0)
  t.equal(early.coding, 'gzip', 'there is no time for more yet')
  t.equal(gunzipSync(early.bytes).toString(), plain)
  t.match(first.take(codings, 2_000), { coding: 'gzip' }, 'the better one is on its way')
  await until(() => first.take(codings, 2_000).coding === 'br')
  const late = first.take(codings, 2_000)
  t.equal(brotliDecompressSync(late.bytes).toString(), plain)
  t.ok(late.bytes.length < early.bytes.length, 'and it is smaller')
  t.match(first.take({ gzip: true, br: false }, 2_000), early)
  t.equal(Buffer.from(first.plain).toString(), plain)
  t.equal(at(noonMs + 30_000)?.etag, first.etag, 'made anew, and the same')
  t.match(first.etag, /^W\/"[\w-]{22}"$/)
})

t.test(
  'an announced outage shows with the next request, any other half a minute later',
  async (t) => {
    const { at, textAt, setState, publicPages } = await open(t)
    t.match(textAt(noonMs), 'All systems operational')
    const { etag } = at(noonMs)!
    await setState('down')
    t.match(textAt(noonMs + 29_999), 'All systems operational')
    t.match(textAt(noonMs + 30_000), 'Major outage')
    t.not(at(noonMs + 30_000)?.etag, etag)
    await setState('up')
    publicPages.invalidate(orgOne)
    t.match(textAt(noonMs + 30_019), 'Major outage', 'but not more than fifty times a second')
    t.match(textAt(noonMs + 30_020), 'All systems operational')
    t.match(textAt(noonMs - dayMs), 'operational', 'a clock that is set back does no harm')
  },
)

t.test('a change that a page does not show is no new version of it', async (t) => {
  const { store, pages, page, at, setState, publicPages } = await open(t)
  const hidden = makeMonitor({ id: monitorNo(2), name: 'Hidden', isPublic: false })
  await store.write((tx) => store.monitors.put(tx, hidden))
  const first = at(noonMs)!
  await setState('down', hidden.id)
  publicPages.invalidate(orgOne)
  t.equal(at(noonMs + 1_000), first)
  t.equal(at(noonMs + 29_000), first)
  await setState('down')
  publicPages.invalidate(orgOne)
  const second = at(noonMs + 29_100)!
  t.not(second.version, first.version)
  await pages.change(alice, page.id, { description: 'More' })
  t.not(at(noonMs + 29_100)?.version, second.version, 'what its owner changes shows at once')
})

t.test('maintenance shows when it begins, although nothing else happens then', async (t) => {
  const { store, at, textAt } = await open(t)
  const times = { kind: 'once', startsAtMs: noonMs + 10_000, endsAtMs: noonMs + 15_000 } as const
  const window = makeWindow({ orgId: orgOne, isPublic: true, times })
  await store.write((tx) => store.windows.put(tx, window))
  const first = at(noonMs)
  t.equal(at(noonMs + 9_999), first)
  t.not(at(noonMs + 10_000), first)
  t.match(textAt(noonMs + 10_000), 'Under maintenance')
  t.match(textAt(noonMs + 15_000), 'All systems operational')
})

t.test('a storm of changes takes a tenth of the time', async (t) => {
  const costMs = 4
  // The machine runs other programs as well: that is no work, and makes no page older.
  const cost = { tookMs: 100 * costMs, workedMs: costMs }
  const { store, publicPages } = await openTicking(t, cost)
  /** The number of versions that a reader sees who looks each millisecond. */
  async function storm(fromMs: number, lengthMs: number) {
    const seen = new Set<string>()
    for (let nowMs = fromMs; nowMs < fromMs + lengthMs; nowMs += 1) {
      if (nowMs % 10 === 0) {
        const name = `Website ${nowMs}`
        await store.write((tx) => store.incidents.put(tx, makePublicIncident({ title: name })))
      }
      seen.add(renderPage(publicPages, { slug: 'acme' }, nowMs)!.etag)
    }
    return seen.size
  }
  const first = await storm(noonMs, 1_000)
  t.ok(first > 45 && first <= 51, `${first} in the first second`)
  await storm(noonMs + 1_000, 2_000)
  const later = await storm(noonMs + 3_000, 1_000)
  t.ok(later > 20 && later < 30, `${later} in a later one, in which each takes ${costMs} ms`)
})

t.test('who asks for ever new documents leaves time for the pages of others', async (t) => {
  const { store } = openTempStore(t)
  const other = newId('org', noonMs)
  await store.write((tx) => {
    for (const id of [orgOne, other]) store.orgs.put(tx, makeOrg({ id }))
    store.pages.put(tx, makePage(), noonMs)
    const page = makePage({ id: newId('page', noonMs), orgId: other, slug: 'other' })
    store.pages.put(tx, page, noonMs)
  })
  const ticking = startTicking({ tookMs: 4, workedMs: 4 })
  const publicPages = createPublicPages({ store, clock: ticking, urls: urlsOf(store) })
  const make = () => ({ contentType: 'text/plain', body: 'a badge' })
  let made = 0
  /** Whether a reader gets a document. */
  function isMade(slug: string, key: string, nowMs: number): boolean {
    try {
      const wanted = { key, language: null, root: '', make }
      publicPages.render({ slug }, wanted, nowMs)
      made += 1
      return true
    } catch (error) {
      if (error instanceof Fault && error.code === 'unavailable') return false
      throw error
    }
  }
  for (let ms = 0; ms < 10_000; ms += 1) isMade('acme', `badge ${ms}`, noonMs + ms)
  t.ok(made > 400 && made < 550, `${made} documents of 4 ms in 10 s`)
  const nowMs = noonMs + 10_000
  t.ok(isMade('acme', 'badge 0', nowMs), 'what was made before is served')
  t.ok(isMade('acme', 'badge 0', nowMs + 30_000))
  for (let ms = 0; ms < 5_000; ms += 1) isMade('acme', `label ${ms}`, nowMs + 30_000)
  t.notOk(isMade('acme', 'badge', nowMs + 30_000))
  t.ok(isMade('other', 'page', nowMs + 30_000), 'another organization has a share of its own')
  t.ok(isMade('acme', 'badge', noonMs - 3_600_000), 'a clock that was set back owes nothing')
})

t.test('a change shows soon on the page of which ever new documents are asked for', async (t) => {
  const { store, publicPages } = await openTicking(t, { tookMs: 4, workedMs: 4 })
  const read = (nowMs: number) => renderPage(publicPages, { slug: 'acme' }, nowMs)!.etag
  const badge = (key: string, nowMs: number) => {
    const make = () => ({ contentType: 'text/plain', body: key })
    try {
      publicPages.render({ slug: 'acme' }, { key, language: null, root: '', make }, nowMs)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
    }
  }
  for (const nameOf of [(ms: number) => `badge ${ms}`, (ms: number) => `badge ${ms % 3_000}`]) {
    let nowMs = noonMs
    const flood = (lengthMs: number) => {
      for (const endMs = nowMs + lengthMs; nowMs < endMs; nowMs += 1) badge(nameOf(nowMs), nowMs)
    }
    flood(60_000)
    for (let round = 0; round < 5; round += 1) {
      const before = read(nowMs)
      const title = `Website ${nameOf(nowMs)} ${round}`
      await store.write((tx) => store.incidents.put(tx, makePublicIncident({ title })))
      const changedMs = nowMs
      while (read(nowMs) === before && nowMs - changedMs < 60_000) flood(10)
      t.ok(nowMs - changedMs <= 100, `${nameOf(0)} ${round}: after ${nowMs - changedMs} ms`)
    }
  }
})

t.test('an outage grows on the page as in the API, even without reports', async (t) => {
  const world = startMonitorServices(t)
  const { store, clock, readings, push, done } = world
  const { monitor, token } = await addPush(world.world)
  await store.write((tx) => store.pages.put(tx, makePage(), clock.nowMs()))
  const publicPages = createPublicPages({ store, clock, urls: urlsOf(store) })
  const text = () => {
    const page = renderPage(publicPages, { slug: 'acme' }, clock.nowMs())
    return Buffer.from(page?.plain ?? '').toString()
  }
  await done(push.report(token, { status: 'ok' }))
  await clock.advance(200_000)
  await done(push.report(token, { status: 'error' }))
  t.match(text(), 'Major outage')
  for (const [passedMs, uptime, days] of [
    [30_000, '—', /<ul><li><b>[^<]+<\/b> 30 s down<\/li><\/ul>/],
    [170_000, '—', /<ul><li><b>[^<]+<\/b> 3 min down<\/li><\/ul>/],
    [dayMs, '0.23%', /<ul>(<li><b>[^<]+<\/b> [^<]+ down<\/li>){2}<\/ul>/],
  ] as const) {
    await clock.advance(passedMs)
    t.match(text(), `${uptime}</b><i>`)
    t.match(text(), days)
    const { '90d': ratio } = readings.uptime(monitor, world.monitorState(monitor))
    t.equal(uptime, ratio === null ? '—' : percentText(ratio), 'the API says the same')
  }
  t.notMatch(text(), /100%|No downtime in/)
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
    '</b> 2 h 24 min down</li>',
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
  t.ok(page.plain.length < 25_000, `${page.plain.length} bytes`)
  t.notMatch(
    Buffer.from(page.plain).toString(),
    /<script(?! src="\/assets\/)|javascript:|\son[a-z]+=/i,
  )
  const tookMs = leastMs(300, () => {
    for (let round = 0; round < 100_000; round += 1) at(noonMs)
  })
  const perSecond = 100_000 / (tookMs / 1_000)
  t.ok(perSecond > 300_000, `${Math.round(perSecond)} look-ups a second`)
})
