// The catalogue of a language, made of its texts: `words.monitor.deleteTitle({ name })`.
import { once } from '../../base/per-object.ts'
import type { Texts } from '../../texts/generated/texts.d.ts'
import { catalogueOf, type Part, phraseOf, type TextTree } from '../../texts/message.ts'
import { type Translate, translatorOf } from '../../texts/translator.ts'
import { timeWords, unitOf } from '../../texts/units.ts'

/** As the build takes them from src/texts/<language>/console. */
export type BuiltTexts = Readonly<Record<string, TextTree<string | readonly Part[]>>>

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name
type AreaName<Path> = Path extends `console/${infer Name}` ? CamelCase<Name> : never
type Areas = { readonly [Path in keyof Texts as AreaName<Path>]: Texts[Path] }

interface FieldWords {
  readonly label: string
  readonly help: string
}

export type Words = Omit<Areas, 'said'> & {
  /** What the daemon says in English, also of a field; undefined if the language has no words for it. */
  readonly said: Translate
  /** By type and name, the words for what channels ask for; absent where the words of the API are shown. */
  readonly channelFields?: Readonly<Record<string, Readonly<Record<string, FieldWords>>>>
}

export function catalogueIn(language: string, { said, ...texts }: BuiltTexts): Words {
  const plurals = once(() => new Intl.PluralRules(language))
  const numbers = once(() => new Intl.NumberFormat(language))
  const rules = {
    formOf: (count: number) => plurals().select(count),
    textOf: (count: number) => numbers().format(count),
  }
  const made = {}
  for (const [area, tree] of Object.entries(texts)) {
    // Made when it is first read: no page reads all of them, and nothing is shown before.
    const get = once(() =>
      catalogueOf(tree, (text) => (typeof text === 'string' ? text : phraseOf(text, rules))),
    )
    Object.defineProperty(made, area, { get, enumerable: true })
  }
  // The type check compares the files of all languages with the type.
  const words = made as Omit<Words, 'said'>
  const sentences = said as Readonly<Record<string, string>>
  const translator = once(() => {
    const known = { ...words.form.forms, ...sentences }
    return translatorOf(language, known, timesIn(language, words.times))
  })
  const isSource = language === 'en'
  return Object.assign(words, {
    said: (text: string) => (isSource ? text : translator()(text)),
  })
}

const spans = /^\d+(\.\d+)? (d|h|min|s|ms)( \d+ (d|h|min|s|ms))*$/

/** Puts times that stand in sentences, such as `29 November 2026, 11:36 UTC` or `5 min`, into the language. */
function timesIn(
  language: string,
  { months, dateTime }: Words['times'],
): (value: string) => string {
  const known: Readonly<Record<string, string>> = months
  const { amount } = timeWords(language)
  return (value) => {
    if (spans.test(value)) {
      return value.replace(/([\d.]+) ([a-z]+)/g, (text, count: string, symbol: string) => {
        const unit = unitOf(symbol)
        return unit === undefined ? text : amount(Number(count), unit, 0, 1)
      })
    }
    return value.replace(
      /\b(\d{1,2}) ([A-Z][a-z]+) (\d{4}), (\d\d:\d\d(?::\d\d)? UTC)/g,
      (_, day: string, month: string, year: string, time: string) =>
        dateTime({ day, month: known[month] ?? month, year, time }),
    )
  }
}
