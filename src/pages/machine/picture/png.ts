// PNG images (ISO/IEC 15948) of at most 256 colours, without a library.
import { crc32, deflateSync } from 'node:zlib'

export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** `#rrggbb` */
export type PngColor = string

/** One byte for each pixel, row by row: the number of its colour. */
export function png(
  widthPx: number,
  heightPx: number,
  pixels: Uint8Array,
  palette: readonly PngColor[],
  level = 6,
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  // 8 bits for each pixel, indexed colours.
  header.set([8, 3, 0, 0, 0], 8)
  // Before each row its filter: none.
  const rows = Buffer.alloc((widthPx + 1) * heightPx)
  for (let row = 0; row < heightPx; row += 1) {
    const line = pixels.subarray(row * widthPx, (row + 1) * widthPx)
    rows.set(line, row * (widthPx + 1) + 1)
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.map((color) => color.slice(1)).join(''), 'hex')),
    chunk('IDAT', deflateSync(rows, { level })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}
