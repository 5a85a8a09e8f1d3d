// Picks the form of a word for a number, by the rules of its language (CLDR).
//
// Which forms a language has: https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html
import { type Language, localeTag } from '../texts/languages.ts'

/** `other` stands for forms that are not given. */
export type Forms = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string
}

/** A function from a number to its form; `#` in it is the number. */
export function pluralOf(language: Language, forms: Forms): (count: number) => string {
  // Made when first needed: the rules of all languages would be in memory since the start.
  let rules: Intl.PluralRules | undefined
  return (count) => {
    rules ??= new Intl.PluralRules(localeTag(language))
    return (forms[rules.select(count)] ?? forms.other).replaceAll('#', String(count))
  }
}
