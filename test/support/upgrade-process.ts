// A process that upgrades a directory and is killed before or after one of its commits.
//
// Arguments: the directory, the number of the commit (none: it is not killed), `before` or `after`.
// Prints how many commits there were.
import { silentLog } from '../../src/base/log/log.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { FakeClock } from './fake-clock.ts'

const [dir = '', killAt = '', moment = ''] = process.argv.slice(2)
const clock = new FakeClock()
const fail = (error: unknown) => {
  throw error
}
const store = openStore({ dir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
let commits = 0
const write: Store['write'] = async (body) => {
  commits += 1
  const isLast = String(commits) === killAt
  if (isLast && moment === 'before') process.kill(process.pid, 'SIGKILL')
  const result = await store.write(body)
  if (isLast) process.kill(process.pid, 'SIGKILL')
  return result
}
const backUp = async () => '/backups/before'
await migrate({ ...store, write }, { log: silentLog, clock, program: '1.0.0', backUp })
await store.close()
process.stdout.write(String(commits))
