// Takes the database of Uptime Kuma out of an archive of its data: tar, also with gzip, and zip. A gzipped database
// alone is read as well. Nothing else of an archive is written, and no name in it is used.
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { sizeText } from '../../../base/sizes.ts'
import { ForeignFileRefused } from '../../../domain/imports/foreign.ts'
import type { ScratchRoom } from './room.ts'

export type PackedKind = 'gzip' | 'zip' | 'tar'

/** The database, and beside it the log with its newest changes. */
export const databaseName = 'kuma.db'
const logName = `${databaseName}-wal`

/** What is unpacked of an archive: a database becomes about a tenth, and never less than a hundredth. */
const unpackedBytesMax = 16 * 1024 ** 3
const unpackedRatioMax = 200
const unpackedBytesLeast = 1024 ** 2

export function unpackedBytesOf(packedBytes: number): number {
  return Math.min(unpackedBytesMax, packedBytes * unpackedRatioMax + unpackedBytesLeast)
}

/** Writes it into the folder of the room, with its log if there is one. Throws ForeignFileRefused. */
export async function unpackDatabase(
  kind: PackedKind,
  path: string,
  room: ScratchRoom,
): Promise<void> {
  try {
    const found = kind === 'zip' ? await fromZip(path, room) : await fromTar(kind, path, room)
    if (!found) throw new ForeignFileRefused(`has no file ${databaseName} in it`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw room.without((await stat(path)).size, error)
    if (typeof code !== 'string' || !/^(Z_|ERR_)/.test(code)) throw error
    throw new ForeignFileRefused('is damaged, or was cut off', { cause: error })
  }
}

/** The place of a file in an archive: only the last part of its name counts, and the folder that it is in. */
function placeOf(name: string) {
  const parts = name.split('/')
  const last = parts.pop() ?? ''
  return { folder: parts.join('/'), last }
}

type Chunks = AsyncIterator<Buffer, unknown>

/** Reads a stream by lengths. */
function createReader(stream: AsyncIterable<Buffer>, bytesMax: number) {
  const chunks: Chunks = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  let bytes = 0

  async function more(): Promise<boolean> {
    const { done, value } = await chunks.next()
    if (done === true) return false
    bytes += value.length
    if (bytes > bytesMax) {
      throw new ForeignFileRefused(`unpacks to more than ${sizeText(bytesMax)}`)
    }
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return true
  }

  return {
    /** Exactly so many bytes, or what is left. */
    async take(length: number): Promise<Buffer> {
      while (rest.length < length && (await more())) {}
      const taken = rest.subarray(0, length)
      rest = rest.subarray(taken.length)
      return taken
    },
    /** The next bytes, at most so many, in the pieces that they come in. */
    async *pieces(length: number): AsyncGenerator<Buffer> {
      let left = length
      while (left > 0) {
        if (rest.length === 0 && !(await more())) {
          if (left === Number.POSITIVE_INFINITY) return
          throw new ForeignFileRefused('was cut off')
        }
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
    putBack(bytes: Buffer): void {
      rest = Buffer.concat([bytes, rest])
    },
  }
}

type PieceReader = ReturnType<typeof createReader>

const tarBlockBytes = 512
/** A name, or the records of a header, that are longer than a header. */
const tarTextBytesMax = 64 * 1024

/** POSIX.1-2001 (pax), ustar and GNU tar. */
async function fromTar(kind: PackedKind, path: string, room: ScratchRoom): Promise<boolean> {
  const file = createReadStream(path)
  const unpacking = kind === 'gzip' ? createGunzip() : undefined
  if (unpacking) file.on('error', (error) => unpacking.destroy(error)).pipe(unpacking)
  try {
    const { size } = await stat(path)
    const reader = createReader(unpacking ?? file, unpacking ? unpackedBytesOf(size) : size)
    const first = await reader.take(tarBlockBytes)
    reader.putBack(first)
    if (first.toString('latin1').startsWith('SQLite format 3\0')) {
      const pieces = reader.pieces(Number.POSITIVE_INFINITY)
      await write(pieces, room, { name: databaseName, bytes: bytesOfDatabase(first) })
      return true
    }
    return await filesOfTar(reader, room)
  } finally {
    file.destroy()
    unpacking?.destroy()
  }
}

async function filesOfTar(reader: PieceReader, room: ScratchRoom): Promise<boolean> {
  const found = new Map<string, string>()
  let longName: string | undefined
  for (;;) {
    const header = await reader.take(tarBlockBytes)
    // Two empty blocks end it; some end without.
    if (header.length < tarBlockBytes || header[0] === 0) break
    if (!header.toString('latin1').startsWith('ustar', 257)) {
      throw new ForeignFileRefused('is no archive of tar, or damaged')
    }
    const size = tarNumber(header.subarray(124, 136))
    const type = String.fromCharCode(header[156] ?? 0)
    const padding = (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes
    if (type === 'L' || type === 'x') {
      const text = size <= tarTextBytesMax ? (await reader.take(size)).toString() : ''
      if (size > tarTextBytesMax) await skip(reader, size)
      longName =
        type === 'L' ? text.split('\0', 1)[0] : /(?:^|\n)\d+ path=([^\n]+)\n/.exec(text)?.[1]
    } else {
      const name = longName ?? tarText(header)
      longName = undefined
      await takeFile(reader, { name, size, isFile: type === '0' || type === '\0' }, room, found)
    }
    await skip(reader, padding)
  }
  // A log of another database would change what this one says.
  if (found.has(logName) && found.get(logName) !== found.get(databaseName)) {
    await rm(join(room.folder, logName))
  }
  return found.has(databaseName)
}

interface TarFile {
  readonly name: string
  readonly size: number
  readonly isFile: boolean
}

/** `found`: the files that were written, by their name, with the folder that they were in. */
async function takeFile(
  reader: PieceReader,
  { name, size, isFile }: TarFile,
  room: ScratchRoom,
  found: Map<string, string>,
): Promise<void> {
  const place = placeOf(name)
  if (!isFile || (place.last !== databaseName && place.last !== logName)) {
    return skip(reader, size)
  }
  if (found.has(place.last)) throw new ForeignFileRefused(`has more than one file ${place.last}`)
  await write(reader.pieces(size), room, { name: place.last, bytes: size })
  found.set(place.last, place.folder)
}

async function skip(reader: PieceReader, bytes: number): Promise<void> {
  for await (const _ of reader.pieces(bytes)) {
    // Only the position counts.
  }
}

/** Octal digits, or a binary number of GNU tar. */
function tarNumber(field: Buffer): number {
  const isBinary = ((field[0] ?? 0) & 0x80) !== 0
  const size = isBinary
    ? Number(BigInt(`0x${field.subarray(1).toString('hex')}`))
    : Number.parseInt(field.toString('latin1').replace(/[^0-7]/g, '') || '0', 8)
  if (size <= unpackedBytesMax) return size
  throw new ForeignFileRefused('is no archive of tar, or damaged')
}

function tarText(header: Buffer): string {
  const text = (from: number, to: number) =>
    header.subarray(from, to).toString().split('\0', 1)[0] ?? ''
  const prefix = text(345, 500)
  return prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
}

/** The comment that may follow the end of a zip, its record, and the list of its files. */
const zipEndBytes = 22
const zipCommentBytesMax = 65_535
const zipListBytesMax = 16 * 1024 * 1024

/** APPNOTE.TXT 4.3; neither encrypted nor with sizes beyond 4 GB (ZIP64). */
async function fromZip(path: string, room: ScratchRoom): Promise<boolean> {
  const file = await open(path)
  try {
    const entries = await zipEntries(file)
    const database = entries.filter(({ place }) => place.last === databaseName)
    if (database.length > 1) throw new ForeignFileRefused(`has more than one file ${databaseName}`)
    for (const entry of entries) {
      if (entry.place.folder === database[0]?.place.folder) await unzip(file, entry, room)
    }
    return database.length === 1
  } finally {
    await file.close()
  }
}

interface ZipEntry {
  readonly place: ReturnType<typeof placeOf>
  readonly method: number
  readonly isEncrypted: boolean
  readonly packedBytes: number
  /** What it says that it unpacks to. */
  readonly bytes: number
  readonly at: number
}

async function zipEntries(file: FileHandle): Promise<readonly ZipEntry[]> {
  const { size } = await file.stat()
  const from = Math.max(0, size - zipEndBytes - zipCommentBytesMax)
  const tail = await readAt(file, from, size - from)
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + zipEndBytes > tail.length) throw new ForeignFileRefused('was cut off')
  const [listBytes, listAt] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (listBytes > zipListBytesMax || listAt === 0xff_ff_ff_ff) {
    throw new ForeignFileRefused('is a zip of more than 4 GB: unpack it')
  }
  const list = await readAt(file, listAt, listBytes)
  const entries: ZipEntry[] = []
  for (let at = 0; at + 46 <= list.length && list.readUInt32LE(at) === 0x02_01_4b_50; ) {
    const nameBytes = list.readUInt16LE(at + 28)
    entries.push({
      place: placeOf(list.toString('utf8', at + 46, at + 46 + nameBytes)),
      method: list.readUInt16LE(at + 10),
      isEncrypted: (list.readUInt16LE(at + 8) & 1) !== 0,
      packedBytes: list.readUInt32LE(at + 20),
      bytes: list.readUInt32LE(at + 24),
      at: list.readUInt32LE(at + 42),
    })
    at += 46 + nameBytes + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32)
  }
  return entries.filter(({ place: { last } }) => last === databaseName || last === logName)
}

async function unzip(file: FileHandle, entry: ZipEntry, room: ScratchRoom): Promise<void> {
  const { place, method, isEncrypted, packedBytes, bytes, at } = entry
  if (isEncrypted) throw new ForeignFileRefused('is encrypted: unpack it')
  if (packedBytes === 0xff_ff_ff_ff)
    throw new ForeignFileRefused('is a zip of more than 4 GB: unpack it')
  if (method !== 0 && method !== 8)
    throw new ForeignFileRefused('is packed in a way that is not known: unpack it')
  const header = await readAt(file, at, 30)
  if (header.length < 30) throw new ForeignFileRefused('is damaged, or was cut off')
  const start = at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const bytesMax = unpackedBytesOf(packedBytes)
  const packed = file.createReadStream({ start, end: start + packedBytes - 1, autoClose: false })
  const unpacked = method === 0 ? packed : packed.pipe(createInflateRaw())
  packed.on('error', (error) => unpacked.destroy(error))
  const pieces = createReader(unpacked, bytesMax).pieces(Number.POSITIVE_INFINITY)
  await write(pieces, room, { name: place.last, bytes })
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** `bytes`: how much it should be; its reader has a bound of its own. */
async function write(
  pieces: AsyncIterable<Buffer>,
  room: ScratchRoom,
  { name, bytes }: { readonly name: string; readonly bytes: number },
): Promise<void> {
  room.mustHave(bytes)
  const file = createWriteStream(join(room.folder, name), { flags: 'wx', mode: 0o600 })
  await pipeline(withinRoom(pieces, room), file)
}

async function* withinRoom(
  pieces: AsyncIterable<Buffer>,
  room: ScratchRoom,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    room.take(piece.length)
    yield piece
  }
}

/** By its header: the size of its pages, and their number (https://sqlite.org/fileformat.html). */
function bytesOfDatabase(head: Buffer): number {
  if (head.length < 32) return 0
  const pageBytes = head.readUInt16BE(16)
  return (pageBytes === 1 ? 65_536 : pageBytes) * head.readUInt32BE(28)
}
