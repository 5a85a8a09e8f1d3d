// A bucket is tried before it is stored: what the server answers is said, and nothing is left there.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { usableSettings } from '../../../src/config/load.ts'
import { createBucketTrial } from '../../../src/services/backups/bucket-trial.ts'
import { startBucketServer } from '../../support/bucket-server.ts'

t.test('a small object is written, read and deleted, up to the first refusal', async (t) => {
  const server = await startBucketServer()
  const clock = startClock()
  t.teardown(async () => {
    clock.stop()
    await server.close()
  })
  const attempt = (changes: Readonly<Record<string, string>> = {}) => {
    const env = {
      STILLUP_BACKUP_BUCKET_URL: server.url,
      STILLUP_BACKUP_BUCKET_NAME: server.bucket,
      STILLUP_BACKUP_BUCKET_REGION: server.region,
      STILLUP_BACKUP_BUCKET_ACCESS_KEY: server.accessKey,
      STILLUP_BACKUP_BUCKET_SECRET_KEY: server.secretKey,
      ...changes,
    }
    const { settings } = usableSettings({ env, cwd: '/nowhere', isTerminal: false })
    return createBucketTrial({ clock })(settings, new AbortController().signal)
  }
  t.same(await attempt(), [
    { step: 'write', error: null },
    { step: 'read', error: null },
    { step: 'delete', error: null },
  ])
  t.equal(server.objects.size, 0, 'nothing is left')
  t.match(await attempt({ STILLUP_BACKUP_BUCKET_ACCESS_KEY: 'AKIDSOMEBODY' }), [
    { step: 'write', error: /does not know the access key/ },
  ])
  server.misbehave(({ method }) =>
    method === 'DELETE'
      ? { status: 403, body: '<Error><Code>AccessDenied</Code><Message>No.</Message></Error>' }
      : undefined,
  )
  t.match(await attempt(), [
    { step: 'write', error: null },
    { step: 'read', error: null },
    { step: 'delete', error: /s3:DeleteObject/ },
  ])
})
