// What is found: values also in part, whole texts only from their beginning, in any case of letters.
import t from 'tap'
import { decodedTexts } from '../../src/redaction/decoded-text.ts'
import { SecretMatcher } from '../../src/redaction/secret-matcher.ts'

function marked(text: string, values: readonly string[], wholes: readonly string[] = []): string {
  const matcher = new SecretMatcher()
  for (const value of values) matcher.addValue(value)
  for (const whole of wholes) matcher.addWhole(whole)
  const isSecret = new Uint8Array(text.length)
  for (const decoded of decodedTexts(text)) matcher.mark(decoded, isSecret)
  return [...text].map((letter, i) => (isSecret[i] === 1 ? '*' : letter)).join('')
}

t.test('a value is found in part, a whole and a short one are not', (t) => {
  t.equal(marked('a 23456789 b 2345678 c', ['0123456789']), 'a ******** b 2345678 c')
  t.equal(marked('0123456789 23456789', [], ['0123456789']), '********** 23456789')
  t.equal(marked('open ope OPEN', ['open']), '**** ope ****')
  t.equal(marked('a+form-value', ['a form value', 'form-value']), 'a+**********')
  t.equal(marked('GÄRTNEREI', ['gärtnerei']), '*********')
  t.equal(marked('İSTANBUL34', ['istanbul34']), '**********')
  t.end()
})

t.test('values that share their beginnings are each found', (t) => {
  const values = Array.from({ length: 300 }, (_, i) => `the-same-beginning-${i}-and-end-${i}`)
  t.equal(marked('the-same-beginning-299-and-end-299', values), '*'.repeat(34))
  t.equal(marked('x', []), 'x')
  t.end()
})

t.test('a long text is recognized by its beginning, and masked as far as it goes on', (t) => {
  const body = Array.from({ length: 999 }, (_, i) => `line ${i}`).join('\n')
  t.equal(marked(`${body.slice(0, 500)}|`, [], [body]), `${'*'.repeat(500)}|`)
  t.equal(marked(`${body}|`, [], [body]), `${'*'.repeat(body.length)}|`)
  t.equal(marked(body.slice(0, 100), [], [body]), body.slice(0, 100), 'not by a few words')
  t.end()
})

t.test('empty or very short values are not searched for', (t) => {
  t.equal(marked('a bc def', ['', 'a', 'def'], ['', 'bc']), 'a bc def')
  t.ok(new SecretMatcher().isEmpty)
  t.end()
})
