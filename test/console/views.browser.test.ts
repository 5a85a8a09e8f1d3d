// How the overview shows monitors: groups that fold, cards, tiles, columns, and views with a name.
import t from 'tap'
import { consoleTexts } from '../../scripts/console/texts.ts'
import { catalogueIn } from '../../src/console/words/catalogue.ts'
import { axeIn } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import { until } from '../support/until.ts'

t.test('views of the overview', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, ann)
  const job = (name: string, tags: readonly string[]) =>
    need('POST', '/monitors', { name, checkType: 'push', intervalMinutes: 5, tags })
  const { pushUrl } = await job('Web', ['shop/web'])
  await job('Cart', ['shop/api'])
  await job('Backup', ['nightly'])
  await fetch(`${pushUrl}/1`, { method: 'POST', body: 'no space left' })
  const { page, complaints } = await show('/app', ann)
  const choose = async (menu: string, item: string) => {
    await page.getByRole('button', { name: menu, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const link = (name: string) => page.locator('.monitor-list').getByRole('link', { name })

  await t.test('groups fold with their worst state, and stay folded', async (t) => {
    await page.getByRole('button', { name: en.overview.display.open }).click()
    await page.getByRole('menuitemcheckbox', { name: en.overview.groupByTag }).click()
    await page.keyboard.press('Escape')
    const head = page.locator('.group button', { hasText: 'shop' }).first()
    await head.getByText(en.common.states.down).waitFor({ state: 'attached' })
    t.match(await head.innerText(), /1 of 2/)
    t.equal(await link('Web').count(), 1)
    await head.click()
    await link('Web').waitFor({ state: 'detached' })
    await page.reload()
    await link('Backup').waitFor()
    t.equal(await head.getAttribute('aria-expanded'), 'false')
    await head.press('Enter')
    await link('Web').waitFor()
  })

  await t.test(
    'cards and tiles lead where rows do, and the keyboard goes through them',
    async (t) => {
      for (const view of ['cards', 'map'] as const) {
        await choose(en.overview.display.open, en.overview.display.views[view])
        await page.locator('.cells').first().waitFor()
        t.same(await (await axeIn(page))(), [], view)
        await page.locator('h1').click()
        await page.keyboard.press('j')
        await page.keyboard.press('j')
        await until(async () => (await page.locator('[aria-current=true]:focus').count()) === 1)
        await page.keyboard.press('x')
        await page.getByText(en.overview.bulk.count({ count: 1 })).waitFor()
        await page.keyboard.press('Escape')
      }
      await link('Cart').click()
      await page.getByRole('heading', { level: 1, name: 'Cart' }).waitFor()
      await page.goBack()
    },
  )

  await t.test('a view has a name in every browser, until it is forgotten', async (t) => {
    await choose(en.overview.saved.open, en.overview.saved.save)
    await page.getByLabel(en.overview.saved.name).fill('Shop on the wall')
    await page.getByRole('button', { name: en.common.actions.save }).click()
    await page.getByRole('button', { name: 'Shop on the wall' }).waitFor()
    const elsewhere = (await show('/app', ann)).page
    await elsewhere.getByRole('button', { name: en.overview.saved.open, exact: true }).click()
    await elsewhere.getByRole('menuitem', { name: 'Shop on the wall' }).click()
    await elsewhere.waitForURL(/view=map/)
    t.match(elsewhere.url(), 'by=tag')
    await choose('Shop on the wall', en.overview.saved.forget({ name: 'Shop on the wall' }))
    await page.getByRole('button', { name: en.overview.saved.open, exact: true }).waitFor()
  })

  await t.test('a column goes and comes, and the rows with it', async () => {
    await choose(en.overview.display.open, en.overview.display.views.list)
    await page.getByRole('button', { name: en.overview.display.open }).click()
    const response = page.getByRole('menuitemcheckbox', { name: en.overview.columns.response })
    const head = page
      .locator('.list-head')
      .getByRole('button', { name: en.overview.columns.response })
    await head.waitFor()
    await response.click()
    await head.waitFor({ state: 'detached' })
    await response.click()
    await head.waitFor()
  })

  await t.test(
    'rows are moved by menu and by pointer, and stay there in every browser',
    async (t) => {
      const { order } = en.overview
      const rows = page.locator('.monitor-name > strong')
      const isInOrder = async (...names: string[]) =>
        until(async () => (await rows.allInnerTexts()).join() === names.join())
      await page.goto('/app')
      await link('Backup').waitFor()
      t.equal(await page.getByRole('button', { name: order.move({ name: 'Cart' }) }).count(), 0)
      await choose(en.overview.display.open, order.own)
      await isInOrder('Backup', 'Cart', 'Web')
      const grip = (name: string) => page.getByRole('button', { name: order.move({ name }) })
      await grip('Web').press('ArrowDown')
      await page.getByRole('menuitem', { name: order.top }).press('Enter')
      await isInOrder('Web', 'Backup', 'Cart')
      await page.getByText(en.statusPages.sort.moved({ name: 'Web', place: 1, count: 3 })).waitFor()
      await page.locator('.row-grip button:focus').and(grip('Web')).waitFor()
      const boxOf = async (name: string) => {
        const box = await grip(name).boundingBox()
        if (!box) throw new Error(`no handle of ${name}`)
        return { x: box.x + box.width / 2, top: box.y, bottom: box.y + box.height }
      }
      const drag = async (name: string, to: number) => {
        const { x, top } = await boxOf(name)
        await page.mouse.move(x, top + 10)
        await page.mouse.down()
        await page.mouse.move(x, to, { steps: 5 })
        await page.locator('.drop-line').waitFor()
      }
      await drag('Web', (await boxOf('Cart')).bottom - 2)
      await page.keyboard.press('Escape')
      await page.locator('.drop-line').waitFor({ state: 'hidden' })
      await page.mouse.up()
      await isInOrder('Web', 'Backup', 'Cart')
      await drag('Web', (await boxOf('Cart')).bottom - 2)
      await page.mouse.up()
      await isInOrder('Backup', 'Cart', 'Web')
      t.equal(await page.getByRole('menu').count(), 0, 'a drag is no click')
      await drag('Cart', (await boxOf('Backup')).top + 2)
      await page.mouse.up()
      await isInOrder('Cart', 'Backup', 'Web')
      t.same(await (await axeIn(page))(), [])
      await until(async () => {
        const { preferences } = await daemon.need('GET', '/auth/session', { cookie: ann.cookie })
        return preferences.orderedMonitorIds.length === 3
      })
      const elsewhere = (await show('/app?sort=own', ann, { locale: 'en-US' })).page
      const others = elsewhere.locator('.monitor-name > strong')
      await until(async () => (await others.allInnerTexts()).join() === 'Cart,Backup,Web')
    },
  )

  await t.test('a finger drags rows as a mouse does, also from right to left', async (t) => {
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }
    for (const [locale, texts] of [
      ['en-GB', en],
      ['ar', catalogueIn('ar', consoleTexts('ar'))],
    ] as const) {
      const { page, complaints } = await show('/app?sort=own', ann, { ...phone, locale })
      const rows = page.locator('.monitor-name > strong')
      const order = async () => (await rows.allInnerTexts()).join()
      const grip = (name: string) =>
        page.getByRole('button', { name: texts.overview.order.move({ name }) })
      await grip('Web').waitFor()
      const client = await page.context().newCDPSession(page)
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
        client.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
        })
      const boxOf = async (name: string) => {
        const box = await grip(name).boundingBox()
        if (!box) throw new Error(`no handle of ${name}`)
        return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 }
      }
      const drag = async (name: string, byPx: number) => {
        const { x, y, height } = await boxOf(name)
        const scrolledPx = await page.evaluate('scrollY')
        await touch('touchStart', x, y)
        for (let step = 1; step <= 5; step += 1) await touch('touchMove', x, y + (byPx * step) / 5)
        const line = await page.locator('.drop-line').boundingBox()
        t.ok(line && line.x >= 0 && line.x + line.width <= 390, 'the line is in the list')
        t.ok(line && Math.abs(line.y - y - byPx) < height, 'and near the finger')
        await touch('touchEnd')
        await page.locator('.drop-line').waitFor({ state: 'hidden' })
        t.equal(await page.evaluate('scrollY'), scrolledPx, 'the page stays')
        t.equal(await page.getByRole('menu').count(), 0, 'and no menu opens')
      }
      const { height } = await boxOf('Web')
      const [first = '', second = '', third = ''] = (await order()).split(',')
      await grip(first).tap()
      await page.getByRole('menuitem', { name: texts.overview.order.down }).tap()
      await until(async () => (await order()) === [second, first, third].join())
      await drag(second, 2.2 * height)
      await until(async () => (await order()) === [first, third, second].join())
      await drag(second, -1.2 * height)
      await until(async () => (await order()) === [first, second, third].join())
      t.same(complaints, [])
    }
  })
  t.same(complaints, [])
})
