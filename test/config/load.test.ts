// Settings: where they come from, which wins, and how every mistake is named.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadSettings, type Problem, problemLine } from '../../src/config/load.ts'
import type { Settings } from '../../src/config/settings.ts'

interface Given {
  readonly file?: string
  readonly env?: Record<string, string>
  readonly configPath?: string
  readonly isTerminal?: boolean
}

function load(t: Test, { file, env = {}, configPath, isTerminal = false }: Given) {
  const cwd = t.testdir(file === undefined ? {} : { 'stillup.toml': file })
  return { cwd, loaded: loadSettings({ configPath, env, cwd, isTerminal }) }
}

function good(t: Test, given: Given): Settings {
  const { loaded } = load(t, given)
  if ('settings' in loaded) return loaded.settings
  throw new Error(loaded.problems.map(problemLine).join('\n'))
}

function bad(t: Test, given: Given): readonly Problem[] {
  const { loaded } = load(t, given)
  if ('problems' in loaded) return loaded.problems
  // The console may have it; a start without it fails.
  if (loaded.missing.length > 0) return loaded.missing
  throw new Error('the settings were accepted')
}

t.test('without a file and without variables everything has its default', async (t) => {
  const { cwd, loaded } = load(t, {})
  t.match(loaded, {
    source: null,
    warnings: [/master key is stored next to/],
    settings: {
      http: { listen: { host: '127.0.0.1', port: 8080 }, baseUrl: null, rateApiPerMinute: 600 },
      data: { dir: join(cwd, 'data'), masterKeyFile: join(cwd, 'data/master.key') },
      auth: { registration: 'first-user', setupToken: null, redirectOrigins: [] },
      checks: { targets: 'auto', concurrency: 1_000, perHost: 10, allow: [] },
      mail: { smtpUrl: null, from: null },
      system: { token: null },
      dns: { servers: [] },
      log: { level: 'info', format: 'json' },
    },
  })
  t.equal(good(t, { isTerminal: true }).log.format, 'pretty')
})

t.test('a variable overrides the file, the file overrides the default', async (t) => {
  const file =
    '[http]\nlisten = "127.0.0.1:1"\nbaseUrl = "https://a.example/"\n[checks]\nperHost = 3'
  const settings = good(t, { file, env: { STILLUP_HTTP_LISTEN: '[::1]:2' } })
  t.same(settings.http.listen, { host: '::1', port: 2 })
  t.equal(settings.http.baseUrl, 'https://a.example')
  t.equal(settings.checks.perHost, 3)
  t.equal(settings.checks.concurrency, 1_000)
})

t.test('lists in variables are separated by commas, an empty variable is none', async (t) => {
  const { http, dns, auth } = good(t, {
    env: {
      STILLUP_HTTP_TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,',
      STILLUP_DNS_SERVERS: '9.9.9.9,[2620:fe::fe]:53,127.0.0.1:5353',
      STILLUP_HTTP_BASE_URL: '',
      STILLUP_AUTH_REDIRECT_ORIGINS: 'https://app.example.com',
    },
  })
  t.same(http.trustedProxies, ['10.0.0.0/8', '::1'])
  t.same(dns.servers, ['9.9.9.9', '[2620:fe::fe]:53', '127.0.0.1:5353'])
  t.same(auth.redirectOrigins, ['https://app.example.com'])
  t.equal(http.baseUrl, null)
})

t.test('the file is found by flag, variable, and in the working directory', async (t) => {
  const dir = t.testdir({
    'flag.toml': '[checks]\nperHost = 1',
    'variable.toml': '[checks]\nperHost = 2',
    'stillup.toml': '[checks]\nperHost = 3',
  })
  const perHost = (configPath: string | undefined, env: Record<string, string>) => {
    const loaded = loadSettings({ configPath, env, cwd: dir, isTerminal: false })
    return 'settings' in loaded && loaded.settings.checks.perHost
  }
  t.equal(perHost('flag.toml', { STILLUP_CONFIG: 'variable.toml' }), 1)
  t.equal(perHost(undefined, { STILLUP_CONFIG: join(dir, 'variable.toml') }), 2)
  t.equal(perHost(undefined, {}), 3)
})

