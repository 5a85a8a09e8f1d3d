// node scripts/pictures/every-page.ts FOLDER [PART…]: takes a picture of every page of the console and of the
// service, of made-up data, light and dark, on a desk and on a phone, for somebody to look at one by one: of a
// morning on which something is down, of a calm one, and of an organization that has nothing yet. A part of a
// name takes only those: node scripts/pictures/every-page.ts FOLDER calm-overview fire-monitor-desk
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { pageLooks } from '../../src/domain/pages/page.ts'
import { hotp, totpStep } from '../../src/domain/sign-in/totp.ts'
import { createClient } from '../../test/support/api-client.ts'
import { password } from '../../test/support/cast.ts'
import { buildConsole } from '../console/build.ts'
import { ensureGuide } from '../guide/build.ts'
import { startPictureBrowser } from './browser.ts'
import { preparations } from './console-steps.ts'
import { checkout, nowMs } from './shop.ts'
import { email, type ShopSite, type ShopStory, startShopSite } from './shop-site.ts'

/** By name; `<…>` names something of the shop, whose id stands in its place. */
const shopPages: Readonly<Record<string, string>> = {
  'overview-tags': '/app?by=tag',
  'overview-cards': '/app?view=cards',
  'overview-map': '/app?view=map&by=tag',
  monitor: `/app/monitors/<${checkout}>`,
  'monitor-up': '/app/monitors/<Orders database>',
  'monitor-push': '/app/monitors/<Nightly backup>',
  'monitor-paused': '/app/monitors/<Staging>',
  incident: `/app/incidents/<${checkout} is down>`,
  channel: '/app/channels/<#shop-alerts>',
  page: '/app/pages/<Acme>',
  'page-subscribers': '/app/pages/<Acme>?tab=subscribers',
  'page-domain': '/app/pages/<Acme>?tab=domain',
  wall: '/app',
  report: `/api/v1/orgs/<org>/monitors/<${checkout}>/report.html?month=2026-09`,
  status: '/status/acme',
  'status-history': '/status/acme/history',
  'status-incident': `/status/acme/incidents/<${checkout} is down>`,
  'status-service': `/status/acme/services/<${checkout}>`,
  'status-subscribe': '/status/acme/subscribe',
  ...Object.fromEntries(pageLooks.map((look) => [`status-${look}`, `/status/${look}`])),
}

const listPages: Readonly<Record<string, string>> = {
  overview: '/app',
  incidents: '/app/incidents',
  maintenance: '/app/maintenance',
  locations: '/app/locations',
  channels: '/app/channels',
  pages: '/app/pages',
  people: '/app/people',
  'people-invites': '/app/people?tab=invites',
  'people-keys': '/app/people?tab=keys',
  'people-audit': '/app/people?tab=audit',
  system: '/app/system',
  front: '/',
}

const otherPages: Readonly<Record<string, string>> = {
  'monitor-new': '/app/monitors/new',
  'monitor-edit': `/app/monitors/<${checkout}>/edit`,
  'channels-new': '/app/channels/new',
  'channels-new-webhook': '/app/channels/new?type=webhook',
  'pages-new': '/app/pages/new',
  'people-organization': '/app/people?tab=organization',
  'organization-new': '/app/organizations/new',
  ...Object.fromEntries(
    ['settings', 'tasks', 'backups', 'errors', 'users', 'organizations', 'kyc'].map((tab) => [
      `system-${tab}`,
      `/app/system?tab=${tab}`,
    ]),
  ),
  profile: '/app/profile',
  import: '/app/import',
  setup: '/app/setup',
  missing: '/app/nothing',
  palette: '/app',
  keys: '/app',
  bell: '/app',
  declare: '/app/incidents',
  plan: '/app/maintenance',
  stranger: '/',
  alert: '/alerts',
  'sign-in': '/sign-in',
  register: '/register',
  code: '/sign-in',
  docs: '/docs',
  'docs-operation': '/docs/monitors.create',
  problems: '/problems',
  guide: '/guide/',
}

/** Pages that are taken without a session. */
const forStrangers = new Set(
  'sign-in register docs docs-operation problems guide stranger code'.split(' '),
)

/** What is done in a tab before its picture is taken, by the name of the page. */
const acts: Readonly<Record<string, (page: Page, site: ShopSite) => Promise<unknown>>> = {
  wall: async (page, site) => preparations['console-wall']?.(page, site),
  alert: (page, site) => page.goto(site.alertPath(`${checkout} is down`, '#shop-alerts')),
  palette: (page) => page.keyboard.press('Control+k'),
  keys: (page) => page.keyboard.press('?'),
  async bell(page) {
    const menu = page.locator('.menu-button')
    if (await menu.isVisible()) await menu.click()
    await page.locator('.side-choice > button', { hasText: 'What happened' }).click()
  },
  declare: (page) => page.locator('.page-head button').click(),
  plan: (page) => page.locator('.page-head button').click(),
  async code(page) {
    await page.getByLabel('E-mail').first().fill(email)
    await page.getByLabel('Password').first().fill(password)
    await page.getByLabel('Password').first().press('Enter')
    await page.getByText('authenticator').first().waitFor()
  },
}

