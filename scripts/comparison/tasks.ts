// The tasks of docs/comparison.md, as somebody does them in the console of the made-up shop. Each begins
// at the overview and ends when what was wanted is on the screen.
import type { Page } from 'playwright-core'
import { createPerson, type Person } from './person.ts'

export interface Task {
  /** As in the table. */
  readonly title: string
  /** What is there before it, and is not counted. */
  readonly prepare?: (page: Page) => Promise<void>
  readonly run: (page: Page, person: Person, mailServer: MailServer) => Promise<void>
}

/** The mail server of the company, which keeps what it is sent. */
export interface MailServer {
  /** As it is written in the notes of whoever sets it up. */
  readonly address: string
  /** Resolves once a letter to the address is there. */
  arrived(to: string): Promise<void>
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
      await page.getByText('still connecting').first().waitFor()
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
    title: 'Find which settings woke us last night',
    async run(page, person) {
      const navigation = page.getByRole('navigation').first()
      await person.click(navigation.getByRole('link', { name: 'Incidents' }))
      await person.click(page.getByRole('link', { name: 'Warehouse VPN was down' }))
      await page
        .getByText(/results had failed, .*; from \d on it counted as down/)
        .first()
        .waitFor()
      const outcomeOf = (name: string) => page.locator('.told summary', { hasText: name })
      await outcomeOf('#shop-alerts').getByText('Told', { exact }).waitFor()
    },
  },
  {
    title: 'Set up mail, and see a test letter arrive',
    async run(page, person, { address, arrived }) {
      const navigation = page.getByRole('navigation').first()
      await person.click(navigation.getByRole('link', { name: 'System' }))
      await person.click(page.getByRole('link', { name: 'Settings', exact }))
      const mail = page.locator('section#mail')
      await person.paste(mail.getByLabel('Server', { exact }), address)
      await person.choose(mail.getByLabel('Encryption'), 'STARTTLS')
      await person.type(mail.getByLabel('Sender', { exact }), 'up@acme.example')
      await person.click(mail.getByRole('button', { name: 'Send a test letter' }))
      await mail.getByText('The mail server took the letter to').waitFor()
      await arrived('ada@acme.example')
      await person.click(mail.getByRole('button', { name: 'Save', exact }))
      await page.getByText('The settings are saved.').waitFor()
    },
  },
  {
    // After it the overview has more rows than a screen.
    title: 'Bring 50 monitors in from a file',
    async run(page, person) {
      await person.click(page.getByRole('link', { name: 'Add a monitor' }))
      await person.click(page.getByRole('link', { name: 'Move in' }))
      await person.give(page.getByLabel('Drop a file here'), {
        name: 'kuma.json',
        text: backup(50),
      })
      await page.locator('.plan-counts').getByText('50 monitors', { exact }).waitFor()
      await person.click(page.getByRole('button', { name: 'Import', exact }))
      await page.getByText('50 monitors were imported.').waitFor()
      await person.click(page.getByRole('link', { name: 'Overview', exact }))
    },
  },
  {
    // Those of the file before.
    title: 'Move 30 monitors to another channel',
    async prepare(page) {
      await moveTagged(page, createPerson(), { to: '#shop-alerts' })
      await page.reload()
    },
    run: (page, person) => moveTagged(page, person, { from: '#shop-alerts', to: 'Operations' }),
  },
]

/** Gives all monitors of the last file that have its tag another channel. */
async function moveTagged(
  page: Page,
  person: Person,
  { from, to }: { readonly from?: string; readonly to: string },
): Promise<void> {
  await person.choose(page.getByLabel('Tag', { exact }), tagged.tag)
  await person.click(page.getByRole('checkbox', { name: 'Select every monitor in the list' }))
  await person.click(page.getByRole('button', { name: 'Channels…' }))
  const dialog = page.getByRole('dialog')
  await person.click(dialog.getByRole('checkbox', { name: to }))
  if (from !== undefined) {
    const former = dialog.getByRole('checkbox', { name: from })
    // The first click would add it, the second takes it away.
    await person.click(former)
    await person.click(former)
  }
  await person.click(dialog.getByRole('button', { name: `Change ${tagged.count} monitors` }))
  await page.getByText(`${tagged.count} monitors changed.`).waitFor()
}

const tagged = { tag: 'warehouse', count: 30 }

/** As Uptime Kuma writes one. */
function backup(monitors: number): string {
  const monitorList = Array.from({ length: monitors }, (_, at) => ({
    type: 'http',
    name: `Shop ${at}`,
    url: `https://shop-${at}.acme.example/`,
    interval: 60,
    maxretries: 1,
    active: true,
    tags: at < tagged.count ? [{ name: tagged.tag, value: '' }] : [],
  }))
  return JSON.stringify({ monitorList })
}
