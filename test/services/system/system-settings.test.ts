// The settings of the console below those of the file: what holds, what is kept, and what is noted.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLimiter } from '../../../src/base/limiter.ts'
import { createLive } from '../../../src/config/live.ts'
import { loadSettings } from '../../../src/config/load.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createSettingsLayers } from '../../../src/services/system/settings-layers.ts'
import {
  createSystemSettings,
  type MailToTry,
} from '../../../src/services/system/system-settings.ts'
import { callerOf } from '../../support/access.ts'
import { openCore } from '../../support/core.ts'

const password = 'a-very-secret-word'
const server = `smtp://up:${password}@mail.test:587`
const operator = callerOf({ kind: 'system' })

function given(t: Test, file: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = t.testdir()
  writeFileSync(join(cwd, 'stillup.toml'), file)
  const loaded = loadSettings({ env, cwd, isTerminal: false })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded
}

function open(t: Test, file = '', env: Readonly<Record<string, string>> = {}) {
  const core = openCore(t)
  const tried: string[] = []
  function start(own = given(t, file, env)) {
    const live = createLive(own.settings)
    const layers = createSettingsLayers({ ...core, live, given: own.given, fit: (one) => one })
    const settings = createSystemSettings(core, {
      layers,
      live,
      tryMail: async (url) => {
        tried.push(url)
        return { outcome: { ok: true }, reply: '250 OK' }
      },
      tryAddress: async (origin) => {
        tried.push(origin)
        return { host: new URL(origin).hostname, addresses: [], leadsHere: true, reason: null }
      },
      tryBucket: async ({ backup }) => {
        tried.push(JSON.stringify(backup))
        return [{ step: 'write', error: null }]
      },
      trials: createLimiter(limits.channelTests, limits.rateKeysMax),
    })
    const shown = (path: string) =>
      settings
        .get()
        .sections.flatMap((one) => one.settings)
        .find((one) => one.path === path)
    return { ...settings, layers, live, shown }
  }
  return { ...core, start, tried }
}

t.test(
  'a variable wins over the file, the file over the console, that over the default',
  async (t) => {
    const world = open(t)
    const first = world.start()
    t.match(first.shown('mail.from'), { value: null, source: 'default', isStored: false })
    await first.change(operator, { mail: { from: 'console@up.test' } })
    t.match(first.shown('mail.from'), { value: 'console@up.test', source: 'console' })
    t.equal(first.live.now().mail.from, 'console@up.test', 'at once')

    const file = '[mail]\nfrom = "file@up.test"\n'
    first.layers.reload(given(t, file).given)
    t.match(first.shown('mail.from'), {
      value: 'file@up.test',
      source: 'file',
      setIn: /stillup\.toml$/,
      isStored: true,
    })
    const env = { STILLUP_MAIL_FROM: 'variable@up.test' }
    first.layers.reload(given(t, file, env).given)
    t.match(first.shown('mail.from'), {
      value: 'variable@up.test',
      source: 'environment',
      setIn: 'STILLUP_MAIL_FROM',
    })
    t.equal(first.live.now().mail.from, 'variable@up.test')
    await t.rejects(first.change(operator, { mail: { from: 'other@up.test' } }), {
      code: 'validation_failed',
      errors: [{ pointer: '/mail/from', message: 'is set in STILLUP_MAIL_FROM: edit it there' }],
    })
    await first.change(operator, { mail: { from: null } })
    t.match(first.shown('mail.from'), { isStored: false }, 'what is covered can be taken away')
  },
)

t.test(
  'values are sealed in the store, masked in answers, and there after a restart',
  async (t) => {
    const world = open(t)
    const first = world.start()
    const changed = await first.change(operator, { mail: { smtpUrl: server, from: 'up@up.test' } })
    t.notMatch(JSON.stringify(changed), password)
    const record = world.store.consoleSettings.readable()
    t.notMatch(JSON.stringify(record), password)
    t.notMatch(JSON.stringify(record), 'mail.test')
    t.match(world.store.audit.list('system', 1), [
      { action: 'settings.changed', fields: ['mail.smtpUrl', 'mail.from'], detail: null },
    ])
    const second = world.start()
    t.equal(second.live.now().mail.smtpUrl, server)
    t.match(second.shown('mail.smtpUrl'), { value: 'smtp://up:••••@mail.test:587', isSecret: true })
  },
)

t.test('a change without a difference is neither stored nor noted', async (t) => {
  const world = open(t)
  const { change } = world.start()
  t.equal((await change(operator, {})).revision, 1)
  t.equal((await change(operator, { mail: { from: 'up@up.test' } })).revision, 2)
  t.equal((await change(operator, { mail: { from: 'up@up.test' } })).revision, 2)
  t.equal(world.store.audit.list('system', 5).length, 1)
})

