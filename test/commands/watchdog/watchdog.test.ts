// The watchdog ends a process whose event loop stands still, and no other.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { bareNode } from '../../support/bare-node.ts'

// Each waits for a process that mostly waits.
t.jobs = 4

const script = join(import.meta.dirname, '../../support/watched-process.ts')

/** Runs a process with a watchdog that allows two seconds of silence. */
function run(how: string, flags: readonly string[] = []) {
  const [command, args] = bareNode([...flags, script, how])
  return new Promise<{ signal: unknown; out: string; err: string }>((resolve) => {
    execFile(command, args, (error, out, err) => resolve({ signal: error?.signal, out, err }))
  })
}

t.test('an event loop that stands still ends the process, with the reason', async (t) => {
  const { signal, out, err } = await run('doomed')
  t.equal(signal, 'SIGKILL')
  t.equal(out, 'blocked\n')
  t.match(err, /^stillup: killed by its watchdog: its event loop stood still for \d+ s\n$/)
})

t.test('a process that was stopped for longer goes on', async (t) => {
  const { signal, out, err } = await run('stopped')
  t.same([signal, err], [undefined, ''])
  t.equal(out, 'went on\n')
})

t.test('an event loop that often stands still for less goes on', async (t) => {
  const { signal, out, err } = await run('stumbling')
  t.same([signal, err], [undefined, ''])
  t.match(out, /went on\n$/)
})

t.test('a process that is inspected may stand still', async (t) => {
  const { signal, out } = await run('blocked', ['--inspect=127.0.0.1:0'])
  t.equal(signal, undefined)
  t.equal(out, 'blocked\nwent on\n')
})

t.test('a watchdog that was stopped watches nothing', async (t) => {
  const { signal, out } = await run('unwatched')
  t.equal(signal, undefined)
  t.equal(out, 'blocked\nwent on\n')
})
