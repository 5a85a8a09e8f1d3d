// Scripts of Playwright become actions that a monitor may have; what no action does is named with its line.
import t from 'tap'
import { completedAction } from '../../../../src/domain/browser/action.ts'
import { actionsProblems } from '../../../../src/domain/browser/action-rules.ts'
import { convertScript } from '../../../../src/domain/browser/convert/convert-script.ts'
import { readingStepsMax } from '../../../../src/domain/browser/convert/script-reader.ts'
import {
  scriptCharsMax,
  syntaxDepthMax,
} from '../../../../src/domain/browser/convert/script-syntax.ts'
import { ForeignFileRefused } from '../../../../src/domain/imports/foreign.ts'
import { patient } from '../../../support/depth.ts'
import { createStopwatch } from '../../../support/fuzz.ts'

function made(text: string) {
  const script = convertScript(text)
  t.same(actionsProblems(script), [], 'a monitor may have them')
  return script
}

const lines = ({ actions }: ReturnType<typeof convertScript>) =>
  actions.map(({ action, selector, value }) =>
    [action, selector, value].filter((one) => one !== null).join(' | '),
  )

/** The actions of statements in a test. */
const inTest = (body: string) =>
  made(`import { test, expect } from '@playwright/test'
test('shop', async ({ page, request }) => {
await page.goto('https://shop.example.com/')
${body}
})`)
const actionsOf = (body: string) => lines(inTest(body))
const notesOf = (body: string) => inTest(body).notes

t.test('a test that was recorded becomes a monitor', async (t) => {
  const script = made(`import { test, expect } from '@playwright/test';

test.use({ viewport: { height: 844, width: 390 } });

test('signs in', async ({ page }) => {
  await page.goto('https://shop.example.com/sign-in');
  await page.getByLabel('E-mail').click();
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading')).toContainText('Welcome');
});`)
  t.match(script, {
    name: 'signs in',
    url: 'https://shop.example.com/sign-in',
    viewport: 'phone',
    variables: { Password: 'a long password' },
    notes: [],
  })
  t.same(lines(script), [
    'click | label=E-mail',
    'fill | label=E-mail | ada@example.com',
    'fill | role=textbox[name=Password] | {{Password}}',
    'click | role=button[name="Sign in"]',
    'expect | role=heading | Welcome',
  ])
})

t.test('so does a script that uses the library', async (t) => {
  const script = made(`const { chromium } = require('playwright');

(async () => {
  const browser = await chromium.launch({ headless: false });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto('https://shop.example.com/');
  await page.locator('li').filter({ hasText: 'Tea' }).getByRole('button').first().click();
  await page.screenshot({ path: 'tea.png' });
  // ---------------------
  await context.close();
  await browser.close();
})();`)
  t.match(script, { name: 'shop.example.com', url: 'https://shop.example.com/', notes: [] })
  t.same(lines(script), ['click | li >> has-text=Tea >> role=button >> nth=0'])
})

t.test('what locators mean', async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    [`getByText('Tea')`, 'text=Tea'],
    [`getByText('Tea', { exact: true })`, 'text="Tea"'],
    [`getByText(/^tea \\d+$/i)`, 'text=/^tea \\d+$/i'],
    [`getByText(/tea/i)`, 'text=tea'],
    [`getByText('"Tea"')`, 'text=/"Tea"/i'],
    [`getByPlaceholder('Search')`, 'placeholder=Search'],
    [`getByAltText('Logo')`, 'alt=Logo'],
    [`getByTitle('Close')`, 'title=Close'],
    [`getByTestId('total')`, 'testid=total'],
    [`getByRole('heading', { level: 2, name: /tea/i })`, 'role=heading[level=2][name=tea]'],
    [`getByRole('checkbox', { checked: true })`, 'role=checkbox[checked=true]'],
    [`locator('#a > b')`, '#a > b'],
    [`locator('css=#a')`, '#a'],
    [`locator('//h1')`, 'xpath=//h1'],
    [`locator('xpath=//h1')`, 'xpath=//h1'],
    [`locator('text=Tea')`, 'text=Tea'],
    [`locator('id=x')`, '[id="x"]'],
    [`locator('button:has-text("Buy")')`, 'button >> has-text=Buy'],
    [`locator('button:visible')`, 'button'],
    [`locator('li >> text=Tea')`, 'li >> text=Tea'],
    [`locator('li', { hasText: 'Tea' }).last()`, 'li >> has-text=Tea >> nth=-1'],
    [`locator('li').filter({ has: page.locator('b') }).nth(2)`, 'li >> is=:has(b) >> nth=2'],
    [`locator('li').filter({ hasNotText: 'Tea' })`, 'li >> has-not-text=Tea'],
  ]
  for (const [locator, selector] of cases) {
    t.same(actionsOf(`await page.${locator}.click()`), [`click | ${selector}`], locator)
  }
})

