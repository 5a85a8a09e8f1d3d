// How a text is meant: `Sign in` is a part in any case, `"Sign in"` the whole, `/sign (in|up)/i` a regular expression.

export interface TextPattern {
  /** The text, or the regular expression. */
  readonly text: string
  /** The whole text is meant, in this case. */
  readonly isExact: boolean
  /** The flags of a regular expression, which the browser runs; absent: it is none. */
  readonly flags?: string
}

const regexForm = /^\/([\s\S]+)\/([imsu]{0,4})$/

export function readPattern(text: string): TextPattern {
  const [, , inner] = /^(["'])([\s\S]*)\1$/.exec(text) ?? []
  if (inner !== undefined) return { text: inner, isExact: true }
  const [, source, flags = ''] = regexForm.exec(text) ?? []
  return source === undefined ? { text, isExact: false } : { text: source, isExact: false, flags }
}

/** The same of a URL, whose path stands between slashes too: only what a URL seldom has makes an expression of it. */
export function readUrlPattern(text: string): TextPattern {
  const pattern = readPattern(text)
  const isPath = pattern.flags !== undefined && !/[\\^$*+()[\]{}|]/.test(pattern.text)
  return isPath ? { text, isExact: false } : pattern
}

/** What is wrong with it, as a sentence without its subject, or null. */
export function patternProblem({ text, flags }: TextPattern): string | null {
  if (flags === undefined) return null
  try {
    new RegExp(text, flags)
    return null
  } catch {
    return `has a regular expression that cannot be read: /${text}/${flags}`
  }
}
