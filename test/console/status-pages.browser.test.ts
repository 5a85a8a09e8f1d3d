// Status pages in the console: made with two sections, put in order by keyboard, and read.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import t from 'tap'
import { noSharedWorkers, skipWithoutBrowser, startBrowser } from '../support/browser.ts'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'

const skip = skipWithoutBrowser

/** What axe finds in the console itself; the preview is tested as a page of its own. */
async function violationsIn(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe.source })
  return page.evaluate(
    `axe.run(document, {
      iframes: false,
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + nodes[0].failureSummary))`,
  ) as Promise<string[]>
}

t.test('status pages in the console', { skip }, async (t) => {
  const daemon = await startDaemon(t)
  const browser = await startBrowser(daemon.url)
  const owner = await registerWithKey(daemon, 'shop')
  const { org, key } = owner
  for (const name of ['Front page', 'Mail delivery']) {
    const json = { name, checkType: 'push', isPublic: true, intervalMinutes: 5 }
    await daemon.need('POST', `${org}/monitors`, { key, json })
  }
  const cookies = [{ name: 'auth-token', value: owner.cookie, url: daemon.url }]

  const { page } = await browser.open(t)
  await page.context().addCookies(cookies)
  await page.goto('/app/pages/new')
  await page.getByLabel(/^Name ·/).fill('Acme')
  for (const [at, section, monitor] of [
    [0, 'Shop', 'Front page'],
    [1, 'Office', 'Mail delivery'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a section' }).click()
    await page.getByLabel('Name of the section').nth(at).fill(section)
    await page.getByLabel(`Add a monitor: ${section}`).selectOption({ label: monitor })
  }
  const up = page.getByRole('button', { name: 'Move Office up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Office: 1 of 2').waitFor({ state: 'attached' })
  const preview = page.frameLocator('iframe')
  await preview.getByRole('heading', { name: 'Office' }).waitFor()
  await page.getByRole('button', { name: 'Create the page' }).click()
  await page.waitForURL(/\/app\/pages\/pag_/)
  const address = page.url()
  await page.goto('/status/acme')
  const text = await page.innerText('main')
  t.ok(text.indexOf('Office') < text.indexOf('Shop'), 'readers see the order')
  t.ok(text.includes('Office'))

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1440]) {
      const size = { colorScheme, viewport: { width, height: 900 } }
      const tab = await browser.open(t, size)
      await tab.page.context().addCookies(cookies)
      await tab.page.addInitScript(noSharedWorkers)
      for (const path of ['/app/pages', address, `${address}?tab=domain`]) {
        await tab.page.goto(path)
        await tab.page.getByRole('heading', { level: 1 }).waitFor()
        await tab.page.waitForLoadState('networkidle')
        t.same(await violationsIn(tab.page), [], `${path} ${colorScheme} ${width}`)
        const overhang = await tab.page.evaluate(
          'document.documentElement.scrollWidth - innerWidth',
        )
        t.ok(Number(overhang) <= 0, `${path} fits ${width}`)
      }
    }
  }

  const german = await browser.open(t, { locale: 'de-DE' })
  await german.page.context().addCookies(cookies)
  await german.page.goto('/app/pages')
  await german.page.getByRole('heading', { name: 'Statusseiten' }).waitFor()
})
