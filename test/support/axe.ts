// What axe-core finds in a page, put in so that the policy of the page stays as it is.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Call it once for each document. What it returns runs all rules, or those that are named. */
export async function axeIn(page: Page): Promise<(...rules: string[]) => Promise<string[]>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe.source })
  return (...rules) => {
    const runOnly = JSON.stringify(rules.length > 0 ? rules : tags)
    return page.evaluate(
      `axe.run(document, { runOnly: ${runOnly} }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + nodes[0].failureSummary))`,
    )
  }
}
