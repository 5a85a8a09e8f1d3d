// The files of texts as they lie beside this one, read and parsed. In the bundle the build has done both,
// so that the daemon needs neither the parser nor a look at each folder: `scripts/build/texts.ts` puts a
// module in place of this one.
import { assetNames, readTextAsset } from '../base/assets.ts'
import type { TextTree } from './message.ts'
import { type ParsedText, parsedTree } from './parse-message.ts'

export interface LanguageFile {
  /** What the language calls itself. */
  readonly name: string
  /**
   * The variety that texts are written in, for Intl: international English, say, or the Portuguese of
   * Portugal.
   */
  readonly locale: string
  /** Its place in lists. */
  readonly rank: number
}

/** By the names of the folders. */
export const languageFiles: Readonly<Record<string, LanguageFile>> = Object.fromEntries(
  assetNames('texts')
    .filter((name) => /^[a-z]{2,3}(-\w+)*$/.test(name))
    .map((name) => [name, JSON.parse(readTextAsset(`texts/${name}/language.json`))]),
)

/** The translations of what the daemon says in English, and of the rules of fields, as templates: see `translator.ts`. */
export function readSentences(language: string): Readonly<Record<string, string>> {
  const read = (area: string) => JSON.parse(readTextAsset(`texts/${language}/console/${area}.json`))
  return { ...read('form').forms, ...read('said') }
}

/** The texts of an area in a language. */
export function readTexts(language: string, area: string): TextTree<ParsedText> {
  return parsedTree(JSON.parse(readTextAsset(`texts/${language}/${area}.json`)))
}
