// Translates the sentences that the daemon says in English, by the templates of a catalogue.

/** A sentence in another language; undefined if no template fits. */
export type Translate = (text: string) => string | undefined

interface Template {
  readonly pattern: RegExp
  readonly parts: readonly string[]
  readonly translation: string
}

const slots = /\{\w+\}|\[\w+\]|<\w+>/g
const rememberedMax = 1_000

/** `sentences`: templates and their translations, as `words/sentences.ts` describes. */
export function translatorOf(
  sentences: Readonly<Record<string, string>>,
  withValue: (value: string) => string = (value) => value,
): Translate {
  const templates = Object.entries(sentences).sort(closestFirst).map(templateOf)
  const remembered = new Map<string, string | undefined>()

  function fitted({ pattern, parts, translation }: Template, text: string): string | undefined {
    const found = pattern.exec(text)
    if (!found) return undefined
    const values = new Map<string, string>()
    for (const [at, part] of parts.entries()) {
      const value = found[at + 1] ?? ''
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
    if (remembered.has(text)) return remembered.get(text)
    const found = exactly(text) ?? asWhole(text)
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(text, found)
    return found
  }

  /** A sentence that begins with a capital or ends with a full stop, in whatever form its template is. */
  function asWhole(text: string): string | undefined {
    const isCapital = text.charAt(0) !== text.charAt(0).toLowerCase()
    const isEnded = text.endsWith('.')
    const bare = isEnded ? text.slice(0, -1) : text
    const low = bare.charAt(0).toLowerCase() + bare.slice(1)
    const found = (isEnded ? exactly(bare) : undefined) ?? (isCapital ? exactly(low) : undefined)
    if (found === undefined) return undefined
    const whole = isCapital ? found.charAt(0).toUpperCase() + found.slice(1) : found
    return isEnded ? `${whole}.` : whole
  }

  return translate
}

function templateOf([sentence, translation]: readonly [string, string]): Template {
  const parts = sentence.match(slots) ?? []
  const texts = sentence.split(slots).map((text) => text.replace(/[\\^$.*+?()|{}[\]]/g, '\\$&'))
  return { pattern: new RegExp(`^${texts.join('(.*?)')}$`, 's'), parts, translation }
}

/**
 * A frame around a sentence fits only with one that is known, so it is tried first: a value of another
 * template would swallow it. Otherwise the one with most words of its own.
 */
function closestFirst([a]: readonly [string, string], [b]: readonly [string, string]): number {
  const isFrame = (sentence: string) => Number(sentence.includes('['))
  const ownChars = (sentence: string) => sentence.replace(slots, '').length
  const values = (sentence: string) => sentence.split('{').length
  return isFrame(b) - isFrame(a) || ownChars(b) - ownChars(a) || values(a) - values(b)
}
