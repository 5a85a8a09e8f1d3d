// A command that asks the running daemon: what it says where none answers, or another version.
import { join } from 'node:path'
import t from 'tap'
import { askRunning, statusIn } from '../../../src/commands/model/daemon.ts'
import { CommandFailure } from '../../../src/commands/model/failure.ts'
import { glibcVersion } from '../../../src/commands/model/glibc.ts'
import { lockDirectory } from '../../../src/store/lock.ts'
import { fakeHost } from '../../support/fake-host.ts'

const options = { configPath: undefined }

async function failureOf(asked: Promise<unknown>): Promise<CommandFailure> {
  const error: unknown = await asked.then(() => undefined).catch((reason: unknown) => reason)
  if (error instanceof CommandFailure) return error
  throw new Error('it did not fail as a command does', { cause: error })
}

t.test('without a daemon it names the directory, and how to name another', async (t) => {
  const host = fakeHost(t.testdir(), { STILLUP_DATA_DIR: join(t.testdir(), 'nowhere') })
  const { message, hint, exitCode } = await failureOf(askRunning(host, options, { verb: 'status' }))
  t.match(message, /^no daemon runs on the data directory .*nowhere$/)
  t.match(hint, /-c FILE.*stillup serve/)
  t.equal(exitCode, 1)
})

t.test('a daemon of another version is named, and a refusal is its own sentence', async (t) => {
  const host = fakeHost(t.testdir())
  const lock = await lockDirectory(join(host.cwd, 'data'), '0.9.0')
  t.teardown(() => lock.release())
  lock.answer('grow', () => {
    throw new Error('There is no such tree.')
  })
  const unknown = await failureOf(askRunning(host, options, { verb: 'shrink' }))
  t.match(unknown.message, /does not know this command: it is version 0\.9\.0, this is 1\.2\.3/)
  t.match(unknown.hint, 'Restart the daemon')
  const refused = await failureOf(askRunning(host, options, { verb: 'grow' }))
  t.match(refused, { message: 'There is no such tree.', exitCode: 1 })
})

t.test('a standby of the same version knows no commands of a leader', async (t) => {
  const host = fakeHost(t.testdir())
  const lock = await lockDirectory(join(host.cwd, 'data'), '1.2.3')
  t.teardown(() => lock.release())
  t.match(await failureOf(askRunning(host, options, { verb: 'grow' })), {
    message: /it is a standby, or still starts/,
    hint: 'Run it on the machine that leads.',
  })
})

t.test('a status in an unknown form is a failure, and more than is known is left out', (t) => {
  const known = { pid: 7, version: '1.2.3', ready: true }
  t.same(statusIn({ ...known, later: 'more' }), known)
  t.throws(() => statusIn({ state: 'ready' }), { exitCode: 1, message: /unknown form/ })
  t.end()
})

t.test('the C library is told by its version', (t) => {
  t.match(glibcVersion() ?? '2.0', /^\d+\.\d+/)
  t.end()
})
