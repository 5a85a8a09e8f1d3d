// Translates the sentences that the daemon says in English, by the templates of a catalogue:
// src/texts/<language>/console/said.json.
//
// `{x}` is a value, such as a name. `[x]` is a sentence of the same file, and is translated too; the
// template fits no other text there. `<x>` is a sentence of the file, which is translated, or a value. A
// sentence that may stand inside another one begins with a lower-case letter and has no full stop; it
// also fits where it stands alone, with a capital letter and a full stop.

import { timeWords, unitOf, utcTimeIn } from './time-words.ts'

/** A sentence in another language; undefined if no template fits. */
export type Translate = (text: string) => string | undefined

interface SentenceTemplate {
  /** What stands before, between and after the values. */
  readonly texts: readonly string[]
  readonly parts: readonly string[]
  readonly translation: string
}

const slots = /\{\w+\}|\[\w+\]|<\w+>/g
const rememberedMax = 1_000
/** A longer text is none of the daemon's own: somebody else chose most of it. */
const sentenceCharsMax = 1_000

/** `sentences` maps templates to translations into the language. */
export function translatorOf(
  language: string,
  sentences: Readonly<Record<string, string>>,
): Translate {
  const templates = Object.entries(sentences).sort(closestFirst).map(templateOf)
  const withValue = valueIn(language)
  const remembered = new Map<string, string | undefined>()

  function fitted(
    { texts, parts, translation }: SentenceTemplate,
    text: string,
  ): string | undefined {
    const found = valuesIn(text, texts)
    if (!found) return undefined
    const values = new Map<string, string>()
    for (const [at, part] of parts.entries()) {
      const value = found[at] ?? ''
      const said = part.startsWith('{') ? undefined : translate(value)
      if (said === undefined && part.startsWith('[')) return undefined
      values.set(part, said ?? withValue(value))
    }
    return translation.replace(slots, (part) => values.get(part) ?? part)
  }

  function exactly(text: string): string | undefined {
    for (const template of templates) {
      const found = fitted(template, text)
      if (found !== undefined) return found
    }
    return undefined
  }

  function translate(text: string): string | undefined {
    if (text.length > sentenceCharsMax) return undefined
    if (remembered.has(text)) return remembered.get(text)
    const found = exactly(text) ?? asWhole(text)
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(text, found)
    return found
  }

  /** Fits a sentence with a capital letter or a full stop to a template that has neither. */
  function asWhole(text: string): string | undefined {
    const isCapital = text.charAt(0) !== text.charAt(0).toLowerCase()
    const isEnded = text.endsWith('.')
    const bare = isEnded ? text.slice(0, -1) : text
    const low = bare.charAt(0).toLowerCase() + bare.slice(1)
    const found = (isEnded ? exactly(bare) : undefined) ?? (isCapital ? exactly(low) : undefined)
    if (found === undefined) return undefined
    // In Turkish, the capital of i has a dot.
    const capital = found.charAt(0).toLocaleUpperCase(language)
    const whole = isCapital ? capital + found.slice(1) : found
    // A short word for a unit ends with a full stop of its own.
    if (!isEnded || whole.endsWith('.')) return whole
    return whole + (cjk.test(whole) ? '。' : '.')
  }

  return translate
}

/** Chinese and Japanese end a sentence by a sign of their own. */
const cjk = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

function templateOf([sentence, translation]: readonly [string, string]): SentenceTemplate {
  return { texts: sentence.split(slots), parts: sentence.match(slots) ?? [], translation }
}

/**
 * What stands between these texts, each as short as it can be; undefined if the text is not made of them.
 * It looks for each once, unlike a regular expression, which tries every place for each value of a text that
 * a stranger made for it.
 */
function valuesIn(text: string, [first = '', ...others]: readonly string[]): string[] | undefined {
  const last = others.pop()
  if (last === undefined) return text === first ? [] : undefined
  const end = text.length - last.length
  let at = first.length
  if (at > end || !text.startsWith(first) || !text.endsWith(last)) return undefined
  const values: string[] = []
  for (const other of others) {
    const found = text.indexOf(other, at)
    if (found < 0 || found + other.length > end) return undefined
    values.push(text.slice(at, found))
    at = found + other.length
  }
  return [...values, text.slice(at, end)]
}

/**
 * The order in which templates are tried. First frames, which stand around another sentence, because a
 * value of another template would fit the whole text; then the templates with the most text of their own.
 */
function closestFirst([a]: readonly [string, string], [b]: readonly [string, string]): number {
  const isFrame = (sentence: string) => Number(sentence.includes('['))
  const ownChars = (sentence: string) => sentence.replace(slots, '').length
  const values = (sentence: string) => sentence.split('{').length
  return isFrame(b) - isFrame(a) || ownChars(b) - ownChars(a) || values(a) - values(b)
}

const spans = /^\d+(\.\d+)? (d|h|min|s|ms)( \d+ (d|h|min|s|ms))*$/
const times = /\b\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d(:\d\d)? UTC/g

/** Puts times that stand in sentences, such as `29 November 2026, 11:36 UTC` or `5 min`, into the language. */
function valueIn(language: string): (value: string) => string {
  const { amount } = timeWords(language)
  return (value) => {
    if (!spans.test(value)) {
      return value.replace(times, (time: string, seconds?: string) =>
        utcTimeIn(language, Date.parse(time.replace(',', '')), seconds !== undefined),
      )
    }
    return value.replace(/(?<![\d.])([\d.]+) ([a-z]+)/g, (text, count: string, symbol: string) => {
      const unit = unitOf(symbol)
      return unit === undefined ? text : amount(Number(count), unit, 0, 1)
    })
  }
}