t.test('frames and tabs are gone into', async (t) => {
  const frames: readonly (readonly [string, string])[] = [
    [`frameLocator('#pay').getByLabel('Card')`, '#pay >> enter-frame >> label=Card'],
    [`frameLocator('.a').first().locator('b')`, '.a >> nth=0 >> enter-frame >> b'],
    [`locator('#pay').contentFrame().getByText('Pay')`, '#pay >> enter-frame >> text=Pay'],
    [
      `frameLocator('#a').frameLocator('#b').locator('c')`,
      '#a >> enter-frame >> #b >> enter-frame >> c',
    ],
  ]
  for (const [locator, selector] of frames) {
    t.same(actionsOf(`await page.${locator}.click()`), [`click | ${selector}`], locator)
  }
  const popup = `const popupPromise = page.waitForEvent('popup');
    await page.getByText('Help').click();
    const page1 = await popupPromise;
    await expect(page1).toHaveTitle('Help');
    await page.getByText('Buy').click();`
  const actions = [
    ...['click | text=Help', 'popup', 'expectTitle | "Help"', 'popup | close', 'click | text=Buy'],
  ]
  t.same(actionsOf(popup), actions)
  const both = `const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('text=Help')])
    await popup.waitForLoadState()
    await expect(popup).toHaveTitle('Help')
    await popup.close()
    await page.click('text=Buy')`
  t.same(actionsOf(both), actions)
})

t.test('what methods do', async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    [`page.locator('a').dblclick()`, 'doubleClick | a'],
    [`page.locator('a').hover()`, 'hover | a'],
    [`page.locator('a').check()`, 'check | a'],
    [`page.uncheck('a')`, 'uncheck | a'],
    [`page.fill('#q', 'tea')`, 'fill | #q | tea'],
    [`page.locator('#q').pressSequentially('tea', { delay: 10 })`, 'fill | #q | tea'],
    [`page.locator('#q').clear()`, 'fill | #q'],
    [`page.locator('#q').press('Enter')`, 'press | #q | Enter'],
    [`page.keyboard.press('Control+A')`, 'press | Control+A'],
    [`page.locator('select').selectOption('de')`, 'select | select | de'],
    [`page.locator('select').selectOption({ label: 'Germany' })`, 'select | select | Germany'],
    [`page.setInputFiles('#f', 'files/a.pdf')`, 'upload | #f | a.pdf'],
    [
      `page.locator('#f').setInputFiles({ name: 'a.txt', buffer: Buffer.from('Tea') })`,
      'upload | #f | a.txt\nTea',
    ],
    [`page.goto('/cart')`, 'open | /cart'],
    [`page.waitForTimeout(500)`, 'wait | 500'],
    [`page.waitForSelector('.done')`, 'wait | .done'],
    [`page.waitForSelector('.spin', { state: 'hidden' })`, 'wait | .spin | hidden'],
    [`page.locator('.spin').waitFor({ state: 'detached' })`, 'wait | .spin | hidden'],
    [`page.waitForURL('**/cart?*')`, 'expectUrl | /^.*cart\\?[^/]*$/'],
    [`page.waitForURL('https://shop.example.com/in')`, 'expectUrl | "https://shop.example.com/in"'],
  ]
  for (const [call, action] of cases) t.same(actionsOf(`await ${call}`), [action], call)
  t.same(actionsOf(`await Promise.all([page.waitForNavigation(), page.click('text=Next')])`), [
    'click | text=Next',
  ])
})

