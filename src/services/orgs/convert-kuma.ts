// Converts the data of Uptime Kuma, a file or a folder, in a process apart: the document first, then the past of
// its monitors in parts.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ForeignFileRefused, installationOf, textOf } from '../../domain/imports/foreign.ts'
import { fromKumaDatabase } from '../../domain/imports/kuma/kuma.ts'
import { documentFormat } from '../portable.ts'
import type { ConvertedFile } from './foreign-files.ts'
import { databaseName } from './kuma-data/kuma-archive.ts'
import { type KumaReader, openKumaDatabase } from './kuma-data/kuma-database.ts'
import { type KumaFile, readableFile } from './kuma-data/kuma-files.ts'
import { type KumaPastPart, pastAfter } from './kuma-data/kuma-past.ts'
import { copyServer, type KumaDataServer } from './kuma-data/kuma-server.ts'

/** What the process apart is told to do. */
export interface KumaDataJob {
  readonly product: 'kuma-data'
  /** A database, an archive or folder with one, or what a former job made of it. */
  readonly path: string
  /** An empty folder of the caller, who removes it: what must be unpacked or copied is put there. */
  readonly scratch: string
  /** What was reserved for that; absent: half of what is free there. */
  readonly scratchBytes?: number | undefined
  readonly nowMs: number
  /** In place of the path: the server that has its data. */
  readonly server?: KumaDataServer | undefined
}

/** The same of the past. */
export interface KumaPastJob {
  readonly product: 'kuma-past'
  /** The file that the document was made of. */
  readonly file: KumaFile
  readonly nowMs: number
}

/** The document, and the file that the past is read from. */
export type ConvertedKuma = ConvertedFile & { readonly file: KumaFile }

/** Throws ForeignFileRefused. */
export async function convertKumaData({
  path,
  scratch,
  scratchBytes,
  nowMs,
  server,
}: KumaDataJob): Promise<ConvertedKuma> {
  const file =
    server === undefined
      ? await readableFile(path, scratch, scratchBytes)
      : await copyOf(server, scratch)
  const { notes, ...lists } = reading(file, (reader) => {
    const tables = reader.tables()
    const installation = marksOf(reader)
    return fromKumaDatabase({ tables, unknown: reader.unknown(), installation, nowMs })
  })
  return { document: { format: documentFormat, ...lists }, notes, history: [], file }
}

async function copyOf(server: KumaDataServer, scratch: string): Promise<KumaFile> {
  const path = join(scratch, databaseName)
  await copyServer(server, path)
  return { path, isAlone: true }
}

/** The past of its monitors, in parts of about 200 kB of JSON. Throws ForeignFileRefused. */
export function* pastOfKumaData({ file, nowMs }: KumaPastJob): Generator<KumaPastPart['history']> {
  const reader = openKumaDatabase(file)
  try {
    for (let afterId: number | null = -1; afterId !== null; ) {
      const part: KumaPastPart = pastAfter(reader, afterId, nowMs)
      if (part.history.length > 0) yield part.history
      afterId = part.afterId
    }
  } finally {
    reader.close()
  }
}

function reading<Value>(file: KumaFile, read: (reader: KumaReader) => Value): Value {
  const reader = openKumaDatabase(file)
  try {
    return read(reader)
  } finally {
    reader.close()
  }
}

/**
 * What stays the same in an installation, also when its version changes: the key that it signs sessions with, which a
 * reset of its password makes anew; when its oldest monitors were made; and when version 2 made its tables, to the
 * millisecond. Only hashes of them leave the process.
 */
function marksOf(reader: KumaReader): string {
  const [key] = reader.rows('SELECT "value" FROM "setting" WHERE "key" = ? LIMIT 1', 'jwtSecret')
  if (typeof key?.value !== 'string' || key.value === '') {
    throw new ForeignFileRefused(
      'is a database that Uptime Kuma has not started with yet: it has no jwtSecret',
    )
  }
  const marks = [markOf('installation', key.value)]
  const oldest = reader.has('monitor', 'created_date')
    ? reader.rows('SELECT id, created_date FROM monitor ORDER BY id LIMIT ?', oldestMonitors)
    : []
  const made = oldest.map((one) => `${one.id} ${textOf(one.created_date)}`)
  // Their times have seconds alone: one or two of them could be those of another installation.
  if (made.length === oldestMonitors) marks.push(markOf('oldest monitors', made.join()))
  const tablesMs = reader.tablesMadeMs()
  if (tablesMs !== undefined) marks.push(markOf('tables', String(tablesMs)))
  return installationOf(marks)
}

const oldestMonitors = 3

function markOf(of: string, value: string): string {
  return createHash('sha256').update(`stillup kuma ${of}`).update(value).digest('hex').slice(0, 32)
}
