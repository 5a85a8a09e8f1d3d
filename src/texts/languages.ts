// The languages that texts are written in: each is a folder beside this file.
import { assetNames, readTextAsset } from '../base/assets.ts'
import type { Languages } from './generated/texts.d.ts'

/** A BCP 47 code. */
export type Language = keyof Languages

interface LanguageFile {
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

const files = languageFiles()

export const languages = [...files.keys()]

/** For Intl. */
export function localeTag(language: Language): string {
  return files.get(language)?.locale ?? language
}

function languageFiles(): ReadonlyMap<Language, LanguageFile> {
  const folders = assetNames('texts').filter((name) => /^[a-z]{2,3}(-\w+)*$/.test(name))
  const found = folders.map((folder): [Language, LanguageFile] => {
    // The type is made of the same folders.
    return [folder as Language, JSON.parse(readTextAsset(`texts/${folder}/language.json`))]
  })
  return new Map(found.sort(([, a], [, b]) => a.rank - b.rank))
}
