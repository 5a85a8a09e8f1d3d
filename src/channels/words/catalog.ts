// The languages that messages are written in: one file each.
import type { Language } from '../../texts/languages.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { tr } from './tr.ts'
import type { Words } from './words.ts'
import { zh } from './zh.ts'

const all: Readonly<Record<Language, Words>> = { en, de, fr, es, it, pt, nl, pl, ja, zh, tr, ar }

/** The phrases of a language. */
export function wordsOf(language: Language): Words {
  return all[language]
}
