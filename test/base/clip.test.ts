// Text that is cut to a bound.
import t from 'tap'
import { clip } from '../../src/base/clip.ts'

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
