// The settings of the service: set without a file, tried first, and kept sealed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { secretMask } from '../../../../src/domain/secret-mask.ts'
import { startBucketServer } from '../../../support/bucket-server.ts'
import { register } from '../../../support/cast.ts'
import { type Daemon, startDaemon } from '../../../support/daemon.ts'
import { startSmtpInbox } from '../../../support/smtp-inbox.ts'
import { startTarget } from '../../../support/target.ts'
import { until } from '../../../support/until.ts'

const path = '/api/v1/system/settings'
const token = 'the-token-of-the-operator'
const account = { user: 'up', password: 'a-very-secret-word' }

interface Shown {
  readonly path: string
  readonly value: unknown
  readonly source: string
  readonly setIn: string | null
}

async function settingOf(daemon: Daemon, cookie: string, wanted: string) {
  const { sections } = await daemon.need('GET', '/system/settings', { cookie })
  const all: Shown[] = sections.flatMap(({ settings }: { settings: Shown[] }) => settings)
  return all.find((one) => one.path === wanted)
}

t.test('a mail server is tried, stored, and used at once and after a restart', async (t) => {
  const inbox = await startSmtpInbox(t)
  const first = await startDaemon(t)
  const ada = await register(first, 'ada', first.setupToken)
  const { cookie } = ada
  const mail = { smtpUrl: inbox.url, from: 'stillup <up@example.com>' }

  const channel = { name: 'Desk', type: 'email', config: { to: ['desk@example.com'] } }
  const types = await first.need('GET', `${ada.org}/alert-channels/types`, { cookie })
  t.match(
    types.find(({ type }: { type: string }) => type === 'email'),
    { missingSettings: ['mail.smtpUrl', 'mail.from'] },
  )
  const tried = await first.need('POST', '/system/settings/test-letter', { cookie, json: mail })
  t.match(tried, { isDelivered: true, to: ada.email, reply: /^250 /, error: null })
  const letter = await inbox.mailTo(ada.email)
  t.match(letter, { subject: 'Test letter from stillup', sender: 'up@example.com' })
  t.match(await settingOf(first, cookie, 'mail.smtpUrl'), { value: null, source: 'default' })

  await first.need('PATCH', '/system/settings', { cookie, json: { mail } })
  t.match(await settingOf(first, cookie, 'mail.from'), { value: mail.from, source: 'console' })
  const { id } = await first.need('POST', `${ada.org}/alert-channels`, { cookie, json: channel })
  await first.need('POST', `${ada.org}/alert-channels/${id}/test`, { cookie })
  await inbox.mailTo('desk@example.com')
  await first.stop()

  const second = await startDaemon(t, { dir: first.dir })
  t.match(await second.need('POST', `${ada.org}/alert-channels/${id}/test`, { cookie }), {
    delivered: true,
  })
  await second.need('PATCH', '/system/settings', { cookie, json: { mail: { smtpUrl: null } } })
  t.match(await settingOf(second, cookie, 'mail.smtpUrl'), { value: null, source: 'default' })
  const log = await second.need('GET', '/system/audit-log?limit=5', { cookie })
  t.match(log[0], { action: 'settings.changed', fields: ['mail.smtpUrl'] })
})

t.test('passwords are masked, kept where they come back masked, and sealed on disk', async (t) => {
  const daemon = await startDaemon(t)
  const { cookie } = await register(daemon, 'ada', daemon.setupToken)
  const url = (host: string, password: string) => `smtps://up:${password}@${host}`
  const change = (smtpUrl: string) =>
    daemon.ask('PATCH', path, { cookie, json: { mail: { smtpUrl, from: 'up@example.com' } } })
  daemon.secrets.add(account.password)
  const stored = await change(url('mail.test:465', account.password))
  t.equal(stored.status, 200)
  t.notMatch(stored.text, account.password)
  t.match(await settingOf(daemon, cookie, 'mail.smtpUrl'), {
    value: `smtps://up:${secretMask}@mail.test:465`,
  })
  t.equal(
    (await change(url('mail.test:465', secretMask))).status,
    200,
    'it stands for the stored one',
  )
  const moved = await change(url('thief.test:465', secretMask))
  t.equal(moved.status, 422)
  t.match(moved.json.errors, [{ pointer: '/mail/smtpUrl', message: /must be written in full/ }])
  const tried = await daemon.ask('POST', `${path}/test-letter`, {
    cookie,
    json: { smtpUrl: url('thief.test:465', secretMask) },
  })
  t.match(tried.json.errors, [{ pointer: '/smtpUrl', message: /must be written in full/ }])
  await daemon.stop()
  t.same(daemon.leaks(), [], 'neither the data nor the log has the password')
})