t.test('what a script expects', async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    [`expect(page).toHaveURL(/\\/welcome/)`, 'expectUrl | /welcome'],
    [`expect(page).toHaveURL('/in')`, 'expectUrl | "/in"'],
    [`expect(page).toHaveTitle('Shop')`, 'expectTitle | "Shop"'],
    [`expect(page).toHaveTitle(/Shop$/)`, 'expectTitle | /Shop$/'],
    [`expect(page.locator('h1')).toBeVisible({ timeout: 5000 })`, 'expect | h1'],
    [`expect(page.locator('h1')).toBeHidden()`, 'wait | h1 | hidden'],
    [`expect(page.locator('h1')).not.toBeVisible()`, 'wait | h1 | hidden'],
    [`expect(page.locator('h1')).toHaveText('Tea')`, 'expect | h1 | "Tea"'],
    [`expect.soft(page.locator('h1')).toContainText('Tea')`, 'expect | h1 | Tea'],
    [`expect(page.locator('#q')).toHaveValue('tea')`, 'expect | #q | "tea"'],
    [`expect(page.locator('#q')).toHaveValue('')`, 'expectState | #q | empty'],
    [`expect(page.locator('li')).toHaveCount(3)`, 'expectCount | li | 3'],
    [`expect(page.locator('a')).not.toBeChecked()`, 'expectState | a | unchecked'],
    [`expect(page.locator('a')).toBeDisabled()`, 'expectState | a | disabled'],
    [`expect(page.locator('a')).toHaveAttribute('href', '/x')`, 'expect | a >> is=[href="/x"]'],
    [`expect(page.locator('a')).toHaveClass(/active/)`, 'expect | a >> is=.active'],
    [`expect(await page.title()).toBe('Shop')`, 'expectTitle | "Shop"'],
    [`expect(page.url()).toContain('/in')`, 'expectUrl | /in'],
    [`expect(await page.locator('h1').textContent()).toContain('Tea')`, 'expect | h1 | Tea'],
    [`expect(await page.isVisible('h1')).toBe(true)`, 'expect | h1'],
    [`expect(await page.locator('li').count()).toBe(2)`, 'expectCount | li | 2'],
  ]
  for (const [call, action] of cases) t.same(actionsOf(`await ${call}`), [action], call)
  const status = `const told = await page.goto('/x')\nexpect(told?.status(), 'good').toBeLessThan(400)`
  t.same(actionsOf(status), ['open | /x'], 'a page with a bad status is down anyway')
})

t.test('constants, functions, steps and hooks are followed', async (t) => {
  const script = made(`import { test as it, expect, type Page } from '@playwright/test'
const base = process.env.BASE_URL ?? 'https://shop.example.com'
const user = { name: 'ada', password: process.env.SHOP_PASSWORD! }
const apiToken = 'tok-4711'
async function signIn(page: Page, who: string): Promise<void> {
  await page.getByLabel('Name').fill(who)
  await page.getByLabel('Password').fill(user.password)
}
it.describe('shop', () => {
  it.beforeEach(async ({ page }) => { await page.goto(\`\${base}/sign-in\`) })
  it('signs in', async ({ page }) => {
    await test.step('as ada', async () => { await signIn(page, user.name) })
    const heading = page.getByRole('heading')
    await expect(heading).toHaveText('Hello ' + user.name as string)
    await page.locator('#code').fill(apiToken)
  })
})`)
  t.equal(script.url, 'https://shop.example.com/sign-in')
  t.same(lines(script), [
    'fill | label=Name | ada',
    'fill | label=Password | {{SHOP_PASSWORD}}',
    'expect | role=heading | "Hello ada"',
    'fill | #code | {{apiToken}}',
  ])
  t.same(script.variables, { SHOP_PASSWORD: '', apiToken: 'tok-4711' })
  t.same(script.notes, ['the variable SHOP_PASSWORD has no value here: give it one'])
})

