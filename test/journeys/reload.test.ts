// Settings that change while the daemon runs: a SIGHUP applies them without a restart.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { register } from '../support/cast.ts'
import { startProcess } from '../support/daemon-process.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSmtpInbox } from '../support/smtp-inbox.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

function startWithFile(t: Test, toml: string) {
  const cwd = testFolder(t, { 'stillup.toml': toml })
  const daemon = startProcess(t, cwd)
  let reloads = 0
  return {
    daemon,
    async reload(next: string) {
      writeFileSync(join(cwd, 'stillup.toml'), next)
      daemon.child.kill('SIGHUP')
      reloads += 1
      const ends = /"message":"the settings were (not )?reloaded/g
      await until(() => (daemon.err.match(ends)?.length ?? 0) >= reloads)
    },
  }
}

// It also has the heartbeat: a start costs more than a reload.
const { daemon, reload } = startWithFile(t, '[checks]\ntargets = "any"\n')

t.test('limits, tokens and targets change; what needs a restart is named', async (t) => {
  await daemon.ready()
  const metrics = (bearer: string) => daemon.ask('GET', '/metrics', { bearer })
  const { cookie } = await register(daemon, 'ann', await daemon.setupToken())
  const policy = async () =>
    (await daemon.ask('GET', '/api/v1/orgs', { cookie })).headers.get('ratelimit-policy')
  t.equal((await metrics('a-new-token')).status, 401)
  t.match(await policy(), 'q=600')
  await reload(`
    [http]
    rateApiPerMinute = 7
    hstsSeconds = 60
    [system]
    token = "a-new-token"
    [auth]
    registration = "open"
  `)
  t.equal((await metrics('a-new-token')).status, 200)
  t.match(await policy(), 'q=7')
  t.match(daemon.err, 'needs a restart: http.hstsSeconds')
  t.match(
    daemon.err,
    '"applied":["http.rateApiPerMinute","auth.registration","checks.targets","system.token"]',
  )

  await reload('[http]\nrateApiPerMinute = 0\nstatusDomain = "everywhere"\n[log]\nlevel = "loud"\n')
  t.match(await policy(), 'q=7', 'a wrong file changes nothing')
  t.match(daemon.err, /nothing has changed/)
  t.match(daemon.err, /everywhere/)
  t.match(daemon.err, /loud/, 'each problem is told')

  await reload('[http]\nrateApiPerMinute = 0\n')
  t.equal(await policy(), null)
  t.equal((await metrics('a-new-token')).status, 401)
})

t.test('letters go through the new mail server, from the new sender', async (t) => {
  const [first, second] = [await startSmtpInbox(t), await startSmtpInbox(t)]
  const mail = (inbox: typeof first, from: string) =>
    `[mail]\nsmtpUrl = "${inbox.url}"\nfrom = "${from}"\n`
  const { daemon, reload } = startWithFile(t, mail(first, 'one@up.test'))
  await daemon.ready()
  const { email } = await register(daemon, 'ann', await daemon.setupToken())
  await first.mailTo(email)
  await reload(mail(second, 'two@up.test'))
  await daemon.need('POST', '/auth/password/forgot', { json: { email } })
  t.equal((await second.mailTo(email)).sender, 'two@up.test')
  await reload('')
  await daemon.need('POST', '/auth/password/forgot', { json: { email } })
  await until(() => daemon.err.includes('letter written'))
  t.match(await daemon.stop(), { code: 0 })
})

t.test('the outgoing heartbeat begins, moves and ends with its setting', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  await reload('')
  const beat = (path: string) => `[heartbeat]\nurl = "${new URL(path, receiver.url)}"\n`
  const paths = () => receiver.requests.map(({ path }) => path)
  await reload(beat('/one'))
  await until(() => paths().includes('/one'))
  await reload(beat('/two'))
  await until(() => paths().includes('/two'))
  await reload('')
  t.same(paths(), ['/one', '/two'])
  t.match(await daemon.stop(), { code: 0 })
})
