// The texts that people read, in their language: `textsOf('channels', 'de').isDown({ name })`.
//
// <language>/<area>.json has the texts of an area as ICU messages, in groups that nest. A text without
// parameters is a string, one with parameters a function of them. English is the source: its files
// make the types in generated/ when types are checked (`npm run typecheck`), and each other language
// has the same texts with the same parameters, or it fails. A name that begins with `@` explains the
// text of that name. A number has the form that its language asks for where it stands in a `plural`;
// `{count, number}` is one without forms. Numbers have plain digits.
//
// Values are shown as they are given, but cannot turn the writing around them; what shows the text escapes it.
import { once } from '../base/per-object.ts'
import type { Texts } from './generated/texts.d.ts'
import { type Language, localeTag } from './languages.ts'
import { catalogueOf, type NumberRules, type Part, type Phrase, phraseOf } from './message.ts'
import { readSentences, readTexts } from './text-files.ts'
import { type Translate, translatorOf } from './translator.ts'

/** The texts of an area, in any language. */
export type AreaTexts<Area extends keyof Texts> = Texts[Area]

/** The texts of an area in a language, read when they are first needed. */
export const textsOf = createTexts()

/** What the daemon says in English, in a language: as it was said if that has no words for it. */
export const saidIn = createSaid()

function createSaid() {
  const translators = new Map<Language, Translate>()
  return (language: Language, sentence: string): string => {
    if (language === 'en') return sentence
    const translate =
      translators.get(language) ?? translatorOf(localeTag(language), readSentences(language))
    translators.set(language, translate)
    return translate(sentence) ?? sentence
  }
}

function createTexts() {
  const loaded = new Map<string, unknown>()
  return <Area extends keyof Texts>(area: Area, language: Language): Texts[Area] => {
    const key = `${language} ${area}`
    const texts = loaded.get(key) ?? catalogueIn(language, area)
    loaded.set(key, texts)
    // The type check compares the files of all languages with the type.
    return texts as Texts[Area]
  }
}

function catalogueIn(language: Language, area: string): unknown {
  const plurals = once(() => new Intl.PluralRules(localeTag(language)))
  const rules = { formOf: (count: number) => plurals().select(count), textOf: String }
  return catalogueOf(readTexts(language, area), (text) =>
    typeof text === 'string' ? text : phraseWhenUsed(text, rules),
  )
}

function phraseWhenUsed(parts: readonly Part[], rules: NumberRules): Phrase {
  const phrase = once(() => phraseOf(parts, rules))
  return (given) => phrase()(given)
}
