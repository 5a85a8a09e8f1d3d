// The S3 gateway of Versity, with a bucket `backups` in a folder: a service that verifies signatures.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from '../free-port.ts'
import { pathOf, skipWithout } from '../programs.ts'
import { testFolder } from '../test-folder.ts'

export const skipWithoutVersitygw = skipWithout('versitygw')

export async function startVersitygw(t: Test) {
  const dir = testFolder(t, { data: { backups: {} }, meta: {} })
  const port = await freePort()
  const keys = { accessKey: 'AKIDSTILLUP', secretKey: 'a/secret+of=the-bucket' }
  const region = 'eu-test-1'
  const child = spawn(
    pathOf('versitygw') ?? '',
    [
      ...['--access', keys.accessKey, '--secret', keys.secretKey, '--port', `127.0.0.1:${port}`],
      ...['--region', region, '--quiet', 'posix', '--sidecar', join(dir, 'meta')],
      join(dir, 'data'),
    ],
    { stdio: 'ignore' },
  )
  t.teardown(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  /** Its files. */
  const data = join(dir, 'data')
  return { url: `http://127.0.0.1:${port}`, bucket: 'backups', region, data, ...keys }
}
