// Commands of the Windows command line as words: what browsers copy as "cURL (cmd)".
//
// Source: Microsoft, "Parsing C command-line arguments", for what the program makes of its line; cmd takes the carets.
import type { ShellCommand } from './shell-commands.ts'

/** Whether lines go on behind a caret, or a word begins with an escaped quotation mark. */
export function isForCmd(text: string): boolean {
  return /\bcurl(?:\.exe)? +\^"/i.test(text) || /\^\r?\n/.test(text)
}

export function cmdCommands(text: string): readonly ShellCommand[] {
  return linesOf(text.replaceAll('\r\n', '\n')).flatMap((line) => {
    const words = wordsOf(line)
    return words.length === 0 ? [] : [{ words, readers: [] }]
  })
}

/** The lines as the program gets them. A caret takes the meaning of what follows; a line break behind one is none. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = []
  let line = ''
  let isQuoted = false
  for (const [token] of text.matchAll(/\^\n?[\s\S]?|[\s\S]/g)) {
    if (token.startsWith('^') && !isQuoted) {
      line += token
        .slice(1)
        .replace(/^\n(?!\n)/, '')
        .replace(/^\n\n/, '\n')
      continue
    }
    if (token === '"') isQuoted = !isQuoted
    const isEnd = token === '\n' || (!isQuoted && /^[&|]$/.test(token))
    if (!isEnd) line += token
    else {
      lines.push(line)
      line = ''
      isQuoted = false
    }
  }
  return [...lines, line]
}

/** Backslashes stand for themselves unless a quotation mark follows; two marks inside others are one. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let isQuoted = false
  for (const [token] of line.matchAll(/\\+"|""|\\+|[\s\S]/g)) {
    if (!isQuoted && /^[ \t\n]$/.test(token)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    word ??= ''
    if (token === '"') isQuoted = !isQuoted
    else if (token === '""') word += isQuoted ? '"' : ''
    else if (token.startsWith('\\') && token.endsWith('"')) {
      const slashes = token.length - 1
      word += '\\'.repeat(Math.floor(slashes / 2))
      if (slashes % 2 === 1) word += '"'
      else isQuoted = !isQuoted
    } else word += token
  }
  return word === undefined ? words : [...words, word]
}
