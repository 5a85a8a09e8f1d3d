// What axe-core finds in a page, put in so that the policy of the page stays as it is.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

// A document compiles it anew each time: the small form takes half as long.
const source = readFileSync(
  new URL('../../node_modules/axe-core/axe.min.js', import.meta.url),
  'utf8',
)

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What the fields of a form can break, on a page that has no barrier with others. */
export const fieldRules = [
  ...['label', 'select-name', 'aria-input-field-name', 'aria-valid-attr-value', 'button-name'],
  ...['link-name', 'autocomplete-valid', 'duplicate-id-aria', 'target-size'],
]

/** What it returns runs all rules, or those that are named, in the document that is shown then. */
export async function axeIn(page: Page): Promise<(...rules: string[]) => Promise<string[]>> {
  const session = await page.context().newCDPSession(page)
  return async (...rules) => {
    const isThere = await page.evaluate('"axe" in globalThis')
    if (!isThere) await session.send('Runtime.evaluate', { expression: source })
    // Nobody reads where rules hold, which takes as long to describe as to find out.
    // What is shown in a frame is tested as a page of its own; axe waits for half a second for each.
    const runOnly = rules.length > 0 ? rules : tags
    const found = { resultTypes: ['violations'], selectors: false }
    const options = { runOnly, iframes: false, ...found }
    return page.evaluate(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + nodes[0].failureSummary))`,
    )
  }
}
