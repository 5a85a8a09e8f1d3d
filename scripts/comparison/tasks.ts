// The tasks of docs/comparison.md, as somebody does them in the console of the made-up shop. Each begins
// at the overview and ends when what was wanted is on the screen.
import type { Page } from 'playwright-core'
import type { Person } from './person.ts'

export interface Task {
  /** As in the table. */
  readonly title: string
  readonly run: (page: Page, person: Person) => Promise<void>
}

const exact = true

export const tasks: readonly Task[] = [
  {
    title: 'Add a monitor with an assertion on a JSON value',
    async run(page, person) {
      await person.click(page.getByRole('link', { name: 'Add a monitor' }))
      await page.locator('#field-url:focus').waitFor()
      await person.paste(page.locator('#field-url'), 'https://api.acme.example/v1/stock')
      await person.click(page.getByText('What a good answer is like'))
      await person.click(page.getByRole('button', { name: 'Add an assertion' }))
      // The field begins with `$.`.
      const path = page.getByLabel('Path', { exact })
      await person.type(path, '$.status')
      await person.type(page.getByLabel('Value', { exact }), 'ok')
      await person.click(page.getByRole('button', { name: 'Add the monitor' }))
      await page.waitForURL(/\/app\/monitors\/mon_/)
    },
  },
  {
    title: 'Find out why the mail server was down last Tuesday',
    async run(page, person) {
      await person.click(page.locator('.monitor-row', { hasText: 'Mail server' }))
      await person.click(page.getByRole('link', { name: 'Mail server was down' }).first())
      await page.getByText('no connection within 10 s').first().waitFor()
      await page.getByRole('heading', { name: 'What the check found' }).waitFor()
    },
  },
  {
    title: 'Silence it for an hour',
    async run(page, person) {
      await person.click(page.locator('.monitor-row', { hasText: 'Mail server' }))
      await person.click(page.getByRole('button', { name: 'Silence 1 h' }))
      await page.getByText('Silenced for an hour.').waitFor()
    },
  },
  {
    title: 'See who was told of the open outage, and who was not',
    async run(page, person) {
      await person.click(page.getByRole('link', { name: /^Checkout API is down/ }))
      const outcomeOf = (name: string) => page.locator('.told summary', { hasText: name })
      await outcomeOf('#shop-alerts').getByText('Told', { exact }).waitFor()
      await outcomeOf("Ada's phone").getByText('Not told', { exact }).waitFor()
    },
  },
  {
    title: 'Publish a page with all public monitors',
    async run(page, person) {
      const navigation = page.getByRole('navigation').first()
      await person.click(navigation.getByRole('link', { name: 'Status pages' }))
      await person.click(page.getByRole('link', { name: 'Add a status page' }))
      await person.type(page.getByLabel(/^Name ·/), 'Shop')
      await person.click(page.getByRole('button', { name: 'Create the page' }))
      await page.waitForURL(/\/app\/pages\/pag_/)
    },
  },
  {
    title: 'Invite a colleague who may only look',
    async run(page, person) {
      const navigation = page.getByRole('navigation').first()
      await person.click(navigation.getByRole('link', { name: 'People' }))
      await person.click(page.getByRole('button', { name: 'Invite', exact }))
      const form = page.getByRole('dialog', { name: 'Invite' })
      await page.locator('#field-email:focus').waitFor()
      await person.type(form.getByLabel(/^E-mail address ·/), 'bo@acme.example')
      await person.choose(form.getByLabel('Role'), 'Viewer')
      await person.click(form.getByRole('button', { name: 'Invite', exact }))
      await page.getByRole('dialog', { name: 'The link of the invitation' }).waitFor()
    },
  },
  {
    title: 'Tell what other thresholds would have alerted',
    async run(page, person) {
      await person.click(page.locator('.monitor-row', { hasText: 'Mail server' }))
      await person.click(page.getByText('Try other thresholds'))
      const failures = page.getByRole('spinbutton', { name: 'Failed checks until it is down' })
      await person.type(failures, '5')
      await page.locator('.threshold.is-changed').waitFor()
      await page.locator('.simulation-results:not([aria-busy=true])').waitFor()
    },
  },
  {
    // The last one: after it the overview has more rows than a screen.
    title: 'Bring 50 monitors in from a file',
    async run(page, person) {
      await person.click(page.getByRole('link', { name: 'Add a monitor' }))
      await person.click(page.getByRole('link', { name: 'Import a file' }))
      await person.give(page.getByLabel('File', { exact }), { name: 'kuma.json', text: backup(50) })
      await page.getByText('50 monitors', { exact }).waitFor()
      await person.click(page.getByRole('button', { name: 'Import', exact }))
      await page.getByText('50 monitors were imported.').waitFor()
    },
  },
]

/** As Uptime Kuma writes one. */
function backup(monitors: number): string {
  const monitorList = Array.from({ length: monitors }, (_, at) => ({
    type: 'http',
    name: `Shop ${at}`,
    url: `https://shop-${at}.acme.example/`,
    interval: 60,
    maxretries: 1,
    active: true,
  }))
  return JSON.stringify({ monitorList })
}
