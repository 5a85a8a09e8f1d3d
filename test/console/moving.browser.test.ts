// Moving in: a large file is examined and imported for a while, and the page says how far that is.
import { Buffer } from 'node:buffer'
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { register } from '../support/cast.ts'
import { startConsole } from '../support/console-tab.ts'

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
  await page.getByText('2 monitors').waitFor()
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
