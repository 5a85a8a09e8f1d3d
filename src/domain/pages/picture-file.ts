// Pictures of status pages, judged by their bytes: a PNG, JPEG or WebP is taken apart, and put together again
// from nothing but what draws it. What a camera or a program adds (places, names, thumbnails, profiles, other
// files behind the end) is left out.
import { crc32 } from 'node:zlib'

export const pictureFormats = ['png', 'jpeg', 'webp'] as const
export type PictureFormat = (typeof pictureFormats)[number]

/** The size of a file before it is taken apart; a side of a picture, and how much all sides cover. */
export const pictureBytesMax = 512 * 1024
export const pictureSidePxMax = 4_096
export const picturePixelsMax = 8_000_000

export interface PictureFile {
  readonly format: PictureFormat
  readonly widthPx: number
  readonly heightPx: number
  /** What draws the picture, and nothing else. */
  readonly bytes: Buffer
}

type Judged = PictureFile | { readonly problem: string }

const damaged = { problem: 'must be a whole PNG, JPEG or WebP picture' } as const
const moving = { problem: 'must be a picture that does not move' } as const

/** The picture without anything else, or what is wrong with it as the end of a sentence. */
export function pictureFileOf(bytes: Buffer): Judged {
  if (bytes.length > pictureBytesMax) {
    return { problem: `must have at most ${pictureBytesMax / 1024} KiB` }
  }
  const judged = judge(bytes)
  if ('problem' in judged) return judged
  const { widthPx, heightPx } = judged
  if (widthPx === 0 || heightPx === 0) return damaged
  if (Math.max(widthPx, heightPx) > pictureSidePxMax) {
    return { problem: `must have at most ${pictureSidePxMax} pixels on each side` }
  }
  if (widthPx * heightPx > picturePixelsMax) {
    return { problem: `must have at most ${picturePixelsMax / 1_000_000} million pixels` }
  }
  return judged
}

function judge(bytes: Buffer): Judged {
  try {
    if (bytes.subarray(0, 8).equals(pngSignature)) return pngOf(bytes)
    if (bytes.readUInt16BE(0) === 0xffd8) return jpegOf(bytes)
    if (bytes.toString('latin1', 0, 4) === 'RIFF') return webpOf(bytes)
    return { problem: 'must be a PNG, JPEG or WebP picture' }
  } catch (error) {
    // A number that would stand behind the end.
    if (error instanceof RangeError) return damaged
    throw error
  }
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Chunks that draw: the head, colours, which of them are clear, pixels, the end. */
const pngDrawing = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

function pngOf(bytes: Buffer): Judged {
  const kept: Buffer[] = [pngSignature]
  const seen = new Set<string>()
  for (let at = pngSignature.length; !seen.has('IEND'); ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + length
    const sum = bytes.readUInt32BE(end - 4)
    if (type === 'acTL') return moving
    if (pngDrawing.has(type)) {
      if (crc32(bytes.subarray(at + 4, end - 4)) !== sum) return damaged
      // Only pixels are in several chunks, and the head is first.
      if ((type === 'IHDR') !== (seen.size === 0)) return damaged
      if (type !== 'IDAT' && seen.has(type)) return damaged
      seen.add(type)
      kept.push(bytes.subarray(at, end))
    } else if (/^[A-Z]/.test(type)) return damaged
    at = end
  }
  if (!seen.has('IDAT') || bytes.readUInt32BE(8) !== 13) return damaged
  const widthPx = bytes.readUInt32BE(16)
  const heightPx = bytes.readUInt32BE(20)
  return { format: 'png', widthPx, heightPx, bytes: Buffer.concat(kept) }
}

const jpegStart = Buffer.from([0xff, 0xd8])
const jpegEnd = Buffer.from([0xff, 0xd9])
/** Frames that browsers draw: baseline, extended, progressive. */
const jpegFrames = new Set([0xc0, 0xc1, 0xc2])
/** Tables: of codes, of quantities, and how far restarts are apart. */
const jpegTables = new Set([0xc4, 0xdb, 0xdd])
const jpegScan = 0xda

function jpegOf(bytes: Buffer): Judged {
  const kept: Buffer[] = [jpegStart]
  let size: Pick<PictureFile, 'widthPx' | 'heightPx'> | undefined
  let hasScan = false
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return damaged
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      // Any marker may have such bytes before it.
      at += 1
      continue
    }
    if (marker === 0xd9) break
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length || end < at + 4) return damaged
    const segment = bytes.subarray(at, end)
    if (jpegFrames.has(marker)) {
      if (size) return damaged
      size = { heightPx: segment.readUInt16BE(5), widthPx: segment.readUInt16BE(7) }
      kept.push(segment)
    } else if (jpegTables.has(marker)) kept.push(segment)
    else if (marker === jpegScan) {
      if (!size) return damaged
      hasScan = true
      const scanEnd = endOfScan(bytes, end)
      kept.push(bytes.subarray(at, scanEnd))
      at = scanEnd
      continue
    } else if (marker === 0xe0) kept.push(...jfifOf(segment))
    else if (marker === 0xe1) kept.push(...orientationOf(segment))
    else if (marker === 0xee) kept.push(...adobeOf(segment))
    // Others of programs, and comments, draw nothing.
    else if ((marker < 0xe0 || marker > 0xef) && marker !== 0xfe) return damaged
    at = end
  }
  if (!size || !hasScan) return damaged
  return { format: 'jpeg', ...size, bytes: Buffer.concat([...kept, jpegEnd]) }
}

