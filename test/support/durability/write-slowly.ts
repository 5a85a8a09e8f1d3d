// Run on a slow disk by the durability test: when each kind of write resolved, and was visible.
import { writeFileSync } from 'node:fs'
import { startClock } from '../../../src/base/clock.ts'
import { openStore, type Store } from '../../../src/store/store.ts'

/** Milliseconds after the write was asked for. */
export interface Timing {
  readonly kind: string
  readonly resolvedMs: number
  readonly visibleMs: number
}

const [dir = '', control = '', place = '', delayMs = ''] = process.argv.slice(2)
const clock = startClock()
const onFatal = (error: unknown) => {
  throw error
}
const store = openStore({ dir, clock, commitDelayMs: 5, onFatal, onError: onFatal })

async function timed(kind: 'write' | 'writeTogether' | 'writeSoon'): Promise<Timing> {
  const startedMs = performance.now()
  const sinceMs = () => performance.now() - startedMs
  const atMs = Date.now()
  let resolvedMs = 0
  const written = store[kind]((tx) => store.meta.putLastAlive(tx, atMs)).then(() => {
    resolvedMs = sinceMs()
  })
  const visibleMs = await whenVisible(store, atMs, sinceMs)
  await written
  return { kind, resolvedMs, visibleMs }
}

/** Looks at every turn of the event loop. */
async function whenVisible({ meta }: Store, atMs: number, sinceMs: () => number): Promise<number> {
  while (meta.lastAliveMs() !== atMs) await new Promise((resolve) => setImmediate(resolve))
  return sinceMs()
}

// The tables are there; from here on the disk is slow.
await store.write((tx) => store.meta.putLastAlive(tx, 1))
writeFileSync(control, `delay ${place} ${delayMs}\n`)
const timings = [await timed('write'), await timed('writeTogether'), await timed('writeSoon')]
process.stdout.write(JSON.stringify(timings))
writeFileSync(control, '\n')
await store.close()
clock.stop()
