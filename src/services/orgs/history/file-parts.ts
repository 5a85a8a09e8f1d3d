// Makes the parts of a file of rows, one after the other, in slices that let other work run.
import type { Clock } from '../../../base/clock.ts'
import { createYielder } from '../../../base/yielding.ts'
import { csvHead, csvLines, jsonLines } from '../../../domain/orgs/history-lines.ts'
import type {
  HistoryColumn,
  HistoryFormat,
  HistoryRow,
} from '../../../domain/orgs/history-tables.ts'
import { createParquetFile } from './parquet.ts'

export interface FileOptions {
  readonly columns: readonly HistoryColumn[]
  readonly format: HistoryFormat
  readonly clock: Pick<Clock, 'monoMs'>
}

interface FileWriter {
  add(row: HistoryRow): void
  readonly isFull: () => boolean
  /** What was added since the last time. */
  flush(): Uint8Array | Promise<Uint8Array>
  /** What is left, and what ends the file. */
  end(): Uint8Array | Promise<Uint8Array>
  readonly close: () => void
}

/** Shorter than other long loops: this one goes on for minutes. */
const sliceMs = 4
/** Text is sent in parts of about this size: larger ones would stay in memory until all of it is swept. */
const partChars = 48 * 1024

/** Reads the rows as the parts are taken. */
export async function* filePartsOf(
  rows: Iterable<readonly HistoryRow[]>,
  { columns, format, clock }: FileOptions,
): AsyncGenerator<Uint8Array> {
  const yielder = createYielder(clock, sliceMs)
  const file = writerOf(columns, format)
  try {
    for (const some of rows) {
      for (const row of some) file.add(row)
      if (yielder.isDue()) await yielder.pause()
      if (file.isFull()) yield await file.flush()
    }
    const rest = await file.end()
    if (rest.length > 0) yield rest
  } finally {
    file.close()
  }
}

function writerOf(columns: readonly HistoryColumn[], format: HistoryFormat): FileWriter {
  switch (format) {
    case 'jsonl':
      return textFile('', jsonLines(columns))
    case 'csv':
      return textFile(csvHead(columns), csvLines(columns))
    case 'parquet':
      return createParquetFile(columns)
  }
}

function textFile(head: string, lineOf: (row: HistoryRow) => string): FileWriter {
  let text = head
  const taken = () => {
    const part = Buffer.from(text)
    text = ''
    return part
  }
  return {
    add(row) {
      text += lineOf(row)
    },
    isFull: () => text.length >= partChars,
    flush: taken,
    end: taken,
    close() {},
  }
}
