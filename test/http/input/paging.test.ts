// Pages of lists: a cursor belongs to one list, with its filters, whatever their order.
import t from 'tap'
import { anyText, object, optional } from '../../../src/base/schema/schema.ts'
import type { Exchange } from '../../../src/http/edge/exchange.ts'
import { createCursors, createPageReader } from '../../../src/http/input/paging.ts'

const cursors = createCursors(Buffer.alloc(32, 1))
const filters = object({ a: optional(anyText), b: optional(anyText) })
const pages = createPageReader(filters, { cursors, baseUrl: 'https://up.example' })
const at = (path: string, queryText = '') => ({ path, queryText }) as Exchange

t.test('without a cursor the first page has the usual size', async (t) => {
  t.same(pages.read(at('/x')), { query: {}, page: { limit: 50 } })
  t.same(pages.read(at('/x', 'a=1&limit=7')), { query: { a: '1' }, page: { limit: 7 } })
})

t.test('the next address leads to the next page, with the same filters', async (t) => {
  const { cursor, url } = pages.next(at('/x', 'b=2&a=%26&limit=7'), 'id_9')
  const next = new URL(url)
  t.equal(next.origin, 'https://up.example')
  t.equal(next.searchParams.get('cursor'), cursor)
  t.same(pages.read(at('/x', next.search.slice(1))), {
    query: { a: '&', b: '2' },
    page: { limit: 7, after: 'id_9' },
  })
})

t.test('the order of filters and the size of pages may change on the way', async (t) => {
  const { cursor } = pages.next(at('/x', 'b=2&a=1&limit=7'), 'id_9')
  t.equal(pages.read(at('/x', `a=1&b=2&limit=9&cursor=${cursor}`)).page.after, 'id_9')
})

t.test('another list, another filter and another key do not fit', async (t) => {
  const { cursor } = pages.next(at('/x', 'a=1'), 'id_9')
  const invalid = { code: 'invalid_cursor' }
  t.throws(() => pages.read(at('/y', `a=1&cursor=${cursor}`)), invalid)
  t.throws(() => pages.read(at('/x', `a=2&cursor=${cursor}`)), invalid)
  t.throws(() => pages.read(at('/x', `cursor=${cursor}`)), invalid)
  const others = { cursors: createCursors(Buffer.alloc(32, 2)), baseUrl: '' }
  t.throws(() => createPageReader(filters, others).read(at('/x', `a=1&cursor=${cursor}`)), invalid)
})

t.test('a path that could break out of the Link header is cleaned', async (t) => {
  const { url } = pages.next(at('/x>;"y"'), 'id_9')
  t.match(url, /^https:\/\/up\.example\/x;y\?cursor=/)
})
