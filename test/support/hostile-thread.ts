// A thread that does what no thread should, in each of several ways. It posts that it was not ended.
import { pbkdf2Sync } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

const ways: Readonly<Record<string, () => unknown>> = {
  answer: () => 'done',
  /** Small objects. */
  objects() {
    const kept: object[][] = []
    for (;;) kept.push([{}, {}, {}])
  },
  /** One array that grows. */
  array() {
    const kept: number[] = []
    for (let at = 0; ; at += 1) kept.push(at / 3)
  },
  /** A hash table that grows. */
  table() {
    const kept = new Map<number, number>()
    for (let at = 0; ; at += 1) kept.set(at, at)
  },
  /** Pieces, each of which is larger than the limit. */
  pieces() {
    const kept: number[][] = []
    for (;;) kept.push(new Array(20_000_000).fill(1))
  },
  /** Memory outside of the heap. */
  buffers() {
    const kept: Buffer[] = []
    for (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1))
  },
  recursion() {
    const deeper = (): number => 1 + deeper()
    return deeper()
  },
  loop() {
    for (;;);
  },
  /** Native code that looks at nothing else until it is done, in hours. */
  native: () => pbkdf2Sync('a', 'b', 2_000_000_000, 64, 'sha512'),
  output: () => 'x'.repeat(2_000_000),
}

parentPort?.postMessage(String(ways[String(workerData)]?.() ?? 'no such way'))