t.test('a named file that is missing, unreadable or no TOML is a problem', async (t) => {
  t.match(bad(t, { configPath: 'none.toml' }), [{ found: 'no such file' }])
  t.match(bad(t, { env: { STILLUP_CONFIG: '/' } }), [{ source: '/', allowed: /TOML file/ }])
  const [problem] = bad(t, { file: '[http]\nlisten = = "x"' })
  t.match(problem, { path: 'the file', found: /in line 2/ })
})

t.test('every problem is reported with its place, value and allowed values', async (t) => {
  const file = `
    speed = 9
    [http]
    listen = "nowhere"
    baseUrl = "https://a.example/path?x"
    lissten = "127.0.0.1:1"
    [checks]
    concurrency = 0
    targets = "all"
    [log]
    level = 7`
  const env = {
    STILLUP_CHECKS_PER_HOST: 'many',
    STILLUP_HTTP_TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.0/33',
    STILLUP_HTTP_LISTN: '127.0.0.1:1',
  }
  const problems = bad(t, { file, env })
  const lines = problems.map(problemLine).sort()
  t.equal(lines.length, 10, lines.join('\n'))
  for (const part of [
    /^http\.listen \(.*stillup\.toml\): found "nowhere"; allowed: host:port/,
    /^http\.baseUrl .*allowed: an http or https address, such as/,
    /^http\.lissten .*does not exist; allowed: http\.listen \(did you mean that\?\)/,
    /^speed .*does not exist/,
    /^checks\.concurrency .*found 0; allowed: a whole number from 1 to/,
    /^checks\.targets .*found "all"; allowed: auto, public, any/,
    /^log\.level .*found 7/,
    /^checks\.perHost \(STILLUP_CHECKS_PER_HOST\): found "many"/,
    /^http\.trustedProxies \(STILLUP_HTTP_TRUSTED_PROXIES\)/,
    /^STILLUP_HTTP_LISTN \(environment\): .*STILLUP_HTTP_LISTEN/,
  ]) {
    t.ok(
      lines.some((line) => part.test(line)),
      String(part),
    )
  }
})

