// Finds the words of public pages in a language.
import type { Language } from '../../../texts/languages.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import type { PageWords } from './page-words.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { tr } from './tr.ts'
import { zh } from './zh.ts'

const words: Readonly<Record<Language, PageWords>> = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  pl,
  ja,
  zh,
  tr,
  ar,
}

export function pageWords(language: Language): PageWords {
  return words[language]
}
