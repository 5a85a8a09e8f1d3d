// The bytes of a document: what a reader gets in each coding, and what stays in memory.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import {
  createBytePacker,
  pageBrotliAgeMs,
  pageGzipAtOnceBytesMax,
  pagePackedBytesMin,
  pagePlainBytesKept,
} from '../../../../src/services/pages/serving/document-bytes.ts'
import { until } from '../../../support/until.ts'

const htmlType = 'text/html; charset=utf-8'
const all = { gzip: true, br: true }
const none = { gzip: false, br: false }
const text = (bytes: number) =>
  Buffer.from('service is operational. '.repeat(Math.ceil(bytes / 24)).slice(0, bytes))

t.test('once it was compressed, only compressed bytes are kept, and plain ones again made', (t) => {
  const packer = createBytePacker()
  const body = text(60_000)
  let told = 0
  const document = packer.pack(htmlType, body, () => {
    told += 1
  })
  t.equal(document.keptBytes, body.length)
  const { bytes } = document.take(all, 0)
  t.same(gunzipSync(bytes), body)
  t.equal(told, 1)
  t.equal(document.keptBytes, bytes.length)
  // So many others are asked for that the plain bytes of the first are forgotten.
  const others = Math.ceil(pagePlainBytesKept / body.length) + 1
  for (let count = 0; count < others; count += 1) {
    const other = packer.pack(htmlType, text(60_000), () => {})
    other.take(all, 0)
  }
  t.same(document.take(none, 0), { coding: 'identity', bytes: body })
  t.same(document.plain, body)
  t.equal(document.keptBytes, bytes.length)
  t.end()
})

t.test(
  'a large document is compressed elsewhere, and readers get it plain meanwhile',
  async (t) => {
    const body = text(pageGzipAtOnceBytesMax + 1)
    const document = createBytePacker().pack(htmlType, body, () => {})
    t.same(document.take(all, 0), { coding: 'identity', bytes: body })
    await until(() => document.take(all, 0).coding === 'gzip')
    t.same(gunzipSync(document.take(all, 0).bytes), body)
  },
)

t.test('a few documents at once get the coding that takes longest', async (t) => {
  const packer = createBytePacker()
  const documents = Array.from({ length: 5 }, () => packer.pack(htmlType, text(60_000), () => {}))
  const ask = () => documents.map((one) => one.take(all, pageBrotliAgeMs).coding)
  t.same(new Set(ask()), new Set(['gzip']))
  await until(() => ask().every((coding) => coding === 'br'))
  for (const document of documents) {
    t.same(brotliDecompressSync(document.take(all, 0).bytes), text(60_000))
    t.equal(document.take({ gzip: true, br: false }, 0).coding, 'gzip')
  }
})

t.test('what is small or an image is sent as it is', (t) => {
  const packer = createBytePacker()
  const small = packer.pack('image/svg+xml', text(pagePackedBytesMin - 1), () => {})
  const image = packer.pack('image/png', text(60_000), () => {})
  for (const document of [small, image]) {
    t.equal(document.take(all, pageBrotliAgeMs).coding, 'identity')
  }
  const json = packer.pack('application/feed+json', text(60_000), () => {})
  t.equal(json.take(all, 0).coding, 'gzip')
  t.end()
})
