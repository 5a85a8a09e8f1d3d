// Takes the pictures of the console.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type ConsolePicture, consolePictures } from '../../test/support/console-pictures.ts'
import { picturesDir } from '../../test/support/pictures.ts'
import { buildConsole } from '../console/build.ts'
import { preparations } from './console-steps.ts'
import { nowMs } from './shop.ts'
import { type ShopSite, startShopSite } from './shop-site.ts'

/** The place of the scroll bar, which is not in the picture. */
const gutter = 15
/** All that a page asks for is there by then, and drawn. */
const drawnMs = 1_000

export async function takeConsole(
  browser: Browser,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const wanted = consolePictures.filter(({ name }) => isWanted(name))
  if (wanted.length === 0) return
  await buildConsole()
  const site = await startShopSite()
  for (const picture of wanted) await take(browser, site, picture)
  await site.stop()
}

async function take(browser: Browser, site: ShopSite, picture: ConsolePicture): Promise<void> {
  const { name, path, width, height, scheme } = picture
  const isPhone = width < 500
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: { width: isPhone ? width : width + gutter, height },
    isMobile: isPhone,
    hasTouch: isPhone,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  })
  context.setDefaultTimeout(10_000)
  await context.addCookies([{ name: 'auth-token', value: site.session, url: site.url }])
  const page = await context.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  await page.clock.setFixedTime(nowMs)
  await page.goto(`/app${path.replace(/<(.+)>/, (_, named: string) => site.ids.get(named) ?? '')}`)
  await page.locator('h1').first().waitFor()
  await settled(page)
  await preparations[name]?.(page, site)
  await settled(page)
  // The wall has no mark of its connection.
  if (path !== '/wall') await page.locator('.connection.is-live').waitFor({ state: 'attached' })
  await page.screenshot({
    path: join(picturesDir, `${name}.png`),
    clip: { x: 0, y: 0, width, height },
    animations: 'disabled',
  })
  await context.close()
}

async function settled(page: Page): Promise<void> {
  // The event stream stays open, so that the network is never idle.
  await page.waitForTimeout(drawnMs)
}
