// Exports of status pages: complete, linked relatively, never outside their directory, and gone in time.
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import type { IncidentId, OrgId } from '../../../../src/base/ids.ts'
import { silentLog } from '../../../../src/base/log/log.ts'
import { noPictures, type StatusPage } from '../../../../src/domain/pages/page.ts'
import { withRelativeLinks } from '../../../../src/pages/export/relative-links.ts'
import { staticPage } from '../../../../src/pages/export/static-page.ts'
import {
  createPageExports,
  exportSliceMs,
} from '../../../../src/services/pages/export/page-exports.ts'
import { createPageUrls } from '../../../../src/services/pages/page-urls.ts'
import { createPublicPages } from '../../../../src/services/pages/public-pages.ts'
import { documentContext } from '../../../support/document-context.ts'
import { makeOrg } from '../../../support/make-org.ts'
import { makeMonitor, makePage, makePublicIncident } from '../../../support/make-page.ts'
import { pictureSample } from '../../../support/picture-files.ts'
import { seededPage } from '../../../support/seeded-pages.ts'
import { openTempStore } from '../../../support/temp-store.ts'

const incidentId = 'inc_01kzzzzzzzzzzzzzzzzzzzzzzz' as IncidentId

async function open(t: Test, settings: { exportDir?: string } = {}) {
  const { store, clock } = openTempStore(t)
  const urls = createPageUrls({ store, baseUrl: 'https://up.test', statusDomain: null })
  const publicPages = createPublicPages({ store, clock, urls })
  const { exportDir = null } = settings
  const exports = createPageExports({ store, clock, log: silentLog, publicPages, exportDir })
  const put = (page: Partial<StatusPage> = {}) =>
    store.write((tx) => store.pages.put(tx, makePage(page), clock.nowMs()))
  const monitor = makeMonitor()
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: monitor.orgId, createdAtMs: clock.nowMs() - 70 * 86_400_000 }))
    store.monitors.put(tx, monitor)
    const startedAtMs = clock.nowMs() - 3_600_000
    store.incidents.put(tx, makePublicIncident({ id: incidentId, startedAtMs }))
  })
  await put()
  return {
    store,
    clock,
    put,
    exportPage: (dir: string, isForced = false) => exports.exportPage('acme', dir, isForced),
    exportAll: () => exports.exportAll(new AbortController().signal),
    stop: () => exports.stop(),
  }
}

const filesIn = (dir: string) =>
  globSync('**/*', { cwd: dir }).filter((path) => statSync(join(dir, path)).isFile())

t.test('an export has every document, and each link in it leads to one of them', async (t) => {
  const { exportPage, clock } = await open(t)
  const dir = join(t.testdir(), 'made/page')
  const { files, changed } = await exportPage(dir)
  t.equal(changed, files)
  const found = filesIn(dir)
  const month = new Date(clock.nowMs()).toISOString().slice(0, 7)
  for (const path of [
    'index.html',
    'history.html',
    `history/${month}.html`,
    `incidents/${incidentId}.html`,
    'feed.atom',
    'feed.rss',
    'feed.json',
    'calendar.ics',
    'og.png',
    'widget.html',
    'badge.svg',
    `badge/${makeMonitor().id}.json`,
    `services/${makeMonitor().id}.html`,
    'api/v2/summary.json',
    'api/v2/scheduled-maintenances/active.json',
  ]) {
    t.ok(found.includes(path), path)
  }
  let links = 0
  for (const path of found.filter((name) => name.endsWith('.html'))) {
    const text = readFileSync(join(dir, path), 'utf8')
    t.notMatch(text, /_page_|<script|="\/(?!\/)/, path)
    for (const [, link = ''] of text.matchAll(/(?:href|src)="(?!https:|data:|#)([^"]*)"/g)) {
      links += 1
      t.ok(existsSync(join(dir, dirname(path), link)), `${path}: ${link}`)
    }
  }
  t.ok(links > 8, `${links} links`)
  t.equal(statSync(join(dir, 'index.html')).mode & 0o777, 0o644, 'web servers may read it')
  t.equal(statSync(join(dir, 'incidents')).mode & 0o777, 0o755)
})

t.test('an export has the pictures of the page', async (t) => {
  const { exportPage, store, put } = await open(t)
  const hash = '0123456789abcdef'
  const about = { format: 'png', widthPx: 24, heightPx: 16, hash } as const
  const bytes = pictureSample('png')
  await store.write((tx) => store.pages.putPicture(tx, makePage(), 'logo', bytes))
  await put({ pictures: { ...noPictures, logo: about } })
  const dir = join(t.testdir(), 'page')
  await exportPage(dir)
  t.ok(readFileSync(join(dir, `pictures/logo.${hash}.png`)).equals(bytes))
  t.match(readFileSync(join(dir, 'history.html'), 'utf8'), `src="pictures/logo.${hash}.png"`)
})

