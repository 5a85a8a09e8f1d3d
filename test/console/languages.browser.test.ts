// On a phone, no page of the console is wider than the window: in the language with the longest texts (in those
// two, in a deep run), and in Arabic, which runs from right to left.
import type { Page } from 'playwright-core'
import t from 'tap'
import { consoleLanguages, consoleTexts } from '../../scripts/console/texts.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, registerWithKey } from '../support/cast.ts'
import { follow } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { amount } from '../support/depth.ts'
import { until } from '../support/until.ts'

const phone = { width: 390, height: 844 }

const charsOf = (language: string) => JSON.stringify(consoleTexts(language)).length

const longest = Object.keys(consoleLanguages())
  .filter((language) => language !== 'ar')
  .sort((a, b) => charsOf(b) - charsOf(a))
  .slice(0, amount(1, 2))

const tabs = (path: string, names: string) => names.split(' ').map((name) => `${path}?tab=${name}`)

/** What reaches beyond the window, apart from what scrolls in a place of its own. */
const overhang = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('main *')]
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect()
        return left < -1 || right > clientWidth + 1
      })
      .map((one) => one.outerHTML.slice(0, 120))
      .concat(scrollWidth - clientWidth + ' px')
  })()`)

t.test('every page fits a phone, and runs as its language does', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await registerWithKey(daemon, 'shop', daemon.setupToken)
  const need = needOf(daemon, owner)
  const channel = await need('POST', '/alert-channels', {
    ...{ name: '#shop', type: 'webhook', config: { url: daemon.url }, isDefault: true },
  })
  daemon.secrets.delete(channel.config.secret)
  const statusPage = await need('POST', '/status-pages', { name: 'Shop', slug: 'shop' })
  const monitor = await need('POST', '/monitors', {
    ...{ name: 'Nightly backup', checkType: 'push', failureThreshold: 1, tags: ['jobs'] },
  })
  await daemon.ask('POST', `/api/v1/push/${monitor.pushToken}`, { json: { status: 'error' } })
  const incidentId = await until(async () => {
    const [incident] = await need('GET', '/incidents')
    return incident?.id as string | undefined
  })
  const paths = [
    ...['/app', '/app?view=cards', '/app?view=map&by=tag'],
    ...['/app/monitors/new', `/app/monitors/${monitor.id}`, `/app/monitors/${monitor.id}/edit`],
    ...['/app/incidents', `/app/incidents/${incidentId}`, '/app/maintenance', '/app/locations'],
    ...['/app/channels', '/app/channels/new', `/app/channels/${channel.id}`],
    ...['/app/pages', '/app/pages/new'],
    ...tabs(`/app/pages/${statusPage.id}`, 'settings subscribers domain'),
    ...tabs('/app/people', 'members invites keys audit organization'),
    ...tabs('/app/system', 'info health settings tasks backups errors users organizations kyc'),
    ...['/app/profile', '/app/import'],
  ]

  for (const language of [...longest, 'ar']) {
    await t.test(language, async (t) => {
      const { page } = await show('/app', owner, { locale: language, viewport: phone })
      t.equal(await page.getAttribute('html', 'lang'), language)
      t.equal(await page.getAttribute('html', 'dir'), language === 'ar' ? 'rtl' : 'ltr')
      for (const path of paths) {
        await follow(page, path)
        t.same(await overhang(page), [], path)
      }
    })
  }

  await t.test('in Arabic, names and addresses run from left to right', async (t) => {
    const { page } = await show('/app/channels', owner, { locale: 'ar', viewport: phone })
    await page.locator('.list-row strong', { hasText: '#shop' }).waitFor()
    const places: number[] = await page.evaluate(`[0, 1].map((at) => {
      const { firstChild } = document.querySelector('.list-row strong')
      const range = document.createRange()
      range.setStart(firstChild, at)
      range.setEnd(firstChild, at + 1)
      return range.getBoundingClientRect().left
    })`)
    t.same(
      places.toSorted((a, b) => a - b),
      places,
      'the # stands to the left of the name',
    )
  })
})