t.test('lists of the script are gone through', async (t) => {
  const body = `const items = ['Tea', 'Coffee']
    for (const item of items) { await page.fill('#new', item); await page.press('#new', 'Enter') }
    await expect(page.locator('li')).toHaveText(items)`
  t.same(actionsOf(body), [
    ...[
      'fill | #new | Tea',
      'press | #new | Enter',
      'fill | #new | Coffee',
      'press | #new | Enter',
    ],
    ...['expectCount | li | 2', 'expect | li >> nth=0 | "Tea"', 'expect | li >> nth=1 | "Coffee"'],
  ])
})

t.test('a script that nests beyond what is read is refused in a sentence', async (t) => {
  const opening = "await page.goto('https://a.example/')\n"
  for (const deep of [
    `a${'.b'.repeat(60_000)}()`,
    `a${'.b'.repeat(4_000)}()`,
    `page.locator('a')${".locator('a')".repeat(8_000)}.click()`,
    `const a = ${"'a' + ".repeat(1_000)}'b'`,
  ]) {
    t.throws(() => convertScript(opening + deep), {
      name: 'ForeignFileRefused',
      message: `is nested too deeply: line 2 has more than ${syntaxDepthMax} levels`,
    })
  }
  const long = `const a = ${"'a' + ".repeat(300)}'b'; await page.fill('#a', a)`
  t.same(actionsOf(long), [`fill | #a | ${'a'.repeat(300)}b`])
  const calls = `const f = (n) => ${'[-'.repeat(150)}f(n)${']'.repeat(150)}
    f(f)
    await page.click('a')`
  t.same(actionsOf(calls), ['click | a'], 'calls in calls are left out')
})

const many = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('')

t.test('a script that does too much is read to a bound, and told where', async (t) => {
  const items = `[${'1,'.repeat(20_000)}]`
  const short = inTest(`for (const one of ${items}) {}\nawait page.click('a')`)
  t.same([lines(short), short.notes], [['click | a'], []], 'a long list is read')

  const long = inTest(`await page.click('a')
    for (const one of ${items}) { page.fill('b', 'c'); }
    await page.click('d')`)
  t.equal(
    long.notes[0],
    `line 5, where the reading ends: the script takes more than ${readingStepsMax} steps`,
  )
  t.equal(lines(long)[0], 'click | a', 'what came before is kept')
  t.throws(() => convertScript(`const f = () => { for (const a of ${items}) f() }\nf()`), {
    name: 'ForeignFileRefused',
    message: /^does nothing with a page before line 1, where the reading ends/,
  })
  const settings = made(`test.use({ baseURL: 'https://a.example' })
    test('a', async ({ page }) => { for (const a of ${items}) { page.fill('b', 'c'); } })`)
  t.equal(settings.url, 'https://a.example/', 'the settings of the file are read all the same')
})

