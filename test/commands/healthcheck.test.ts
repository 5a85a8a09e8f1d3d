// stillup healthcheck: the exit code that a container engine asks for.
import { join } from 'node:path'
import t from 'tap'
import { lockDirectory } from '../../src/store/lock.ts'
import { fakeHost, typed } from '../support/fake-host.ts'

t.test('healthcheck asks the daemon that holds the data directory', async (t) => {
  const cwd = t.testdir()
  const ask = async () => {
    const host = fakeHost(cwd)
    return { code: await typed(host, 'healthcheck'), host }
  }
  t.match(await ask(), { code: 1, host: { complaints: [/no daemon/] } })
  const lock = await lockDirectory(join(cwd, 'data'), '9.9.9')
  t.match(await ask(), { code: 1, host: { printed: [/9\.9\.9.*is not ready/] } })
  lock.answer('status', () => ({ pid: process.pid, version: '9.9.9', ready: true }))
  t.match(await ask(), { code: 0, host: { printed: [/is ready/] } })
  const standby = { of: 'https://up.test', heardAtMs: 0, failure: null, hasAll: true }
  const follows = (how: object) =>
    lock.answer('status', () => ({ pid: 7, version: '9', ready: false, standby: how }))
  follows(standby)
  t.match(await ask(), {
    code: 0,
    host: { printed: [/a standby of https:\/\/up\.test.*has everything; heard last: 1970-/s] },
  })
  follows({ ...standby, hasAll: false })
  t.match(await ask(), { code: 0, host: { printed: [/does not have everything yet/] } })
  follows({ ...standby, failure: 'nobody listens' })
  t.match(await ask(), { code: 1, host: { printed: [/does not answer: nobody listens/] } })
  follows({ ...standby, heardAtMs: null, hasAll: false })
  t.match(await ask(), { code: 1, host: { printed: [/heard last: never/] } })
  await lock.release()
  t.match(await ask(), { code: 1, host: { complaints: [/no daemon runs on .*data/, /-c FILE/] } })
})
