// What is looked for: values also in part, wholes only as a whole, in any case of letters.
import t from 'tap'
import { Needles } from '../../src/redaction/needles.ts'
import { Sheet } from '../../src/redaction/sheet.ts'

function marked(text: string, values: readonly string[], wholes: readonly string[] = []): string {
  const needles = new Needles(/^http\/1\.1$/i)
  for (const value of values) needles.addValue(value)
  needles.indexParts()
  for (const whole of wholes) needles.addWhole(whole)
  const sheet = new Sheet()
  sheet.clear(text.length)
  for (const [at, letter] of [...text].entries()) sheet.add(letter.charCodeAt(0), at, at + 1)
  const isSecret = new Uint8Array(text.length)
  needles.mark(sheet, isSecret)
  return [...text].map((letter, i) => (isSecret[i] === 1 ? '*' : letter)).join('')
}

t.test('a value is found in part, a whole and a short one are not', async (t) => {
  t.equal(marked('a 23456789 b 2345678 c', ['0123456789']), 'a ******** b 2345678 c')
  t.equal(marked('0123456789 23456789', [], ['0123456789']), '********** 23456789')
  t.equal(marked('open ope OPEN', ['open']), '**** ope ****')
  t.equal(marked('a+form-value', ['a form value', 'form-value']), 'a+**********')
})

t.test('a few letters over two lines are two words', async (t) => {
  t.equal(marked('op\nen open', ['open']), 'op\nen ****')
  t.equal(marked('opening\n-door', ['opening-door']), '*************')
})

t.test('words that may be told are told', async (t) => {
  t.equal(marked('HTTP/1.1 503', ['xHTTP/1.1y']), 'HTTP/1.1 503')
})

t.test('values that share their beginnings are each followed', async (t) => {
  const values = Array.from({ length: 300 }, (_, i) => `the-same-beginning-${i}-and-end-${i}`)
  t.equal(marked('the-same-beginning-299-and-end-299', values), '*'.repeat(34))
  t.equal(marked('x', []), 'x')
})
