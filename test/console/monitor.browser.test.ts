// A monitor in the console: assertions picked from an answer, the chart of its times, other
// thresholds on what happened, and who would hear of it.
import t from 'tap'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, registerWithKey } from '../support/cast.ts'
import { drawn } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import { startReceiver } from '../support/receiver.ts'
import { answer, answerJson, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const phone = { width: 390, height: 844 }

t.test('a monitor in the console', { skip }, async (t) => {
  // With one organization, the answers of private addresses are shown.
  const { daemon, open, show } = await startConsole(t, { env: { AUTH_REGISTRATION: 'first-user' } })
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const document = { status: 'ok', items: [{ "it's odd": 5 }], token: 'sec-ret-123456' }
  const target = await startTarget(answerJson(document, { headers: { 'X-Version': '4.2' } }))
  t.teardown(() => target.close())
  const owner = await registerWithKey(daemon, 'shop', daemon.setupToken)
  const need = needOf(daemon, owner)
  const hook = await need('POST', '/alert-channels', {
    ...{ name: 'Chat', type: 'webhook', config: { url: receiver.url }, isDefault: true },
  })
  daemon.secrets.delete(hook.config.secret)
  const http = await need('POST', '/monitors', {
    ...{ name: 'API', url: target.url, failureThreshold: 1, headers: { 'X-Key': document.token } },
  })
  const job = await need('POST', '/monitors', { name: 'Backup', checkType: 'push' })

  await t.test('a click on a value of the answer makes an assertion', async (t) => {
    const { page, complaints } = await show(`/app/monitors/${http.id}/edit`, owner)
    await page.getByText('What a good answer is like').click()
    await page.getByRole('button', { name: 'Pick from an answer' }).click()
    await page.locator('.pick', { hasText: "it's odd" }).click()
    await page.getByRole('status').getByText("$.items[0]['it\\'s odd'] equals 5").waitFor()
    await page.getByText(/^\d+ headers?$/).click()
    await page.locator('.pick', { hasText: 'x-version' }).click()
    // By keyboard alone, and taken back.
    await page
      .locator('.pick', { hasText: 'status"ok"' })
      .or(page.locator('.pick', { hasText: '"ok"' }))
      .first()
      .focus()
    await page.keyboard.press('Enter')
    const assertionRows = (count: number) =>
      until(async () => (await page.locator('.row.is-assertion').count()) === count)
    await assertionRows(3)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
    await assertionRows(2)
    t.notMatch(await page.innerText('.trial'), document.token, 'secrets are masked')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(new RegExp(`${http.id}$`))
    const { assertions } = await need('GET', `/monitors/${http.id}`)
    t.match(assertions, [
      { source: 'json', path: "$.items[0]['it\\'s odd']", type: 'equals', value: '5' },
      { source: 'header', path: 'x-version', type: 'equals', value: '4.2' },
    ])
    t.equal((await need('POST', `/monitors/${http.id}`)).outcome, 'up')
    t.same(complaints, [])
  })

  await t.test('what is there now is accepted, and must stay', async (t) => {
    const { page, complaints } = await show(`/app/monitors/${http.id}/edit`, owner)
    await page.getByRole('button', { name: 'Add an assertion' }).click()
    const row = page.locator('.row.is-assertion').last()
    await row.getByLabel('Path').fill('$.items')
    await row.getByLabel('Comparison').selectOption({ label: 'is as it was accepted' })
    await row.getByRole('button', { name: 'Accept what is there now' }).click()
    const accepted = () => row.getByLabel('Value').inputValue()
    await until(async () => /^[\w-]{22} \[\{"it's odd":5\}\]$/.test(await accepted()))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(new RegExp(`${http.id}$`))
    t.equal((await need('POST', `/monitors/${http.id}`)).outcome, 'up')
    const { assertions } = await need('GET', `/monitors/${http.id}`)

    // Something else is there now: who sees it on the page of the monitor accepts it there.
    const former = assertions.map((one: { type: string }) =>
      one.type === 'unchanged' ? { ...one, value: 'AAAAAAAAAAAAAAAAAAAAAA [1]' } : one,
    )
    await need('PATCH', `/monitors/${http.id}`, { assertions: former })
    t.equal((await need('POST', `/monitors/${http.id}`)).outcome, 'down')
    await show(`/app/monitors/${http.id}`, owner)
    const card = page.getByRole('region', { name: 'Last check' })
    await card.getByRole('button', { name: 'Accept what is there now' }).click()
    await card.getByText('Up', { exact: true }).waitFor()
    const after = await need('GET', `/monitors/${http.id}`)
    t.same(after.assertions, assertions)
    await need('PATCH', `/monitors/${http.id}`, { assertions: assertions.slice(0, 2) })
    t.same(complaints, [])
  })

  await t.test('of a monitor with steps, that of the step is accepted', async (t) => {
    const one = { source: 'json', path: '$.status', type: 'unchanged' }
    const assertions = [{ source: 'status', type: 'equals', value: '200' }, one]
    const steps = [
      { name: 'Away', url: '/', isCleanUp: true },
      { name: 'First', url: '/' },
      { name: 'Second', url: '/', assertions },
    ]
    const made = await need('POST', '/monitors', {
      ...{ name: 'Walk', checkType: 'steps', url: target.url, steps },
    })
    t.equal((await need('POST', `/monitors/${made.id}`)).outcome, 'down', 'nothing is accepted yet')
    const { page, complaints } = await show(`/app/monitors/${made.id}`, owner)
    const card = page.getByRole('region', { name: 'Last check' })
    await card.getByRole('button', { name: 'Accept what is there now' }).click()
    await until(
      async () => (await need('GET', `/monitors/${made.id}/checks/latest`)).outcome === 'up',
    )
    const [, , second] = (await need('GET', `/monitors/${made.id}`)).steps
    t.match(second.assertions[1], { value: /^[\w-]{22} .*ok/ })
    await need('DELETE', `/monitors/${made.id}`)
    t.same(complaints, [])
  })

  await t.test('each way of signing in is sent and kept as it was chosen', async (t) => {
    const none = { tokenUrl: null, scope: null, audience: null, region: null, service: null }
    const tokenUrl = `${target.url}/token`
    const ways = {
      digest: {},
      oauth2: { tokenUrl, scope: 'read' },
      awsSigV4: { region: 'eu-central-1', service: 's3' },
    }
    for (const [type, fields] of Object.entries(ways)) {
      const { page } = await show('/app/monitors/new', owner)
      await page.fill('#field-url', target.url)
      await page.fill('#field-name', type)
      await page.getByText('Request', { exact: true }).click()
      await page.locator('#field-auth-type').selectOption(type)
      await page.fill('#field-username', 'ada')
      await page.fill('#field-password', 's3cret')
      if (type !== 'digest') {
        await page.getByRole('button', { name: 'Add the monitor' }).click()
        await page.locator('[id^=field-auth-][aria-invalid=true]').first().waitFor()
      }
      for (const [name, value] of Object.entries(fields)) {
        await page.fill(`#field-auth-${name}`, value)
      }
      await page.getByRole('button', { name: 'Add the monitor' }).click()
      await page.waitForURL(/\/mon_[^/]+$/)
      const path = `/monitors/${page.url().split('/').at(-1)}`
      const stored = await need('GET', path)
      t.match(stored, { username: 'ada', password: '••••', auth: { ...none, type, ...fields } })
      await show(`/app${path}/edit`, owner)
      await until(async () => (await page.locator('#field-auth-type').inputValue()) === type)
      t.ok(await page.locator('#field-username').isVisible(), 'where it is set, it is in sight')
      await need('DELETE', path)
    }
    const { page } = await show('/app/monitors/new', owner)
    await page.fill('#field-url', 'wss://example.com/')
    await page.locator('[name=checkType][value=websocket]:checked').waitFor()
    await page.getByText('Request', { exact: true }).click()
    const offered = await page.locator('#field-auth-type option').allInnerTexts()
    t.same(offered, ['Basic', 'OAuth 2 (client credentials)'], 'a handshake knows two')
  })

  await t.test('the page says what a good or degraded result says', async (t) => {
    const odd = await need('POST', '/monitors', {
      ...{ name: 'Port', url: target.url, assertions: [], isUpsideDown: true, expectedStatus: 500 },
    })
    await need('POST', `/monitors/${odd.id}`)
    const { page, complaints } = await show(`/app/monitors/${odd.id}`, owner)
    const said = page.getByText('as expected: expected status 500, found 200')
    await page
      .getByRole('region', { name: 'Last check' })
      .and(page.locator(':has(.reason)'))
      .waitFor()
    t.equal(await said.count(), 2, 'beside its chart, and in the log')
    const lift = await need('POST', '/monitors', { name: 'Lift', checkType: 'manual' })
    const json = { state: 'degraded', message: 'One of two works.' }
    await need('POST', `/monitors/${lift.id}/state`, json)
    await show(`/app/monitors/${lift.id}`, owner)
    await page.locator('.reason.is-degraded', { hasText: 'One of two works.' }).waitFor()
    for (const id of [odd.id, lift.id]) await need('DELETE', `/monitors/${id}`)
    t.same(complaints, [])
  })

  await t.test('without a body it says how to get one', async (t) => {
    const { page } = await show(`/app/monitors/new?from=${http.id}`, owner)
    await page.getByText('Request', { exact: true }).click()
    await page.locator('#field-method').selectOption('HEAD')
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
      t.equal(await page.locator('.row.is-assertion').count(), left)
    }
    await page.locator('.trial button').first().click()
    await page.getByText('HEAD has no body').waitFor()
  })

  await t.test('what has no answer over HTTP offers none to pick from', async (t) => {
    const { page } = await show('/app/monitors/new', owner)
    await page.locator('[name=checkType][value=tcp]').check()
    await page.fill('#field-url', target.url.replace('http:', 'tcp:'))
    await page.getByText('What a good answer is like').click()
    await page.getByRole('button', { name: 'Add an assertion' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Pick from an answer' }).count(), 0)
    await page.locator('.trial button').first().click()
    await page.locator('.trial').getByText('Up', { exact: true }).waitFor()
    t.notMatch(await page.innerText('.trial'), 'answer over HTTP')
  })

  await t.test('the chart has every time span, a table, and moves by keyboard', async (t) => {
    const { page, complaints } = await show(`/app/monitors/${http.id}`, owner)
    for (const span of ['1 hour', '24 hours', '7 days', '30 days', '90 days', 'Year']) {
      const chip = page.getByRole('button', { name: span, exact: true })
      await chip.click()
      await page.locator('.chart canvas').waitFor()
      t.equal(await chip.getAttribute('aria-pressed'), 'true')
    }
    const loaded = page.waitForResponse((one) => {
      // The answers of the other times may still be on their way.
      const from = new URL(one.url()).searchParams.get('from') ?? ''
      return one.url().includes('/response-times?') && Date.parse(from) > Date.now() - 2 * 3_600_000
    })
    await page.getByRole('button', { name: '1 hour', exact: true }).click()
    await loaded
    // The chart of the former time stays until then.
    await page.locator('[aria-busy=false] .chart').waitFor()
    await page.getByRole('img', { name: /Response times/ }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.locator('.chart-time', { hasText: ':' }).waitFor()
    await page.getByText('As a table').click()
    await page.locator('.points tbody tr').first().waitFor()
    t.same(complaints, [])
  })

  await t.test(
    'other thresholds show what would have been alerted, and are taken over',
    async (t) => {
      target.script = answer({ status: 503 })
      await need('POST', `/monitors/${http.id}`)
      target.script = answerJson(document, { headers: { 'X-Version': '4.2' } })
      await need('POST', `/monitors/${http.id}`)
      const { page, complaints } = await show(`/app/monitors/${http.id}`, owner)
      await page.getByRole('button', { name: 'Try other thresholds' }).click()
      await page.getByText(/^1 incident and \d alerts? with these thresholds/).waitFor()
      const slider = page.getByRole('slider', { name: 'Failed checks until it is down' })
      await slider.focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await page.getByText(/^0 incidents and 0 alerts with these thresholds/).waitFor()
      await page.locator('.change.is-spared').waitFor()
      await page.getByRole('button', { name: 'Apply these values' }).click()
      await page.getByText('The thresholds were changed.').waitFor()
      t.equal((await need('GET', `/monitors/${http.id}`)).failureThreshold, 3)
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      await page.getByText(/^1 incident and/).waitFor()
      await until(async () => (await need('GET', `/monitors/${http.id}`)).failureThreshold === 1)
      t.same(complaints, [])
    },
  )

  await t.test('it tells who would hear, and sends them a test', async () => {
    const { page } = await show(`/app/monitors/${http.id}`, owner)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Test alert' }).click()
    await page.getByText('1 of 1 channels would be told.').waitFor()
    await page.getByRole('button', { name: 'Send a test to 1 channel' }).click()
    await page.getByText('The test was delivered.').waitFor()
  })

  await t.test('runs of a job show how they ended and what they wrote', async (t) => {
    const report = (ending: string, body?: string) =>
      fetch(`${job.pushUrl}${ending}`, { method: 'POST', ...(body === undefined ? {} : { body }) })
    await report('/0?runId=n1&durationMs=83200')
    await report('/3?runId=n2', 'no space left')
    const { page } = await show(`/app/monitors/${job.id}`, owner)
    const rows = page.locator('.log tr', { hasText: /n[12]/ })
    await rows.first().waitFor()
    t.match(await rows.nth(0).innerText(), /Failed[\s\S]*exit 3/)
    t.match(await rows.nth(1).innerText(), /Done[\s\S]*1 min 23 s[\s\S]*exit 0/)
    await page.getByRole('img', { name: /^Outages in 1 of/ }).waitFor()
    const recent = await need('GET', `/overview/recent?monitorIds=${job.id}`)
    t.equal(recent.monitors[0].hours.at(-1), 'down')
    await rows.nth(0).getByRole('button', { name: 'Output' }).click()
    await page.getByRole('dialog').getByText('no space left').waitFor()
  })

  await t.test('an address that senders kept is shown, and can be taken away', async (t) => {
    const address = '/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'
    const kept = { name: 'Kept', checkType: 'push', keptAddresses: [address] }
    await need('POST', '/import', { format: 'stillup/1', monitors: [kept] })
    const [moved] = await need('GET', '/monitors?q=Kept')
    const { page } = await show(`/app/monitors/${moved.id}`, owner)
    await page.getByRole('heading', { name: 'Also reports at' }).waitFor()
    const row = page.locator('.actions', { hasText: address })
    await row.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await until(async () => (await row.count()) === 0)
    t.notOk('keptAddresses' in (await need('GET', `/monitors/${moved.id}`)))
    await need('DELETE', `/monitors/${moved.id}`)
  })

  await t.test(
    'an open incident counts on; whoever ends it too early is told that it opens again',
    async (t) => {
      const gone = await need('POST', '/monitors', {
        ...{ name: 'Gone', url: 'http://127.0.0.1:1/', failureThreshold: 1 },
      })
      const run = await need('POST', `/monitors/${gone.id}`)
      const { page } = await open(t, owner)
      await page.clock.install()
      await page.goto(`/app/incidents/${run.openIncidentId}`)
      const lasted = page.locator('.monitor-head .figure')
      await lasted.waitFor()
      await page.clock.fastForward('02:00:00')
      await until(async () => /^2 h/.test(await lasted.innerText()))
      await page.getByRole('button', { name: 'Resolve', exact: true }).click()
      await page.getByRole('status').getByText('the monitor still fails').waitFor()
      await need('DELETE', `/monitors/${gone.id}`)
      t.pass('it is told')
    },
  )

  await t.test('the page of a channel shows what is sent while it is open', async (t) => {
    const { page } = await show(`/app/channels/${hook.id}`, owner)
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    await page.locator('.connection.is-live').waitFor()
    const gone = await need('POST', '/monitors', {
      ...{ name: 'Gone', url: 'http://127.0.0.1:1/', failureThreshold: 1 },
    })
    const { openIncidentId } = await need('POST', `/monitors/${gone.id}`)
    const row = page.locator('tr', {
      has: page.locator(`a[href='/app/incidents/${openIncidentId}']`),
    })
    await row.getByText('Delivered', { exact: true }).first().waitFor()
    await need('DELETE', `/monitors/${gone.id}`)
    t.pass('it arrived')
  })

  await t.test('what was merged stands with the message that carries it', async (t) => {
    const [sent] = await need('GET', `/alert-channels/${hook.id}/deliveries`)
    const { page } = await open(t, owner)
    const digest = { ...sent, id: 'dlv_0', event: 'incident.digest', incidentId: null }
    const merged = ['dlv_1', 'dlv_2'].map((id) => ({ ...sent, id, mergedIntoId: digest.id }))
    const elsewhere = { ...sent, id: 'dlv_3', mergedIntoId: 'dlv_4' }
    await page.route('**/deliveries?*', (route) =>
      route.fulfill({ json: { success: true, data: [digest, ...merged, elsewhere] } }),
    )
    await page.goto(`/app/channels/${hook.id}`)
    const summary = page.getByText('2 messages were merged into it')
    await summary.click()
    t.equal(await page.locator('.log tbody tr').count(), 2)
    t.equal(await page.locator('.log details li').count(), 2)
    await page.locator('.log').getByText('Merged', { exact: true }).waitFor()
  })

  await t.test('what is no number is not taken for an empty field', async (t) => {
    const { page } = await show(`/app/monitors/${http.id}/edit`, owner)
    const field = page.locator('#field-timeoutMs')
    await field.fill('')
    await field.pressSequentially('1e')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Type a number').waitFor()
    t.equal(await field.getAttribute('aria-invalid'), 'true')
    await field.fill('9000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(new RegExp(`${http.id}$`))
    t.equal((await need('GET', `/monitors/${http.id}`)).timeoutMs, 9_000)
  })

  await t.test(
    'intervals are chosen as people say them, and thresholds say what they mean',
    async (t) => {
      const { page } = await show(`/app/monitors/${http.id}/edit`, owner)
      const chip = (name: string) => page.getByRole('button', { name, exact: true })
      await chip('15 min').click()
      t.equal(await page.inputValue('#field-intervalSeconds'), '900')
      t.equal(await chip('15 min').getAttribute('aria-pressed'), 'true')
      await page.fill('#field-intervalSeconds', '60')
      t.equal(await chip('1 min').getAttribute('aria-pressed'), 'true')
      await page.fill('#field-failureThreshold', '4')
      await page.fill('#field-retryIntervalSeconds', '60')
      await page.getByText('4 failed checks in a row, then it is down: 3 min after').waitFor()
      t.equal(await page.locator('.confirmation-steps > .is-confirming').count(), 3)
      await page.fill('#field-failureThreshold', '1')
      await page.getByText('It is down at the first failed check.').waitFor()
      // The interval says how soon it is checked again where nothing else does.
      await page.fill('#field-retryIntervalSeconds', '')
      await page.fill('#field-recoveryThreshold', '3')
      await page.getByText('3 good ones, then it is up: 1 min later.').waitFor()
      await chip('30 s').click()
      await page.getByText('3 good ones, then it is up: 30 s later.').waitFor()
    },
  )

  await t.test('keys check, silence and edit', async (t) => {
    const { page } = await show(`/app/monitors/${http.id}`, owner)
    await page.getByRole('button', { name: 'Check now' }).waitFor()
    await drawn(page)
    const asked = page.waitForResponse((one) => one.request().method() === 'POST')
    await page.keyboard.press('r')
    t.equal((await asked).status(), 200)
    await page.keyboard.press('s')
    await page.getByText('Silenced for an hour.').waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('No longer silenced.').waitFor()
    await page.keyboard.press('e')
    await page.waitForURL(/\/edit$/)
  })

  await t.test('a menu is used by keys alone, and gives the focus back', async (t) => {
    const { page } = await show(`/app/monitors/${http.id}`, owner, { viewport: phone })
    const more = page.getByRole('button', { name: 'More', exact: true })
    const shown = () => page.evaluate('document.activeElement.innerText')
    await more.focus()
    await page.keyboard.press('ArrowDown')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    t.equal(await more.getAttribute('aria-expanded'), 'true')
    t.equal(await shown(), 'Pause')
    await page.keyboard.press('c')
    t.equal(await shown(), 'Clone')
    await page.keyboard.press('ArrowDown')
    t.equal(await shown(), 'Test alert')
    await page.keyboard.press('End')
    t.equal(await shown(), 'Delete…')
    await page.keyboard.press('ArrowDown')
    t.equal(await shown(), 'Pause', 'after the last one comes the first')
    await page.keyboard.press('t')
    t.equal(await shown(), 'Test alert')
    const box = await menu.boundingBox()
    t.ok(box && box.x >= 0 && box.x + box.width <= phone.width, 'it is inside the window')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    t.equal(await shown(), 'More')
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Delete API?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.equal(await shown(), 'More')
    await more.click()
    await page.getByRole('heading', { level: 1 }).click()
    await menu.waitFor({ state: 'detached' })
  })

  await t.test('a silence says until when, is never made twice, and ends', async (t) => {
    const { page } = await show(`/app/monitors/${http.id}`, owner)
    const second = await page.context().newPage()
    await second.goto(`/app/monitors/${http.id}`)
    await second.getByRole('button', { name: 'Silence 1 h' }).waitFor()
    await page.getByRole('button', { name: 'Silence for another time' }).click()
    await page.getByRole('menuitem', { name: 'Silence for 4 h' }).click()
    const until = page.locator('.silenced').getByText(/^Silenced until \d/)
    await until.waitFor()
    t.equal(await page.getByRole('button', { name: 'Silence 1 h' }).count(), 0)
    await page.keyboard.press('s')
    await second.bringToFront()
    await second.keyboard.press('s')
    await second
      .locator('.silenced')
      .getByText(/^Silenced until \d/)
      .waitFor()
    await second.close()
    const active = await need('GET', '/maintenance-windows?state=active')
    t.equal(active.length, 1)
    const hours = (Date.parse(active[0].endsAt) - Date.parse(active[0].startsAt)) / 3_600_000
    t.equal(hours, 4)
    await page.bringToFront()
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByRole('button', { name: 'Silence 1 h' }).waitFor()
    t.same(await need('GET', '/maintenance-windows?state=active'), [])
  })

  await t.test('the next check comes nearer second by second, and nothing moves', async (t) => {
    const { page } = await open(t, owner)
    const dueAtMs = Date.now() + 120_000
    // A check that an earlier test asked for moves the next one, whenever it ends.
    await page.route(`**/api/v1/**/monitors/${http.id}`, async (route) => {
      const response = await route.fetch()
      const { data, ...more } = await response.json()
      const fixed = { ...data, nextCheckAt: new Date(dueAtMs).toISOString() }
      await route.fulfill({ response, json: { ...more, data: fixed } })
    })
    await page.clock.install()
    await page.goto(`/app/monitors/${http.id}`)
    const fact = page.locator('.facts > div', { hasText: en.monitor.nextCheck })
    const time = fact.locator('time')
    await time.waitFor()
    await page.clock.pauseAt(dueAtMs - 11_500)
    const { width } = (await fact.boundingBox()) ?? {}
    for (const left of [10, 9]) {
      await page.clock.runFor(1_000)
      t.equal(await time.innerText(), `in ${left} sec`)
      t.equal((await fact.boundingBox())?.width, width)
    }
    await page.clock.runFor(20_000)
    t.equal(await time.innerText(), 'now')
  })

  await t.test(
    'a new monitor says since when it is watched, in place of a percentage',
    async () => {
      const { page } = await open(t, owner)
      await page.clock.install()
      const uptime = page.locator('.facts > div', { hasText: 'Uptime' })
      const after = async (hours: number) => {
        await page.clock.setFixedTime(Date.parse(http.createdAt) + hours * 3_600_000)
        await page.goto(`/app/monitors/${http.id}`)
        await uptime.first().waitFor()
        return (await uptime.allInnerTexts()).map((one) => one.replace(/\s+/g, ' '))
      }
      t.same(await after(0.25), ['Uptime since 15 min'])
      t.match(await after(3), [/^Uptime 3 h /])
      t.match(await after(36), [/^Uptime 24 h /, /^Uptime 1 d 12 h /])
    },
  )

  await t.test('every step to a page is a link, and a phone shows the nearest', async (t) => {
    const { page, complaints } = await show(`/app/monitors/${job.id}/edit`, owner)
    const path = page.getByRole('navigation', { name: en.common.path })
    const steps = () => path.getByRole('link').allInnerTexts()
    await path.getByText('Backup').waitFor()
    t.same(await steps(), [en.overview.title, 'Backup'])
    await page.setViewportSize(phone)
    t.same(await steps(), ['Backup'])
    await path.getByRole('link').click()
    await page.getByRole('heading', { name: 'Backup', level: 1 }).waitFor()
    t.same(await steps(), [en.overview.title])
    const { id } = await need('POST', '/incidents', {
      ...{ title: 'No copy', severity: 'down', monitorIds: [job.id] },
    })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/app/incidents/${id}`)
    await path.getByText('Backup').waitFor()
    t.same(await steps(), [en.incidents.title, 'Backup'])
    await need('POST', `/incidents/${id}/resolve`, {})
    t.same(complaints, [])
  })

  await t.test('the report of a month opens and verifies', async (t) => {
    const { page } = await show(`/app/monitors/${http.id}`, owner)
    const href = await page.getByRole('link', { name: 'Open to print' }).getAttribute('href')
    t.equal((await page.request.get(href ?? '')).status(), 200)
    const statement = page.getByRole('link', { name: 'Download signed JSON' })
    const signed = await page.request.get((await statement.getAttribute('href')) ?? '')
    t.match((await signed.json()).data, { algorithm: 'Ed25519', report: { type: String } })
  })

  await t.test('everybody can read it, at every width and in the dark', async (t) => {
    const { page } = await show('/app', owner)
    const look = await looksOf(page, { widthMin: 390, atEnd: true })
    await show(`/app/monitors/${http.id}`, owner)
    await page.getByRole('button', { name: 'Try other thresholds' }).click()
    await page.locator('.strip').first().waitFor()
    await page.getByText('As a table').click()
    await look(t, 'a monitor')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Test alert' }).click()
    await page.locator('.alert-path').waitFor()
    await look(t, 'who would hear')
    await show(`/app/monitors/${job.id}`, owner)
    await look(t, 'a job')
    await show(`/app/monitors/${http.id}/edit`, owner)
    await page.locator('.trial button').first().click()
    await page.locator('.picker .tree').first().waitFor()
    await look(t, 'its form')
  })
})
