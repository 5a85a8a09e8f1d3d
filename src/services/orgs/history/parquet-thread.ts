// The thread that writes one Parquet file: gets groups of rows by columns, and answers their bytes.
//
// It is apart because a group of rows takes tens of milliseconds, in which no check would begin.

import { parentPort, workerData } from 'node:worker_threads'
import type * as Library from 'hyparquet-writer'
import { required } from '../../../base/assert.ts'
import { requireLibrary } from '../../../base/assets.ts'
import type { HistoryColumn } from '../../../domain/orgs/history-tables.ts'

/** The values of a column. In numbers NaN stands for null, and 0 in the places of texts. */
export type ColumnValues =
  | { readonly numbers: Float64Array }
  | { readonly texts: readonly string[]; readonly places: Uint32Array }

/** What it is told: the columns of a group of rows, in their order; null is the end of the file. */
export type ParquetOrder = readonly ColumnValues[] | null

/** The physical and the logical type of each column, in the terms of Parquet (parquet.thrift). */
const elements = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  integer: { type: 'INT32' },
  long: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
} as const satisfies Record<HistoryColumn['type'], object>

type ParquetValue = string | number | bigint | boolean | null

const fromNumber: Partial<Record<HistoryColumn['type'], (value: number) => ParquetValue>> = {
  time: BigInt,
  long: BigInt,
  flag: (value) => value === 1,
}

function valuesOf({ type }: HistoryColumn, column: ColumnValues): ParquetValue[] {
  if ('texts' in column) {
    const { texts, places } = column
    return Array.from(places, (place) => (place === 0 ? null : (texts[place - 1] ?? null)))
  }
  const convert = fromNumber[type] ?? ((value: number) => value)
  return Array.from(column.numbers, (value) => (Number.isNaN(value) ? null : convert(value)))
}

function createFile(columns: readonly HistoryColumn[]) {
  const { ByteWriter, ParquetWriter } = requireLibrary('hyparquet-writer') as typeof Library
  const bytes = new ByteWriter()
  const schema = columns.map(({ name, type }) => {
    return { name, ...elements[type], repetition_type: 'OPTIONAL' as const }
  })
  const file = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...schema],
    createdBy: 'stillup',
  })

  /** What was written since the last time. */
  function taken(): Uint8Array {
    const part = bytes.getBytes().slice()
    bytes.index = 0
    return part
  }

  return {
    group(values: readonly ColumnValues[]): Uint8Array {
      const columnData = columns.map((column, at) => ({
        name: column.name,
        data: valuesOf(column, required(values[at], 'the values of a column')),
        // Readers look for a time, and at nothing else.
        statistics: column.type === 'time',
        offsetIndex: false,
      }))
      file.write({ columnData, rowGroupSize: columnData[0]?.data.length ?? 0 })
      return taken()
    },
    end(): Uint8Array {
      file.finish()
      return taken()
    },
  }
}

const file = createFile(workerData as readonly HistoryColumn[])

parentPort?.on('message', (order: ParquetOrder) => {
  parentPort?.postMessage(order === null ? file.end() : file.group(order))
  if (order === null) parentPort?.close()
})
