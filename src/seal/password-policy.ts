// Judges passwords by their length, and by what remains without the parts that attackers try first.
import { limits } from '../domain/limits/limits.ts'
import { commonPasswords, commonWords } from './common-passwords.ts'

export interface PasswordProblem {
  readonly keyword: 'minLength' | 'maxLength' | 'guessable'
  readonly message: string
}

// How many characters must remain when every common word, walk, year and own name counts as one.
const unguessedCharsMin = 5
const distinctCharsMin = 5
const runCharsMin = 4
const contextWordCharsMin = 3
// Marks the place of a removed guessable part; passwords do not contain it.
const taken = '\ufffc'

// Sequences of the alphabet, the digits and the keyboard; each is also tried backwards.
const walks = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '!@#$%^&*()_+',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujmikolp',
  'a1b2c3d4e5f6g7h8i9',
].flatMap((walk) => [walk, [...walk].reverse().join('')])

const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * Returns why a new password is refused, or undefined if it is good. `context` are words about the
 * person: e-mail address, name, organization name (ASVS 5.0, 6.2.4 and 6.2.11). There are no
 * composition rules.
 */
export function passwordProblem(
  password: string,
  context: readonly string[],
): PasswordProblem | undefined {
  const chars = [...password].length
  if (chars < limits.passwordCharsMin) {
    const message = `must be at least ${limits.passwordCharsMin} characters`
    return { keyword: 'minLength', message }
  }
  if (chars > limits.passwordCharsMax) {
    const message = `must be at most ${limits.passwordCharsMax} characters`
    return { keyword: 'maxLength', message }
  }
  if (!isGuessable(password.toLowerCase(), context)) return undefined
  const message = 'is too easy to guess: common words, sequences, repeats or your own name'
  return { keyword: 'guessable', message }
}

function isGuessable(password: string, context: readonly string[]): boolean {
  if (commonPasswords.has(password)) return true
  if (new Set(password).size < distinctCharsMin || isRepeated(password)) return true
  const words = [...contextWords(context), ...commonWords]
  const rest = withoutRuns(password).replace(/(?:19|20)\d\d/g, taken)
  return [withoutWords(rest, words), withoutWords(folded(rest), words.map(folded))].some(
    (left) => countUnguessed(left) < unguessedCharsMin,
  )
}

/** Whether the password is a shorter piece repeated. */
function isRepeated(password: string): boolean {
  for (let period = 1; period <= password.length / 2; period += 1) {
    if (password.slice(period) === password.slice(0, password.length - period)) return true
  }
  return false
}

function withoutRuns(text: string): string {
  let left = ''
  for (let at = 0; at < text.length; ) {
    const run = runLength(text, at)
    left += run === 0 ? (text[at] ?? '') : taken
    at += Math.max(run, 1)
  }
  return left
}

/** How many characters from here on follow one of the walks, or 0 if too few to count. */
function runLength(text: string, at: number): number {
  let longest = 0
  for (let end = at + runCharsMin; end <= text.length; end += 1) {
    const piece = text.slice(at, end)
    if (!walks.some((walk) => walk.includes(piece))) break
    longest = end - at
  }
  return longest
}

function withoutWords(text: string, words: readonly string[]): string {
  // Longest first: "password" must match before "pass".
  const byLength = [...words].sort((a, b) => b.length - a.length)
  return byLength.reduce((left, word) => left.replaceAll(word, taken), text)
}

/** Replaces look-alikes by the letters they stand for, so that "p4ssw0rd" is "password". */
function folded(text: string): string {
  return [...text].map((char) => lookAlikes[char] ?? char).join('')
}

/** A character that repeats the previous one does not count. */
function countUnguessed(left: string): number {
  return left.replace(/(.)\1+/gu, '$1').length
}

function contextWords(context: readonly string[]): string[] {
  return context
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= contextWordCharsMin)
}