t.test('what no longer fits the file is left out, and the daemon starts', async (t) => {
  const world = open(t)
  const { change } = world.start()
  await change(operator, { mail: { smtpUrl: server, from: 'up@up.test' } })
  const sealed = world.box.seal(JSON.stringify({ 'mail.smtpUrl': 'no server', 'data.dir': '/tmp' }))
  await world.store.write((tx) =>
    world.store.consoleSettings.put(tx, { sealed, updatedAtMs: 1, revision: 3 }),
  )
  const second = world.start()
  t.equal(second.live.now().mail.smtpUrl, null)
  t.not(second.layers.settings().data.dir, '/tmp', 'what is not offered is not taken')
  t.match(
    world.lines.join(''),
    /mail\.smtpUrl \(the console\).*settings of the console are left out/,
  )
  t.notMatch(world.lines.join(''), 'no server', 'a secret is not in the log')
  await second.change(operator, { mail: { smtpUrl: null } })
  t.match(second.shown('mail.smtpUrl'), { source: 'default', isStored: false })
})

t.test('what the file needs besides may be set in the console, each field by itself', async (t) => {
  const files = [
    {
      file: '[mail]\nsmtpUrl = "smtp://mail.test:587"\n',
      own: { mail: { from: 'up@example.com' } },
      settled: { mail: { smtpUrl: 'smtp://mail.test:587', from: 'up@example.com' } },
    },
    {
      file: '[mail]\nfrom = "up@example.com"\n',
      own: { mail: { smtpUrl: 'smtp://mail.test:587' } },
      settled: { mail: { smtpUrl: 'smtp://mail.test:587', from: 'up@example.com' } },
    },
    {
      file: '[http]\ntlsListen = ":443"\n',
      own: { http: { baseUrl: 'https://up.example.com' } },
      settled: { http: { baseUrl: 'https://up.example.com', tlsListen: { port: 443 } } },
    },
  ]
  for (const { file, own, settled } of files) {
    const { start } = open(t, '')
    await start(given(t, file)).change(operator, own)
    const { layers, live } = start(given(t, file))
    t.same(layers.problems(), [], file)
    t.match(layers.settings(), settled)
    t.match(live.now().mail.from ?? null, settled.mail?.from ?? null)
  }
})

t.test('what nothing sets is a problem of the start, and refuses a reload', async (t) => {
  const { start } = open(t, '')
  const file = given(t, '[mail]\nsmtpUrl = "smtp://mail.test:587"\n')
  t.match(file.missing, [{ path: 'mail.from' }])
  t.match(start(file).layers.problems(), [{ path: 'mail.from', found: 'nothing' }])
  const { layers } = start()
  t.match(layers.reload(file.given), { problems: [{ path: 'mail.from' }] })
  t.equal(layers.settings().mail.smtpUrl, null, 'nothing has changed')
  t.match(layers.reload(given(t, '[mail]\nfrom = "up@example.com"\n').given), {
    applied: ['mail.from'],
  })
})

t.test('all values together have a bound', async (t) => {
  const { change } = open(t).start()
  await t.rejects(change(operator, { mail: { from: `${'a'.repeat(70_000)}@up.test` } }), {
    code: 'validation_failed',
    message: /at most 65536 characters/,
  })
})

t.test('a bucket is tried as it would be stored, with the secret that is kept', async (t) => {
  const { start, tried } = open(t)
  const { change, tryBucket, shown } = start()
  const signal = new AbortController().signal
  const bucket = {
    bucketUrl: 'https://s3.test',
    bucketName: 'copies',
    bucketAccessKey: 'AKIDSTILLUP',
    bucketSecretKey: 'a-very-secret-word',
  }
  await t.rejects(tryBucket(operator, { ...bucket, bucketName: null }, signal), {
    code: 'validation_failed',
    errors: [{ pointer: '/bucketName', keyword: 'required' }],
  })
  await t.rejects(tryBucket(operator, { ...bucket, bucketUrl: 'ftp://s3.test' }, signal), {
    errors: [{ pointer: '/bucketUrl', keyword: 'format' }],
  })
  t.match(await tryBucket(operator, bucket, signal), { isUsable: true, steps: [{ step: 'write' }] })
  t.equal(shown('backup.bucketUrl')?.value, null, 'nothing is stored')

  await change(operator, { backup: bucket })
  t.equal(shown('backup.bucketSecretKey')?.value, '••••')
  await tryBucket(operator, { bucketSecretKey: '••••', bucketName: 'others' }, signal)
  t.match(JSON.parse(tried.at(-1) ?? ''), { ...bucket, bucketName: 'others' })
})

t.test('a test letter needs an administrator with an address', async (t) => {
  const { start, tried } = open(t)
  const { sendTestLetter } = start()
  const send = (mail: MailToTry) => sendTestLetter(operator, mail, new AbortController().signal)
  await t.rejects(send({}), { errors: [{ pointer: '/smtpUrl', keyword: 'required' }] })
  await t.rejects(send({ smtpUrl: server }), { errors: [{ pointer: '/from' }] })
  await t.rejects(send({ smtpUrl: server, from: 'up@up.test' }), { code: 'conflict' })
  t.same(tried, [])
})
