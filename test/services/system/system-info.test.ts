// What the operator is told at a glance: sizes, counts and modes, and nothing that is secret.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { loadSettings } from '../../../src/config/load.ts'
import { createSystemInfo } from '../../../src/services/system/system-info.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { makeMonitor, monitorNo, orgTwo } from '../../support/make-page.ts'
import { openTempStore } from '../../support/temp-store.ts'

const secrets = { token: 'the-token-of-the-operator', smtp: 'smtp://user:hunter22@mail.test:25' }

t.test('sizes, counts and modes are current', async (t) => {
  const { store, clock, dir } = openTempStore(t)
  const loaded = loadSettings({
    env: {
      STILLUP_DATA_DIR: dir,
      STILLUP_SYSTEM_TOKEN: secrets.token,
      STILLUP_MAIL_SMTP_URL: secrets.smtp,
      STILLUP_MAIL_FROM: 'Up <up@mail.test>',
      STILLUP_DATA_MASTER_KEY_FILE: join(dir, '..', 'elsewhere', 'key'),
    },
    cwd: dir,
    isTerminal: false,
  })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  const { settings } = loaded
  const info = createSystemInfo(
    { store, clock },
    {
      settings,
      hasMailServer: () => settings.mail.smtpUrl !== null,
      registration: () => settings.auth.registration,
      privateAnswers: { state: () => 'not_kept' },
      version: '1.2.3',
      checkThreads: () => 2,
      clusterView: () => null,
      owed: () => ({ deliveries: 3, letters: 1 }),
      heartbeat: () => null,
      space: { state: () => 'low' },
      size: { state: () => 'large', bytesMax: 2 ** 30 },
      backups: {
        newest: () => undefined,
        lastFailure: () => null,
        progress: () => null,
        copyProgress: () => null,
      },
      observer: { lost: () => ['dns'], episode: () => undefined },
    },
  )
  const startedAtMs = clock.nowMs()
  await store.write((tx) => {
    for (let n = 1; n <= 5; n += 1) {
      store.monitors.put(tx, makeMonitor({ id: monitorNo(n), ...(n > 3 ? { orgId: orgTwo } : {}) }))
    }
    store.channels.put(tx, makeChannel())
    for (const name of ['ann', 'bob']) {
      store.users.put(tx, {
        id: newId('user', 1),
        email: `${name}@example.com`,
        emailVerifiedAtMs: null,
        name,
        passwordHash: null,
        isSystemAdmin: false,
        isDisabled: false,
        createdAtMs: 1,
        updatedAtMs: 1,
        revision: 1,
      })
    }
  })
  mkdirSync(join(dir, 'outbox'))
  const before = await info()
  writeFileSync(join(dir, 'outbox', 'letter'), Buffer.alloc(5_000))
  await clock.advance(90_500)
  const now = await info()
  t.match(now, {
    version: '1.2.3',
    startedAtMs,
    uptimeSeconds: 90,
    isMasterKeyBesideData: false,
    counts: { users: 2, organizations: 0, monitors: 5, channels: 1 },
    checkThreads: 2,
    owed: { deliveries: 3, letters: 1 },
    registration: 'first-user',
    mail: 'smtp',
  })
  t.match(now.data, {
    usedBytes: Number,
    maxBytes: 2 ** 30,
    sizeState: 'large',
    diskState: 'low',
  })
  t.ok(now.data.usedBytes < now.data.bytes)
  t.equal(now.data.bytes - before.data.bytes, 5_000, 'files in folders count')
  for (const secret of [secrets.token, 'hunter22']) t.notOk(JSON.stringify(now).includes(secret))
})
