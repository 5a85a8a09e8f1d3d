// node scripts/pictures/every-page.ts FOLDER [PART…]: takes a picture of every page of the console and of the
// service, of made-up data, light and dark, on a desk and on a phone, for somebody to look at one by one.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { buildConsole } from '../console/build.ts'
import { startPictureBrowser } from './browser.ts'
import { nowMs } from './shop.ts'
import { type ShopSite, startShopSite } from './shop-site.ts'

/** By name; `<…>` names something of the shop, whose id stands in its place. */
const pages: Readonly<Record<string, string>> = {
  overview: '/app',
  'overview-tags': '/app?by=tag',
  'overview-cards': '/app?view=cards',
  'overview-map': '/app?view=map&by=tag',
  monitor: '/app/monitors/<Checkout API>',
  'monitor-up': '/app/monitors/<Orders database>',
  'monitor-push': '/app/monitors/<Nightly backup>',
  'monitor-new': '/app/monitors/new',
  'monitor-edit': '/app/monitors/<Checkout API>/edit',
  incidents: '/app/incidents',
  maintenance: '/app/maintenance',
  channels: '/app/channels',
  'channels-new': '/app/channels/new',
  'channels-new-webhook': '/app/channels/new?type=webhook',
  pages: '/app/pages',
  'pages-new': '/app/pages/new',
  people: '/app/people',
  system: '/app/system',
  'system-settings': '/app/system?tab=settings',
  profile: '/app/profile',
  import: '/app/import',
  missing: '/app/nothing',
  front: '/',
  'sign-in': '/sign-in',
  register: '/register',
  docs: '/docs',
}

/** Pages that are taken without a session. */
const forStrangers = new Set(['sign-in', 'register', 'docs'])

const sizes = { desk: { width: 1_440, height: 900 }, phone: { width: 390, height: 844 } }
const schemes = ['light', 'dark'] as const
/** All that a page asks for is there by then, and drawn. */
const drawnMs = 900

const [folder = '', ...parts] = process.argv.slice(2)
if (folder === '') throw new Error('usage: node scripts/pictures/every-page.ts FOLDER [PART…]')
mkdirSync(folder, { recursive: true })
const browser = await startPictureBrowser()
await buildConsole()
const site = await startShopSite()
for (const [name, path] of Object.entries(pages)) {
  for (const size of ['desk', 'phone'] as const) {
    for (const scheme of schemes) {
      const full = `${name}-${size}-${scheme}`
      if (parts.length > 0 && !parts.some((part) => full.includes(part))) continue
      await take(browser, site, { name, full, path, size, scheme })
    }
  }
}
await site.stop()
await browser.close()
process.exit()

interface Wanted {
  readonly name: string
  readonly full: string
  readonly path: string
  readonly size: keyof typeof sizes
  readonly scheme: (typeof schemes)[number]
}

async function take(browser: Browser, site: ShopSite, wanted: Wanted): Promise<void> {
  const { name, full, path, size, scheme } = wanted
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: sizes[size],
    isMobile: size === 'phone',
    hasTouch: size === 'phone',
    colorScheme: scheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  })
  if (!forStrangers.has(name)) {
    await context.addCookies([{ name: 'auth-token', value: site.session, url: site.url }])
  }
  const page = await context.newPage()
  await page.clock.setFixedTime(nowMs)
  await page.goto(path.replace(/<(.+)>/, (_, named: string) => site.ids.get(named) ?? ''))
  await page.locator('h1').first().waitFor()
  await page.waitForTimeout(drawnMs)
  const across = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  if (Number(across) > 0) process.stderr.write(`${full}: ${across} px wider than the window\n`)
  await page.screenshot({ path: join(folder, `${full}.png`), animations: 'disabled' })
  await context.close()
}
