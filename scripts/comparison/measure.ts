// Does each task once in a real browser, and tells what it took.
import type { Browser } from 'playwright-core'
import { nowMs } from '../pictures/shop.ts'
import type { ShopSite } from '../pictures/shop-site.ts'
import { createPerson, type Effort } from './person.ts'
import { tasks } from './tasks.ts'

export interface Measured extends Effort {
  readonly title: string
}

export async function measureTasks(browser: Browser, site: ShopSite): Promise<Measured[]> {
  const measured: Measured[] = []
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: { width: 1_440, height: 1_200 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(60_000)
  await context.addCookies([{ name: 'auth-token', value: site.session, url: site.url }])
  await context.clock.setFixedTime(nowMs)
  for (const { title, run } of tasks) {
    // A tab of its own has no draft of the task before.
    const page = await context.newPage()
    await page.goto('/app')
    await page.locator('.monitor-row').first().waitFor()
    const person = createPerson()
    await run(page, person)
    measured.push({ title, ...person.effort() })
    await page.close()
  }
  await context.close()
  return measured
}
