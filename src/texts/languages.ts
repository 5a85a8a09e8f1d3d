// The languages that texts are written in: each is a folder beside this file.
import type { Languages } from './generated/texts.d.ts'
import { languageFiles } from './text-files.ts'

/** A BCP 47 code. */
export type Language = keyof Languages

export const languages = Object.entries(languageFiles)
  .sort(([, a], [, b]) => a.rank - b.rank)
  // The type is made of the same folders.
  .map(([folder]) => folder as Language)

/** For Intl. */
export function localeTag(language: Language): string {
  return languageFiles[language]?.locale ?? language
}
