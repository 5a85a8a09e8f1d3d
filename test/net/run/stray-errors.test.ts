// A bug in the code of a check, also of a driver, costs that check; any other ends the process.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

t.test('an error that nobody waits for ends the check that it belongs to', async (t) => {
  const script = join(import.meta.dirname, '../../support/stray-errors-process.ts')
  const { stdout, status } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  const bug = 'unknown, the check failed because of a bug in this service'
  t.same(stdout.trim().split('\n'), [
    `a listener: ${bug}`,
    `a timer: ${bug}`,
    `a promise: ${bug}`,
    'after its end: failed, it ended before',
    'not of a check: thrown late',
  ])
  t.equal(status, 70)
})
