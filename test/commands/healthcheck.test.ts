// stillup healthcheck: the exit code that a container engine asks for.
import { join } from 'node:path'
import t from 'tap'
import { healthcheck } from '../../src/commands/healthcheck.ts'
import { lockDirectory } from '../../src/store/lock.ts'
import { fakeHost } from '../support/fake-host.ts'

t.test('healthcheck asks the daemon that holds the data directory', async (t) => {
  const cwd = t.testdir()
  const ask = async () => {
    const host = fakeHost(cwd)
    return { code: await healthcheck(host, { configPath: undefined }), host }
  }
  t.match(await ask(), { code: 1, host: { complaints: [/no daemon/] } })
  const lock = await lockDirectory(join(cwd, 'data'), '9.9.9')
  t.match(await ask(), { code: 1, host: { printed: [/9\.9\.9.*is not ready/] } })
  lock.setReady(true)
  t.match(await ask(), { code: 0, host: { printed: [/is ready/] } })
  await lock.release()
  t.match(await ask(), { code: 1, host: { complaints: [/no daemon listens/] } })
})
