// What pictures of status pages are made of after they were sent.
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import {
  type PictureFile,
  pictureBytesMax,
  pictureFileOf,
} from '../../../src/domain/pages/picture-file.ts'
import { type PictureSample, pictureSample } from '../../support/picture-files.ts'

function kept(bytes: Buffer): PictureFile {
  const file = pictureFileOf(bytes)
  if ('problem' in file) throw new Error(file.problem)
  return file
}

const problemOf = (bytes: Buffer) => {
  const file = pictureFileOf(bytes)
  return 'problem' in file ? file.problem : undefined
}

const pictures = {
  png: 'png',
  jpeg: 'jpeg',
  progressive: 'jpeg',
  webp: 'webp',
  lossless: 'webp',
  alpha: 'webp',
} as const satisfies Partial<Record<PictureSample, string>>
const names = Object.keys(pictures) as (keyof typeof pictures)[]

t.test(
  'a picture keeps its format and its size, and nothing that a camera or program added',
  (t) => {
    for (const name of names) {
      const { bytes, ...about } = kept(pictureSample(name))
      t.same(about, { format: pictures[name], widthPx: 24, heightPx: 16 }, name)
      for (const trace of ['SECRET', 'GPS', 'XML', 'ICC', '52.52']) {
        t.notOk(bytes.includes(trace), `${name} without ${trace}`)
      }
    }
    t.end()
  },
)

t.test('what was kept is kept again, byte by byte', (t) => {
  for (const name of names) {
    const { bytes } = kept(pictureSample(name))
    t.ok(kept(bytes).bytes.equals(bytes), name)
  }
  t.end()
})

t.test('a photo keeps which side is up, and no other note of the camera', (t) => {
  const { bytes } = kept(pictureSample('jpeg'))
  const at = bytes.indexOf('Exif')
  t.equal(bytes.readUInt16BE(at + 6 + 18), 6)
  t.equal(bytes.readUInt16BE(at - 2), 34, 'the whole note is 34 bytes')
  t.end()
})

t.test('a file that is something else behind its end is cut there', (t) => {
  for (const name of names) {
    const { bytes } = kept(pictureSample(name))
    const both = Buffer.concat([pictureSample(name), Buffer.from('<script>alert(1)</script>')])
    t.ok(kept(both).bytes.equals(bytes), name)
  }
  t.end()
})

t.test('what is no picture, moves, is damaged or too large is refused with the rule', (t) => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
  t.equal(problemOf(svg), 'must be a PNG, JPEG or WebP picture')
  t.match(problemOf(Buffer.from('GIF89a')), /PNG, JPEG or WebP/)
  t.equal(problemOf(Buffer.alloc(0)), 'must be a whole PNG, JPEG or WebP picture')
  t.match(problemOf(pictureSample('apng')), /does not move/)
  t.match(problemOf(pictureSample('moving')), /does not move/)
  t.match(problemOf(Buffer.alloc(pictureBytesMax + 1)), /at most 512 KiB/)
  for (const name of names) {
    const { bytes } = kept(pictureSample(name))
    t.match(problemOf(bytes.subarray(0, -3)), /whole/, `${name} without its end`)
  }
  t.match(problemOf(sized(5_000, 10)), /at most 4096 pixels on each side/)
  t.match(problemOf(sized(4_000, 4_000)), /at most 8 million pixels/)
  t.match(problemOf(sized(0, 16)), /whole/)
  t.end()
})

t.test('a byte that was changed in the head of a PNG is noticed', (t) => {
  const bytes = Buffer.from(pictureSample('png'))
  bytes.writeUInt8(7, 19)
  t.match(problemOf(bytes), /whole/)
  t.end()
})

t.test('whatever is sent is judged, and never fails', (t) => {
  const names: PictureSample[] = ['png', 'jpeg', 'webp', 'alpha']
  const sent = fc
    .tuple(
      fc.constantFrom(...names),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 4 }),
      fc.nat(400),
    )
    .map(([name, edits, length]) => {
      const bytes = Buffer.from(pictureSample(name))
      for (const [at, value] of edits) bytes[at % bytes.length] = value
      return length < 200 ? bytes.subarray(0, length) : bytes
    })
  fc.assert(
    fc.property(sent, (bytes) => {
      const file = pictureFileOf(bytes)
      if (!('problem' in file)) t.ok(kept(file.bytes).bytes.equals(file.bytes))
    }),
  )
  t.end()
})

/** The PNG with another size in its head. */
function sized(widthPx: number, heightPx: number): Buffer {
  const bytes = Buffer.from(pictureSample('png'))
  bytes.writeUInt32BE(widthPx, 16)
  bytes.writeUInt32BE(heightPx, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}
