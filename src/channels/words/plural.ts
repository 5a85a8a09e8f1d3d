// Picks the form of a word for a number, by the rules of its language (CLDR).
//
// Which forms a language has: https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html
import type { Language } from '../../domain/language.ts'

/** `other` stands for forms that are not given. */
export type Forms = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string
}

/** A function from a number to its form; `#` in it is the number. */
export function pluralOf(language: Language, forms: Forms): (count: number) => string {
  const rules = new Intl.PluralRules(language)
  return (count) => (forms[rules.select(count)] ?? forms.other).replaceAll('#', String(count))
}
