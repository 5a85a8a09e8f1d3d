// The guide in a real browser: read, searched by the keyboard alone, copied from.
import t from 'tap'
import { buildGuide } from '../../../scripts/guide/build.ts'
import { looksOf } from '../../support/axe.ts'
import { skipWithoutBrowser as skip, startBrowser } from '../../support/browser.ts'
import { startDaemon } from '../../support/daemon.ts'
import { isDeep } from '../../support/depth.ts'

t.test('the guide in a browser', { skip }, async (t) => {
  await buildGuide()
  const daemon = await startDaemon(t)
  const browser = await startBrowser(daemon.url)

  t.test('axe finds nothing, and nothing is too wide', async (t) => {
    const { page, complaints } = await browser.open(t)
    const look = await looksOf(page, { widthMin: 390 })
    // One of each kind: the overview, a page with tables and commands, and one from right to left.
    const paths = ['/guide', '/guide/install', '/guide/first-steps-ar']
    const more = ['/guide/alerts', '/guide/console', '/guide/first-steps-ja']
    for (const path of [...paths, ...(isDeep ? more : [])]) {
      await page.goto(path)
      await look(t, path)
    }
    await page.keyboard.press('/')
    await page.keyboard.type('backup')
    await page.locator('.found a').first().waitFor()
    await look(t, 'what was found')
    t.same(complaints, [])
  })

  t.test('a slash begins a search, and Enter opens what was found', async (t) => {
    const { page, complaints } = await browser.open(t)
    await page.goto('/guide/console')
    await page.keyboard.press('/')
    await page.keyboard.type('resore a bakup')
    await page.locator('.found a', { hasText: 'Restore' }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    const [, second] = await page.locator('.found a').all()
    t.equal(await second?.getAttribute('aria-selected'), 'true')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/guide\/backups#restore$/)
    await page.keyboard.press('/')
    await page.keyboard.type('xyzzy plugh')
    await page.locator('.found', { hasText: 'Nothing found' }).waitFor()
    await page.keyboard.press('Escape')
    t.equal(await page.locator('.found').isVisible(), false)
    t.same(complaints, [])
  })

  t.test('a command is copied as it stands', async (t) => {
    const { page } = await browser.open(t, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/guide/install')
    await page.locator('.copy').first().click()
    await page.locator('.copy', { hasText: 'Copied' }).waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), 'npm ci && npm start')
  })

  t.test('pages lead from one to the next', async (t) => {
    const { page } = await browser.open(t)
    await page.goto('/guide')
    await page.click('[rel=next]')
    await page.waitForURL(/\/guide\/first-steps$/)
    t.equal(await page.textContent('.pages [aria-current]'), 'First steps')
    await page.click('.languages [lang=de]')
    await page.waitForURL(/\/guide\/first-steps-de$/)
    t.equal(await page.textContent('h1'), 'Erste Schritte')
  })
})
