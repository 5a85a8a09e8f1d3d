// The made-up company's page behind a real HTTP server, for browsers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { statusPages } from '../../src/http/public/pages/status-pages.ts'
import { createPageUrls } from '../../src/services/pages/page-urls.ts'
import { createPublicPages } from '../../src/services/pages/public-pages.ts'
import { openStore } from '../../src/store/store.ts'
import { FakeClock } from './fake-clock.ts'
import { startTestHttp } from './http.ts'
import { noonMs } from './make-page.ts'
import { type Scene, seedShownPage, shownSlug } from './shown-pages.ts'

function fail(error: unknown): never {
  throw error
}

/** Serves a scene at `/status/acme` of a free port, at noon of its day. */
export async function serveShownSite(scene: Scene, page: Parameters<typeof seedShownPage>[2] = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'stillup-shown-'))
  const clock = new FakeClock(noonMs)
  const store = openStore({
    dir: join(dir, 'db'),
    clock,
    commitDelayMs: 0,
    onFatal: fail,
    onError: fail,
  })
  await seedShownPage(store, scene, page)
  const baseUrl = 'http://127.0.0.1'
  const urls = createPageUrls({ store, baseUrl, statusDomain: null })
  const publicPages = createPublicPages({ store, clock, urls })
  const hosts = statusPages({ baseUrl, isBaseGuessed: false, isPageHost: urls.isPageHost })
  const site = { ...hosts, routes: [], forms: [] }
  const rawRoutes = hosts.routes
  const server = await startTestHttp({ clock, rawRoutes, site, services: { publicPages } })
  return {
    store,
    publicPages,
    clock,
    url: (path = '') => server.url(`/status/${shownSlug}${path}`),
    async stop(): Promise<void> {
      await server.stop()
      await store.close()
      rmSync(dir, { recursive: true })
    },
  }
}
