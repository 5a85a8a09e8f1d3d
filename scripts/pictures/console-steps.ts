// What is done in a tab before a picture of the console is taken.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import type { ShopSite } from './shop-site.ts'

type Prepare = (page: Page, site: ShopSite) => Promise<void>

/** By the name of the picture. */
export const preparations: Readonly<Record<string, Prepare>> = {
  'console-monitor': showAnswer,
  'console-editor': tryNow,
  'console-incident': showAlerts,
  'console-wall': followWallLink,
}

async function showAnswer(page: Page): Promise<void> {
  await page.locator('.evidence summary').first().click()
}

async function showAlerts(page: Page): Promise<void> {
  for (const name of ['On call', "Ada's phone"]) {
    await page.locator('.told summary', { hasText: name }).click()
  }
}

async function followWallLink(page: Page): Promise<void> {
  await page.goto('/app')
  await page.getByRole('button', { name: 'Wall link' }).click()
  await page.goto(await page.getByRole('dialog').locator('code').innerText())
  await page.locator('.tile').first().waitFor()
}

/** A new monitor of a service of the shop, which answers other than the form expects. */
async function tryNow(page: Page, { clock }: ShopSite): Promise<void> {
  const target = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    setTimeout(() => {
      response.end('{"status":"degraded","warehouse":"Hamburg","items":1204,"ageSeconds":5}')
    }, 40)
  })
  target.listen(8_093, '127.0.0.1')
  await once(target, 'listening')
  let isOver = false
  const ticking = (async () => {
    while (!isOver) {
      await clock.advance(1)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  })()
  try {
    await page.fill('#field-url', 'http://stock.acme.example:8093/health')
    await page.fill('#field-name', 'Stock service')
    await page.locator('#field-name').blur()
    await page.getByText('What a good answer is like').click()
    await page.getByRole('button', { name: 'Add an assertion' }).click()
    await page.locator('form').getByLabel('Path').fill('$.status')
    await page.getByLabel('Value').fill('ok')
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.locator('.trial .evidence').waitFor()
  } finally {
    isOver = true
    await ticking
    target.close()
  }
}
