// Scripts of Playwright, run by Playwright itself and as the actions that they become: both find the same.
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { convertScript } from '../../../src/domain/browser/convert/convert-script.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { browser } from '../../../src/probes/browser/browser.ts'
import { sharedBrowser, skipWithoutBrowser as skip } from '../../support/browser.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget } from '../../support/make-target.ts'
import { openMachine } from '../../support/open-machine.ts'
import { startRunningBrowser } from '../../support/running-browser.ts'
import { startShop } from '../../support/shop.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
// One that runs serves all checks: starting it is not what this is about.
const port = await freePort()
const place = `http://127.0.0.1:${port}`
const machine = { ...openMachine, browsers: [place], browsersAtOnce: 5 }
const { probe } = browser.open({
  guard: createGuard({ targets: 'any', machine }),
  resolver: createResolver({ clock }),
  clock,
})

const shop = await startShop(t, {
  '/': `<!doctype html><title>Sign in — shop</title>
    <img alt="Logo of the shop" src="data:,"><button title="Close it" onclick="this.remove()">x</button>
    <form action="/welcome"><label>E-mail <input name="who" type="email"></label>
    <input type="password" name="pw" placeholder="Your password">
    <label><input type="checkbox" name="stay"> Stay signed in</label>
    <label for="c">Country</label><select id="c" name="c"><option value="de">Germany<option value="fr">France</select>
    <button disabled>Later</button><button>Sign <b>in</b></button></form>`,
  '/welcome': (told, { url = '' }) => {
    const fields = new URL(url, 'http://shop').searchParams
    told.end(`<title>Welcome</title><h1>Welcome, ${fields.get('who')} of ${fields.get('c')}</h1>
      <h2>Cart</h2><ul><li>Tea <button data-testid="tea" onclick="add(this)">Add</button></li>
      <li>Coffee <button onclick="add(this)">Add</button></li><li hidden>Old tea</li></ul>
      <p id=total ondblclick="this.textContent='many'">0</p><nav onmouseover="more.hidden = false">More</nav>
      <a id=more hidden href="/" class="big link">Away</a><input id=note value="as it was">
      <script>let all = 0; function add(one) { setTimeout(() => total.textContent = ++all, 200)
        one.parentElement.classList.add('in') }</script>`)
  },
})

const playwrightMs = 1_500

/** As the runner of Playwright has it, of which the library has the core. */
function expect(subject: Page | Locator) {
  const ask = (isNot: boolean) =>
    new Proxy({} as Record<string, (what?: unknown) => Promise<void>>, {
      get: (own, matcher: string) =>
        own[matcher] ??
        (async (what: unknown) => {
          const locator = 'goto' in subject ? subject.locator(':root') : subject
          const core = locator as unknown as {
            _expect(expression: string, options: object): Promise<{ matches: boolean }>
          }
          const [expression = '', more = {}] = expressions[matcher]?.(what) ?? []
          const { matches } = await core._expect(expression, {
            isNot,
            timeout: playwrightMs,
            ...more,
          })
          if (matches === isNot) throw new Error(`${matcher} failed`)
        }),
    })
  return Object.assign(ask(false), { not: ask(true) })
}

const textOf = (what: unknown, matchSubstring = false) => ({
  expectedText: [
    what instanceof RegExp
      ? { regexSource: what.source, regexFlags: what.flags }
      : { string: String(what), matchSubstring, normalizeWhiteSpace: true },
  ],
})
const expressions: Readonly<Record<string, (what: unknown) => [string, object?]>> = {
  toBeVisible: () => ['to.be.visible'],
  toBeHidden: () => ['to.be.hidden'],
  toBeChecked: () => ['to.be.checked', { expectedValue: { checked: true } }],
  toBeDisabled: () => ['to.be.disabled'],
  toHaveText: (what) => ['to.have.text', textOf(what)],
  toContainText: (what) => ['to.have.text', textOf(what, true)],
  toHaveValue: (what) => ['to.have.value', textOf(what)],
  toHaveCount: (expectedNumber) => ['to.have.count', { expectedNumber }],
  toHaveTitle: (what) => ['to.have.title', textOf(what)],
  toHaveURL: (what) => ['to.have.url', textOf(what)],
}

