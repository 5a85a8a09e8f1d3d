// The shop in a daemon of its own, whose time stands still: set up over the API like any other, then
// given its past.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, startApp } from '../../src/app/app.ts'
import type { ChannelId, IncidentId, OrgId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log/log.ts'
import { loadSettings, problemLine } from '../../src/config/load.ts'
import { createAlertLinks } from '../../src/seal/id-token.ts'
import { deriveKey, openKeyring } from '../../src/seal/keyring.ts'
import { createClient } from '../../test/support/api-client.ts'
import { password } from '../../test/support/cast.ts'
import { startDnsServer } from '../../test/support/dns-server.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { until } from '../../test/support/until.ts'
import { givePast } from './past.ts'
import * as shop from './shop.ts'

export interface ShopSite {
  readonly url: string
  readonly clock: FakeClock
  /** The value of the cookie of a session of its owner. */
  readonly session: string
  readonly orgId: OrgId
  /** Ids of what has a page, by name. */
  readonly ids: ReadonlyMap<string, string>
  /** The path of the page that an alert of an incident links to. */
  alertPath(incident: string, channel: string): string
  stop(): Promise<void>
}

export const email = 'ada@acme.example'

export interface ShopStory {
  /** For how long it has been watched. */
  readonly pastMs?: number
  /** Nothing is down, and all settings are made. */
  readonly isCalm?: boolean
}

export async function startShopSite(story: ShopStory = {}): Promise<ShopSite> {
  const { pastMs = shop.nowMs - shop.bornMs, isCalm = false } = story
  const bornMs = shop.nowMs - pastMs
  const dir = mkdtempSync(join(tmpdir(), 'stillup-shop-'))
  const dns = await startDnsServer({ 'stock.acme.example': ['127.0.0.1'] })
  const settings = settingsOf(join(dir, 'data'), dns.server, isCalm ? withMail : {})
  const before = await startAt(settings, bornMs)
  const made = await setUp(before.app)
  await before.stop()
  const lives = isCalm ? shop.calmMonitors : shop.monitors
  await givePast(join(dir, 'data'), { ...made, bornMs, lives })
  const now = await startAt(settings, shop.nowMs)
  const { need } = createClient(() => now.app.address)
  const { token } = await need('POST', '/auth/login', { json: { email, password } })
  const org = `/orgs/${made.orgId}`
  for (const json of shop.windows) {
    await need('POST', `${org}/maintenance-windows`, { cookie: token, json })
  }
  const ids = new Map(made.ids)
  const path = `${org}/monitors/${made.ids.get(shop.pausedName)}/pause`
  await need('POST', path, { cookie: token })
  const incidents = await need('GET', `${org}/incidents?limit=100`, { cookie: token })
  // The newest comes first, and keeps the name.
  for (const { title, id } of incidents) if (!ids.has(title)) ids.set(title, id)
  const keyring = openKeyring({
    file: join(dir, 'data', 'master.key'),
    create: false,
    random: randomBytes,
  })
  const alertLinks = createAlertLinks(deriveKey(keyring, 'alert links'))
  return {
    url: now.app.address,
    clock: now.clock,
    session: token,
    orgId: made.orgId,
    ids,
    alertPath(incident, channel) {
      const incidentId = ids.get(incident) as IncidentId
      const channelId = ids.get(channel) as ChannelId
      return `/alerts/${alertLinks.token({ orgId: made.orgId, incidentId, channelId })}`
    },
    async stop() {
      await now.stop()
      await dns.close()
      rmSync(dir, { recursive: true })
    },
  }
}

const withMail = { MAIL_SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'up@acme.example' }

function settingsOf(dataDir: string, nameServer: string, more: Readonly<Record<string, string>>) {
  const env = {
    ...more,
    DATA_DIR: dataDir,
    HTTP_LISTEN: '127.0.0.1:0',
    HTTP_RATE_API_PER_MINUTE: '0',
    HTTP_RATE_AUTH_PER_MINUTE: '0',
    HTTP_RATE_PAGE_PER_MINUTE: '0',
    CHECKS_TARGETS: 'any',
    AUTH_REGISTRATION: 'first-user',
    DNS_SERVERS: nameServer,
    OBSERVER_SENTINELS: 'off',
  }
  const named = Object.entries(env).map(([name, value]) => [`STILLUP_${name}`, value])
  const loaded = loadSettings({
    env: Object.fromEntries(named),
    cwd: dataDir,
    isTerminal: false,
  })
  if ('problems' in loaded) throw new Error(loaded.problems.map(problemLine).join('\n'))
  return loaded
}

async function startAt(settings: ReturnType<typeof settingsOf>, atMs: number) {
  const clock = new FakeClock(atMs)
  const running = Object.assign(clock, { stop() {} })
  const app = await startApp(settings, {
    clock: running,
    log: silentLog,
    version: '0.1.0',
    fail(error) {
      throw error
    },
  })
  await app.ready
  return {
    app,
    clock,
    async stop() {
      let isOver = false
      const stopping = app.stop().finally(() => {
        isOver = true
      })
      // What a stop waits for may wait for a timer.
      await until(async () => {
        await clock.advance(10)
        return isOver
      }, 30_000)
      await stopping
    },
  }
}

async function setUp(app: App) {
  const { need } = createClient(() => app.address)
  const setupToken = app.firstRun?.setupToken
  const {
    user,
    organization,
    token: cookie,
  } = await need('POST', '/auth/register', {
    json: { email, password, name: 'Ada', organizationName: 'Acme', setupToken },
  })
  const org = `/orgs/${organization.id}`
  const ids = new Map<string, string>()
  const make = async (
    path: string,
    json: { readonly name: string; readonly [field: string]: unknown },
  ) => {
    const { id } = await need('POST', `${org}/${path}`, { cookie, json })
    ids.set(json.name, id)
  }
  for (const channel of shop.channels) await make('alert-channels', channel)
  const idOf = (name: string) => ids.get(name) ?? ''
  for (const name of Object.keys(shop.places)) await make('locations', { name })
  for (const { body } of shop.monitors) {
    const { locations = [] } = body
    await make('monitors', { ...body, locations: locations.map(idOf) })
  }
  await make('status-pages', {
    name: 'Acme',
    slug: 'acme',
    title: 'Acme status',
    description: 'The state of our shop, checked every five minutes.',
    showResponseTimes: true,
    sections: [
      {
        name: 'Shop',
        monitorIds: ['Storefront', 'Checkout API', 'Search API', 'Payment webhooks'].map(idOf),
      },
      { name: 'Accounts', monitorIds: ['Sign-in', 'Help centre'].map(idOf) },
    ],
    theme: { accent: '#0f766e', mode: 'auto' },
  })
  const orgId = organization.id as OrgId
  return { orgId, userId: String(user.id), ids }
}