t.test('a file wins, says where, and what it sets cannot be changed here', async (t) => {
  const daemon = await startDaemon(t, {
    env: { MAIL_SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'up@file.test' },
  })
  const { cookie } = await register(daemon, 'ada', daemon.setupToken)
  t.match(await settingOf(daemon, cookie, 'mail.from'), {
    value: 'up@file.test',
    source: 'environment',
    setIn: 'STILLUP_MAIL_FROM',
  })
  const refused = await daemon.ask('PATCH', path, {
    cookie,
    json: { mail: { from: 'other@example.com' } },
  })
  t.equal(refused.status, 422)
  t.match(refused.json.errors, [
    { pointer: '/mail/from', message: 'is set in STILLUP_MAIL_FROM: edit it there' },
  ])
})

t.test('wrong values are refused by the rules of the file, and nothing is stored', async (t) => {
  const daemon = await startDaemon(t)
  const { cookie } = await register(daemon, 'ada', daemon.setupToken)
  const problems = async (json: object) => {
    const { status, json: answer } = await daemon.ask('PATCH', path, { cookie, json })
    t.equal(status, 422)
    return answer.errors
  }
  t.match(await problems({ mail: { smtpUrl: 'https://mail.test' } }), [
    { pointer: '/mail/smtpUrl', message: /^must be smtp:\/\// },
  ])
  t.match(await problems({ mail: { smtpUrl: 'smtp://mail.test' } }), [
    { pointer: '/mail/from', message: 'must be a sender, because mail.smtpUrl is set' },
  ])
  t.match(await problems({ mail: { smtpurl: 'smtp://mail.test' } }), [{ pointer: '/mail/smtpurl' }])
  t.match(await problems({ data: { dir: '/tmp' } }), [{ pointer: '/data' }])
  // No address can name a host below it.
  t.match(await problems({ http: { statusDomain: 'pages.1' } }), [
    { pointer: '/http/statusDomain' },
  ])
  t.match(await settingOf(daemon, cookie, 'mail.smtpUrl'), { source: 'default' })
})

t.test('a mail server that refuses is quoted', async (t) => {
  const inbox = await startSmtpInbox(t)
  inbox.refuse = (stage) => (stage === 'rcpt' ? 550 : undefined)
  const daemon = await startDaemon(t)
  const { cookie } = await register(daemon, 'ada', daemon.setupToken)
  const json = { smtpUrl: inbox.url, from: 'up@example.com' }
  t.match(await daemon.need('POST', '/system/settings/test-letter', { cookie, json }), {
    isDelivered: false,
    reply: /^550 /,
    error: 'The mail server refused the recipient (550).',
  })
  const closed = { ...json, smtpUrl: 'smtp://127.0.0.1:1' }
  t.match(await daemon.need('POST', '/system/settings/test-letter', { cookie, json: closed }), {
    isDelivered: false,
    reply: null,
    error: /could not be reached/,
  })
})

t.test('registration and quotas change at once', async (t) => {
  const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: '', QUOTAS_MONITORS: '' } })
  const { cookie, org } = await register(daemon, 'ada', daemon.setupToken)
  const change = (json: object) => daemon.need('PATCH', '/system/settings', { cookie, json })
  await t.rejects(register(daemon, 'bob'), /registration_closed/)
  await change({ auth: { registration: 'open' }, quotas: { channels: 1 } })
  await register(daemon, 'bob')
  t.match(await daemon.need('GET', '/system/info', { cookie }), { registration: 'open' })
  t.match(await daemon.need('GET', `${org}/summary`, { cookie }), {
    quotas: { monitors: 200, channels: 1 },
  })
  await change({ auth: { registration: null }, quotas: { channels: null } })
  await t.rejects(register(daemon, 'cid'), /registration_closed/)
})