t.test('only what has changed is written again, and what is gone is removed', async (t) => {
  const { exportPage, store } = await open(t)
  const dir = join(t.testdir(), 'page')
  const { files } = await exportPage(dir)
  t.same(await exportPage(dir), { files, changed: 0 })
  writeFileSync(join(dir, 'robots.txt'), 'mine')
  await store.write((tx) => store.monitors.put(tx, makeMonitor({ isPublic: false })))
  t.ok((await exportPage(dir)).changed > 0)
  t.notOk(existsSync(join(dir, `badge/${makeMonitor().id}.svg`)))
  t.notOk(existsSync(join(dir, `incidents/${incidentId}.html`)))
  t.notMatch(readFileSync(join(dir, 'index.html'), 'utf8'), 'Website')
  t.equal(readFileSync(join(dir, 'robots.txt'), 'utf8'), 'mine', 'it is not ours')
})

t.test('nothing outside of the directory, and nothing of others, is written', async (t) => {
  const { exportPage, put } = await open(t)
  const outside = t.testdir({ full: { 'index.html': 'mine' }, elsewhere: {} })
  const full = join(outside, 'full')
  await t.rejects(exportPage(full), { code: 'conflict', message: /is not empty/ })
  t.equal(readFileSync(join(full, 'index.html'), 'utf8'), 'mine')
  await exportPage(full, true)
  t.match(readFileSync(join(full, 'index.html'), 'utf8'), 'Website')

  const linked = join(outside, 'linked')
  mkdirSync(linked)
  symlinkSync(join(outside, 'elsewhere'), join(linked, 'incidents'))
  symlinkSync(join(outside, 'elsewhere', 'stolen'), join(linked, 'index.html'))
  await t.rejects(exportPage(linked, true), { code: 'conflict', message: /not a directory/ })
  t.same(filesIn(join(outside, 'elsewhere')), [])

  await put({ passwordHash: '$argon2id$…' })
  await t.rejects(exportPage(full), { code: 'conflict', message: /password/ })
  await put({ isEnabled: false })
  await t.rejects(exportPage(full), { code: 'not_found' })
})

t.test(
  'with a directory set, changes are exported soon, and hidden pages are removed',
  async (t) => {
    const exportDir = join(t.testdir(), 'all')
    const { put, clock, exportAll, stop } = await open(t, { exportDir })
    const index = join(exportDir, 'acme/index.html')
    const settle = () => exportAll()
    t.match(await settle(), '1 of 1 pages written, 0 removed')
    t.match(await settle(), '0 of 1 pages written')
    await put({ title: 'New title' })
    await clock.advance(2_000)
    await settle()
    t.match(readFileSync(index, 'utf8'), 'New title')
    await put({ slug: 'renamed' })
    await settle()
    t.notOk(existsSync(join(exportDir, 'acme')))
    t.ok(existsSync(join(exportDir, 'renamed/index.html')))
    await put({ slug: 'renamed', passwordHash: '$argon2id$…' })
    t.match(await settle(), '0 of 0 pages written, 1 removed')
    t.same(filesIn(exportDir), [])
    await stop()
  },
)

t.test('organizations without an exported page leave time for other work', async (t) => {
  const exportDir = join(t.testdir(), 'all')
  const { store, clock, put, exportAll } = await open(t, { exportDir })
  await put({ passwordHash: '$argon2id$…' })
  const orgs = Array.from({ length: 20 }, (_, index) =>
    makeOrg({ id: `org_${String(index).padStart(26, '0')}` as OrgId }),
  )
  await store.write((tx) => {
    for (const org of orgs) store.orgs.put(tx, org)
  })
  // Each look at the clock finds that its time is used up.
  let monoMs = 0
  Object.assign(clock, { monoMs: () => (monoMs += exportSliceMs) })
  let turn = 0
  const turns = new Set<number>()
  const { list } = store.pages
  store.pages.list = (...range) => {
    setImmediate(() => (turn += 1))
    turns.add(turn)
    return list(...range)
  }
  await exportAll()
  t.equal(turns.size, orgs.length + 1, 'each is looked at in a turn of its own')
})

t.test('what was not exported is linked where the daemon serves it', async (t) => {
  const place = {
    path: 'history/2026-05.html',
    known: new Set(['index.html']),
    url: 'https://x.test',
  }
  const links = (markup: string) => withRelativeLinks(markup, place)
  t.equal(links('<a href="/_page_">'), '<a href="../index.html">')
  t.equal(links('<a href="/_page_/subscribe">'), '<a href="https://x.test/subscribe">')
  t.equal(links('<link href="/assets/a.css">'), '<link href="../assets/a.css">')
  t.equal(links('=&quot;/_page_&quot;'), '=&quot;/_page_&quot;', 'a text is no link')
})

t.test('no two files of an export have the same path', async (t) => {
  const view = seededPage({ monitors: 20, isOnFire: true, hasSections: true })
  const paths = [...staticPage(documentContext(view))].map(({ path }) => path)
  t.ok(paths.length > 50)
  t.same(paths.toSorted(), [...new Set(paths)].toSorted())
})
