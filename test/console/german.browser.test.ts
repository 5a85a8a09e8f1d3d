// A German console says in German what checks, incidents and channels say in English.
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, registerWithKey } from '../support/cast.ts'
import { follow } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { startReceiver } from '../support/receiver.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

t.test('a German console', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const target = await startTarget(answer({ status: 503 }))
  t.teardown(() => target.close())
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  receiver.always({ status: 500 })
  const owner = await registerWithKey(daemon, 'shop', daemon.setupToken)
  const need = needOf(daemon, owner)
  const hook = await need('POST', '/alert-channels', {
    ...{ name: 'Chat', type: 'webhook', config: { url: receiver.url }, isDefault: true },
  })
  daemon.secrets.delete(hook.config.secret)
  const shop = await need('POST', '/monitors', {
    ...{ name: 'Shop', url: target.url, failureThreshold: 1, intervalSeconds: 3_600 },
  })
  await need('POST', `/monitors/${shop.id}`)
  const incidentId = await until(async () => {
    const [incident] = await need('GET', '/incidents')
    return incident?.id as string | undefined
  })
  const german = (path: string) => show(path, owner, { locale: 'de' })
  const cause = 'erwartet: Status 200; gefunden: 503'

  await t.test('a row, an open incident and the lists of incidents say why', async (t) => {
    const { page } = await german('/app')
    await page.locator('.monitor-row', { hasText: cause }).waitFor()
    await page.locator('.open-incidents', { hasText: cause }).waitFor()
    await follow(page, '/app/incidents')
    await page.locator('.incident-row', { hasText: cause }).waitFor()
    t.equal(await page.getByText('expected status').count(), 0)
  })

  await t.test('so do the monitor, its evidence and its checks', async (t) => {
    const { page } = await german(`/app/monitors/${shop.id}`)
    await page.locator('.evidence .reason', { hasText: cause }).waitFor()
    await page.locator('.log', { hasText: cause }).first().waitFor()
    t.equal(await page.getByText('expected status').count(), 0)
  })

  await t.test('and an incident: its cause, timeline, evidence and explanation', async (t) => {
    const { page } = await german(`/app/incidents/${incidentId}`)
    await page.locator('.timeline', { hasText: `Shop ist ausgefallen: ${cause}` }).waitFor()
    await page
      .locator('.timeline', {
        hasText: 'Eröffnet: 1 der neuesten 3 Ergebnisse waren fehlgeschlagen',
      })
      .waitFor()
    await page.locator('.evidence .reason', { hasText: cause }).waitFor()
    t.equal(await page.getByText('expected status').count(), 0)
  })

  await t.test('a channel says why nothing arrived', async () => {
    const { page } = await german(`/app/channels/${hook.id}`)
    await page.locator('.log .wrong', { hasText: 'Der Empfänger antwortete mit 500.' }).waitFor()
  })

  await t.test('an English console keeps the words of the service', async () => {
    const { page } = await show('/app', owner, { locale: 'en' })
    await page.locator('.monitor-row', { hasText: 'expected status 200, found 503' }).waitFor()
  })
})
