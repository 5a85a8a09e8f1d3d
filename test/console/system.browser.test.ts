// The system pages of the console: how the service is and was, for its administrator.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startClock } from '../../src/base/clock.ts'
import { openStore } from '../../src/store/store.ts'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { register } from '../support/cast.ts'
import { button } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import { startDaemon } from '../support/daemon.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const gib = 1024 ** 3

/** A service that ran for ten days, and whose disk fills by a GiB a day. */
async function writeHistory(dir: string): Promise<void> {
  const clock = startClock()
  const fail = (error: unknown) => t.fail(String(error))
  const store = openStore({ dir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  const nowMs = clock.nowMs()
  const point = (fromMs: number) => {
    const free = (40 + (nowMs - fromMs) / (24 * hourMs)) * gib
    return [fromMs, 12, 2, 40, 0, 150 * 1024 ** 2, gib, free, 3, 0]
  }
  const write = (lengthMs: number, name: 'minutes' | 'hours', count: number) => {
    const untilMs = Math.floor(nowMs / lengthMs) * lengthMs
    const points = Array.from({ length: count }, (_, at) =>
      point(untilMs - (count - at) * lengthMs),
    )
    return store.write((tx) => store.systemHistory.put(tx, name, points[0]?.[0] ?? 0, points))
  }
  await write(minuteMs, 'minutes', 120)
  await write(hourMs, 'hours', 240)
  await store.close()
  clock.stop()
}

t.test('how the service was', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stillup-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const dir = join(folder, 'data')
  const former = await startDaemon(t, { dir })
  const ada = await register(former, 'ada', former.setupToken)
  await former.stop()
  await writeHistory(dir)
  const { show } = await startConsole(t, { dir })
  const texts = en.system.charts

  await t.test('charts say the newest values in words, and read others by keyboard', async (t) => {
    const { page, complaints } = await show('/app/system', ada)
    const chartOf = (title: string) => page.locator('.system-chart', { hasText: title })
    await chartOf(texts.titles.memory).getByText('150 MiB', { exact: true }).waitFor()
    await chartOf(texts.titles.lateness).getByText('2 ms, the slowest 40 ms').waitFor()
    await page.getByText(texts.now).waitFor()
    await page.getByRole('img', { name: new RegExp(texts.titles.memory) }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.getByText(texts.now).waitFor({ state: 'detached' })
    t.ok(await page.locator('.system-chart .u-cursor-x').count(), 'others show the same time')
    t.same(complaints, [])
  })

  await t.test('a disk that fills has a forecast, and each range its points', async (t) => {
    const { page } = await show('/app/system', ada)
    await page.getByText(/^Full in about (39|40) days at 1\.0 GiB a day/).waitFor()
    for (const range of ['hour', 'week', 'quarter'] as const) {
      await button(page, texts.ranges[range]).click()
      await page.locator('[aria-busy=false] .system-charts canvas').first().waitFor()
    }
    const look = await looksOf(page, { widthMin: 390 })
    await look(t, 'the charts')
    await look(t, 'the charts, dark and narrow')
  })
})

t.test('the health of the installation', { skip }, async (t) => {
  const { daemon, show, open } = await startConsole(t, {
    env: { MAIL_SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'up@example.com' },
  })
  const ada = await register(daemon, 'ada', daemon.setupToken)
  const texts = en.system.health

  await t.test(
    'what is wrong stands first with its remedy, and is counted beside it',
    async (t) => {
      const { page, complaints } = await show('/app/system?tab=health', ada)
      const line = page.locator('.health > li.is-down', { hasText: '127.0.0.1:1' })
      await line.getByText('Correct mail.smtpUrl.').waitFor()
      await page.locator('.side .nav-count').waitFor()
      await line.getByRole('link', { name: en.settings.titles['mail.smtpUrl'] }).click()
      await page.locator('section#mail').waitFor()
      t.same(complaints, [])
    },
  )

  await t.test('once it is right, a new look says so', async (t) => {
    const { page } = await show('/app/system?tab=health', ada)
    const checked = page.waitForResponse(
      (one) => one.url().endsWith('/system/health') && one.request().method() === 'POST',
    )
    await button(page, texts.again).click()
    t.equal((await checked).status(), 200)
    await page.getByText(texts.rest).waitFor()
    await page.locator('.health-groups summary').first().click()
    await page.locator('.health-groups .health > li').first().waitFor()
    const look = await looksOf(page, { widthMin: 390 })
    await look(t, 'the health')
    await look(t, 'the health, dark and narrow')
  })

  await t.test('somebody who is no administrator asks for none of it', async (t) => {
    const bob = await register(daemon, 'bob')
    const { page } = await open(t, bob)
    const asked: string[] = []
    page.on('request', (one) => asked.push(one.url()))
    await page.goto(`${daemon.url}/app`)
    await page.getByRole('navigation').first().waitFor()
    t.notOk(asked.some((url) => url.includes('/system/')))
  })
})

t.test(
  'a task that runs shows how far it is, and one that failed what to do',
  { skip },
  async (t) => {
    const { daemon, open } = await startConsole(t)
    const ada = await register(daemon, 'ada', daemon.setupToken)
    const { page, complaints } = await open(t, ada)
    let done = 42
    await page.route('**/api/v1/system/tasks?*', async (route) => {
      const answer = await route.fetch()
      const json = await answer.json()
      for (const task of json.data) {
        if (task.name === 'integrity' && done < 100) {
          const now = { isRunning: true, progress: { doneBytes: done, totalBytes: 100 } }
          Object.assign(task, now, { runningSince: new Date().toISOString() })
        }
        if (task.name === 'space') {
          Object.assign(task, { lastOutcome: 'failed', lastDetail: 'no space is left' })
        }
      }
      await route.fulfill({ response: answer, json })
    })
    await page.goto(`${daemon.url}/app/system?tab=tasks`)
    const row = page.locator('tr', { hasText: en.audit.tasks.integrity })
    await row.getByText('42%').waitFor()
    t.ok(await row.getByRole('button').isDisabled())
    done = 77
    await row.getByText('77%').waitFor()
    await page.getByText('no space is left').waitFor()
    await page.getByText(en.system.taskAdvice.space).waitFor()
    const look = await looksOf(page, { widthMin: 390 })
    await look(t, 'the tasks')
    await look(t, 'the tasks, dark and narrow')
    done = 100
    await row.locator('progress').waitFor({ state: 'detached' })
    t.same(complaints, [])
  },
)

t.test('the machines of a cluster', { skip }, async (t) => {
  const { daemon, open } = await startConsole(t, { env: { CLUSTER_STANDBY: 'true' } })
  const ada = await register(daemon, 'ada', daemon.setupToken)
  const texts = en.system.machines
  const { page, complaints } = await open(t, ada)
  const part = page.locator('section.machines')
  await page.goto(`${daemon.url}/app/system`)
  await part.getByText(`stillup standby --of ${daemon.url}`).waitFor()
  await part.locator('tr', { hasText: texts.leads }).getByText(texts.isThis).waitFor()
  const look = await looksOf(page, { widthMin: 390 })
  await look(t, 'the way to a standby')

  const since = new Date().toISOString()
  const standby = { role: 'standby', version: '1.2.3', address: '192.0.2.2', isThis: false }
  const well = { isInStep: true, behind: 0, behindSince: null as string | null }
  let members = [{ ...standby, ...well, name: 'fra-2', heardAt: since }]
  await page.route('**/api/v1/system/info', async (route) => {
    const answer = await route.fetch()
    const json = await answer.json()
    json.data.cluster.members.push(...members)
    await route.fulfill({ response: answer, json })
  })
  await page.reload()
  const row = part.locator('tr', { hasText: 'fra-2' })
  await row.getByText(texts.inStep, { exact: true }).waitFor()
  await row.getByText('192.0.2.2').waitFor()
  t.equal(await part.getByText(/stillup standby --of/).count(), 0)
  const late = { isInStep: false, behindSince: since, behind: 7 }
  members = members.map((one) => ({ ...one, ...late }))
  await row.getByText(texts.behind({ count: 7 })).waitFor()
  await look(t, 'a standby that is behind, dark and narrow')
  t.same(complaints, [])
})
