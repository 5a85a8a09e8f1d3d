// Scripts under fire: whatever is in them, they become actions that a monitor may have, or are refused in a sentence.
import t from 'tap'
import { createCheck } from '../../../../src/base/schema/validate.ts'
import { actionsProblems } from '../../../../src/domain/browser/action-rules.ts'
import {
  type ConvertedScript,
  convertScript,
} from '../../../../src/domain/browser/convert/convert-script.ts'
import { ForeignFileRefused } from '../../../../src/domain/imports/foreign.ts'
import { MonitorIn } from '../../../../src/http/api/monitors/monitor-input-schemas.ts'
import { amount, patient } from '../../../support/depth.ts'
import { createDice, createStopwatch, mutated } from '../../../support/fuzz.ts'

const check = createCheck(MonitorIn, 100)

function problemsOf({ name, url, actions, viewport, variables }: ConvertedScript) {
  const base = url || 'https://example.com/'
  const monitor = { name, url: base, checkType: 'browser', actions, viewport, variables }
  return [...check(monitor), ...actionsProblems({ actions, variables })]
}

const samples = [
  `import { test as it, expect, type Page } from '@playwright/test'
const user = { name: 'ada', password: process.env.PW! }, all = ['a', "b", \`c\${user.name}\`]
it.use({ viewport: { width: 390, height: 844 }, baseURL: 'https://a.example' })
async function signIn(page: Page, who = 'x'): Promise<void> {
  await page.getByLabel('Password').fill(user.password + who)
}
it.describe('shop', () => {
  it.beforeEach(async ({ page }) => { await page.goto('/in') })
  it('signs in', async ({ page }) => {
    await test.step('as ada', async () => { await signIn(page, user.name as string) })
    for (const one of all) await page.locator('li', { hasText: one }).nth(-1).click()
    await expect(page.getByRole('heading', { level: 1, name: /wel(come)?/i })).toHaveText(all)
    await page.frameLocator('#a').getByText('"Tea"').first().selectOption({ label: 'x' })
    const opened = page.waitForEvent('popup'); await page.click('text=A >> nth=0')
    const other = await opened
    await expect(other).toHaveURL('**/a/{b,c}?*'); await other.close()
    expect(await page.locator('a').count()).toBe(2)
    try { await page.keyboard.press('Control+A') } catch (e) { throw e } finally { await page.waitForTimeout(1e9) }
    await page.setInputFiles('#f', { name: 'a/b.txt', buffer: Buffer.from('{{x}}') })
  })
})`,
  `const { chromium } = require('playwright');
(async () => {
  const browser = await chromium.launch(); const page = await (await browser.newContext()).newPage();
  const told = await page.goto('https://me:pw@a.example/?a=' + (process.env.X || 1));
  expect(told?.status(), 'x').toBeLessThan(400);
  await Promise.all([page.waitForNavigation(), page.fill('css=input[name="pin"]:visible', '4711')]);
  await browser.close();
})();`,
]
const pieces = [
  ...["'", '"', '`', '\\', '${', '}', '(', ')', '[', ']', '{{', '}}', '{{a}}', '/', '/x/i', ' >> '],
  ...[
    'await ',
    'page',
    '.not',
    '.first()',
    'nth=',
    'enter-frame',
    '=>',
    '?.',
    '...',
    'this',
    'super',
  ],
  ...[
    '__proto__',
    'constructor',
    'null',
    '1e999',
    '-1',
    '\u0000',
    '😀',
    '\ud800',
    '\n',
    '//',
    '/*',
  ],
  ...[
    'process.env.',
    'expect(',
    'test(',
    'new ',
    'class A {',
    'import ',
    'async ',
    '<T>',
    ' as any',
    '!',
  ],
  ...['x'.repeat(3_000), '('.repeat(300)],
]

t.test(
  'a script with random changes becomes actions that a monitor may have, or is refused',
  async (t) => {
    const dice = createDice()
    const watch = createStopwatch(patient(250))
    let made = 0
    for (let left = amount(1_000, 100_000); left > 0; left -= 1) {
      const bent = mutated(dice, dice.pick(samples), pieces)
      watch.time(bent.slice(0, 300), () => {
        try {
          const problems = problemsOf(convertScript(bent))
          if (problems.length > 0) t.same(problems, [], JSON.stringify(bent))
          made += 1
        } catch (cause) {
          if (cause instanceof ForeignFileRefused) return
          throw new Error(`on ${JSON.stringify(bent)}`, { cause })
        }
      })
    }
    t.ok(made > 100, `${made} of them become actions`)
    t.same(watch.slow().slice(0, 5), [])
    t.comment(watch.summary())
  },
)
