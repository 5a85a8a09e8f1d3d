// node scripts/comparison/uptime-kuma.ts http://127.0.0.1:3001: the column of Uptime Kuma 2.5.3 in
// docs/comparison.md, measured at an instance that has no account yet. It must run in UTC.
import type { Page } from 'playwright-core'
import { startPictureBrowser } from '../pictures/browser.ts'
import { startMailServer } from './measure.ts'
import { createPerson, secondsOf } from './person.ts'
import type { Task } from './tasks.ts'

/** What the instance shows only after its socket has answered: a form is filled in by then. */
const settleMs = 3_000

async function signUp(page: Page): Promise<void> {
  await page.goto('/setup')
  await page.locator('input[type=text]').first().fill('ada')
  for (const field of await page.locator('input[type=password]').all()) {
    await field.fill('Correct-horse-9')
  }
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/dashboard/)
}

async function addMailServer(page: Page): Promise<void> {
  await page.goto('/add')
  await page.waitForTimeout(settleMs)
  await page.locator('#type').selectOption({ label: 'TCP Port' })
  await page.locator('#name').fill('Mail server')
  await page.locator('#hostname').fill('127.0.0.1')
  await page.locator('#port').fill('1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/dashboard\/\d+/)
}

/** A second notification, and the monitor with the first one. */
async function addOther(page: Page): Promise<void> {
  await page.goto('/settings/notifications')
  await page.waitForTimeout(settleMs)
  await page.getByRole('button', { name: 'Set Up Notification' }).click()
  await page.locator('#notification-type').selectOption({ label: 'Webhook' })
  await page.locator('#webhook-url').fill('http://127.0.0.1:9/hook')
  await page.locator('#webhook-request-body').selectOption('json')
  await page.locator('.modal.show').getByRole('button', { name: 'Save' }).click()
  await page.getByText('My Webhook Alert (1)').waitFor()
  await page.goto('/edit/1')
  await page.waitForTimeout(settleMs)
  await page.locator('#notification1').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  await page.goto('/dashboard')
  await page.waitForTimeout(settleMs)
}

const tasks: readonly Task[] = [
  {
    title: 'Add a monitor with an assertion on a JSON value',
    async run(page, person) {
      await person.click(page.getByRole('link', { name: 'Add New Monitor' }))
      await page.waitForTimeout(settleMs)
      await person.choose(page.locator('#type'), 'HTTP(s) - Json Query')
      await person.paste(page.locator('#url'), 'https://api.acme.example/v1/stock')
      // The field begins with `$`; the name is made from the address.
      await person.type(page.locator('#jsonPath'), '$.status')
      await person.type(page.locator('#expectedValue'), 'ok')
      await person.click(page.getByRole('button', { name: 'Save' }))
      await page.waitForURL(/dashboard\/\d+/)
    },
  },
  {
    title: 'Find out why the mail server was down last Tuesday',
    async run(page, person) {
      await person.click(page.locator('.monitor-list .item', { hasText: 'Mail server' }))
      await page.getByText('Connection failed').waitFor()
    },
  },
  {
    title: 'Silence it for an hour',
    async run(page, person) {
      await person.click(page.locator('.dropdown-profile-pic .nav-link').first())
      await person.click(page.getByRole('link', { name: 'Maintenance', exact: true }))
      await person.click(page.getByRole('link', { name: 'Schedule Maintenance' }))
      await page.waitForTimeout(settleMs)
      // Its times begin as an hour from now.
      await person.type(page.locator('#name'), 'Mail')
      await person.click(page.locator('.multiselect').first())
      const option = page.locator('.multiselect__option', { hasText: 'Mail server' })
      await person.click(option.first())
      await person.click(page.getByRole('button', { name: 'Save' }))
      await page.getByText('Under Maintenance').waitFor()
    },
  },
  {
    title: 'Set up mail, and see a test letter arrive',
    async run(page, person, { address, arrived }) {
      const [host = '', port = ''] = address.split(':')
      await person.click(page.locator('.dropdown-profile-pic .nav-link').first())
      await person.click(page.getByRole('link', { name: 'Settings', exact: true }))
      await person.click(page.getByRole('link', { name: 'Notifications', exact: true }))
      await page.waitForTimeout(settleMs)
      await person.click(page.getByRole('button', { name: 'Set Up Notification' }))
      const dialog = page.locator('.modal.show')
      // Its name is made from its type.
      await person.choose(dialog.locator('#notification-type'), 'Email (SMTP)')
      await person.paste(dialog.locator('#hostname'), host)
      await person.paste(dialog.locator('#port'), port)
      await person.type(dialog.locator('#from-email'), 'up@acme.example')
      await person.type(dialog.locator('#to-email'), 'ada@acme.example')
      await person.click(dialog.getByRole('button', { name: 'Test' }))
      await arrived('ada@acme.example')
      await person.click(dialog.getByRole('button', { name: 'Save' }))
      await page.getByText('My Email Alert (1)').waitFor()
    },
  },
  {
    title: 'Move one monitor to another channel',
    prepare: addOther,
    async run(page, person) {
      await person.click(page.locator('.monitor-list .item', { hasText: 'Mail server' }))
      await person.click(page.getByRole('link', { name: 'Edit', exact: true }))
      await page.waitForTimeout(settleMs)
      await person.click(page.locator('#notification1'))
      await person.click(page.locator('#notification2'))
      await person.click(page.getByRole('button', { name: 'Save' }))
      await page.getByText('Saved').waitFor()
    },
  },
  {
    title: 'Publish a page with one monitor',
    async run(page, person) {
      await person.click(page.getByRole('link', { name: 'Status Pages' }))
      await person.click(page.getByRole('link', { name: 'New Status Page' }))
      await page.waitForTimeout(settleMs)
      await person.type(page.locator('#name'), 'Shop')
      await person.type(page.locator('#slug'), 'shop')
      await person.click(page.getByRole('button', { name: 'Next' }))
      await person.click(page.getByTestId('monitor-select'))
      const option = page.locator('.multiselect__option', { hasText: 'Mail server' })
      await person.click(option.first())
      await person.click(page.getByRole('button', { name: 'Save' }))
      await page.getByRole('button', { name: 'Edit Status Page' }).waitFor()
    },
  },
]

const browser = await startPictureBrowser()
const [, , baseURL = 'http://127.0.0.1:3001'] = process.argv
const viewport = { width: 1_440, height: 1_200 }
const context = await browser.newContext({ baseURL, viewport, locale: 'en-GB', timezoneId: 'UTC' })
const page = await context.newPage()
await signUp(page)
await addMailServer(page)
const mail = await startMailServer()
for (const { title, prepare, run } of tasks) {
  await page.goto('/dashboard')
  await page.waitForTimeout(settleMs)
  await prepare?.(page)
  const person = createPerson()
  await run(page, person, mail)
  const effort = person.effort()
  const { clicks, fields, keys } = effort
  const seconds = Math.round(secondsOf(effort))
  console.log(`${title}: ${clicks} clicks, ${fields} fields, ${keys} keys, ${seconds} s`)
}
await browser.close()
await mail.stop()
