// The watchdog: a thread that kills this process when its event loop stands still, so that what
// supervises it starts a new one. Else no check would run and no alert leave until a person notices.
import { url as inspectorUrl } from 'node:inspector'
import { startWorker } from '../../base/assets.ts'
import { beatCells, beatMs } from './beats.ts'
import type { WatchdogInput } from './thread.ts'

export interface Watchdog {
  stop(): Promise<unknown>
}

/**
 * `silenceMsMax`: how long the event loop may stand still. Neither the thread nor the beat keeps a
 * process alive. The beat has a timer of its own: those of the clock wait for each other in a busy
 * daemon, and stand still in a stall, so many short stalls would look like one long silence.
 */
export function startWatchdog(silenceMsMax: number): Watchdog {
  const cells = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const input: WatchdogInput = { cells, silenceMsMax }

  function beat(): void {
    Atomics.add(cells, beatCells.beats, 1)
    Atomics.store(cells, beatCells.isInspected, inspectorUrl() === undefined ? 0 : 1)
    Atomics.notify(cells, beatCells.isInspected)
  }

  beat()
  const timer = setInterval(beat, beatMs(silenceMsMax)).unref()
  const worker = startWorker('commands/watchdog/thread', {
    workerData: input,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  })
  worker.unref()
  return {
    stop() {
      clearInterval(timer)
      return worker.terminate()
    },
  }
}
