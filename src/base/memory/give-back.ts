// Gives memory back to the system once the start is over.
import { getHeapStatistics } from 'node:v8'

/**
 * A start leaves much behind: code that runs once, and the room in which its objects were made. V8
 * would keep that for later, so it is asked to give up all it can, which takes it 0.1 s. A larger heap
 * is left alone: it has use for its room, and the pause would grow with it.
 *
 * Node can be asked only if it was started with --expose-gc, as the binary and npm start do.
 */
export function giveMemoryBack(heapBytesMax: number): void {
  if (getHeapStatistics().used_heap_size > heapBytesMax) return
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' })
}
