// Markdown as running text: escapes of CommonMark, and links that no URL breaks out of.
//
// https://spec.commonmark.org/0.31.2/#backslash-escapes and …/#hard-line-breaks
import type { TextStyle } from './text.ts'

/** Two spaces before a line break keep it. */
export const hardBreak = '  \n'

/** The text with this in place of each line break, and of the empty lines and spaces around it. */
export function brokenBy(lineBreak: string, text: string): string {
  return text
    .split(/\n\s*/)
    .map((line) => line.trimEnd())
    .join(lineBreak)
}

/** Nothing that a stranger wrote becomes markup, not even a list or a heading. */
export const commonMark: TextStyle = {
  escape: (text) =>
    brokenBy(
      hardBreak,
      text
        .replaceAll(/[\\`*_[\]<>#~|&]/g, '\\$&')
        // What begins a list, a rule or an underlined heading.
        .replaceAll(/^[ \t]*([-+=])/gm, '\\$1')
        .replaceAll(/^[ \t]*(\d+)([.)])/gm, '$1\\$2'),
    ),
  bold: (escaped) => `**${escaped}**`,
  link: markdownLink,
  linkedLabel: markdownLink,
}

const closing: Readonly<Record<string, string>> = {
  '(': '%28',
  ')': '%29',
  '<': '%3C',
  '>': '%3E',
  ' ': '%20',
}

/** The label must be escaped. */
export function markdownLink(label: string, url: string): string {
  return `[${label}](${url.replaceAll(/[()<> ]/g, (char) => closing[char] ?? char)})`
}

/** The full-width forms of ASCII characters, for platforms that know markup but no escapes. */
export function fullWidth(text: string, characters: RegExp): string {
  return text.replaceAll(characters, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))
}
