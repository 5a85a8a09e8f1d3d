// The way back for somebody who lost the password: whoever has the machine gets a link.
import t from 'tap'
import { password, register } from '../../support/cast.ts'
import { startDaemon } from '../../support/daemon.ts'
import { fakeHost, typed } from '../../support/fake-host.ts'
import { testFolder } from '../../support/test-folder.ts'

t.test('the link sets a new password once, and a second factor stays on', async (t) => {
  const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: 'first-user' } })
  const { email, cookie } = await register(daemon, 'ada', daemon.setupToken)
  const host = fakeHost(testFolder(t), { STILLUP_DATA_DIR: daemon.dir })
  t.equal(await typed(host, 'reset-password', 'ADA@example.com'), 0)
  const [link = ''] = /http:\S+/.exec(host.printed.join('\n')) ?? []
  t.match(link, `${daemon.url}/api/v1/auth/password/reset?token=`)
  t.match((await daemon.ask('GET', link.slice(daemon.url.length))).text, 'ada@example.com')
  const token = new URL(link).searchParams.get('token') ?? ''
  const set = (json: object) => daemon.ask('POST', '/api/v1/auth/password/reset', { json })
  const renewed = 'four winds over nine hills'
  t.equal((await set({ token, password: renewed })).status, 200)
  t.equal((await set({ token, password: renewed })).status, 410)
  const login = (word: string) =>
    daemon.ask('POST', '/api/v1/auth/login', { json: { email, password: word } })
  t.equal((await login(password)).status, 401)
  t.equal((await daemon.ask('GET', '/api/v1/auth/session', { cookie })).status, 401)
  const back = await login(renewed)
  t.equal(back.status, 200)
  const system = { cookie: back.json.data.token }
  const log = await daemon.need('GET', '/system/audit-log', system)
  const asked = log.find(({ action }: { action: string }) => action === 'password.reset_asked')
  t.match(asked, { actor: { kind: 'command_line' }, detail: 'by the command line' })
})

t.test('without such an account, or without a daemon, it says so and ends with 1', async (t) => {
  const daemon = await startDaemon(t)
  const host = fakeHost(testFolder(t), { STILLUP_DATA_DIR: daemon.dir })
  t.equal(await typed(host, 'reset-password', 'nobody@example.com'), 1)
  t.match(host.complaints[0], 'There is no account with the address nobody@example.com.')
  const alone = fakeHost(testFolder(t), { STILLUP_DATA_DIR: testFolder(t) })
  t.equal(await typed(alone, 'reset-password', 'ada@example.com'), 1)
  t.match(alone.complaints.join('\n'), /data\.dir/)
  t.same(alone.printed, [])
})
