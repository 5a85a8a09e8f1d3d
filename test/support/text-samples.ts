// Every text of the daemon with sample values, in any language.
import { parametersOf, readTextFiles, type TextFile } from '../../scripts/texts/text-files.ts'
import type { Language } from '../../src/texts/languages.ts'
import type { Phrase } from '../../src/texts/message.ts'
import { textsOf } from '../../src/texts/texts.ts'

export interface TextSample {
  /** Such as `channels.labels.cause`. */
  readonly path: string
  readonly values: Parameters<Phrase>[0]
  readonly said: string
}

type Area = Parameters<typeof textsOf>[0]

/** The areas that the daemon reads; the console has texts of its own. */
const english = readTextFiles().filter(
  (file): file is TextFile & { readonly area: Area } =>
    file.language === 'en' && !file.area.startsWith('console/'),
)

/** Each text as often as there are counts, where it has a number. */
export function textSamples(language: Language, counts: readonly number[]): TextSample[] {
  return english.flatMap(({ area, texts }) =>
    [...texts].flatMap(([path, message]) => {
      const text = textAt(textsOf(area, language), path)
      if (typeof text === 'string') return [{ path: `${area}.${path}`, values: {}, said: text }]
      return samplesOf(parametersOf(message), counts).map((values) => ({
        path: `${area}.${path}`,
        values,
        said: text(values),
      }))
    }),
  )
}

function textAt(texts: unknown, path: string): string | Phrase {
  const found: unknown = path
    .split('.')
    .reduce((node: unknown, name) => Object(node)[name] as unknown, texts)
  return typeof found === 'function' ? (found as Phrase) : String(found)
}

/** Each number takes every count, while the others stay. Values are shown as they are, whatever they hold. */
function samplesOf(parameters: ReadonlyMap<string, string>, counts: readonly number[]) {
  const all = [...parameters]
  const plain = Object.fromEntries(
    all.map(([name, type]) => [name, type === 'number' ? 5 : `{${name}} <b>'#'`]),
  )
  const numbers = all.filter(([, type]) => type === 'number')
  if (numbers.length === 0) return [plain]
  return numbers.flatMap(([name]) => counts.map((count) => ({ ...plain, [name]: count })))
}
