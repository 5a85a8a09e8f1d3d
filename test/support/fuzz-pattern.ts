// Regular expressions of users for fuzzing, and texts that are hard on them.
import type { Dice } from './fuzz.ts'

export const patternPieces: readonly string[] = [
  ...['a', 'b', 'x', '.', 'é', '\\d', '\\w', '\\s', '\\S', '[a-z]', '[^a]', '[ab]', '\\pL', '\\b'],
  ...[
    '^',
    '$',
    '(?i)k',
    '(?s).',
    '(?m)^',
    'a|b',
    'error',
    '\\p{Greek}',
    '\\B',
    '\\z',
    '[[:alpha:]]',
  ],
  ...['*', '+', '?', '*?', '{2}', '{3,}', '{0,30}', '{20}', '{100}', '{1000}', '{1001}', '{,', '}'],
  ...[
    '(',
    ')',
    '(?:',
    '(?=',
    '(?<a>',
    '(?P<a>',
    '\\1',
    '[',
    ']',
    '\\',
    '\\Q',
    '\\x{1F600}',
    '\0',
    '|',
  ],
]

const atoms = patternPieces.slice(0, 25)
const repeats = ['', '', '', '*', '+', '?', '*?', '{2}', '{3,}', '{0,30}', '{20}', '{100}']

export function grownPattern(dice: Dice, depth = 3): string {
  let text = ''
  for (let left = 1 + dice.below(4); left > 0; left--) {
    const isGroup = depth > 0 && dice.chance(0.4)
    const rest = isGroup && dice.chance(0.4) ? `|${grownPattern(dice, depth - 1)}` : ''
    text += isGroup ? `(?:${grownPattern(dice, depth - 1)}${rest})` : dice.pick(atoms)
    text += dice.pick(repeats)
  }
  return text
}

/** The hard texts, of so many bytes each. */
export function hardTexts(dice: Dice, bytes: number): readonly (readonly [string, string])[] {
  const pieces = [
    'a',
    'ab',
    'x',
    'aab',
    'a b',
    'é',
    'aé',
    '1a',
    '\n',
    'a\n',
    '😀',
    'aaaaaaaaab',
    'ak\u212a',
  ]
  const ofPieces = pieces.map((piece): readonly [string, string] => {
    return [JSON.stringify(piece), piece.repeat(bytes / Buffer.byteLength(piece))]
  })
  const random = (from: readonly string[]): string => dice.text(bytes, from)
  const letters = Array.from({ length: 500 }, (_, i) => String.fromCharCode(0x400 + i * 90))
  return [
    ...ofPieces,
    ['random a and b', random(['a', 'b'])],
    ['random words', random(['a', 'b', 'x', ' ', '\n', '1', 'k', 'z'])],
    ['random letters', dice.text(bytes / 3, letters)],
  ]
}
