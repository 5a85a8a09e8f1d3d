// A style sheet of an organization in a browser: what it draws stays within its half of the page.
import t from 'tap'
import { pageCssProblem } from '../../../../src/domain/pages/page-css.ts'
import { skipWithoutBrowser as skip, startBrowser } from '../../../support/browser.ts'
import { serveShownSite } from '../../../support/shown-site.ts'

const huge = 'inset: -9999px; width: 99999px; height: 99999px; z-index: 99999; background: red'

/** Each tries to draw over the foot. */
const fromPage = [
  `h1::after { content: ""; position: absolute; ${huge} }`,
  `.overall { position: absolute !important; ${huge} }`,
  `main { position: relative; top: 900px; background: red; z-index: 9 }`,
  `main { transform: scale(40); background: red }`,
]
/** Each tries to draw over what the page says. */
const fromFoot = [
  `.foot { position: absolute !important; ${huge} }`,
  `.foot { margin-top: -2000px !important; height: 4000px; background: red }`,
]
/** Each tries both. */
const fromAround = [
  `.bound { position: absolute !important; ${huge} }`,
  `@layer a { .bound + .bound { margin: -2000px 0 0 !important; background: red !important } }`,
  `.bound + .bound { translate: 0 -300px !important; offset: circle(200px) !important }`,
  `body { display: grid !important } .bound { grid-area: 1 / 1 !important; overflow: visible !important }`,
  `body::after, html::before { content: ""; position: absolute; ${huge} }`,
]

/** Whether nothing but itself is where something stands. */
const isOnTop = (selector: string) => `(() => {
  const element = document.querySelector('${selector}')
  element.scrollIntoView({ block: 'center' })
  const { left, top, height } = element.getBoundingClientRect()
  const above = document.elementFromPoint(left + 2, top + height / 2)
  return Boolean(above && element.contains(above))
})()`

t.test('nothing that an organization styles is over the foot, or from it', { skip }, async (t) => {
  const site = await serveShownSite('calm', { css: 'h1 { color: red }' })
  t.teardown(site.stop)
  const browser = await startBrowser(new URL(site.url()).origin)
  const { page } = await browser.open(t)
  let css = ''
  await page.route('**/styles/*.css', (route) =>
    route.fulfill({ body: css, contentType: 'text/css' }),
  )
  for (const sheet of [...fromPage, ...fromFoot, ...fromAround]) {
    css = sheet
    t.equal(pageCssProblem(css), null, 'it is a sheet that a page may have')
    await page.goto(site.url())
    if (!fromFoot.includes(sheet)) t.ok(await page.evaluate(isOnTop('.foot p a')), sheet)
    if (!fromPage.includes(sheet)) t.ok(await page.evaluate(isOnTop('h1')), sheet)
  }
})
