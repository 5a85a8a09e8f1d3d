// The table of docs/comparison.md says what tasks take in the console: they are done here, and counted.
// Journeys do the same tasks in each run; they are counted in a deep one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { measureTasks } from '../../scripts/comparison/measure.ts'
import { secondsOf } from '../../scripts/comparison/person.ts'
import { ensureConsole } from '../../scripts/console/build.ts'
import { startShopSite } from '../../scripts/pictures/shop-site.ts'
import { sharedBrowser, skipWithoutBrowser } from '../support/browser.ts'
import { isDeep } from '../support/depth.ts'

const document = readFileSync(join(import.meta.dirname, '../../docs/comparison.md'), 'utf8')
const dayMs = 86_400_000

const skip = skipWithoutBrowser || (!isDeep && 'a matter of quantity: in deep runs')

t.test('each task takes what the table says', { skip }, async (t) => {
  await ensureConsole()
  // What the tasks ask for happened yesterday and today.
  const site = await startShopSite({ pastMs: dayMs })
  const measured = await measureTasks(await sharedBrowser(), site)
  await site.stop()
  for (const { title, ...effort } of measured) {
    const { clicks, keys } = effort
    const seconds = Math.round(secondsOf(effort))
    const counted = `${countOf(clicks, 'click')}, ${countOf(keys, 'key')}, ${seconds} s`
    const row = `| ${title} | ${counted} |`
    t.ok(document.includes(row), row)
  }
})

const countOf = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`