/** Playwright does it. Resolves with what does not work. */
async function toItsEnd(body: string): Promise<string | undefined> {
  const page = await (await sharedBrowser()).newPage()
  page.setDefaultTimeout(playwrightMs)
  try {
    const run = new Function('page', 'expect', `return (async () => {${body}})()`)
    await run(page, expect)
    return undefined
  } catch (error) {
    return String(error)
  } finally {
    await page.close()
  }
}

const signIn = `await page.goto('${shop.url}/')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByPlaceholder('Your password').fill('s3cret')
  await page.getByRole('checkbox', { name: 'Stay' }).check()
  await page.locator('#c').selectOption({ label: 'France' })
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()\n`

const good: readonly string[] = [
  `await expect(page).toHaveURL(/welcome\\?who=ada.*stay=on&c=fr/)
  await expect(page).toHaveTitle('Welcome')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, ada@example.com of fr')
  await expect(page.getByRole('heading', { level: 2 })).toContainText('Car')
  await expect(page.locator('li')).toHaveCount(3)
  await expect(page.locator('#more')).toBeHidden()
  await expect(page.locator('#note')).toHaveValue('as it was')
  await page.locator('li').filter({ hasText: 'Coffee' }).getByRole('button', { name: /add/i }).click()
  await expect(page.locator('#total')).toHaveText('1')
  await page.getByTestId('tea').click()
  await expect(page.locator('li.in').first()).toContainText('Tea')
  await page.getByRole('listitem').nth(1).getByText('Add').click()
  await expect(page.getByText('3', { exact: true })).toBeVisible()
  await page.locator('#total').dblclick()
  await expect(page.getByText(/^man./)).toBeVisible()
  await page.getByText('More').hover()
  await page.locator('a.link:has-text("away")').click()
  await expect(page.getByAltText('Logo')).toHaveCount(1)`,
  `await page.goto('${shop.url}/')
  await page.getByTitle('Close').click()
  await expect(page.getByTitle('Close')).toHaveCount(0)
  await expect(page.getByText('Later')).toBeDisabled()
  await page.locator('xpath=//input[@type="checkbox"]').check()
  await expect(page.getByLabel('Stay signed in')).toBeChecked()
  await page.getByLabel('Stay signed in').uncheck()
  await page.locator('button').last().press('Enter')
  await page.waitForURL('**/welcome?*')`,
]
const bad: readonly string[] = [
  `await expect(page).toHaveTitle('Welc')`,
  `await expect(page.getByRole('heading', { level: 2 })).toHaveText('Car')`,
  `await expect(page.locator('li')).toHaveCount(2)`,
  `await page.locator('li').last().click()`,
  `await expect(page.locator('h1')).not.toBeVisible()`,
]

t.test('Playwright and the actions find the same', { skip }, async (t) => {
  startRunningBrowser(t, { port })
  await until(() =>
    fetch(`${place}/json/version`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )

  async function agree(more: string, isGood: boolean): Promise<void> {
    const body = signIn + more
    const byItself = await toItsEnd(body)
    t.equal(byItself === undefined, isGood, `Playwright: ${more}: ${byItself}`)
    const { url, actions, variables } = convertScript(body)
    const target = makeTarget({ checkType: 'browser', url, timeoutMs: isGood ? 30_000 : 12_000 })
    const reading = await probe({ ...target, actions, variables }, { clock })
    t.equal(reading.result, isGood ? 'good' : 'failed', `${more}: ${reading.error?.message}`)
    if (isGood) return
    t.match(byItself, / failed$|Timeout \d+ms exceeded/m, 'it waited for what did not come')
    t.match(reading.error?.message, /^action 6, /, 'the same action fails')
  }

  for (const more of good) await agree(more, true)
  // What does not come is waited for: all at once.
  await Promise.all(bad.map((more) => agree(more, false)))
})
