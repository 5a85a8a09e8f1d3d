// The reference in a real browser: open to everybody, and of use.
import t from 'tap'
import { apiRoutes } from '../../../src/http/api/api.ts'
import { looksOf } from '../../support/axe.ts'
import { skipWithoutBrowser as skip, startBrowser } from '../../support/browser.ts'
import { registerWithKey } from '../../support/cast.ts'
import { openDetails } from '../../support/console-states.ts'
import { startDaemon } from '../../support/daemon.ts'
import { isDeep } from '../../support/depth.ts'
import { until } from '../../support/until.ts'

t.test('the reference and the problems in a browser', { skip }, async (t) => {
  const daemon = await startDaemon(t)
  const browser = await startBrowser(daemon.url)

  t.test('axe finds nothing, and nothing is too wide', async (t) => {
    const paths = [
      ...['/docs', '/problems/target_not_allowed', '/docs/monitors.create'],
      '/docs/auth.resetPassword',
      // The longest, of the same parts as that of monitors.
      ...(isDeep ? ['/docs/alert-channels.create'] : []),
    ]
    const { page, complaints } = await browser.open(t)
    const look = await looksOf(page, { widthMin: 390 })
    for (const path of paths) {
      await page.goto(path)
      await openDetails(page)
      await look(t, path)
    }
    t.same(complaints, [])
  })

  t.test('an operation is found, tried with an API key, and answered', async (t) => {
    const { orgId, key } = await registerWithKey(daemon)
    const { page, complaints } = await browser.open(t)
    await page.goto('/docs')
    await page.fill('#filter', 'post create monitor')
    t.match(await page.textContent('#found'), /^\d+ found$/)
    await page.click('a:visible:text-is("Create a monitor")')
    await page.fill('[name=key]', key)
    await page.fill('[name="path.orgId"]', orgId)
    await page.click('button:text("Send")')
    // It is shown while it comes, and indented at its end.
    const text = await until(async () => {
      const shown = await page.textContent('[data-body]')
      return shown?.endsWith('\n}') && shown
    })
    // It is shown as it arrives, and whole once nothing is left to stop.
    await page.locator('button:text("Stop")').waitFor({ state: 'hidden' })
    t.match(await page.textContent('[data-answer] [role=status]'), /^200, after \d+ ms, req_/)
    const answer = JSON.parse(text)
    t.match(answer, { success: true, data: { name: 'Shop: front page' } })

    await page.goto('/docs/events.open')
    t.equal(await page.inputValue('[name="path.orgId"]'), orgId, 'the tab remembers the ids')
    await page.click('button:text("Send")')
    await page.locator('[data-answer] [role=status]', { hasText: /^200/ }).waitFor()
    await page.click('button:text("Stop")')
    await page.locator('[data-answer] [role=status]', { hasText: /^Stopped$/ }).waitFor()
    t.same(complaints, [])
  })

  t.test('every operation has a page', async (t) => {
    for (const { name, spec } of apiRoutes) {
      const response = await fetch(`${daemon.url}/docs/${name}`)
      t.equal(response.status, 200, name)
      const text = await response.text()
      t.notMatch(text, />undefined<|\[object|NaN/, name)
      t.equal(
        text.includes('<h2 id="body">'),
        spec.body !== undefined && !name.endsWith('ByGet'),
        name,
      )
    }
  })
})
