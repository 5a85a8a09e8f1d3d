// Moving in: a file that is dropped becomes a plan, an import with its past, and is taken back; and a page that says
// how far a large one is.
import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { register } from '../support/cast.ts'
import { startConsole } from '../support/console-tab.ts'
import { makeKuma } from '../support/kuma-database.ts'
import { shopOfKuma } from '../support/kuma-shop.ts'
import { testFolder } from '../support/test-folder.ts'

t.test('a file that takes long to import shows how far it is', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await register(daemon, 'mover')
  const { page, complaints } = await show('/app/import', owner)
  const held = { trial: Promise.withResolvers<void>(), import: Promise.withResolvers<void>() }
  for (const name of ['trial', 'import'] as const) {
    await page.route(name === 'trial' ? '**/import/trial' : '**/import', async (route) => {
      if (route.request().method() === 'POST') await held[name].promise
      await route.continue()
    })
  }
  let doneItems = 1
  await page.route('**/import/progress', (route) =>
    route.fulfill({ json: { success: true, data: { progress: { doneItems, totalItems: 4 } } } }),
  )
  const monitors = ['Shop', 'API'].map((name) => ({ name, url: `${daemon.url}/${name}` }))
  const secrets = [{ name: 'SHOP_TOKEN' }]
  const document = JSON.stringify({ format: 'stillup/1', monitors, secrets })
  const file = { name: 'stillup.json', mimeType: 'application/json', buffer: Buffer.from(document) }
  await page.getByLabel('File').setInputFiles(file)
  await page.getByRole('progressbar', { name: 'The file is being examined' }).waitFor()
  await page.getByText(/25\s?%/).waitFor()
  held.trial.resolve()
  await page.locator('.plan-counts').getByText('2 monitors').waitFor()
  await page.getByText('1 secret has none until you enter it').waitFor()
  t.equal(await page.getByRole('progressbar').count(), 0)

  doneItems = 3
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('progressbar', { name: 'The file is being imported' }).waitFor()
  await page.getByText(/75\s?%/).waitFor()
  held.import.resolve()
  await page.getByText('2 monitors were imported.').waitFor()
  t.same(complaints, [])
})

const dayMs = 86_400_000

/** A `kuma.db` with days of its past, the last of them yesterday, as a browser has it. */
function database(t: Test, days = 1) {
  const path = join(testFolder(t), 'kuma.db')
  const today = Math.floor(Date.now() / dayMs)
  const stat_daily = Array.from({ length: days }, (_, ago) => ({
    id: ago + 1,
    monitor_id: 2,
    timestamp: (today - 1 - ago) * 86_400,
    up: 1_430,
    down: 10,
    ping: 20,
    ping_min: 1,
    ping_max: 90,
  }))
  makeKuma(path, '2.5', { ...shopOfKuma, stat_daily })
  return { name: 'kuma.db', mimeType: 'application/octet-stream', buffer: readFileSync(path) }
}

t.test('a kuma.db is a plan, an import with its past, and is taken back', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await register(daemon, 'mover')
  const { page, complaints } = await show('/app/import', owner)
  const file = database(t)
  await page.getByLabel('Drop a file here').setInputFiles(file)
  await page.getByRole('heading', { name: 'kuma.db would bring' }).waitFor()
  await page.getByText('The past comes along').waitFor()
  const plan = page.locator('.plan')
  await plan.getByText('Shop', { exact: true }).waitFor()
  await plan.getByText('monitor/2', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Silent beside the old system' }).uncheck()

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Import from Uptime Kuma', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'What is left to do' }).waitFor()
  await page.getByText('All status pages are published.').waitFor()
  const id = await page.getByRole('link', { name: 'Shop', exact: true }).getAttribute('href')
  const monitorId = id?.replace(/^.*\//, '')
  const { cookie, org } = owner
  const past = async () =>
    JSON.stringify(await daemon.need('GET', `${org}/monitors/${monitorId}/uptime`, { cookie }))
  const ofOneDay = await past()
  t.ok(ofOneDay.includes('0.99'), 'its past is part of its uptime')

  // The same once more has nothing to make; a past that is longer now comes alone.
  await page.goto(`${daemon.url}/app/import`)
  await page.getByRole('link', { name: 'Import from Uptime Kuma' }).waitFor()
  await page.getByLabel('Drop a file here').setInputFiles(database(t, 3))
  await page.getByText('Nothing new.').waitFor()
  await page.getByText(/Nothing to change. The past of \d+ monitors can be brought/).waitFor()
  await page.getByRole('button', { name: 'Bring the past' }).click()
  await page.getByText('The past is here now.').waitFor()
  t.not(await past(), ofOneDay, 'the days before came, too')

  await page.goto(`${daemon.url}/app/import`)
  await page.getByRole('link', { name: 'Import from Uptime Kuma' }).last().click()
  await page.getByRole('button', { name: 'Take back' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/are deleted/).waitFor()
  await dialog.getByRole('button', { name: 'Take back' }).click()
  await page.getByText('The import was taken back.').waitFor()
  t.equal(await page.getByRole('button', { name: 'Take back' }).count(), 0)
  const left = await daemon.need('GET', `${org}/monitors`, { cookie })
  t.equal(left.length, 0)
  t.same(complaints, [])
})

t.test('a piece of a file that is cut off is sent again', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await register(daemon, 'mover')
  const { page } = await show('/app/import', owner)
  let cut = 0
  await page.route('**/import/uploads?*', async (route) => {
    cut += 1
    if (cut === 1) await route.abort('connectionreset')
    else await route.continue()
  })
  await page.getByLabel('Drop a file here').setInputFiles(database(t))
  await page.getByRole('heading', { name: 'kuma.db would bring' }).waitFor()
  t.equal(cut, 2)
})

t.test(
  'a file that is none of these is refused in words, and another may be chosen',
  { skip },
  async (t) => {
    const { daemon, show } = await startConsole(t)
    const owner = await register(daemon, 'mover')
    const { page } = await show('/app/import', owner)
    const buffer = Buffer.from('SQLite format 3\0 but nothing of it')
    const hostile = { name: 'kuma.db', mimeType: 'application/octet-stream', buffer }
    await page.getByLabel('Drop a file here').setInputFiles(hostile)
    await page
      .getByRole('alert')
      .getByText(/file:? /)
      .waitFor()
    await page.getByText('Choose another file').waitFor()
    const text = {
      name: 'x.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,url\nShop,127.0.0.1'),
    }
    await page.locator('.drop-zone input').setInputFiles(text)
    await page.getByRole('heading', { name: 'x.csv would bring' }).waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
  },
)

