// Does each task once in a real browser, and tells what it took.
import type { Browser } from 'playwright-core'
import { startSmtpInbox } from '../../test/support/smtp-inbox.ts'
import { nowMs } from '../pictures/shop.ts'
import type { ShopSite } from '../pictures/shop-site.ts'
import { createPerson, type Effort } from './person.ts'
import { type MailServer, tasks } from './tasks.ts'

export interface Measured extends Effort {
  readonly title: string
}

export async function measureTasks(browser: Browser, site: ShopSite): Promise<Measured[]> {
  const measured: Measured[] = []
  const mail = await startMailServer()
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: { width: 1_440, height: 1_200 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(60_000)
  await context.addCookies([{ name: 'auth-token', value: site.session, url: site.url }])
  await context.clock.setFixedTime(nowMs)
  for (const { title, prepare, run } of tasks) {
    // A tab of its own has no draft of the task before.
    const page = await context.newPage()
    await page.goto('/app')
    await page.locator('.monitor-row').first().waitFor()
    await prepare?.(page)
    const person = createPerson()
    await run(page, person, mail)
    measured.push({ title, ...person.effort() })
    await page.close()
  }
  await context.close()
  await mail.stop()
  return measured
}

export async function startMailServer(): Promise<MailServer & { stop(): Promise<void> }> {
  const inbox = await startSmtpInbox({ teardown() {} })
  return {
    address: `127.0.0.1:${inbox.port}`,
    async arrived(to) {
      await inbox.mailTo(to)
    },
    stop: () => inbox.close(),
  }
}
