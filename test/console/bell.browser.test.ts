// The bell of the console: it counts live, tells what happened, and what was seen counts no more.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { startConsole } from '../support/console-tab.ts'

t.test('the bell', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await register(daemon, 'bell')
  const need = needOf(daemon, owner)
  const { page } = await show('/app', owner)
  await page.locator('.connection.is-live').waitFor()
  const bell = page.getByRole('button', { name: 'What happened', exact: true })
  await bell.waitFor()
  const { id } = await need('POST', '/incidents', { title: 'Mail is slow' })
  const counted = page.getByRole('button', { name: 'What happened: 1 new' })
  await counted.focus()
  await page.keyboard.press('ArrowDown')
  await page.locator('[role=menuitem]:focus', { hasText: 'Opened: Mail is slow' }).waitFor()
  await bell.waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/app/incidents/${id}`))
  await page.reload()
  await bell.waitFor()
})

t.test('an administrator hears of a backup that failed, and is led to why', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stillup-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const noFolder = join(folder, 'backups')
  writeFileSync(noFolder, '')
  const { daemon, show } = await startConsole(t, { env: { BACKUP_DIR: noFolder } })
  const admin = await register(daemon, 'ada', daemon.setupToken)
  await daemon.ask('POST', '/api/v1/system/backups', { cookie: admin.cookie })
  const { page } = await show('/app', admin)
  await page.getByRole('button', { name: 'What happened: 1 new' }).click()
  await page.getByRole('menuitem', { name: 'A backup failed' }).click()
  await page.waitForURL(/app.system.tab=backups/)
  await page.getByText('the last backup failed:').waitFor()
})
