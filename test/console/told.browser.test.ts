// Who was told of an incident, and who was not, why, and when that is tried again: on its page, on the
// page of an alert's link, above every page of the console, and before anything fails.
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { buildConsole } from '../../scripts/console/build.ts'
import { en } from '../../src/console/words/en/en.ts'
import { skipWithoutBrowser, startBrowser } from '../support/browser.ts'
import { mintKey, register } from '../support/cast.ts'
import { visit } from '../support/console-states.ts'
import { startDaemon } from '../support/daemon.ts'
import { until } from '../support/until.ts'

const skip = skipWithoutBrowser

t.test('who was told of an incident', { skip }, async (t) => {
  await buildConsole()
  const daemon = await startDaemon(t)
  const browser = await startBrowser(t, daemon.url)
  const owner = await register(daemon, 'ann', daemon.setupToken)
  const key = await mintKey(daemon, owner)
  const need = (method: string, path: string, json?: object) =>
    daemon.need(method, `${owner.org}${path}`, json ? { key, json } : { key })

  async function open(t: Test, locale = 'en-GB') {
    const tab = await browser.open(t, { locale })
    const cookie = { name: 'auth-token', value: owner.cookie, url: daemon.url }
    await tab.page.context().addCookies([cookie])
    return tab
  }

  await t.test('an update looks as readers of the status page see it', async (t) => {
    const { id } = await need('POST', '/incidents', { title: 'A full disk', isPublic: true })
    const message =
      '**Fixed** by:\n\n- more space\n- [notes](https://example.com/notes) <b onclick="x">'
    await need('POST', `/incidents/${id}/updates`, { message, isPublic: true })
    const { slug } = await need('POST', '/status-pages', { name: 'Shop', slug: 'shop' })
    const { page, complaints } = await open(t)
    await page.goto(`/status/${slug}/incidents/${id}`)
    const published = page.locator('.updates .prose', { hasText: 'more space' })
    const markup = await published.innerHTML()
    await visit(page, { path: `/app/incidents/${id}` }, en)
    const frame = page.frameLocator('.timeline iframe')
    await frame.locator('li', { hasText: 'more space' }).waitFor()
    t.equal(await frame.locator('.prose').innerHTML(), markup, 'the same as there')
    t.match(markup, '<strong>Fixed</strong>')
    t.equal(await frame.locator('b').count(), 0, 'HTML in it is text')
    t.notMatch(await page.locator('.timeline').first().innerText(), /\*\*|\]\(/)
    await until(async () => (await hiddenOf(page)) === 0)
    t.same(complaints, [])
  })
})

/** How many pixels of the document of the first frame are below its edge. */
const hiddenOf = (page: Page) =>
  page.evaluate('frames[0].document.documentElement.scrollHeight - frames[0].innerHeight')