t.test('small scripts that were made to take long do not', async (t) => {
  const watch = createStopwatch(patient(1_000))
  const opening = "await page.goto('https://a.example/')\n"
  const scripts = {
    texts: `const a0 = 'x';${many(18, (at) => `const a${at + 1} = \`\${a${at}}\${a${at}}\`;`)}
      ${"page.fill('#x', a18);".repeat(40)}`,
    lists: `const a0 = ['x'];${many(18, (at) => `const a${at + 1} = [a${at}, a${at}];`)}
      ${"expect(page.locator('a')).toHaveText(a18);".repeat(40)}`,
    names: `${many(3_000, (at) => `const n${at} = 1;`)}
      const h = () => [1], g = () => [${'h(),'.repeat(8)}], f = () => [${'g(),'.repeat(8)}];
      ${'f();'.repeat(10_000)}`,
    functions: `function f() { ${many(5_000, (at) => `function a${at}(){}`)} };${'f();'.repeat(5_000)}`,
    tests: `${'a\n'.repeat(25_000)}${"test('', () => {});".repeat(3_500)}`,
    secrets: `for (const a of [${many(9_000, (at) => `'${at}',`)}]) page.fill('#password', a)`,
    selectors: `const f = (l, n) => f(l.locator('${'a'.repeat(400)}'), n); f(page.locator('a'))
      for (const a of [${'1,'.repeat(9_000)}]) f(page.locator('a'))`,
  }
  for (const [name, text] of Object.entries(scripts)) {
    watch.time(name, () => {
      try {
        made(opening + text)
      } catch (error) {
        if (!(error instanceof ForeignFileRefused)) throw error
      }
    })
  }
  t.same(watch.slow(), [])
  t.same(
    actionsOf("const a = 'x'.trim() + 'y'; await page.fill('#x', a + a)"),
    ['fill | #x | xyxy'],
    'texts that a script puts together are read',
  )
})

t.test('what no action does is left out, and named with its line', async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [`for (const a of await all()) await page.click('a')`, /^line 4 is left out: for \(const a of/],
    [`for (let a = 0; a < 3; a++) await page.click('a')`, /^line 4 is left out: for \(let a/],
    [`if (await page.isVisible('a')) await page.click('a')`, /^line 4 is left out: if/],
    [`await page.route('**', (one) => one.abort())`, /^line 4 is left out: await page\.route/],
    [`const told = await request.get('/api')`, /^line 4 is left out: const told = await request/],
    [`await page.evaluate(() => document.title)`, /^line 4 is left out/],
    [`await page.locator(process.env.WHERE).click()`, /^line 4 is left out/],
    [`await expect(page.locator('a')).not.toHaveText('x')`, /^line 4 is left out/],
    [`await page.locator(':nth-match(a, 2)').click()`, /^line 4 is left out/],
    [`await page.waitForLoadState('networkidle')`, /^waits for the network are left out/],
    [`await page.waitForTimeout(60000)`, /^line 4 waits longer than an action may, which is 10000/],
    [
      `await page.locator('a').click({ button: 'right' })`,
      /^line 4: its option button is left out/,
    ],
    [`try { await page.click('a') } catch (error) { stop() }`, /^line 4 is left out: catch/],
    [
      `await page.getByText('${'x'.repeat(600)}').click()`,
      /^line 4 is left out: selector must have at/,
    ],
  ]
  for (const [body, note] of cases) t.match(notesOf(body), [note], body)
  const many = `await page.click('a')\n`.repeat(40)
  t.match(notesOf(many), ['actions that are left out because a monitor has at most 30: 10'])
  const several = made(`test('one', async ({ page }) => { await page.goto('https://a.example/') })
test('two', async ({ page }) => {})
test.skip('three', async ({ page }) => {})`)
  t.same(several.notes, ['a monitor is one test; the others are left out: two, three'])
  const long = made(`await page.goto('https://a.example/${'x'.repeat(3_000)}')`)
  t.equal(long.url, '', 'longer than a URL may be')
  t.same(made(`await page.click('a')`).notes, [
    'the script names no server: give the monitor its URL',
  ])
})

t.test('braces of the script are no placeholders', async (t) => {
  const { actions, variables } = inTest(`await page.fill('#q', '{{secret.PIN}}')`)
  t.match(actions, [{ value: '{{braces}}secret.PIN}}' }])
  t.same(variables, { braces: '{{' })
})

t.test('what is no script is refused in a sentence', async (t) => {
  const refused = (text: string, rule: RegExp) =>
    t.throws(() => convertScript(text), { message: rule })
  refused('const a =\n= 1', /^is no JavaScript or TypeScript: line 2: Unexpected token$/)
  refused('curl https://example.com', /^is no JavaScript or TypeScript: line 1/)
  refused('const a = 1', /^is no script of Playwright that does anything with a page$/)
  refused(`${'('.repeat(50_000)}`, /^is nested too deeply$/)
  refused(' '.repeat(scriptCharsMax + 1), /^must have at most \d+ characters$/)
  const loop = `function a(page) { a(page); a(page); page.click('b') } a(page)`
  t.ok(convertScript(loop).actions.length <= 30, 'a function that calls itself ends')
  t.same(completedAction({ action: 'click' }).value, null)
})
