// Run on a disk that fails or is recorded: opens a store as the daemon does, and writes to it.
import { appendFileSync, writeSync } from 'node:fs'
import { startClock } from '../../../src/base/clock.ts'
import { exitCodes, leave, StartFailure } from '../../../src/base/exit.ts'
import { checkFile } from '../../../src/store/data-file/check.ts'
import { inspectDataFile } from '../../../src/store/data-file/inspect.ts'
import { openStore } from '../../../src/store/store.ts'
import { acknowledgement } from './disk-log.ts'
import { openWorkload } from './workload.ts'

const [dir = '', seed = '', count = ''] = process.argv.slice(2)
const log = process.env.DISK_SHIM_LOG
const say = (line: string) => writeSync(1, `${line}\n`)
const clock = startClock()

/** As the process of the daemon ends: normally if possible, else by force. */
function fail(error: unknown): void {
  const code = error instanceof StartFailure ? error.exitCode : exitCodes.io
  const timer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2_000)
  leave(() => {
    clearTimeout(timer)
    process.exit(code)
  })
}

async function run(): Promise<void> {
  const file = inspectDataFile(dir)
  const damaged = file ? checkFile(file).damaged.length : 0
  const store = openStore({ dir, clock, commitDelayMs: 5, onFatal: fail, onError: fail })
  const workload = openWorkload(store, Number(seed))
  const first = workload.newest() + 1
  say(JSON.stringify({ damaged, newest: first - 1, isWhole: workload.isWhole() }))
  for (let number = first; number < first + Number(count); number += 1) {
    await workload.write(number)
    if (log !== undefined) appendFileSync(log, acknowledgement(number))
    say(`${number}`)
  }
  await store.close()
  clock.stop()
}

run().catch(fail)
