// How the overview shows monitors: groups that fold, cards, tiles, columns, and views with a name.
import t from 'tap'
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
  t.same(complaints, [])
})
