// Makes the parts of a file of rows, one after the other, in slices that let other work run.
import type { Clock } from '../../../base/clock.ts'
import { createYielder } from '../../../base/yielding.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { csvHead, csvLines, jsonLines } from '../../../domain/orgs/history-lines.ts'
import type {
  HistoryColumn,
  HistoryFormat,
  HistoryRow,
} from '../../../domain/orgs/history-tables.ts'

export interface FileOptions {
  readonly columns: readonly HistoryColumn[]
  readonly format: HistoryFormat
  readonly clock: Pick<Clock, 'monoMs'>
}

/** Text is sent in parts of about this size. */
const partChars = 256 * 1024

/** Reads the rows as the parts are taken. */
export async function* filePartsOf(
  rows: Iterable<readonly HistoryRow[]>,
  { columns, format, clock }: FileOptions,
): AsyncGenerator<Uint8Array> {
  const yielder = createYielder(clock, limits.historySliceMs)
  const isCsv = format === 'csv'
  const lineOf = isCsv ? csvLines(columns) : jsonLines(columns)
  let text = isCsv ? csvHead(columns) : ''
  for (const some of rows) {
    for (const row of some) text += lineOf(row)
    if (yielder.isDue()) await yielder.pause()
    if (text.length < partChars) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}
