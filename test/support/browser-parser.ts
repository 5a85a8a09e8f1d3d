// Documents as the parser of a browser reads them. Reading one takes a hundredth of the time of opening it,
// and what is not in it cannot run.
import type { Page } from 'playwright-core'

/** How many elements of each document match the selector. */
export function foreignIn(
  page: Page,
  documents: readonly string[],
  selector: string,
  type: 'text/html' | 'application/xml' | 'image/svg+xml' = 'text/html',
): Promise<number[]> {
  return page.evaluate(`${JSON.stringify(documents)}.map((text) =>
    new DOMParser().parseFromString(text, '${type}')
      .querySelectorAll(${JSON.stringify(selector)}).length)`)
}
