// Commands of a POSIX shell as words: quotes, line breaks, here-documents; what the shell would put in stays a placeholder.
//
// Sources: POSIX.1-2024, Shell Command Language, 2.2 to 2.7; the Bash manual, 3.1.2.4 for $'…'.
import type { Draft } from './draft.ts'

export interface ShellCommand {
  readonly words: readonly string[]
  /** The text of its here-document; undefined: it has none. */
  readonly input?: string
  /** The commands that read what it writes. */
  readonly readers: readonly ShellCommand[]
  /** The variable that gets what the last of them writes. */
  readonly assignedTo?: string
}

/** Commands inside others: `$(…)` in `$(…)`. */
const depthMax = 8

/** A class because it reads on. */
class ShellReader {
  readonly #text: string
  readonly #draft: Draft
  readonly commands: ShellCommand[] = []
  #at = 0
  #depth = 0
  /** The here-document that begins in the next line. */
  #skipped = { fromAt: -1, toAt: -1 }

  constructor(text: string, draft: Draft) {
    this.#text = text
    this.#draft = draft
  }

  /** Reads commands until the text ends, or the bracket around them. Returns the last pipeline. */
  read(): readonly string[] {
    let last: readonly string[] = []
    for (;;) {
      const pipeline: Omit<ShellCommand, 'readers'>[] = [this.#command()]
      while (this.#next() === '|' && this.#text[this.#at + 1] !== '|') {
        this.#at += 1
        pipeline.push(this.#command())
      }
      const [first, ...rest] = pipeline
      if (first !== undefined && first.words.length > 0) {
        const readers = rest.map((one) => ({ ...one, readers: [] }))
        this.commands.push({ ...first, readers })
        last = first.words
      }
      const ended = this.#take(/&&|\|\||[\s\S]/y)
      if (ended === '' || (ended === ')' && this.#depth > 0)) return last
      const { fromAt, toAt } = this.#skipped
      if (this.#at === fromAt) this.#at = toAt
    }
  }

  #next(): string | undefined {
    return this.#text[this.#at]
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }

  /** The words until what ends a command, which is left for the reader. */
  #command(): Omit<ShellCommand, 'readers'> {
    const words: string[] = []
    let input: string | undefined
    for (;;) {
      // A line of PowerShell goes on behind a backtick.
      this.#take(/(?:[ \t]|[\\`]\n)+/y)
      const next = this.#next()
      if (next === undefined || '\n;&|()'.includes(next)) {
        return { words, ...(input === undefined ? {} : { input }) }
      }
      if (next === '#') {
        this.#take(/[^\n]*/y)
        continue
      }
      const redirect = this.#take(/\d?(?:<<<|<<-?|<>|>>|>&|<&|>\||[<>])/y)
      if (redirect !== '') {
        const found = this.#redirected(redirect)
        input ??= found
        continue
      }
      words.push(this.#word())
    }
  }

  /** The text that a redirection gives to its command; undefined if it is that of a file. */
  #redirected(sign: string): string | undefined {
    this.#take(/[ \t]+/y)
    if (!sign.startsWith('<<')) {
      this.#word()
      return undefined
    }
    if (sign === '<<<') return this.#word()
    const isLiteral = /['"\\]/.test(this.#next() ?? '')
    const end = this.#word()
    const bodyAt = this.#text.indexOf('\n', this.#at) + 1
    if (bodyAt === 0) return undefined
    const lines: string[] = []
    let at = bodyAt
    while (at < this.#text.length) {
      const lineEnd = this.#text.indexOf('\n', at)
      const line = this.#text.slice(at, lineEnd < 0 ? undefined : lineEnd)
      at = lineEnd < 0 ? this.#text.length : lineEnd + 1
      const bare = sign === '<<-' ? line.replace(/^\t+/, '') : line
      if (bare.trimEnd() === end) break
      lines.push(bare)
    }
    // The rest of the line goes on behind the document.
    this.#skipped = { fromAt: bodyAt, toAt: at }
    const body = lines.join('\n')
    return isLiteral ? body : this.#expanded(body)
  }

  #expanded(body: string): string {
    return body.replace(/\\([$`\\])|\$\{?([A-Za-z_]\w*)\}?/g, (_, kept: string, name: string) =>
      kept === undefined ? `{{${this.#draft.nameFor(name)}}}` : kept,
    )
  }

  #word(): string {
    let word = ''
    for (;;) {
      const next = this.#next()
      if (next === undefined || ' \t\n;&|()<>'.includes(next)) return word
      this.#at += 1
      if (next === "'") word += this.#until("'")
      else if (next === '"') word += this.#doubleQuoted()
      else if (next === '\\') word += this.#escapedChar()
      else if (next === '$') word += this.#dollar(word)
      else if (next === '`') word += this.#substituted(this.#until('`'))
      else word += next
    }
  }

  #until(end: string): string {
    const endAt = this.#text.indexOf(end, this.#at)
    const inner = this.#text.slice(this.#at, endAt < 0 ? undefined : endAt)
    this.#at = endAt < 0 ? this.#text.length : endAt + 1
    return inner
  }

  #escapedChar(): string {
    const next = this.#take(/[\s\S]/y)
    return next === '\n' ? '' : next
  }

  #doubleQuoted(): string {
    let inner = ''
    for (;;) {
      inner += this.#take(/[^"\\$`]+/y)
      const next = this.#next()
      if (next === undefined) return inner
      this.#at += 1
      if (next === '"') return inner
      if (next === '$') inner += this.#dollar(null)
      else if (next === '`') inner += this.#substituted(this.#until('`'))
      else inner += /["\\$`\n]/.test(this.#next() ?? '') ? this.#escapedChar() : '\\'
    }
  }

  /** What follows a `$`. `before`: the word so far; null: it is inside double quotes. */
  #dollar(before: string | null): string {
    if (before !== null && this.#take(/'/y) !== '') {
      return ansiText(this.#take(/(?:[^'\\]|\\.)*(?:'|$)/sy).replace(/'$/, ''))
    }
    if (this.#take(/\(/y) !== '') return this.#parenthesis(before ?? '')
    const braced = this.#take(/\{[A-Za-z_]\w*(?::?-[^{}]*)?\}/y).slice(1, -1)
    const said = braced || this.#take(/[A-Za-z_]\w*|\d/y)
    if (said === '') return '$'
    const [name = said, value] = said.split(/:?-(.*)/s)
    const ours = this.#draft.nameFor(name)
    if (value !== undefined && this.#draft.valueOf(ours) === undefined)
      this.#draft.give(name, value)
    return `{{${ours}}}`
  }

  /** `$(…)`: commands of their own. */
  #parenthesis(before: string): string {
    if (this.#depth >= depthMax) {
      this.#until(')')
      return ''
    }
    this.#depth += 1
    const madeBefore = this.commands.length
    const [, name] = /^([A-Za-z_]\w*)=$/.exec(before) ?? []
    const words = this.read()
    this.#depth -= 1
    const made = this.commands.splice(madeBefore).filter((one) => isCurl(one.words))
    const last = made.pop()
    if (last === undefined) return this.#placeholderFor(words)
    const assignedTo = name ?? 'answer'
    this.commands.push(...made, { ...last, assignedTo })
    return `{{${this.#draft.nameFor(assignedTo)}}}`
  }

  #substituted(command: string): string {
    return this.#placeholderFor(command.trim().split(/\s+/))
  }

  #placeholderFor(words: readonly string[]): string {
    const command = words.join(' ')
    if (command === 'uuidgen') return '{{$uuid}}'
    if (command === 'date +%s') return '{{$timestamp}}'
    return `{{${this.#draft.nameFor(words.slice(0, 3).join('_').slice(0, 40))}}}`
  }
}

const escapes: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
}

/** The text of `$'…'`. */
function ansiText(quoted: string): string {
  return quoted.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|(.))/gs,
    (_, byte?: string, short?: string, long?: string, octal?: string, other = '') => {
      const hex = byte ?? short ?? long
      const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16)
      if (Number.isNaN(code)) return escapes[other] ?? other
      return code > 0x10ffff ? '' : String.fromCodePoint(code)
    },
  )
}

/** Whether the words are a call of curl, whatever stands before it. */
export function isCurl(words: readonly string[]): boolean {
  return curlAt(words) >= 0
}

const before = /^(?:[A-Za-z_]\w*=.*|sudo|time|env|command|exec|[$%#]|PS)$/s
const curlName = /(?:^|[/\\])curl(?:\.exe)?$/i

/** Where curl stands in its command; -1: it is another one. */
export function curlAt(words: readonly string[]): number {
  const at = words.findIndex((word) => !before.test(word))
  return curlName.test(words[at] ?? '') ? at : -1
}

export function shellCommands(text: string, draft: Draft): readonly ShellCommand[] {
  const reader = new ShellReader(text.replace(/\r\n?/g, '\n'), draft)
  reader.read()
  return reader.commands
}
