// Success answers as bytes.
import t from 'tap'
import { anyText, object } from '../../../src/base/schema/schema.ts'
import { createResponder } from '../../../src/http/output/respond.ts'
import { answer } from '../../../src/http/routing/route.ts'

const context = { lines: '\r\nX-Request-Id: req_1', ifNoneMatch: '' }
const Out = object({ id: anyText })

t.test('the envelope contains what the schema names, and the message of the route', async (t) => {
  const reply = createResponder(Out, 'Made "it"').one({ id: 'a', secret: 1 }, context)
  t.equal(reply.body, '{"success":true,"data":{"id":"a"},"message":"Made \\"it\\""}')
  t.match(
    reply.head,
    /^application\/json\r\nCache-Control: no-store\r\n[\s\S]*X-Request-Id: req_1$/,
  )
  t.equal(createResponder(undefined).one(undefined, context).body, '{"success":true,"data":{}}')
})

t.test('a handler can send another message, and add headers', async (t) => {
  const said = answer({ id: 'a' }, { message: 'Other', headers: [['Set-Cookie', 'a=b']] })
  const reply = createResponder(Out, 'Usual').one(said, context)
  t.match(reply.body, /"message":"Other"/)
  t.match(reply.head, /\r\nSet-Cookie: a=b/)
})

t.test('a header that would forge another is never sent', async (t) => {
  const forged = answer({ id: 'a' }, { headers: [['X-A', 'b\r\nSet-Cookie: a=b']] })
  t.throws(() => createResponder(Out).one(forged, context), /well-formed/)
})

t.test('a revision becomes an entity tag and does not leave', async (t) => {
  const responder = createResponder(Out)
  const reply = responder.one({ id: 'a', revision: 3 }, context)
  t.match(reply.etag, /^"3-/)
  t.notMatch(reply.body, /revision/)
  const again = responder.one(
    { id: 'a', revision: 3 },
    { ...context, ifNoneMatch: reply.etag ?? '' },
  )
  t.equal(again.status, 304)
  t.equal(again.body, undefined)
})

t.test('a list says how to continue, until there is no more', async (t) => {
  const next = (after: string) => ({
    cursor: `c${after}`,
    url: `https://up.example/x?cursor=c${after}`,
  })
  const responder = createResponder(Out)
  const first = responder.many(
    { items: [{ id: 'a' }, { id: 'b' }], nextAfter: 'b' },
    2,
    context,
    next,
  )
  t.equal(
    first.body,
    '{"success":true,"data":[{"id":"a"},{"id":"b"}],"meta":{"limit":2,"nextCursor":"cb"}}',
  )
  t.match(first.head, 'Link: <https://up.example/x?cursor=cb>; rel="next"')
  const last = responder.many({ items: [] }, 2, context, next)
  t.equal(last.body, '{"success":true,"data":[],"meta":{"limit":2,"nextCursor":null}}')
})
