// While an outage is being confirmed, the console shows it live: amber, and how many checks failed.
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, registerWithKey } from '../support/cast.ts'
import { load } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

t.test('an outage that is being confirmed', { skip }, async (t) => {
  const { daemon, open } = await startConsole(t)
  const target = await startTarget()
  t.teardown(() => target.close())
  const owner = await registerWithKey(daemon, 'shop', daemon.setupToken)
  const { key } = owner
  const need = needOf(daemon, owner)
  const make = (name: string) =>
    need('POST', '/monitors', {
      ...{ name, url: target.url, intervalSeconds: 3_600, retryIntervalSeconds: 3_600 },
      ...{ failureThreshold: 3, recoveryThreshold: 1, isPublic: true },
    })
  const steady = await make('Archive')
  const shaky = await make('Shop')
  const run = ({ id }: { id: string }) => need('POST', `/monitors/${id}`)
  await run(steady)
  await run(shaky)
  const moving = { locale: 'en', reducedMotion: 'no-preference' } as const
  const { page: overview } = await open(t, owner, moving)
  const { page: german } = await open(t, owner, { locale: 'de', reducedMotion: 'reduce' })
  const details = await overview.context().newPage()
  await load(overview, '/app')
  await load(german, '/app')
  await load(details, `/app/monitors/${shaky.id}`)
  const row = overview.locator('.monitor-row', { hasText: 'Shop' })
  await overview.locator('.monitor-row.is-up', { hasText: 'Shop' }).waitFor()
  await german.locator('.monitor-row.is-up', { hasText: 'Shop' }).waitFor()
  await details.locator('.monitor-head .state.is-up').waitFor()

  await t.test('each failure is seen at once, on every page, in the words of each', async (t) => {
    target.script = answer({ status: 503 })
    for (const failed of [1, 2]) {
      await run(shaky)
      await overview
        .locator('.monitor-row.is-confirming', { hasText: `failing ${failed} of 3` })
        .waitFor()
      await german
        .locator('.monitor-row.is-confirming', { hasText: `Fehler ${failed} von 3` })
        .waitFor()
      await details.locator('.monitor-head', { hasText: `failing ${failed} of 3` }).waitFor()
    }
    t.match(await row.innerText(), '503', 'the row says why')
    const colours = await overview.evaluate<string[]>(`['confirming', 'up'].map((name) => {
      const mark = document.querySelector('.monitor-row.is-' + name + ' .state')
      return getComputedStyle(mark, '::before').backgroundColor
    })`)
    t.not(colours[0], colours[1], 'it is not green')
    t.equal(await details.locator('.monitor-head .state.is-confirming').count(), 1)
    await until(async () => {
      const names = await overview.locator('.monitor-row strong').allInnerTexts()
      return names.join() === 'Shop,Archive'
    })
  })

  await t.test('a page that is opened meanwhile shows it, and so does the wall', async (t) => {
    const late = await overview.context().newPage()
    await load(late, '/app')
    await late.locator('.monitor-row.is-confirming', { hasText: 'failing 2 of 3' }).waitFor()
    const wall = await german.context().newPage()
    await wall.goto(`/app/wall#${key}`)
    await wall.locator('.tile.is-confirming', { hasText: 'Fehler 2 von 3' }).waitFor()
    t.match((await need('GET', `/monitors/${shaky.id}`)).confirming, { failed: 2, needed: 3 })
  })

  await t.test('a public page says nothing before the outage is confirmed', async (t) => {
    const { slug } = await need('POST', '/status-pages', { name: 'Shop' })
    const shown = await daemon.ask('GET', `/status/${slug}`)
    t.match(shown.text, 'Archive')
    t.notMatch(shown.text, /failing|confirming/i)
  })

  await t.test('the last failure turns it red, without the count, and marks it', async (t) => {
    for (const page of [overview, german, details]) {
      await page.evaluate(`globalThis.marked = []
        Element.prototype.animate = function () { marked.push(this.innerText) }`)
    }
    const marksIn = (page: typeof overview) => page.evaluate<string[]>('marked')
    await run(shaky)
    await overview.locator('.monitor-row.is-down', { hasText: 'Shop' }).waitFor()
    await details.locator('.monitor-head .state.is-down').waitFor()
    await german.locator('.monitor-row.is-down', { hasText: 'Shop' }).waitFor()
    t.equal(await row.locator('.confirming').count(), 0)
    await until(async () => (await marksIn(overview)).length > 0)
    t.match(await marksIn(overview), [/Shop/], 'the row that changed, and no other')
    await until(async () => (await marksIn(details)).length > 0)
    t.match(await marksIn(details), [/503/], 'the card of the last check')
    t.same(await marksIn(german), [], 'not for somebody who asked for less motion')
  })

  await t.test('a good check takes it back', async (t) => {
    target.script = answer()
    await run(shaky)
    await overview.locator('.monitor-row.is-up', { hasText: 'Shop' }).waitFor()
    target.script = answer({ status: 503 })
    await run(shaky)
    await overview.locator('.monitor-row.is-confirming', { hasText: 'failing 1 of 3' }).waitFor()
    target.script = answer()
    await run(shaky)
    await overview.locator('.monitor-row.is-up', { hasText: 'Shop' }).waitFor()
    await details.locator('.monitor-head .state.is-up').waitFor()
    t.equal(await overview.locator('.confirming').count(), 0)
  })
})
