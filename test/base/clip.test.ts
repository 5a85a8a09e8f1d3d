// Text that is cut to a bound, and the text of errors.
import t from 'tap'
import { clip } from '../../src/base/clip.ts'
import { errorText } from '../../src/base/log/error-text.ts'

t.test('text within its bound is left alone', async (t) => {
  t.equal(clip('abc', 3), 'abc')
})

t.test('longer text is cut visibly', async (t) => {
  t.equal(clip('abcd', 3), 'ab…')
})

t.test('no character is cut in half', async (t) => {
  t.equal(clip('a𝕏bcd', 3), 'a…')
  t.equal(clip('a𝕏bcd', 4), 'a𝕏…')
})

t.test('what was thrown is told in words, whatever it is', async (t) => {
  t.equal(errorText(new TypeError('it is no text')), 'it is no text')
  t.equal(errorText('a text'), 'a text')
  t.equal(errorText(undefined), 'undefined')
})
