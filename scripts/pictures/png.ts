// Makes pictures of pages small: PNG with a palette of 256 colours. Such a picture has a few dozen colours
// and their blends at the edges of letters, so that the nearest of the most frequent ones will do.
import { inflateSync } from 'node:zlib'
import { png as encoded, signature } from '../../src/pages/machine/picture/png.ts'

const paletteMax = 256

/** Takes what Chromium makes: 8 bits for each of three or four channels, nothing transparent. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, colors } = decoded(png)
  const counts = new Map<number, number>()
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1)
  const byCount = [...counts].sort(([a, countA], [b, countB]) => countB - countA || a - b)
  const palette = byCount.slice(0, paletteMax).map(([color]) => color)
  const places = new Map(palette.map((color, place) => [color, place]))
  const placeOf = (color: number) => {
    const known = places.get(color)
    if (known !== undefined) return known
    const nearest = nearestTo(color, palette)
    places.set(color, nearest)
    return nearest
  }
  const pixels = Uint8Array.from(colors, placeOf)
  const names = palette.map((color) => `#${color.toString(16).padStart(6, '0')}`)
  return encoded(width, height, pixels, names, 9)
}

function nearestTo(color: number, palette: readonly number[]): number {
  let nearest = 0
  let least = Number.POSITIVE_INFINITY
  for (const [place, other] of palette.entries()) {
    const red = (color >> 16) - (other >> 16)
    const green = ((color >> 8) & 255) - ((other >> 8) & 255)
    const blue = (color & 255) - (other & 255)
    const distance = 2 * red * red + 4 * green * green + 3 * blue * blue
    if (distance >= least) continue
    least = distance
    nearest = place
  }
  return nearest
}

/** Each pixel as 0xRRGGBB, line by line. */
function decoded(png: Buffer): { width: number; height: number; colors: Uint32Array } {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const channels = { 2: 3, 6: 4 }[png.readUInt8(25)]
  if (channels === undefined) throw new Error('the picture has an unknown kind of colours')
  const data: Buffer[] = []
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      data.push(png.subarray(at + 8, at + 8 + length))
    }
    at += length + 12
  }
  const raw = inflateSync(Buffer.concat(data))
  const stride = width * channels
  const colors = new Uint32Array(width * height)
  let above = new Uint8Array(stride)
  for (let row = 0; row < height; row += 1) {
    const from = row * (stride + 1)
    const line = new Uint8Array(raw.subarray(from + 1, from + 1 + stride))
    unfilter(raw[from] ?? 0, { line, above, channels })
    for (let x = 0; x < width; x += 1) {
      const [red = 0, green = 0, blue = 0] = line.subarray(x * channels, x * channels + 3)
      colors[row * width + x] = (red << 16) | (green << 8) | blue
    }
    above = line
  }
  return { width, height, colors }
}

interface Filtered {
  readonly line: Uint8Array
  readonly above: Uint8Array
  readonly channels: number
}

/** https://www.w3.org/TR/png-3/#9Filters */
function unfilter(kind: number, { line, above, channels }: Filtered): void {
  for (let at = 0; at < line.length; at += 1) {
    const left = line[at - channels] ?? 0
    const up = above[at] ?? 0
    const corner = above[at - channels] ?? 0
    const added = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0
    line[at] = (line[at] ?? 0) + added
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [left, up, corner].map((one) => Math.abs(guess - one))
  if (toLeft === undefined || toUp === undefined || toCorner === undefined) return left
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