interface World extends ShopStory {
  readonly pages: Readonly<Record<string, string>>
  /** Shown in place of the shop: an organization that was just made. */
  readonly isEmpty?: boolean
}

const worlds: Readonly<Record<string, World>> = {
  fire: { pages: { ...listPages, ...shopPages, ...otherPages } },
  calm: { pages: { ...listPages, ...shopPages }, isCalm: true },
  empty: { pages: listPages, isCalm: true, isEmpty: true, pastMs: 24 * 3_600_000 },
}

const sizes = { desk: { width: 1_440, height: 900 }, phone: { width: 390, height: 844 } }
/** A longer page is cut there. */
const heightMax = 2_600
const schemes = ['light', 'dark'] as const
/** All that a page asks for is there by then, and drawn. */
const drawnMs = 900

const [folder = '', ...parts] = process.argv.slice(2)
if (folder === '') throw new Error('usage: node scripts/pictures/every-page.ts FOLDER [PART…]')
mkdirSync(folder, { recursive: true })
const browser = await startPictureBrowser()
await buildConsole()
await ensureGuide()
for (const [world, { pages, isEmpty = false, ...story }] of Object.entries(worlds)) {
  const wanted = Object.entries(pages)
    .flatMap(([name, path]) =>
      (['desk', 'phone'] as const).flatMap((size) =>
        schemes.map((scheme) => {
          const full = `${world}-${name}-${size}-${scheme}`
          return { name, full, path, size, scheme }
        }),
      ),
    )
    .filter(({ full }) => parts.length === 0 || parts.some((part) => full.includes(part)))
  if (wanted.length === 0) continue
  const site = await startShopSite(story)
  const orgId = await setUp(site, isEmpty)
  for (const one of wanted) {
    await take(browser, site, isEmpty ? { ...one, path: inOrg(one.path, orgId) } : one)
  }
  await site.stop()
}
await browser.close()
process.exit()

function inOrg(path: string, orgId: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}org=${orgId}`
}

/** What the pictures show besides the shop. Answers the organization that they show. */
async function setUp({ url, session, orgId, ids }: ShopSite, isEmpty: boolean): Promise<string> {
  const { need } = createClient(() => url)
  const as = { cookie: session }
  if (isEmpty) return (await need('POST', '/orgs', { ...as, json: { name: 'Umbrella' } })).id
  const monitorIds = [checkout, 'Storefront', 'Search API', 'Sign-in'].map((name) => ids.get(name))
  const sections = [{ name: 'Shop', monitorIds }]
  for (const look of pageLooks) {
    const json = { name: look, slug: look, look, showResponseTimes: true, sections }
    await need('POST', `/orgs/${orgId}/status-pages`, { ...as, json })
  }
  const { secret } = await need('POST', '/auth/totp', as)
  const bits = [...secret].map((digit) => {
    const value = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit)
    return value.toString(2).padStart(5, '0')
  })
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const code = hotp(Uint8Array.from(bytes), totpStep(nowMs))
  await need('POST', '/auth/totp/confirm', { ...as, json: { code } })
  return orgId
}

interface Wanted {
  readonly name: string
  readonly full: string
  readonly path: string
  readonly size: keyof typeof sizes
  readonly scheme: (typeof schemes)[number]
}

async function take(browser: Browser, site: ShopSite, wanted: Wanted): Promise<void> {
  const { name, full, path, size, scheme } = wanted
  const { width, height } = sizes[size]
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: { width, height },
    isMobile: size === 'phone',
    hasTouch: size === 'phone',
    colorScheme: scheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  })
  context.setDefaultTimeout(10_000)
  if (!forStrangers.has(name)) {
    await context.addCookies([{ name: 'auth-token', value: site.session, url: site.url }])
  }
  const page = await context.newPage()
  await page.clock.setFixedTime(nowMs)
  const idOf = (_: string, named: string) =>
    named === 'org' ? site.orgId : (site.ids.get(named) ?? '')
  try {
    await page.goto(path.replace(/<(.+?)>/g, idOf))
    await page.locator('h1').first().waitFor()
    await acts[name]?.(page, site)
    await page.waitForTimeout(drawnMs)
    const across = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    const down = Number(await page.evaluate('document.documentElement.scrollHeight'))
    if (across > 0) process.stderr.write(`${full}: ${across} px wider than the window\n`)
    await page.setViewportSize({ width, height: Math.min(Math.max(height, down), heightMax) })
    await page.waitForTimeout(drawnMs / 3)
    await page.screenshot({ path: join(folder, `${full}.png`), animations: 'disabled' })
  } catch (error) {
    process.stderr.write(`${full}: ${String(error)}\n`)
  }
  await context.close()
}
