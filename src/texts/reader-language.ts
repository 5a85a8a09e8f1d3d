// The language that a reader's browser asks for.
import { type Language, languages } from './languages.ts'

const known = new Set<string>(languages)

/** The best of ours in an Accept-Language header (RFC 9110 §12.5.4); null if it names none. */
export function readerLanguage(acceptLanguage: string): Language | null {
  let best: Language | null = null
  let bestWeight = 0
  for (const range of acceptLanguage.split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const [language = ''] = tag.toLowerCase().split('-')
    const q = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
    const weight = q === undefined ? 1 : Number(q)
    if (!isLanguage(language) || !(weight > bestWeight)) continue
    best = language
    bestWeight = weight
  }
  return best
}

function isLanguage(text: string): text is Language {
  return known.has(text)
}