t.test(
  'a bucket takes copies at once, also the one that a wrong bucket did not take',
  async (t) => {
    const server = await startBucketServer()
    t.teardown(server.close)
    const daemon = await startDaemon(t)
    const { cookie } = await register(daemon, 'ada', daemon.setupToken)
    const change = (backup: object) =>
      daemon.need('PATCH', '/system/settings', { cookie, json: { backup } })
    const failure = async () =>
      (await daemon.need('GET', '/system/info', { cookie })).backup.lastError
    const bucket = {
      bucketUrl: server.url,
      bucketName: server.bucket,
      bucketRegion: server.region,
      bucketAccessKey: server.accessKey,
      bucketSecretKey: 'not-the-right-one',
    }
    daemon.secrets.add(server.secretKey)
    t.same((await change(bucket)).waiting, [])
    await daemon.need('POST', '/system/backups', { cookie })
    t.match(await failure(), /not copied to .*: The signature was refused/)
    t.equal(server.objects.size, 0)

    await change({ bucketSecretKey: server.secretKey })
    await until(async () => (await failure()) === null)
    t.equal(server.objects.size, 2)
    await change(Object.fromEntries(Object.keys(bucket).map((name) => [name, null])))
    await daemon.need('POST', '/system/backups', { cookie })
    t.equal(server.objects.size, 2, 'there is no bucket any more')
    t.equal(await failure(), null)
  },
)

t.test('what needs a restart waits for it, and is named', async (t) => {
  const daemon = await startDaemon(t)
  const { cookie } = await register(daemon, 'ada', daemon.setupToken)
  const json = { http: { statusDomain: 'status.example.net' } }
  t.same((await daemon.need('PATCH', '/system/settings', { cookie, json })).waiting, [
    'http.statusDomain',
  ])
  await daemon.stop()
  const second = await startDaemon(t, { dir: daemon.dir })
  const { waiting } = await second.need('GET', '/system/settings', { cookie })
  t.same(waiting, [])
  t.match(await settingOf(second, cookie, 'http.statusDomain'), {
    value: 'status.example.net',
    source: 'console',
  })
  const wrong = await second.ask('PATCH', path, {
    cookie,
    json: { http: { baseUrl: 'https://up.status.example.net' } },
  })
  t.match(wrong.json.errors, [
    { pointer: '/http/statusDomain', message: /neither equal to nor below/ },
  ])
})

t.test('OpenID providers are offered at once, and their secrets go to nobody else', async (t) => {
  const daemon = await startDaemon(t)
  const { cookie } = await register(daemon, 'ada', daemon.setupToken)
  daemon.secrets.add(account.password)
  const change = (oidc: unknown) => daemon.ask('PATCH', path, { cookie, json: { auth: { oidc } } })
  const company = {
    name: 'company',
    issuer: 'https://login.example.com',
    clientId: 'stillup',
    clientSecret: account.password,
  }
  const offered = async () => (await daemon.ask('GET', '/api/v1/auth/oidc')).json.data
  t.same(await offered(), [])
  t.equal((await change([company])).status, 200)
  t.match(await offered(), [{ name: 'company' }])
  t.match(await settingOf(daemon, cookie, 'auth.oidc'), {
    value: [{ ...company, label: 'company', clientSecret: secretMask }],
  })
  const masked = { ...company, clientSecret: secretMask }
  t.equal((await change([{ ...masked, label: 'Company account' }])).status, 200)
  t.match(await offered(), [{ label: 'Company account' }])
  const stolen = await change([{ ...masked, issuer: 'https://thief.example.com' }])
  t.match(stolen.json.errors, [{ pointer: '/auth/oidc', message: /must be written in full/ }])
  const wrong = await change([{ ...company, issuer: 'login.example.com' }])
  t.match(wrong.json.errors, [{ pointer: '/auth/oidc/company/issuer' }])
  t.equal((await change(null)).status, 200)
  t.same(await offered(), [])
})

