// npm run pictures: takes the pictures of the documents, of made-up data, in Chromium. A part of a name
// takes only those: npm run pictures -- console-overview
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentSources, picturesDir, storedSources } from '../../test/support/pictures.ts'
import { startPictureBrowser } from './browser.ts'
import { takeConsole } from './console.ts'
import { smallPng } from './png.ts'
import { takePublicPages } from './public-pages.ts'

const parts = process.argv.slice(2)
const isWanted = (name: string) => parts.length === 0 || parts.some((part) => name.includes(part))

const browser = await startPictureBrowser()
await takePublicPages(browser, isWanted)
await takeConsole(browser, isWanted)
await browser.close()

const all = await currentSources()
const taken = Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)))
const sources = parts.length === 0 ? all : { ...storedSources(), ...taken }
writeFileSync(join(picturesDir, 'sources.json'), `${JSON.stringify(sources, null, 2)}\n`)
for (const name of globSync('*.png', { cwd: picturesDir })) {
  if (!isWanted(name.slice(0, -'.png'.length))) continue
  const file = join(picturesDir, name)
  writeFileSync(file, smallPng(readFileSync(file)))
}
process.exit()