t.test('a secret can come from a file, and is never shown', async (t) => {
  const cwd = t.testdir({ token: 'abcdefgh01234567\n', short: 'abc' })
  const from = (env: Record<string, string>) => loadSettings({ env, cwd, isTerminal: false })
  t.match(from({ STILLUP_SYSTEM_TOKEN_FILE: 'token' }), {
    settings: { system: { token: 'abcdefgh01234567' } },
  })
  for (const env of [
    { STILLUP_SYSTEM_TOKEN: 'ab c' },
    { STILLUP_SYSTEM_TOKEN_FILE: 'short' },
    { STILLUP_SYSTEM_TOKEN_FILE: 'missing' },
    { STILLUP_SYSTEM_TOKEN_FILE: 'token', STILLUP_SYSTEM_TOKEN: 'abcdefgh01234568' },
    { STILLUP_LOG_LEVEL_FILE: 'token' },
  ]) {
    const loaded = from(env)
    t.ok('problems' in loaded && loaded.problems.length === 1, JSON.stringify(env))
    t.notMatch(JSON.stringify(loaded), /ab c|"abc|abcdefgh/)
  }
})

t.test('under systemd the data and the master key are where the unit says', async (t) => {
  const credentials = t.testdir({ 'master-key': 'x' })
  const env = { STATE_DIRECTORY: '/var/lib/stillup', CREDENTIALS_DIRECTORY: credentials }
  const loaded = loadSettings({ env, cwd: '/', isTerminal: false })
  t.match(loaded, {
    warnings: [],
    settings: { data: { dir: '/var/lib/stillup', masterKeyFile: join(credentials, 'master-key') } },
  })
  mkdirSync(join(credentials, 'empty'))
  const without = loadSettings({
    env: { ...env, CREDENTIALS_DIRECTORY: join(credentials, 'empty') },
    cwd: '/',
    isTerminal: false,
  })
  t.match(without, { warnings: [/stored next to/] })
  const chosen = good(t, { env: { STILLUP_DATA_MASTER_KEY_FILE: '/etc/key', ...env } })
  t.equal(chosen.data.masterKeyFile, '/etc/key', 'a setting wins over the unit')
})

t.test('commands beside the installed service find its key, others do not', async (t) => {
  const home = t.testdir({ 'master.key': 'x', lib: {} })
  const service = { dir: join(home, 'lib'), keyFile: join(home, 'master.key') }
  const keyOf = (dir: string) =>
    loadSettings({ env: { STILLUP_DATA_DIR: dir }, cwd: home, isTerminal: false, service })
  t.match(keyOf(service.dir), {
    warnings: [],
    settings: { data: { masterKeyFile: service.keyFile } },
  })
  const elsewhere = join(home, 'other')
  t.match(keyOf(elsewhere), {
    settings: { data: { masterKeyFile: join(elsewhere, 'master.key') } },
  })
})

t.test('a command means the data of the service where none is set and none is here', async (t) => {
  const home = t.testdir({
    lib: {},
    here: { data: {} },
    set: { 'stillup.toml': '[data]\ndir = "data"' },
  })
  const service = { dir: join(home, 'lib'), keyFile: join(home, 'master.key') }
  const dirOf = (cwd: string, { env = {}, isForCommand = true } = {}) => {
    const loaded = loadSettings({ env, cwd, isTerminal: false, service, isForCommand })
    return 'settings' in loaded && loaded.settings.data.dir
  }
  t.equal(dirOf(home), service.dir)
  t.equal(dirOf(home, { isForCommand: false }), join(home, 'data'), 'the daemon starts one here')
  t.equal(dirOf(join(home, 'here')), join(home, 'here', 'data'))
  t.equal(dirOf(join(home, 'set')), join(home, 'set', 'data'))
  t.equal(dirOf(home, { env: { STILLUP_DATA_DIR: 'own' } }), join(home, 'own'))
})

t.test('status pages should not share a registered domain with the service', async (t) => {
  const warningsOf = (statusDomain: string) => {
    const env = {
      STILLUP_HTTP_BASE_URL: 'https://up.example.com',
      STILLUP_HTTP_STATUS_DOMAIN: statusDomain,
      STILLUP_DATA_MASTER_KEY_FILE: '/etc/key',
    }
    const loaded = loadSettings({ env, cwd: '/', isTerminal: false })
    return 'warnings' in loaded ? loaded.warnings : loaded.problems
  }
  t.match(warningsOf('status.example.com'), [/same registered domain/])
  t.same(warningsOf('example.net'), [])
  t.same(warningsOf('example-status.com'), [])
})

t.test('the service itself is not below the domain of status pages', async (t) => {
  const refused = (baseUrl: string, statusDomain: string) => {
    const env = { STILLUP_HTTP_BASE_URL: baseUrl, STILLUP_HTTP_STATUS_DOMAIN: statusDomain }
    const loaded = loadSettings({ env, cwd: '/', isTerminal: false })
    return 'problems' in loaded ? loaded.problems.map(problemLine) : []
  }
  const own = ['https://status.example.com', 'https://STATUS.example.com.:8443'] as const
  for (const baseUrl of own) {
    for (const statusDomain of ['example.com', 'status.example.com', 'Example.COM.']) {
      t.match(refused(baseUrl, statusDomain), [
        /^http\.statusDomain \(STILLUP_HTTP_STATUS_DOMAIN\): .* \(status\.example\.com\) is neither/,
      ])
    }
    for (const statusDomain of ['pages.status.example.com', 'us.example.com', 'example.net']) {
      t.same(refused(baseUrl, statusDomain), [])
    }
  }
  const guessed = { STILLUP_HTTP_LISTEN: 'up.lan:80', STILLUP_HTTP_STATUS_DOMAIN: 'up.lan' }
  t.match(loadSettings({ env: guessed, cwd: '/', isTerminal: false }), {
    problems: [{ path: 'http.statusDomain' }],
  })
})

t.test('mail needs a sender once it has a server', async (t) => {
  const env = { STILLUP_MAIL_SMTP_URL: 'smtp://user:hunter2@mail.example.com' }
  const problems = bad(t, { env })
  t.match(problems, [{ path: 'mail.from', found: 'nothing' }])
  t.notMatch(JSON.stringify(problems), 'hunter2')
  const { mail } = good(t, { env: { ...env, STILLUP_MAIL_FROM: 'Stillup <up@example.com>' } })
  t.equal(mail.from, 'Stillup <up@example.com>')
})

t.test('the variables that Kubernetes adds for a service named like us are not ours', async (t) => {
  const settings = good(t, {
    env: {
      STILLUP_SERVICE_HOST: '10.0.0.1',
      STILLUP_SERVICE_PORT_HTTP: '8080',
      STILLUP_PORT: 'tcp://10.0.0.1:8080',
      STILLUP_PORT_8080_TCP_ADDR: '10.0.0.1',
    },
  })
  t.equal(settings.http.listen.port, 8080)
})

t.test('settings of TLS that need each other', async (t) => {
  const baseUrl = { STILLUP_HTTP_BASE_URL: 'https://up.example.com' }
  const listen = { STILLUP_HTTP_TLS_LISTEN: ':443' }
  const cert = { STILLUP_HTTP_TLS_CERT_FILE: 'tls.crt' }
  const key = { STILLUP_HTTP_TLS_KEY_FILE: 'tls.key' }
  const paths = (env: Record<string, string>) => bad(t, { env }).map(({ path }) => path)
  t.same(paths(listen), ['http.baseUrl'])
  t.same(paths({ ...listen, STILLUP_HTTP_BASE_URL: 'http://up.example.com' }), ['http.baseUrl'])
  t.same(paths({ ...listen, ...baseUrl, ...cert }), ['http.tlsKeyFile'])
  t.same(paths({ ...listen, ...baseUrl, ...key }), ['http.tlsCertFile'])
  t.same(paths({ ...cert, ...key }), ['http.tlsListen'])
  const withoutAcme = { ...listen, ...baseUrl, STILLUP_ACME_IS_ENABLED: 'false' }
  t.same(paths(withoutAcme), ['http.tlsCertFile'])
  t.same(paths({ ...baseUrl, STILLUP_HTTP_TLS_LISTEN: '443' }), ['http.tlsListen'])
  t.same(paths({ STILLUP_ACME_EMAIL: 'nobody' }), ['acme.email'])
  const { http } = good(t, { env: { ...withoutAcme, ...cert, ...key } })
  t.match(http, { tlsListen: { host: null, port: 443 }, tlsCertFile: /\/tls\.crt$/ })
})

t.test('a bucket needs its address, its name and both halves of its key', async (t) => {
  const names = (env: Record<string, string>) => bad(t, { env }).map(({ path }) => path)
  const url = { STILLUP_BACKUP_BUCKET_URL: 'http://s3.example.com' }
  const rest = {
    STILLUP_BACKUP_BUCKET_NAME: 'my-backups',
    STILLUP_BACKUP_BUCKET_ACCESS_KEY: 'AKID',
    STILLUP_BACKUP_BUCKET_SECRET_KEY: 'a/secret+of=it',
  }
  t.same(names(url), ['backup.bucketName', 'backup.bucketAccessKey', 'backup.bucketSecretKey'])
  t.same(names(rest), ['backup.bucketUrl'])
  t.same(names({ ...url, ...rest, STILLUP_BACKUP_BUCKET_NAME: 'My_Backups' }), [
    'backup.bucketName',
  ])
  const prefix = 'STILLUP_BACKUP_BUCKET_PREFIX'
  t.same(names({ ...url, ...rest, [prefix]: '/../x' }), ['backup.bucketPrefix'])
  const { backup } = good(t, { env: { ...url, ...rest, [prefix]: 'a/b' } })
  t.match(backup, { bucketPrefix: 'a/b/', bucketRegion: 'us-east-1', bucketIsSealed: true })
  const env = { ...url, ...rest, STILLUP_BACKUP_BUCKET_IS_SEALED: 'false' }
  const { loaded } = load(t, { env })
  t.match('warnings' in loaded && loaded.warnings, [/master key/, /without any encryption/])
})

t.test(
  'an operator is warned where callers could choose the address that limits count',
  async (t) => {
    for (const [proxies, isWarned] of [
      ['10.0.0.0/8', false],
      ['127.0.0.1,0.0.0.0/0', true],
      ['::/0', true],
    ] as const) {
      const { loaded } = load(t, { env: { STILLUP_HTTP_TRUSTED_PROXIES: proxies } })
      const warnings = 'warnings' in loaded ? loaded.warnings : loaded.problems
      t.equal(
        warnings.some((one) => /trusts every address/.test(String(one))),
        isWarned,
        proxies,
      )
    }
  },
)
