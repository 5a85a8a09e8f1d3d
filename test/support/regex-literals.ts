// Regular expressions in source code: every literal, found without running anything.

export interface FoundRegex {
  readonly source: string
  readonly flags: string
  /** The line of its first character, from 1. */
  readonly line: number
}

/** What may stand before a literal; after anything else a slash divides. */
const before = /(^|[(,=:[!&|?{};+\-*%<>~^]|\b(return|typeof|case|in|of|yield|await))$/
const tokens = {
  blank: /(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/)+/y,
  text: /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/y,
  /** From its slash on; slashes in a class do not end it. */
  regex: /\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([a-z]*)/y,
  word: /[\w$]+/y,
  /** The text of a template, up to its end or the code in it. */
  template: /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(`|\$\{)/y,
} as const

/** All of one file, also in the code inside of templates. */
export function regexLiterals(code: string): FoundRegex[] {
  const found: FoundRegex[] = []
  /** How many braces are open in each piece of code that is inside of a template. */
  const braces: number[] = []
  let last = ''
  let at = 0

  function take(kind: keyof typeof tokens): RegExpExecArray | null {
    const pattern = tokens[kind]
    pattern.lastIndex = at
    const match = pattern.exec(code)
    if (match !== null) at += match[0].length
    return match
  }

  function takeTemplate(): void {
    last = '`'
    if (take('template')?.[1] !== '${') return
    braces.push(0)
    last = '{'
  }

  function takeSign(): void {
    const sign = code[at++] ?? ''
    const open = braces.at(-1)
    last = sign
    if (sign === '`') takeTemplate()
    else if (open !== undefined && sign === '{') braces[braces.length - 1] = open + 1
    else if (open !== undefined && sign === '}') {
      braces[braces.length - 1] = open - 1
      if (open > 0) return
      braces.pop()
      takeTemplate()
    }
  }

  while (at < code.length) {
    if (take('blank')) continue
    const start = at
    const regex = before.test(last) ? take('regex') : null
    if (regex !== null) {
      const line = code.slice(0, start).split('\n').length
      found.push({ source: regex[1] ?? '', flags: regex[2] ?? '', line })
      last = '/'
      continue
    }
    const token = take('text') ?? take('word')
    if (token === null) takeSign()
    else last = token[0]
  }
  return found
}
