// Readers who follow a page: told at once, in good order, and not too many of them.
import t, { type Test } from 'tap'
import { required } from '../../../src/base/assert.ts'
import { Fault } from '../../../src/base/fault.ts'
import { pageResources } from '../../../src/http/public/pages/page-resources.ts'
import {
  createPageStreams,
  pageStreamBeatMs,
  pageStreamsPerCallerMax,
  pageStreamsTogether,
} from '../../../src/services/pages/page-streams.ts'
import { createPageUrls } from '../../../src/services/pages/page-urls.ts'
import { createPublicPages, pageRenderGapMs } from '../../../src/services/pages/public-pages.ts'
import { makeOrg } from '../../support/make-org.ts'
import { makeMonitor, makePage, makePublicIncident, orgOne } from '../../support/make-page.ts'
import { noRequest } from '../../support/render-page.ts'
import { openTempStore } from '../../support/temp-store.ts'

const address = { slug: 'acme' }
const wanted = {
  ...required(pageResources[0].wanted(noRequest)),
  language: null,
  root: '/status/acme',
}

async function open(t: Test, streamsMax = 100) {
  const { store, clock } = openTempStore(t)
  const urls = createPageUrls({ store, baseUrl: 'https://up.test', statusDomain: null })
  const publicPages = createPublicPages({ store, clock, urls })
  const streams = createPageStreams({ clock, publicPages, streamsMax })
  t.teardown(() => streams.stop())
  const putPage = (page: Parameters<typeof makePage>[0] = {}) =>
    store.write((tx) => store.pages.put(tx, makePage(page), clock.nowMs()))
  const putIncident = (title: string) =>
    store.write((tx) => {
      const startedAtMs = clock.nowMs() - 60_000
      store.incidents.put(tx, makePublicIncident({ title, startedAtMs, resolvedAtMs: null }))
    })
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: orgOne }))
    store.monitors.put(tx, makeMonitor())
  })
  await putPage()
  await clock.advance(1)

  /** A reader that writes down what it is told. */
  function read(caller = 'one', lastVersion = '') {
    const told: string[] = []
    const opened = streams.follow(
      address,
      wanted,
      { caller, lastVersion },
      {
        tell: (etag) => void told.push(etag),
        beat: () => void told.push('beat'),
        end: () => void told.push('end'),
      },
    )
    return { told, opened: required(opened) }
  }
  const etag = () => publicPages.render(address, wanted, clock.nowMs())?.etag
  return { store, clock, publicPages, streams, putPage, putIncident, read, etag }
}

t.test('a reader is told of a change at once, once, and by its new tag', async (t) => {
  const { clock, putIncident, read, etag, publicPages } = await open(t)
  const { told } = read()
  await clock.advance(1_000)
  await putIncident('Checkout is slow')
  await clock.advance(0)
  t.same(told, [etag()])
  publicPages.invalidate(orgOne)
  await clock.advance(1_000)
  t.equal(told.length, 1, 'what does not show is not told')
  await putIncident('Checkout is down')
  await clock.advance(20)
  t.same(told.slice(1), [etag()])
  t.not(told[0], told[1])
})

t.test('what follows too soon is told a little later', async (t) => {
  const { clock, putIncident, read, etag } = await open(t)
  const { told } = read()
  await clock.advance(1_000)
  await putIncident('One')
  await clock.advance(0)
  await putIncident('Two')
  await clock.advance(0)
  t.equal(told.length, 1)
  await clock.advance(pageRenderGapMs)
  t.same(told.at(-1), etag())
  t.equal(told.length, 2)
})

t.test('whoever comes is told the newest, and who comes back what was missed', async (t) => {
  const { clock, putIncident, read, etag } = await open(t)
  const first = read().opened
  t.equal(first.etag, etag())
  await clock.advance(60_000)
  t.equal(read().opened.etag, etag(), 'the copy of a cache may be old')
  t.equal(read('one', first.version).opened.etag, undefined)
  await putIncident('Missed')
  await clock.advance(60_000)
  t.equal(read('one', first.version).opened.etag, etag())
})

t.test('a quiet stream beats, and a reader who left is told nothing', async (t) => {
  const { clock, putIncident, read, streams } = await open(t)
  const { told } = read()
  const gone = read()
  gone.opened.leave()
  gone.opened.leave()
  t.equal(streams.size(), 1)
  await clock.advance(pageStreamBeatMs)
  t.same(told, ['beat'])
  await putIncident('Later')
  await clock.advance(1_000)
  t.same(gone.told, [])
})

t.test('streams end when the page is disabled, protected, moved or deleted', async (t) => {
  for (const change of [
    { isEnabled: false },
    { passwordHash: '$argon2id$' },
    { slug: 'elsewhere' },
  ]) {
    const { clock, read, putPage, streams } = await open(t)
    const { told } = read()
    await putPage({ title: 'Another title' })
    await clock.advance(1_000)
    t.equal(told.length, 1)
    await putPage(change)
    await clock.advance(1_000)
    t.equal(told.at(-1), 'end', JSON.stringify(change))
    t.equal(streams.size(), 0)
  }
  const { store, clock, read } = await open(t)
  const { told } = read()
  await store.write((tx) => store.pages.remove(tx, makePage(), clock.nowMs()))
  await clock.advance(1_000)
  t.same(told, ['end'])
})

t.test('one caller, one page and all together have bounds, with a time to ask again', async (t) => {
  const { read } = await open(t, 100)
  const refused = (error: unknown) =>
    error instanceof Fault &&
    error.code === 'unavailable' &&
    error.headers[0]?.[0] === 'Retry-After'
  function readUntilRefused(caller: string): number {
    for (let count = 0; ; count += 1) {
      try {
        read(caller)
      } catch (error) {
        t.ok(refused(error))
        return count
      }
    }
  }
  t.equal(readUntilRefused('one'), pageStreamsPerCallerMax)
  t.equal(readUntilRefused(''), 50 - pageStreamsPerCallerMax, 'the page has its share')
})

t.test('ten thousand readers are told within a second, a few hundred at a time', async (t) => {
  const { clock, putIncident, read } = await open(t, 20_000)
  const readers = Array.from({ length: 10_000 }, () => read(''))
  await clock.advance(1_000)
  await putIncident('Everything is down')
  const toldCount = () => readers.filter(({ told }) => told.length > 0).length
  await clock.advance(0)
  t.equal(toldCount(), pageStreamsTogether)
  await clock.advance(500)
  const halfway = toldCount()
  t.ok(halfway > 4_000 && halfway < 6_500, `${halfway} after half a second`)
  await clock.advance(500)
  t.equal(toldCount(), 10_000)
  t.ok(readers.every(({ told }) => told.length === 1))
})