t.test('an address leads here only where this service itself answers', async (t) => {
  const other = await startTarget()
  t.teardown(() => other.close())
  const daemon = await startDaemon(t)
  const { cookie } = await register(daemon, 'ada', daemon.setupToken)
  const check = (json: object) =>
    daemon.need('POST', '/system/settings/address-check', { cookie, json })
  t.match(await check({ baseUrl: daemon.url }), {
    baseUrl: { host: '127.0.0.1', addresses: ['127.0.0.1'], leadsHere: true, reason: null },
    statusDomain: null,
  })
  t.match(await check({ baseUrl: other.url }), {
    baseUrl: { leadsHere: false, reason: /Another server answered/ },
  })
  t.match(await check({ baseUrl: 'http://127.0.0.1:1' }), {
    baseUrl: { leadsHere: false, reason: /./ },
  })
  // Every name below localhost is this machine.
  const { port } = new URL(daemon.url)
  const below = { baseUrl: `http://localhost:${port}`, statusDomain: 'pages.localhost' }
  t.match(await check(below), {
    baseUrl: { leadsHere: true },
    statusDomain: { host: /^check-[0-9a-f]{8}\.pages\.localhost$/, leadsHere: true },
  })
  const noDomain = await daemon.ask('POST', `${path}/address-check`, {
    cookie,
    json: { statusDomain: 'pages.1' },
  })
  t.match(noDomain.json.errors, [{ pointer: '/statusDomain' }])
  const proof = '/.well-known/stillup-domain/0123456789abcdef0123456789abcdef'
  t.equal((await daemon.ask('GET', proof)).status, 404, 'it answers while a check goes on only')
})

t.test('only administrators with a recent sign-in change settings', async (t) => {
  const daemon = await startDaemon(t)
  await register(daemon, 'ada', daemon.setupToken)
  const bob = await register(daemon, 'bob')
  t.equal((await daemon.ask('GET', path, { cookie: bob.cookie })).status, 403)
  const json = { mail: { from: 'up@example.com' } }
  t.equal((await daemon.ask('PATCH', path, { cookie: bob.cookie, json })).status, 403)
})

t.test('a newer version of the settings is not overwritten', async (t) => {
  const daemon = await startDaemon(t)
  const { cookie } = await register(daemon, 'ada', daemon.setupToken)
  const from = (address: string, ifMatch: string) =>
    daemon.ask('PATCH', path, {
      cookie,
      json: { mail: { from: address } },
      headers: { 'if-match': ifMatch },
    })
  const { headers } = await daemon.ask('GET', path, { cookie })
  const etag = String(headers.get('etag'))
  t.equal((await from('one@example.com', etag)).status, 200)
  t.equal((await from('two@example.com', etag)).status, 412)
})

t.test(
  'a file that leaves the sender to the console starts, once the console has one',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'stillup-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    const dir = join(folder, 'data')
    const ofFile = { SYSTEM_TOKEN: token, MAIL_SMTP_URL: 'smtp://127.0.0.1:1' }
    await t.rejects(startDaemon(t, { dir, env: ofFile }), {
      name: 'StartFailure',
      exitCode: 78,
      message: /mail\.from .*a sender, because mail\.smtpUrl is set/,
    })
    const first = await startDaemon(t, { dir, env: { SYSTEM_TOKEN: token } })
    const json = { mail: { from: 'up@example.com' } }
    await first.need('PATCH', '/system/settings', { bearer: token, json })
    await first.stop()
    const second = await startDaemon(t, { dir, env: ofFile })
    t.match(await second.need('GET', '/system/info', { bearer: token }), { mail: 'smtp' })
  },
)