/** Where the next marker is: a byte of pixels that looks like one is followed by 0, a restart goes on. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at !== -1) {
    const next = bytes.readUInt8(at + 1)
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
    at = bytes.indexOf(0xff, at + 2)
  }
  return bytes.length
}

/** That the colours are the usual ones, without a thumbnail. */
function jfifOf(segment: Buffer): Buffer[] {
  if (segment.toString('latin1', 4, 9) !== 'JFIF\0') return []
  return [Buffer.from('ffe000104a46494600010100000100010000', 'hex')]
}

/** How the colours of others are meant. */
function adobeOf(segment: Buffer): Buffer[] {
  const isAdobe = segment.length === 16 && segment.toString('latin1', 4, 9) === 'Adobe'
  return isAdobe ? [segment] : []
}

/** Which side of a photo is up, alone: without it, pictures of phones would lie on their side. */
function orientationOf(segment: Buffer): Buffer[] {
  if (segment.toString('latin1', 4, 10) !== 'Exif\0\0') return []
  const tiff = segment.subarray(10)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const word = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const count = first + 2 <= tiff.length ? word(first) : 0
  for (let entry = 0; entry < count; entry += 1) {
    const at = first + 2 + entry * 12
    if (at + 12 > tiff.length) return []
    if (word(at) !== 0x0112) continue
    const value = word(at + 8)
    if (value < 2 || value > 8) return []
    const head = Buffer.from('ffe10022457869660000', 'hex')
    const body = Buffer.from('4d4d002a000000080001011200030000000100000000' + '00000000', 'hex')
    body.writeUInt16BE(value, 18)
    return [head, body]
  }
  return []
}

/** Alpha, of the traits that a picture may have besides its pixels. */
const webpAlpha = 0x10
const webpDrawing = new Set(['VP8 ', 'VP8L', 'ALPH'])

function webpOf(bytes: Buffer): Judged {
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return damaged
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return damaged
  const kept: Buffer[] = []
  let size: Pick<PictureFile, 'widthPx' | 'heightPx'> | undefined
  let canvas: typeof size
  for (let at = 12; at + 8 <= end; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const next = at + 8 + length + (length % 2)
    if (next > end) return damaged
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (type === 'ANIM' || type === 'ANMF') return moving
    if (type === 'VP8X') {
      const head = Buffer.from(bytes.subarray(at, next))
      canvas = { widthPx: head.readUIntLE(12, 3) + 1, heightPx: head.readUIntLE(15, 3) + 1 }
      head.writeUInt8(head.readUInt8(8) & webpAlpha, 8)
      kept.push(head)
    } else if (webpDrawing.has(type)) {
      if (type !== 'ALPH') {
        if (size) return damaged
        size = type === 'VP8L' ? losslessSize(data) : lossySize(data)
        if (!size) return damaged
      }
      kept.push(bytes.subarray(at, next))
    }
    at = next
  }
  if (!size) return damaged
  if (canvas && (canvas.widthPx !== size.widthPx || canvas.heightPx !== size.heightPx))
    return damaged
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return { format: 'webp', ...size, bytes: Buffer.concat([head, body]) }
}

function lossySize(data: Buffer) {
  if (data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  return { widthPx: data.readUInt16LE(6) & 0x3fff, heightPx: data.readUInt16LE(8) & 0x3fff }
}

function losslessSize(data: Buffer) {
  if (data.readUInt8(0) !== 0x2f) return undefined
  const sizes = data.readUInt32LE(1)
  return { widthPx: (sizes & 0x3fff) + 1, heightPx: ((sizes >>> 14) & 0x3fff) + 1 }
}
