// Gives memory back to the system once the start is over.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * A start leaves much behind: code that runs once, and the room in which its objects were made. V8
 * would keep that for later, so it is asked to give up all it can, which takes it 0.1 s. A larger heap
 * is left alone: it has use for its room, and the pause would grow with it.
 */
export function giveMemoryBack(heapBytesMax: number): void {
  if (getHeapStatistics().used_heap_size > heapBytesMax) return
  setFlagsFromString('--expose-gc')
  // Only a context that is made from now on has the function.
  const collect: typeof globalThis.gc = runInNewContext('gc')
  collect?.({ type: 'major', flavor: 'last-resort' })
}
