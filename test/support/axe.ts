// What axe-core finds in a page, put in so that the policy of the page stays as it is.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { overhang } from './console-states.ts'
import { isDeep } from './depth.ts'

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

/** Colours, and places for fingers. */
const dear = ['color-contrast', 'target-size']
/** What the frame of the console is around. */
const inFrame = 'main *, dialog *, .toast *'

interface Found {
  /** The width and scheme in which the frame was shown; false on a page without one. */
  readonly frame: string | false
  readonly broken: string[]
}

/**
 * What it returns runs all rules, or those that are named, in the document that is shown then. The frame of the
 * console is around every page, and the dear rules take as long for it as all others for everything: in a usual
 * run they look at it once for each scheme and width.
 */
export async function axeIn(page: Page): Promise<(...rules: string[]) => Promise<string[]>> {
  const session = await page.context().newCDPSession(page)
  const seen = new Set<string>()
  return async (...rules) => {
    const isThere = await page.evaluate('"axe" in globalThis')
    if (!isThere) await session.send('Runtime.evaluate', { expression: source })
    // Nobody reads where rules hold, which takes as long to describe as to find out.
    // What is shown in a frame is tested as a page of its own; axe waits for half a second for each.
    const runOnly = rules.length > 0 ? rules : tags
    const found = { resultTypes: ['violations'], selectors: false }
    const options = { runOnly, iframes: false, ...found }
    const { frame, broken }: Found = await page.evaluate(`(async () => {
      const frame = document.querySelector('.side') !== null &&
        innerWidth + ' ' + matchMedia('(prefers-color-scheme: dark)').matches
      const selector = ${JSON.stringify([...seen])}.includes(frame) ? ${JSON.stringify(inFrame)} : '*'
      axe.configure({ rules: ${JSON.stringify(dear)}.map((id) => ({ id, selector })) })
      const { violations } = await axe.run(document, ${JSON.stringify(options)})
      const broken = violations.map(({ id, nodes }) =>
        id + ': ' + nodes[0].html + nodes[0].failureSummary)
      return { frame, broken }
    })()`)
    if (frame && !isDeep && (rules.length === 0 || dear.every((rule) => rules.includes(rule))))
      seen.add(frame)
    return broken
  }
}

const [light, dark] = ['light', 'dark'] as const
const wide = { width: 1_440, height: 900 }
const narrow = { width: 390, height: 844 }
const [first, second] = [[light, wide] as const, [dark, narrow] as const]

/**
 * What it returns holds what is shown against axe, and sees that it fits into narrow screens, at least
 * `widthMin` wide. A usual run takes one scheme and width for a state, the next state has the other; a deep
 * run takes each pair. At the end of a page, the foot of its form lies over no field.
 */
export async function looksOf(page: Page, { widthMin = 320, atEnd = false } = {}) {
  const violations = await axeIn(page)
  let turn = 0

  async function fits(t: Test, what: string, width: number): Promise<void> {
    await page.setViewportSize({ ...narrow, width })
    t.ok((await overhang(page)) <= 0, `${what} fits into ${width} px`)
  }

  async function look(t: Test, what: string, ...rules: readonly string[]): Promise<void> {
    turn += 1
    if (widthMin !== narrow.width) await fits(t, what, widthMin)
    const usual = turn % 2 === 1 ? [first] : [second]
    const looks = isDeep ? ([first, second, [dark, wide], [light, narrow]] as const) : usual
    for (const [index, [colorScheme, size]] of looks.entries()) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(size)
      if (atEnd) await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      const own = index === 0 ? rules : ['color-contrast', 'target-size']
      t.same(await violations(...own), [], `${what}, ${colorScheme}, ${size.width} px`)
      t.ok((await overhang(page)) <= 0, `${what} fits into ${size.width} px`)
    }
    if (looks.at(-1)?.[1] !== narrow) await fits(t, what, narrow.width)
  }

  return look
}
