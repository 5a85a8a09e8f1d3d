// The reference in a real browser: open to everybody, and of use.
import axe from 'axe-core'
import type { BrowserContext } from 'playwright-core'
import t from 'tap'
import { apiRoutes } from '../../../src/http/api/api.ts'
import { launchBrowser, skipWithoutBrowser } from '../../support/browser.ts'
import { registerWithKey } from '../../support/cast.ts'
import { startDaemon } from '../../support/daemon.ts'
import { until } from '../../support/until.ts'

const skip = skipWithoutBrowser

t.test('the reference and the problems in a browser', { skip }, async (t) => {
  const daemon = await startDaemon(t)
  const browser = await launchBrowser()
  t.teardown(() => browser.close())

  /** What a page asked of others, and what the browser refused of it. */
  function watch(context: BrowserContext): string[] {
    const seen: string[] = []
    context.on('request', (request) => {
      if (!/^data:/.test(request.url()) && !request.url().startsWith(daemon.url)) {
        seen.push(request.url())
      }
    })
    context.on('console', (message) => {
      if (message.type() === 'error') seen.push(message.text())
    })
    return seen
  }

  t.test('axe finds nothing, wide and light, narrow and dark', async (t) => {
    const paths = [
      ...['/docs', '/problems/target_not_allowed', '/docs/monitors.create'],
      ...['/docs/alert-channels.create', '/docs/auth.resetPassword'],
    ]
    const looks = [
      { colorScheme: 'light', width: 1_280 },
      { colorScheme: 'dark', width: 390 },
    ] as const
    for (const { colorScheme, width } of looks) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
      const seen = watch(context)
      const page = await context.newPage()
      for (const path of paths) {
        await page.goto(daemon.url + path)
        await page.evaluate(
          "document.querySelectorAll('details').forEach((one) => one.open = true)",
        )
        const session = await context.newCDPSession(page)
        // Not as a script of the page, which its policy would refuse.
        await session.send('Runtime.evaluate', { expression: axe.source })
        const found = await page.evaluate(
          'axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))',
        )
        t.same(found, [], `${path} ${colorScheme} ${width}`)
        const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        t.equal(overhang, 0, `${path} fits into ${width} pixels`)
      }
      t.same(seen, [])
      await context.close()
    }
  })

  t.test('an operation is found, tried with an API key, and answered', async (t) => {
    const { orgId, key } = await registerWithKey(daemon)
    const context = await browser.newContext()
    const seen = watch(context)
    const page = await context.newPage()
    await page.goto(`${daemon.url}/docs`)
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

    await page.goto(`${daemon.url}/docs/events.open`)
    t.equal(await page.inputValue('[name="path.orgId"]'), orgId, 'the tab remembers the ids')
    await page.click('button:text("Send")')
    await page.locator('[data-answer] [role=status]', { hasText: /^200/ }).waitFor()
    await page.click('button:text("Stop")')
    await page.locator('[data-answer] [role=status]', { hasText: /^Stopped$/ }).waitFor()
    t.same(seen, [])
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
