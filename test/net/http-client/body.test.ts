// Bodies in every coding and charset.
import zlib from 'node:zlib'
import t from 'tap'
import { decodeBody } from '../../../src/net/http-client/body.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openClock, openProbe } from '../../support/open-probe.ts'
import { answer, type Script, startTarget } from '../../support/target.ts'

const clock = openClock(t)
const probeEndpoint = openProbe(t, clock)

const target = await startTarget()
t.after(() => target.close())

async function check(script: Script, fields: TargetFields = {}) {
  target.script = script
  return probeEndpoint(makeTarget({ url: `${target.url}/`, ...fields }), { clock })
}

t.test('a body is decoded for an assertion and for evidence', async (t) => {
  const bytes = Buffer.from('all is well ✓')
  const codings: Record<string, Buffer> = {
    gzip: zlib.gzipSync(bytes),
    'x-gzip': zlib.gzipSync(bytes),
    deflate: zlib.deflateSync(bytes),
    Deflate: zlib.deflateRawSync(bytes),
    br: zlib.brotliCompressSync(bytes),
    zstd: zlib.zstdCompressSync(bytes),
    identity: bytes,
  }
  for (const [coding, body] of Object.entries(codings)) {
    const headers = { 'content-encoding': coding }
    const good = await check(answer({ body, headers }), { expect: { bodyContains: 'well ✓' } })
    t.equal(good.result, 'good', `${coding} ${good.error?.message}`)
    const bad = await check(answer({ status: 500, body, headers }))
    t.equal(bad.evidence?.body, 'all is well ✓', coding)
  }
})

t.test('the beginning of a long compressed body is evidence too', async (t) => {
  const noise = Array.from({ length: 20_000 }, (_, i) => (i * 7919).toString(36)).join(' ')
  for (const [coding, pack] of [
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
  ] as const) {
    const headers = { 'content-encoding': coding }
    const { evidence } = await check(answer({ status: 500, body: pack(noise), headers }))
    if (evidence?.body !== undefined) t.equal(evidence.body, noise.slice(0, 2_048), coding)
    else t.not(coding, 'gzip', `${coding} shows nothing of a beginning`)
  }
})

t.test('more than one encoding, an unknown or a broken one is an invalid response', async (t) => {
  const expect = { bodyContains: 'x' }
  const chain = Array.from({ length: 1_000 }, () => 'gzip').join(',')
  for (const coding of ['gzip, gzip', chain, 'compress', 'gzip']) {
    const reading = await check(answer({ headers: { 'content-encoding': coding } }), { expect })
    t.equal(reading.error?.kind, 'invalid_response', coding.slice(0, 20))
  }
})

t.test('the charset of the content type is respected', async (t) => {
  const headers = { 'content-type': 'text/plain; charset="ISO-8859-1"' }
  const script = answer({ headers, body: Buffer.from('caf\u00e9', 'latin1') })
  t.equal((await check(script, { expect: { bodyContains: 'café' } })).result, 'good')
})

t.test('a body may be as large as who asks for it takes, packed or not', async (t) => {
  const mib = 1024 * 1024
  const packed = zlib.gzipSync(Buffer.alloc(2 * mib))
  const most = await decodeBody(packed, ['gzip'], { bytesMax: 4 * mib })
  t.equal(most.bytes?.length, 2 * mib)
  const { failure } = await decodeBody(packed, ['gzip'])
  t.match(failure, { message: 'the response body is larger than 1 MiB' })
  const larger = await decodeBody(zlib.gzipSync(Buffer.alloc(5 * mib)), ['gzip'], {
    bytesMax: 4 * mib,
  })
  t.match(larger.failure, { message: 'the response body is larger than 4 MiB' })
})