t.test('the files of a folder of Gatus are one configuration', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await register(daemon, 'mover')
  const { page, complaints } = await show('/app/import', owner)
  const file = (name: string, text: string) => ({
    ...{ name, mimeType: 'application/yaml', buffer: Buffer.from(text) },
  })
  const endpoint = (name: string) =>
    `endpoints: [{name: ${name}, url: "http://127.0.0.1/$NAME", conditions: ["[STATUS] == 200"]}]`
  const drop = page.locator('.drop-zone input')
  await drop.setInputFiles([file('a.yaml', endpoint('Shop')), file('kuma.db', 'x')])
  await page.getByRole('alert').getByText('Several files are read together only').waitFor()

  const compose = file('compose.yml', 'services: {gatus: {image: gatus}}')
  const environment = file('gatus.env', 'NAME=of-the-service')
  const configs = ['Shop', 'API'].map((name) => file(`${name}.yaml`, endpoint(name)))
  await drop.setInputFiles([...configs, compose, environment])
  await page.locator('.plan-counts').getByText('2 monitors').waitFor()
  await page.locator('.plan').getByText('has nothing that Gatus reads').waitFor()
  const variables = page.getByLabel('Variables of its environment')
  t.equal(await variables.inputValue(), 'NAME=of-the-service')

  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('heading', { name: 'Or from its address' }).waitFor()
  t.equal(await page.locator('.plan').count(), 0)
  t.same(complaints, [])
})

t.test('a ping key that came along stands among the API keys, and goes', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await register(daemon, 'mover')
  const { cookie, org } = owner
  const json = {
    ...{ format: 'stillup/1', monitors: [], keptPingKeys: ['key-of-the-project-01'] },
    source: { product: 'healthchecks', installation: 'there' },
  }
  await daemon.need('POST', `${org}/import`, { cookie, json })
  const { page, complaints } = await show('/app/people?tab=keys', owner)
  await page.getByRole('heading', { name: 'Ping keys of Healthchecks' }).waitFor()
  await page.getByText('key-…', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('key-…', { exact: true }).waitFor({ state: 'detached' })
  t.equal(await page.getByRole('heading', { name: 'Ping keys of Healthchecks' }).count(), 0)
  t.same(complaints, [])
})

t.test(
  'what has no room is said as a sentence, in the language of the reader',
  { skip },
  async (t) => {
    const { daemon, show } = await startConsole(t, { env: { QUOTAS_MONITORS: '1' } })
    const owner = await register(daemon, 'mover')
    const { page } = await show('/app/import', owner, { locale: 'de-DE' })
    const text = `name,url\nShop,http://127.0.0.1/\nAPI,http://127.0.0.1/`
    const file = { name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await page.locator('.drop-zone input').setInputFiles(file)
    const reason = page.locator('.plan-reason')
    await reason.waitFor()
    const sentence = 'kein Platz: quotas.monitors erlaubt 1, und es wären 2'
    t.equal(await reason.innerText(), sentence)
    await page.locator('.note').getByText(`1 Monitor: ${sentence}`).waitFor()
  },
)

t.test('monitors begin in silence beside the old system, and go live', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await register(daemon, 'mover')
  const { page, complaints } = await show('/app/import', owner)
  await page.getByLabel('Drop a file here').setInputFiles(database(t))
  const silent = page.getByRole('checkbox', { name: 'Silent beside the old system' })
  await silent.waitFor()
  t.equal(await silent.isChecked(), true, 'the old system tells already')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText(/\d+ monitors are silent/).waitFor()
  await page.getByText('Neither told of an outage yet.').waitFor()
  const ofImport = page.url()
  await page.goto('/app')
  await page.getByRole('link', { name: /\d+ monitors are silent/ }).click()
  await page.waitForURL(ofImport)

  const note = page.locator('.import-notes').getByRole('checkbox').first()
  const open = await page.getByText(/^\d+ open$/).innerText()
  await note.check()
  await page.getByText(`${Number.parseInt(open, 10) - 1} open`, { exact: true }).waitFor()
  await page.reload()
  await page.locator('.import-notes').waitFor()
  t.equal(await note.isChecked(), true, 'a tick stays')

  await page.getByRole('button', { name: 'Go live' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click()
  await page.getByText('They are live now.').waitFor()
  await page.getByText(/\d+ monitors are live/).waitFor()
  t.equal(await page.getByRole('button', { name: 'Go live' }).count(), 0)
  t.same(complaints, [])
})
