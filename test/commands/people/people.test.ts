// The operator on the machine: accounts, organizations, members and keys, with a real daemon.
import t, { type Test } from 'tap'
import { columnLines } from '../../../src/commands/people/columns.ts'
import { command as keys } from '../../../src/commands/people/key.ts'
import { command as orgs } from '../../../src/commands/people/org.ts'
import { command as users } from '../../../src/commands/people/user.ts'
import { mintKey, password, register } from '../../support/cast.ts'
import { type Daemon, startDaemon } from '../../support/daemon.ts'
import { fakeHost, typed } from '../../support/fake-host.ts'
import { testFolder } from '../../support/test-folder.ts'

interface Answered {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command beside the daemon; somebody at a terminal answers what is asked. */
async function cli(t: Test, daemon: Daemon, argv: string[], said?: string): Promise<Answered> {
  const plain = fakeHost(testFolder(t), { STILLUP_DATA_DIR: daemon.dir })
  const host = said === undefined ? plain : { ...plain, isInteractive: true, ask: async () => said }
  const code = await typed(host, ...argv)
  return { code, out: host.printed.join('\n'), err: host.complaints.join('\n') }
}

/** The same with --json, which must work. */
async function json(t: Test, daemon: Daemon, ...argv: string[]) {
  const { code, out, err } = await cli(t, daemon, [...argv, '--json'])
  t.match({ code, err }, { code: 0, err: '' }, argv.join(' '))
  return JSON.parse(out)
}

const closed = { env: { AUTH_REGISTRATION: 'first-user' } }

/** Sets the password of the account, as its person would with the link. */
async function usePasswordLink(daemon: Daemon, url: string): Promise<void> {
  const token = new URL(url).searchParams.get('token')
  await daemon.need('POST', '/auth/password/reset', { json: { token, password } })
}

async function signIn(daemon: Daemon, email: string) {
  return daemon.ask('POST', '/api/v1/auth/login', { json: { email, password } })
}

t.test('a closed installation is set up by the command line alone', async (t) => {
  const daemon = await startDaemon(t, closed)
  const argv = ['user', 'add', 'Ada@example.com', '--name', 'Ada', '--org-name', 'Acme']
  const first = await cli(t, daemon, argv)
  t.match(first, { code: 0, err: '' })
  t.match(first.out, /Ada@example\.com is an administrator of the service, owner of Acme \(org_/)
  const [url = ''] = /http:\S+/.exec(first.out) ?? []
  daemon.secrets.add(new URL(url).searchParams.get('token') ?? '')
  t.equal((await signIn(daemon, 'ada@example.com')).status, 401, 'it has no password yet')
  await usePasswordLink(daemon, url)
  const cookie = (await signIn(daemon, 'ada@example.com')).json.data.token
  const { user } = await daemon.need('GET', '/auth/session', { cookie })
  t.match(user, { name: 'Ada', isSystemAdmin: true, emailVerifiedAt: String })
  const late = { email: 'eve@example.com', password, setupToken: daemon.setupToken }
  t.equal((await daemon.ask('POST', '/api/v1/auth/register', { json: late })).status, 403)
  t.match(await cli(t, daemon, argv), { code: 1, err: /already an account/ })

  const bob = await json(
    t,
    daemon,
    ...['user', 'add', 'bob@example.com', '--org', 'Acme', '--role', 'admin'],
  )
  t.match(bob, { user: { isSystemAdmin: false }, organization: { name: 'Acme', role: 'admin' } })
  t.same(Object.keys(bob.user).includes('passwordHash'), false)
  const log = await daemon.need('GET', '/system/audit-log', { cookie })
  const made = log.filter(({ action }: { action: string }) => action === 'user.registered')
  t.match(made, [{ actor: { kind: 'command_line' } }, { actor: { kind: 'command_line' } }])
  t.match(await cli(t, daemon, ['user', 'add', 'no-address']), { code: 1, err: /email must be/ })
})

t.test('accounts are listed, switched off and on, and made administrators', async (t) => {
  const daemon = await startDaemon(t, closed)
  const ada = await register(daemon, 'ada', daemon.setupToken)
  const { url } = await json(t, daemon, 'user', 'add', 'bob@example.com')
  await usePasswordLink(daemon, url)
  const bob = (await signIn(daemon, 'bob@example.com')).json.data.token
  const listed = await cli(t, daemon, ['user', 'list'])
  t.match(listed.out, /^EMAIL +NAME +ADMIN.*\nbob@example\.com .*\nada@example\.com +- +yes /)
  const found = await json(t, daemon, 'user', 'list', '--search', 'bo')
  t.match(found, [{ email: 'bob@example.com', isDisabled: false, organizations: 1 }])

  t.match(await cli(t, daemon, ['user', 'disable', 'bob@example.com']), { code: 64, err: /--yes/ })
  t.match(await cli(t, daemon, ['user', 'disable', 'bob@example.com'], 'n'), { code: 1 })
  t.equal((await daemon.ask('GET', '/api/v1/auth/session', { cookie: bob })).status, 200)
  t.match(await cli(t, daemon, ['user', 'disable', 'bob@example.com'], 'y'), { code: 0 })
  t.equal((await daemon.ask('GET', '/api/v1/auth/session', { cookie: bob })).status, 401)
  t.match(await cli(t, daemon, ['user', 'enable', 'bob@example.com']), { code: 0 })
  t.equal((await signIn(daemon, 'bob@example.com')).status, 200)

  const demote = ['user', 'set-admin', 'ada@example.com', '--revoke']
  t.match(await cli(t, daemon, demote), { code: 1, err: /last system administrator/ })
  t.match(await json(t, daemon, 'user', 'set-admin', 'bob@example.com'), { isSystemAdmin: true })
  t.match(await cli(t, daemon, demote), { code: 0, out: /is not an administrator/ })
  t.equal((await daemon.ask('GET', '/api/v1/system/info', { cookie: ada.cookie })).status, 403)
  t.match(await cli(t, daemon, ['user', 'reset-totp', 'nobody@example.com', '--yes']), {
    code: 1,
    err: /no account with the address nobody@example\.com/,
  })
})

t.test('an API key is printed once, works, and is refused once it is revoked', async (t) => {
  const daemon = await startDaemon(t, closed)
  const { org, cookie, userId } = await register(daemon, 'ada', daemon.setupToken)
  const made = await cli(t, daemon, ['key', 'create', 'deploy', '--role', 'member', '--days', '30'])
  t.match(made, { code: 0, out: /^sup_\w+$/, err: /shown only now\. Id: key_/ })
  const key = made.out
  daemon.secrets.add(key)
  t.equal((await daemon.ask('GET', `/api/v1${org}/monitors`, { key })).status, 200)
  const [kept, ...others] = await json(t, daemon, 'key', 'list')
  t.match(kept, { name: 'deploy', role: 'member', createdBy: userId, prefix: key.slice(0, 8) })
  t.same(others, [])
  t.notMatch(JSON.stringify(kept), /hash|sup_\w{10}/i, 'neither the key nor its hash')
  t.match((await cli(t, daemon, ['key', 'list'])).out, /deploy +member +sup_.* member +usr_/)

  t.match(await cli(t, daemon, ['key', 'revoke', kept.id]), { code: 64, err: /--yes/ })
  t.match(await cli(t, daemon, ['key', 'revoke', kept.id, '--yes']), { code: 0 })
  t.equal((await daemon.ask('GET', `/api/v1${org}/monitors`, { key })).status, 401)
  t.match(await cli(t, daemon, ['key', 'revoke', kept.id, '--yes']), {
    code: 1,
    err: /no such API/,
  })
  const log = await daemon.need('GET', `${org}/audit-log`, { cookie })
  const noted = log.filter(({ objectId }: { objectId: string }) => objectId === kept.id)
  t.match(
    noted.map(({ action, actor }: { action: string; actor: { kind: string } }) => [
      action,
      actor.kind,
    ]),
    [
      ['key.revoked', 'command_line'],
      ['key.created', 'command_line'],
    ],
  )
  for (const days of ['0', '1.5', 'soon', '99999']) {
    t.match(await cli(t, daemon, ['key', 'create', 'x', '--days', days]), { code: 64 }, days)
  }
  const stranger = ['key', 'create', 'x', '--for', 'eve@example.com']
  t.match(await cli(t, daemon, stranger), { code: 1, err: /no account/ })
  t.match(await json(t, daemon, 'key', 'create', 'x', '--days', 'never'), { expiresAt: null })
})

t.test('organizations are made, bounded, switched off and deleted; owners replaced', async (t) => {
  const daemon = await startDaemon(t, closed)
  const ada = await register(daemon, 'ada', daemon.setupToken)
  const acmeKey = await mintKey(daemon, ada)
  await json(t, daemon, 'user', 'add', 'bob@example.com', '--org', "ada's", '--role', 'viewer')
  const made = await json(t, daemon, 'org', 'create', 'Acme', '--owner', 'bob@example.com')
  t.match(made, { name: 'Acme', role: 'owner' })
  t.match(await cli(t, daemon, ['org', 'create', 'Acme']), { code: 64, err: /--owner/ })
  t.match((await cli(t, daemon, ['org', 'list'])).out, /Acme +- +0 +1 .*\n.*ada's +- +0 +2 /)
  t.match(await cli(t, daemon, ['key', 'list']), { code: 64, err: /name one with --org/ })

  const quotas = ['org', 'set-quota', 'Acme', 'monitors=7', 'pages=usual']
  t.match(await json(t, daemon, ...quotas), { quotas: { monitors: 7, pages: 20 } })
  t.match(await cli(t, daemon, ['org', 'set-quota', 'Acme', 'rockets=1']), { code: 64 })
  const tooMany = ['org', 'set-quota', 'Acme', 'monitors=99999999']
  t.match(await cli(t, daemon, tooMany), { code: 1, err: /quotas\.monitors must be/ })

  const isUp = async () =>
    (await daemon.ask('GET', `/api/v1${ada.org}/monitors`, { key: acmeKey })).status
  t.match(await cli(t, daemon, ['org', 'suspend', "ada's", '--yes']), { code: 0 })
  t.equal(await isUp(), 403)
  t.match(await json(t, daemon, 'key', 'list', '--org', ada.orgId), [{ name: 'admin key' }])
  t.match(await cli(t, daemon, ['org', 'resume', "ada's"]), { code: 0 })
  t.equal(await isUp(), 200)

  const role = (name: string) => ['org', 'set-role', "ada's", 'bob@example.com', name]
  t.match(await cli(t, daemon, ['org', 'remove-member', "ada's", 'ada@example.com', '--yes']), {
    code: 1,
    err: /last owner/,
  })
  t.match(await cli(t, daemon, role('owner')), { code: 0, out: 'bob@example.com is owner.' })
  t.match(await cli(t, daemon, ['org', 'remove-member', "ada's", 'ada@example.com', '--yes']), {
    code: 0,
  })
  t.match(await json(t, daemon, 'org', 'members', "ada's"), [{ role: 'owner' }])
  t.match(await cli(t, daemon, ['org', 'set-role', 'Acme', 'ada@example.com', 'viewer']), {
    code: 0,
  })
  t.equal((await json(t, daemon, 'org', 'members', 'Acme')).length, 2)

  t.match(await cli(t, daemon, ['org', 'delete', 'Acme']), { code: 64 })
  t.match(await cli(t, daemon, ['org', 'delete', 'Acme', '--yes']), { code: 0, out: /is deleted/ })
  t.match(await cli(t, daemon, ['org', 'members', 'Acme']), { code: 1, err: /no such org/ })
})

t.test('names that people chose cannot control the terminal', async (t) => {
  const lines = columnLines([{ name: 'a\u001b[2Jb\nc' }], { NAME: (one) => one.name })
  t.same(lines, ['NAME', 'a?[2Jb?c'])
})

t.test('what hurts asks first: each such command has --yes', async (t) => {
  const asking = [keys, orgs, users].flatMap(({ commands }) =>
    Object.entries(commands).flatMap(([name, { command }]) =>
      'yes' in command.options ? [name] : [],
    ),
  )
  const wanted = [
    'revoke',
    'suspend',
    'delete',
    'remove-member',
    'reset-totp',
    'reset-passkeys',
    'disable',
  ]
  t.same(asking.sort(), wanted.sort())
})
