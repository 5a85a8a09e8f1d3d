// Bodies of multipart/form-data: their fields of text, and nothing else.
import t from 'tap'
import { isMultipart, multipartFields } from '../../../src/http/input/multipart-body.ts'

const of = (type: string) => ({ header: () => type })
const type = 'multipart/form-data; boundary=--xyz'
const part = (head: string, text: string) =>
  `----xyz\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
const read = async (body: string, from = of(type)) =>
  Object.fromEntries(await multipartFields(Buffer.from(body), from))

t.test('fields are texts; files are passed over', async (t) => {
  t.ok(isMultipart(of(type)))
  t.notOk(isMultipart(of('application/json')))
  const file = part('name="file"; filename="a.txt"', 'secret')
  const body = `${part('name="data"', '{"a":"ü"}')}${file}${part('name="b"', '')}----xyz--\r\n`
  t.same(await read(body), { data: '{"a":"ü"}', b: '' })
  t.same(
    await read(`${part('name="__proto__"', 'x')}----xyz--\r\n`),
    Object.fromEntries([['__proto__', 'x']]),
  )
})

t.test('what is cut, or has another boundary, is refused in one line', async (t) => {
  const whole = `${part('name="data"', 'x')}----xyz--\r\n`
  for (const bad of ['', 'x', whole.slice(0, 40), `${whole.slice(0, -10)}`]) {
    await t.rejects(read(bad), { code: 'malformed_json', message: /multipart\/form-data/ }, bad)
  }
  await t.rejects(read(whole, of('multipart/form-data; boundary=other')), {
    code: 'malformed_json',
  })
  await t.rejects(read(whole, of('multipart/form-data; ')), { code: 'malformed_json' })
})

t.test('thousands of parts in 64 KiB take a moment', async (t) => {
  const body = `${'----xyz\r\n'.repeat(7_000)}----xyz--\r\n`
  await t.rejects(read(body))
  const many = Array.from({ length: 900 }, (_, at) => part(`name="f${at}"`, 'x')).join('')
  t.equal(Object.keys(await read(`${many}----xyz--\r\n`)).length, 900)
})
