// Large responses, compressed for those who take that.
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { zipped, zippedBytesMin } from '../../../src/http/output/zipped.ts'

const body = 'x'.repeat(zippedBytesMin)
const reply = { status: 200, head: 'application/json', body }

t.test('whoever takes gzip gets it, and caches know what it depends on', async (t) => {
  for (const accepted of ['gzip', 'br, GZIP', 'deflate, gzip;q=0.5', 'gzip; q=1.0']) {
    const answer = await zipped(reply, accepted)
    t.equal(answer.head, 'application/json\r\nVary: Accept-Encoding\r\nContent-Encoding: gzip')
    const bytes = Buffer.from(answer.body ?? '')
    t.ok(bytes.byteLength < body.length / 10)
    t.equal(gunzipSync(bytes).toString(), body, accepted)
  }
})

t.test('callers who share a result share what it was compressed to', async (t) => {
  const result = {}
  const [one, other] = await Promise.all([
    zipped(reply, 'gzip', result),
    zipped({ ...reply, head: 'application/json\r\nX-Request-Id: 2' }, 'gzip', result),
  ])
  t.equal(one?.body, other?.body)
  t.match(other?.head, /X-Request-Id: 2/)
  t.not((await zipped(reply, 'gzip', {})).body, one?.body)
})

t.test('nobody else does', async (t) => {
  for (const accepted of ['', 'br', 'gzip;q=0', 'gzip; q=0.00', 'gzipped']) {
    const answer = await zipped(reply, accepted)
    t.equal(answer.body, body, accepted)
    t.match(answer.head, /Vary: Accept-Encoding$/)
  }
})

t.test('what is small, refused or without a body stays as it is', async (t) => {
  for (const other of [
    { ...reply, body: 'small' },
    { ...reply, status: 503 },
    { status: 200, head: '' },
  ]) {
    t.equal(await zipped(other, 'gzip'), other)
  }
})
