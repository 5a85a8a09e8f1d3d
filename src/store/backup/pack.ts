// Makes a compressed file of a snapshot, and a data file of that again. Both are hashed on the way.
import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import type { Snapshot } from '../data-file/background.ts'
import { pageHeadBytes } from '../data-file/format.ts'

export interface PackedFile {
  /** The size of the compressed file. */
  readonly bytes: number
  readonly sha256: string
  /** The size of the data file. */
  readonly dataBytes: number
  readonly dataSha256: string
}

/** Called with the bytes that were read or written since; may block for a while. */
export type BytesPace = (bytes: number) => void

const chunkBytes = 256 * 1024

/**
 * Writes the pages of the snapshot that are in use; the others become zeros, so nothing that was
 * deleted is copied. No page of the snapshot may be written meanwhile.
 */
export async function packFile(
  snapshot: Snapshot,
  isUsed: (page: number) => boolean,
  to: string,
  pace: BytesPace,
): Promise<PackedFile> {
  const data = createHash('sha256')
  let dataBytes = 0
  function* counted() {
    for (const chunk of pagesOf(snapshot, isUsed)) {
      data.update(chunk)
      dataBytes += chunk.length
      pace(chunk.length)
      yield chunk
    }
  }
  const compress = zlib.createZstdCompress({
    params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 },
  })
  const packed = createHash('sha256')
  let bytes = 0
  await pipeline(counted, compress, async (chunks: AsyncIterable<Buffer>) => {
    bytes = await writeAll(chunks, to, packed)
  })
  return { bytes, sha256: packed.digest('hex'), dataBytes, dataSha256: data.digest('hex') }
}

/** The file, or what it unpacks to, goes on beyond what it should be. */
export class UnpackedTooLong extends Error {
  override readonly name = 'UnpackedTooLong'
}

/**
 * Reads a compressed file to its end. Writes the data file, unless `to` is null; it is on the disk
 * when the promise resolves. Rejects if the file is no such file, and with UnpackedTooLong as soon as
 * either is longer than `most`: a small file may unpack to any length.
 */
export async function unpackFile(
  from: string | AsyncIterable<Uint8Array>,
  to: string | null,
  pace: BytesPace,
  most: Pick<PackedFile, 'bytes' | 'dataBytes'>,
): Promise<PackedFile> {
  const packed = createHash('sha256')
  let bytes = 0
  async function* counted() {
    const chunks = typeof from === 'string' ? createReadStream(from) : from
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > most.bytes) throw new UnpackedTooLong(`it is longer than ${most.bytes} bytes`)
      packed.update(chunk)
      yield chunk
    }
  }
  const data = createHash('sha256')
  let dataBytes = 0
  const out = to === null ? null : openSync(to, 'wx', 0o600)
  try {
    await pipeline(counted, zlib.createZstdDecompress(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        const fromBytes = dataBytes
        dataBytes += chunk.length
        if (dataBytes > most.dataBytes) {
          throw new UnpackedTooLong(`it unpacks to more than ${most.dataBytes} bytes`)
        }
        data.update(chunk)
        // A hole takes no space. LMDB reads no page that is free.
        if (out !== null && !isZero(chunk)) writeFully(out, chunk, fromBytes)
        pace(chunk.length)
      }
    })
    if (out !== null) {
      ftruncateSync(out, dataBytes)
      fsyncSync(out)
    }
  } finally {
    if (out !== null) closeSync(out)
  }
  return { bytes, sha256: packed.digest('hex'), dataBytes, dataSha256: data.digest('hex') }
}

/** The whole file of a snapshot, in chunks. */
function* pagesOf(
  snapshot: Snapshot,
  isUsed: (page: number) => boolean,
): Generator<Buffer, void, undefined> {
  const { path } = snapshot
  const { pageBytes, lastPage } = snapshot.meta
  const perChunk = Math.max(1, Math.floor(chunkBytes / pageBytes))
  const descriptor = openSync(path, 'r')
  try {
    for (let first = 0; first <= lastPage; first += perChunk) {
      const count = Math.min(perChunk, lastPage + 1 - first)
      const chunk = Buffer.alloc(count * pageBytes)
      for (let at = 0; at < count; at += 1) {
        const page = first + at
        const into = chunk.subarray(at * pageBytes, (at + 1) * pageBytes)
        if (page < 2) writeMeta(snapshot, page, into)
        else if (isUsed(page)) readFully(path, descriptor, into, page * pageBytes)
      }
      yield chunk
    }
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Both meta pages lead to the snapshot: the other one led to pages that are not copied. Like LMDB's
 * own, one has the transaction of the snapshot, and the other the one before it.
 */
function writeMeta({ meta: { transaction }, metaPage }: Snapshot, page: number, into: Buffer) {
  into.set(metaPage)
  into.writeBigUInt64LE(BigInt(page), 0)
  const of = page === transaction % 2 ? transaction : Math.max(0, transaction - 1)
  into.writeBigUInt64LE(BigInt(of), pageHeadBytes + transactionAt)
}

/** Where a meta page has the number of its transaction, behind the head. */
const transactionAt = 128

function readFully(path: string, descriptor: number, into: Buffer, offset: number): void {
  const length = readSync(descriptor, into, 0, into.length, offset)
  if (length < into.length) throw new Error(`${path} ends before offset ${offset + into.length}`)
}

/** A backup is flushed to the disk in parts, so that commits do not wait long behind it. */
const backupFlushBytes = 8 * 1024 * 1024

async function writeAll(chunks: AsyncIterable<Buffer>, to: string, hash: Hash): Promise<number> {
  const out = openSync(to, 'wx', 0o600)
  let bytes = 0
  let unsynced = 0
  try {
    for await (const chunk of chunks) {
      hash.update(chunk)
      writeFully(out, chunk, bytes)
      bytes += chunk.length
      unsynced += chunk.length
      // In small parts: a long flush would make the commits of the daemon wait.
      if (unsynced >= backupFlushBytes) {
        fdatasyncSync(out)
        unsynced = 0
      }
    }
    fsyncSync(out)
  } finally {
    closeSync(out)
  }
  return bytes
}

function writeFully(out: number, chunk: Uint8Array, offset: number): void {
  for (let done = 0; done < chunk.length; ) {
    done += writeSync(out, chunk, done, chunk.length - done, offset + done)
  }
}

function isZero(chunk: Buffer): boolean {
  return (
    chunk.length > 0 &&
    chunk[0] === 0 &&
    chunk.compare(chunk, 1, undefined, 0, chunk.length - 1) === 0
  )
}
