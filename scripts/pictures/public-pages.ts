// Takes the pictures of status pages.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { pictures, picturesDir } from '../../test/support/pictures.ts'
import { serveShownSite } from '../../test/support/shown-site.ts'

export async function takePublicPages(
  browser: Browser,
  isWanted: (name: string) => boolean,
): Promise<void> {
  for (const { name, scene, path, width, scheme } of pictures) {
    if (!isWanted(name)) continue
    const site = await serveShownSite(scene)
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: scheme,
      // Times in the pictures must not depend on the machine that takes them.
      timezoneId: 'UTC',
      locale: 'en-GB',
    })
    const page = await context.newPage()
    await page.goto(site.url(path))
    await page.screenshot({ path: join(picturesDir, `${name}.png`), fullPage: true })
    await context.close()
    await site.stop()
  }
}
