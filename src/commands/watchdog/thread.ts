// The thread of the watchdog: kills the process if its event loop does not run any more.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { startClock } from '../../base/clock.ts'
import { giveMemoryBack } from '../../base/memory/give-back.ts'
import { beatCells, beatMs, createBeatJudge } from './beats.ts'

export interface WatchdogInput {
  readonly cells: Int32Array<SharedArrayBuffer>
  readonly silenceMsMax: number
}

// watchdog.ts made it.
const { cells, silenceMsMax } = workerData as WatchdogInput
const lookMs = beatMs(silenceMsMax)
const judge = createBeatJudge(lookMs)
const clock = startClock()
const stderr = 2
// What the start of a thread needs; this one never comes to collect it.
giveMemoryBack(Number.POSITIVE_INFINITY)

function kill(silentMs: number): void {
  const seconds = (silentMs / 1_000).toFixed(0)
  try {
    writeSync(
      stderr,
      `stillup: killed by its watchdog: its event loop stood still for ${seconds} s\n`,
    )
  } catch {
    // Nobody reads standard error, or its pipe is full: the process must end all the same.
  }
  process.kill(process.pid, 'SIGKILL')
}

for (;;) {
  Atomics.wait(cells, beatCells.beats, Atomics.load(cells, beatCells.beats), lookMs)
  // A breakpoint holds the event loop for as long as a person wants.
  Atomics.wait(cells, beatCells.isInspected, 1)
  const silentMs = judge(Atomics.load(cells, beatCells.beats), clock.monoMs())
  if (silentMs >= silenceMsMax) kill(silentMs)
}
