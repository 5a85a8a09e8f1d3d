// The texts of the console as its build takes them from src/texts: parsed, so that no browser does it.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BuiltTexts } from '../../src/console/words/catalogue.ts'
import { parsedTree } from '../../src/texts/parse-message.ts'

const folder = join(import.meta.dirname, '../../src/texts')

/** The languages of the console, those with a folder `console`: their names for themselves and their locales. */
export function consoleLanguages(): Readonly<Record<string, { name: string; locale: string }>> {
  const found = globSync('*/console/common.json', { cwd: folder }).map((path) => path.split('/')[0])
  return Object.fromEntries(
    found.sort().map((language = '') => {
      const { name, locale } = JSON.parse(
        readFileSync(join(folder, language, 'language.json'), 'utf8'),
      )
      return [language, { name, locale }]
    }),
  )
}

/** By the name that code has for an area: `statusPages`. */
export function consoleTexts(language: string): BuiltTexts {
  // In English, the sentences of the daemon are shown as they are.
  const exclude = language === 'en' ? ['en/console/said.json'] : []
  const files = globSync([`${language}/console/*.json`, `${language}/places.json`], {
    cwd: folder,
    exclude,
  })
  return Object.fromEntries(
    files.sort().map((file) => {
      const tree = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const area = basename(file, '.json')
      // Sentences are templates of another kind: src/texts/translator.ts.
      return [camelCase(area), area === 'said' ? tree : parsedTree(tree)]
    }),
  )
}

const camelCase = (name: string) =>
  name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
