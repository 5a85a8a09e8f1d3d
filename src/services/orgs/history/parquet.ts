// A Parquet file of rows, which a thread of its own writes in groups.
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../base/assets.ts'
import type {
  HistoryColumn,
  HistoryRow,
  HistoryValues,
} from '../../../domain/orgs/history-tables.ts'
import type { ColumnValues, ParquetOrder } from './parquet-thread.ts'

/** The rows of a group: a reader finds and unpacks one at a time. */
const groupRowsMax = 16_384
/** The characters of the different texts of a group. */
const groupCharsMax = 2 * 1024 * 1024

/** The memory of the thread. */
const threadHeap = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 }

interface ColumnFill {
  add(value: HistoryValues[string], at: number): number
  values(rows: number): ColumnValues
}

export function createParquetFile(columns: readonly HistoryColumn[]) {
  const thread = startWorker('services/orgs/history/parquet-thread', {
    workerData: columns,
    resourceLimits: threadHeap,
  })
  const ask = askerOf(thread)
  let group = columns.map(fillOf)
  let rows = 0
  let chars = 0

  async function flush(): Promise<Uint8Array> {
    const order = group.map((fill) => fill.values(rows))
    group = columns.map(fillOf)
    rows = 0
    chars = 0
    return ask(order)
  }

  return {
    add(row: HistoryRow): void {
      const values: HistoryValues = row
      for (const [at, { name }] of columns.entries()) {
        chars += group[at]?.add(values[name] ?? null, rows) ?? 0
      }
      rows += 1
    },

    /** Whether `flush` is due. At most one more block of results fits behind it. */
    isFull: () => rows >= groupRowsMax || chars >= groupCharsMax,

    /** The bytes of the rows since the last time. */
    flush,

    /** The last bytes. */
    async end(): Promise<Uint8Array> {
      const rest = rows > 0 ? await flush() : new Uint8Array(0)
      return Buffer.concat([rest, await ask(null)])
    },

    close: () => void thread.terminate(),
  }
}

/** Asks the thread one thing at a time. Rejects if it ends before it has answered. */
function askerOf(thread: Worker) {
  let waiting: PromiseWithResolvers<Uint8Array> | undefined
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
    waiting?.reject(failure)
  }
  thread.on('message', (bytes: Uint8Array) => waiting?.resolve(bytes))
  thread.on('error', fail)
  thread.on('exit', () => fail(new Error('the thread of a Parquet file ended')))
  return (order: ParquetOrder): Promise<Uint8Array> => {
    waiting = Promise.withResolvers()
    if (failure) waiting.reject(failure)
    else thread.postMessage(order, buffersOf(order))
    return waiting.promise
  }
}

/** Numbers are handed over, not copied. */
function buffersOf(order: ParquetOrder): ArrayBuffer[] {
  return (order ?? []).map((values) =>
    'numbers' in values ? values.numbers.buffer : values.places.buffer,
  ) as ArrayBuffer[]
}

function fillOf({ type }: HistoryColumn): ColumnFill {
  return type === 'text' || type === 'json' ? textFill() : numberFill()
}

function numberFill(): ColumnFill {
  let numbers = new Float64Array(groupRowsMax)
  return {
    add(value, at) {
      if (at === numbers.length) numbers = grown(numbers, new Float64Array(2 * at))
      numbers[at] = value === null ? Number.NaN : Number(value)
      return 0
    },
    values: (rows) => ({ numbers: numbers.slice(0, rows) }),
  }
}

/** Most texts are those of the row before, or few. */
function textFill(): ColumnFill {
  const known = new Map<string, number>()
  let places = new Uint32Array(groupRowsMax)
  return {
    add(value, at) {
      if (at === places.length) places = grown(places, new Uint32Array(2 * at))
      if (value === null) {
        places[at] = 0
        return 0
      }
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const before = known.get(text)
      if (before === undefined) known.set(text, known.size + 1)
      places[at] = before ?? known.size
      return before === undefined ? text.length : 0
    },
    values: (rows) => ({ texts: [...known.keys()], places: places.slice(0, rows) }),
  }
}

function grown<Values extends Float64Array | Uint32Array>(before: Values, larger: Values): Values {
  larger.set(before)
  return larger
}
