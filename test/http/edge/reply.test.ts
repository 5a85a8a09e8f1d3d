// Header lines: what is sent is what was meant.
import t from 'tap'
import { headerLines, isBodiless, statusLine } from '../../../src/http/edge/reply.ts'

t.test('headers become lines', async (t) => {
  t.equal(
    headerLines([
      ['A', 'b'],
      ['C-D', 'e; f="g"'],
    ]),
    '\r\nA: b\r\nC-D: e; f="g"',
  )
  t.equal(headerLines([]), '')
})

t.test('nothing that could forge a line gets through', async (t) => {
  for (const value of ['a\r\nB: c', 'a\nb', 'a\0', 'é', 'a\u2028']) {
    t.throws(() => headerLines([['A', value]]), /well-formed/)
  }
  for (const name of ['', 'A B', 'A:', 'A\r\nB']) {
    t.throws(() => headerLines([[name, 'x']]), /well-formed/, JSON.stringify(name))
  }
})

t.test('statuses have their words', async (t) => {
  t.equal(statusLine(404), '404 Not Found')
  t.equal(statusLine(299), '299 Unknown')
  t.same([200, 204, 304, 404].filter(isBodiless), [204, 304])
})
