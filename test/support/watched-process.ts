// Run by the watchdog's test: a process whose event loop stands still, or that is stopped.
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { startClock } from '../../src/base/clock.ts'
import { startWatchdog } from '../../src/commands/watchdog/watchdog.ts'

const silenceMsMax = 2_000
const standMs = 3_500
/** How long a process runs that is to be killed: on a busy machine also the watchdog is late. */
const endlessMs = 60_000
const aWhileMs = 400
/** Stalls that the clock does not count as time, with the loop running in between. */
const stumbles = 6
const stumbleMs = 700
const breathMs = 40
const [how] = process.argv.slice(2)
const clock = startClock()
const watchdog = startWatchdog(silenceMsMax)

function stand(ms: number): void {
  writeSync(1, 'blocked\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Another process continues this one. */
function stopItself(): void {
  spawn('/bin/sh', ['-c', `sleep ${standMs / 1_000}; kill -CONT ${process.pid}`])
  process.kill(process.pid, 'SIGSTOP')
}

async function stumble(): Promise<void> {
  for (let n = 0; n < stumbles; n++) {
    stand(stumbleMs)
    await pass(breathMs)
  }
}

const pass = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms))

// The thread has looked by then.
await pass(aWhileMs)
if (how === 'unwatched') await watchdog.stop()
if (how === 'stumbling') await stumble()
else if (how === 'stopped') stopItself()
else stand(how === 'doomed' ? endlessMs : standMs)
// Long enough for another look.
await pass(aWhileMs)
writeSync(1, 'went on\n')
await watchdog.stop()
clock.stop()
