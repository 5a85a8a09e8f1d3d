// The catalogue of a language, made of its texts: `words.monitor.deleteTitle({ name })`.
import { once } from '../../base/per-object.ts'
import type { Texts } from '../../texts/generated/texts.d.ts'
import { catalogueOf, type Part, phraseOf, type TextTree } from '../../texts/message.ts'
import { type Translate, translatorOf } from '../../texts/translator.ts'

/** As the build takes them from src/texts/<language>: what is in `console`, and `places`. */
export type BuiltTexts = Readonly<Record<string, TextTree<string | readonly Part[]>>>

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name
type AreaName<Path> = Path extends `console/${infer Name}` ? CamelCase<Name> : Path & 'places'
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
  const translator = once(() => translatorOf(language, { ...words.form.forms, ...sentences }))
  const isSource = language === 'en'
  return Object.assign(words, {
    said: (text: string) => (isSource ? text : translator()(text)),
  })
}
