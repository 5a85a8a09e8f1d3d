// Who was told of an incident, and who was not, why, and when that is tried again: on its page, on the
// page of an alert's link, above every page of the console, and before anything fails.

import type { Page } from 'playwright-core'
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { follow, overhang } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { de, en } from '../support/console-words.ts'
import { freePort } from '../support/free-port.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

t.test('who was told of an incident', { skip }, async (t) => {
  const { daemon, open, show } = await startConsole(t)
  const owner = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, owner)

  await t.test(
    'from the link of an alert a person sees who was told, who was not, and why',
    async (t) => {
      const [slack, mailRoom] = await Promise.all([startReceiver(), startReceiver()])
      t.teardown(() => Promise.all([slack.close(), mailRoom.close()]))
      slack.always({ status: 500 })
      const channel = (name: string, url: string) =>
        need('POST', '/alert-channels', { name, type: 'webhook', isDefault: true, config: { url } })
      await channel('Slack ops', slack.url)
      await channel('Pager', `http://127.0.0.1:${await freePort()}/`)
      await channel('Mail room', mailRoom.url)
      await need('POST', '/alert-channels', {
        ...{ name: 'Night shift', type: 'webhook', isDefault: false },
        config: { url: mailRoom.url },
      })
      const { id } = await need('POST', '/incidents', {
        title: 'Checkout is down',
        severity: 'down',
      })
      const [alert] = await mailRoom.received(1)
      const link = new URL(JSON.parse(alert?.body ?? '').data.incident.url).pathname
      await slack.received(2)

      for (const [locale, words] of [
        ['en-GB', en],
        ['de-DE', de],
      ] as const) {
        await daemon.need('PATCH', owner.org, {
          ...{ cookie: owner.cookie, json: { language: locale.slice(0, 2) } },
        })
        const texts = words.incidents
        const isGerman = words !== en
        const { page, complaints } = await open(t, owner, { locale })
        await page.goto(link)
        const told = page.locator('.told > li')
        const line = (name: string) => told.filter({ hasText: name }).innerText()
        t.equal(await told.count(), 3, 'those that it was announced to')
        t.match(await line('Mail room'), isGerman ? 'Benachrichtigt' : 'Told')
        t.match(
          await line('Slack ops'),
          isGerman
            ? /Nicht benachrichtigt, nächster Versuch:.*Der Empfänger antwortete mit 500\./s
            : /Not told, next try:.*The receiver answered 500\./s,
        )
        t.match(await line('Pager'), isGerman ? /war nicht erreichbar/ : /could not be reached/)

        await page
          .getByRole('link', { name: isGerman ? 'In der Konsole' : 'in the console' })
          .click()
        await page.waitForURL(`**/app/incidents/${id}`)
        const row = (name: string) => page.locator('.told', { hasText: name }).locator('summary')
        await row('Slack ops').waitFor()
        t.match(await row('Mail room').innerText(), texts.outcomes.sent)
        t.match(await row('Mail room').innerText(), /\d:\d\d/, 'with its time')
        for (const [name, reason] of [
          ['Slack ops', isGerman ? 'Der Empfänger antwortete mit 500.' : 'answered 500'],
          ['Pager', isGerman ? 'Verbindung abgelehnt' : 'refused'],
        ] as const) {
          t.equal(await row(name).locator('.state.is-degraded').count(), 1, 'amber')
          const text = await row(name).innerText()
          t.match(text, texts.outcomes.not_sent)
          t.match(text, texts.nextTry)
          t.match(text, reason)
        }
        t.match(await row('Night shift').innerText(), words.monitor.alerts.reasons.not_default)
        // Nothing must be opened or scrolled to.
        const [card, timeline] = await Promise.all(
          ['.told-card', '.timeline-card'].map((one) => page.locator(one).boundingBox()),
        )
        t.ok(
          card && timeline && card.x > timeline.x + timeline.width,
          'it stands beside the timeline',
        )
        t.ok(card && card.y + card.height < 720, 'all of it is seen at once')
        t.ok((await overhang(page)) <= 0)
        await page.setViewportSize({ width: 390, height: 800 })
        t.ok((await overhang(page)) <= 0, 'a phone is wide enough')
        t.same(complaints, [])
      }
    },
  )

  await t.test('every page says how many alerts wait on channels that fail', async (t) => {
    const receiver = await startReceiver()
    t.teardown(() => receiver.close())
    for (const one of await need('GET', '/alert-channels')) {
      await need('DELETE', `/alert-channels/${one.id}`)
    }
    const { id } = await need('POST', '/alert-channels', {
      ...{ name: 'Slack ops', type: 'webhook', isDefault: true, config: { url: receiver.url } },
    })
    const { page, complaints } = await show('/app/people', owner)
    await page.locator('.connection.is-live').waitFor()
    const banner = page.locator('.troubles')
    const mark = page.locator('nav .nav-mark')
    t.equal(await banner.count(), 0)
    t.equal(await mark.count(), 0)

    receiver.always({ status: 500 })
    await need('POST', '/incidents', { title: 'Mail is down', severity: 'down' })
    await banner.waitFor()
    t.match(
      await banner.innerText(),
      /1 alert waits on a channel that fails:.*Slack ops The receiver answered 500\. Next attempt:/s,
    )
    t.equal(await mark.count(), 1, 'Channels is marked')
    const german = await show('/app', owner, { locale: 'de-DE' })
    await german.page.locator('.troubles').waitFor()
    t.match(
      await german.page.locator('.troubles').innerText(),
      /1 Alarm wartet auf einen Kanal, der nicht funktioniert:.*Nächster Versuch:/s,
    )

    receiver.always({ status: 200 })
    await need('POST', `/alert-channels/${id}/test`)
    await banner.waitFor({ state: 'detached' })
    await mark.waitFor({ state: 'detached' })
    t.same([...complaints, ...german.complaints], [])
  })

  await t.test('who would be alerted is what would happen', async (t) => {
    const [dead, good] = await Promise.all([startReceiver(), startReceiver()])
    t.teardown(() => Promise.all([dead.close(), good.close()]))
    dead.always({ status: 500 })
    const channel = (name: string, more: object) =>
      need('POST', '/alert-channels', { name, isDefault: true, ...more })
    const mail = await channel('Mail', { type: 'email', config: { to: ['ann@example.com'] } })
    const [failing, working, fresh] = await Promise.all([
      channel('Dead end', { type: 'webhook', config: { url: dead.url } }),
      channel('Backup', { type: 'webhook', config: { url: good.url } }),
      channel('Fresh', { type: 'webhook', config: { url: `${good.url}/fresh` } }),
    ])
    for (const { id } of [failing, working]) await need('POST', `/alert-channels/${id}/test`)
    const { id } = await need('POST', '/monitors', {
      ...{ name: 'Job', checkType: 'push', intervalMinutes: 5 },
      notifyChannelIds: [mail, failing, working, fresh].map(({ id }) => id),
    })
    for (const [locale, words] of [
      ['en-GB', en],
      ['de-DE', de],
    ] as const) {
      const { page, complaints } = await show(`/app/monitors/${id}`, owner, { locale })
      const { alerts } = words.monitor
      await page.getByRole('button', { name: words.common.actions.menu, exact: true }).click()
      await page.getByRole('menuitem', { name: words.monitor.testAlert }).click()
      const row = (name: string) => page.locator('.alert-path > li', { hasText: name })
      await row('Backup').waitFor()
      t.match(await row('Backup').locator('.state.is-up').innerText(), alerts.gets.now)
      t.match(await row('Mail').locator('.state.is-degraded').innerText(), alerts.gets.never)
      t.match(await row('Mail').innerText(), 'mail.smtpUrl')
      t.match(await row('Dead end').innerText(), words.channels.health.test_failed)
      t.match(
        await row('Dead end').innerText(),
        words === en ? 'The receiver answered 500.' : 'mit 500.',
      )
      t.match(await row('Fresh').innerText(), alerts.untested)
      t.equal(await page.locator('.alert-path .is-up').count(), 1, 'only what works is green')
      t.same(complaints, [])
    }
  })

  await t.test('an update looks as readers of the status page see it', async (t) => {
    const { id } = await need('POST', '/incidents', { title: 'A full disk', isPublic: true })
    const message =
      '**Fixed** by:\n\n- more space\n- [notes](https://example.com/notes) <b onclick="x">'
    await need('POST', `/incidents/${id}/updates`, { message, isPublic: true })
    const { slug } = await need('POST', '/status-pages', { name: 'Shop', slug: 'shop' })
    const { page, complaints } = await show('/app', owner)
    await page.goto(`/status/${slug}/incidents/${id}`)
    const published = page.locator('.updates .prose', { hasText: 'more space' })
    const markup = await published.innerHTML()
    await follow(page, `/app/incidents/${id}`)
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
