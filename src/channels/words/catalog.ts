// The languages that messages are written in: one file each.
import type { Language } from '../../domain/language.ts'
import { en } from './en.ts'
import type { Words } from './words.ts'

const known: Partial<Readonly<Record<Language, Words>>> = { en }

/** The phrases of a language. */
export function wordsOf(language: Language): Words {
  return known[language] ?? en
}
