// The words of letters to subscribers in every language.
import type { Language } from '../../../texts/languages.ts'
import { de, en, nl } from './en-de-nl.ts'
import { es, fr, it, pt } from './fr-es-it-pt.ts'
import { ar, ja, zh } from './ja-zh-ar.ts'
import { pl, tr } from './pl-tr.ts'
import type { SubscriberWords } from './subscriber-words.ts'

const catalog: Readonly<Record<Language, SubscriberWords>> = {
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

export function subscriberWords(language: Language): SubscriberWords {
  return catalog[language]
}
