// node scripts/comparison/main.ts: the rows of docs/comparison.md for the console, measured.
import { startPictureBrowser } from '../pictures/browser.ts'
import { startShopSite } from '../pictures/shop-site.ts'
import { measureTasks } from './measure.ts'
import { secondsOf } from './person.ts'

const pastMs = 9 * 24 * 3_600_000
const site = await startShopSite({ pastMs })
const browser = await startPictureBrowser()
for (const { title, ...effort } of await measureTasks(browser, site)) {
  const { clicks, fields, keys } = effort
  const seconds = Math.round(secondsOf(effort))
  console.log(`${title}: ${clicks} clicks, ${fields} fields, ${keys} keys, ${seconds} s`)
}
await browser.close()
await site.stop()
process.exit()
