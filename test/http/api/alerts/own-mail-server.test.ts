// An e-mail channel with a mail server of its own, on a service that has none.
import t from 'tap'
import { register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { startSmtpInbox } from '../../../support/smtp-inbox.ts'

const mask = '••••'

t.test('alerts go through the server of the channel, from its sender', async (t) => {
  const inbox = await startSmtpInbox(t)
  const daemon = await startDaemon(t)
  const ada = await register(daemon, 'ada', daemon.setupToken)
  const { cookie } = ada
  const channels = `${ada.org}/alert-channels`
  const from = 'Alerts <alerts@example.com>'
  const config = { to: ['desk@example.com'], server: `smtp://127.0.0.1:${inbox.port}`, from }
  const made = await daemon.need('POST', channels, {
    cookie,
    json: { name: 'Desk', type: 'email', config },
  })
  t.match(made, { config, isDefault: true, health: { state: 'untested', missingSettings: [] } })
  const path = `${channels}/${made.id}`
  t.match(await daemon.need('POST', `${path}/test`, { cookie }), {
    delivered: true,
    response: /^250 /,
  })
  t.match(await inbox.mailTo('desk@example.com'), { from, sender: 'alerts@example.com' })

  inbox.refuse = (stage) => (stage === 'mail' ? 553 : undefined)
  t.match(await daemon.need('POST', `${path}/test`, { cookie }), {
    delivered: false,
    status: 553,
    response: /^553 /,
    error: 'The mail server refused the sender or the session (553).',
  })
  inbox.refuse = () => undefined

  const log = await daemon.need('GET', `${path}/deliveries`, { cookie })
  const delivery = await daemon.need('GET', `${path}/deliveries/${log.at(-1).id}`, { cookie })
  t.match(delivery.attemptLog, [
    { request: `letter to desk@example.com through 127.0.0.1:${inbox.port}` },
  ])
})

t.test('its password is masked, and given again for another server', async (t) => {
  const daemon = await startDaemon(t)
  const ada = await register(daemon, 'ada', daemon.setupToken)
  const { cookie } = ada
  const channels = `${ada.org}/alert-channels`
  const config = {
    to: ['desk@example.com'],
    server: 'smtps://mail.example.com',
    username: 'alerts',
    password: 'a-very-secret-word',
    from: 'alerts@example.com',
  }
  const { id } = await daemon.need('POST', channels, {
    cookie,
    json: { name: 'Desk', type: 'email', config },
  })
  const shown = await daemon.need('GET', `${channels}/${id}`, { cookie })
  t.same(shown.config, { ...config, password: mask })
  const change = (json: object) => daemon.ask('PATCH', `/api/v1${channels}/${id}`, { cookie, json })
  const moved = await change({ config: { server: 'smtps://mail.evil.test' } })
  t.match(moved.json, { status: 422, errors: [{ pointer: '/config/password' }] })
  t.equal((await change({ config: { server: 'smtps://mail.example.com:465' } })).status, 422)
  t.equal((await change({ config: { from: 'up@example.com' } })).status, 200)
})

t.test('what is wrong with a server is said by its field', async (t) => {
  const daemon = await startDaemon(t, { env: { CHECKS_TARGETS: 'public' } })
  const ada = await register(daemon, 'ada', daemon.setupToken)
  const server = 'smtp://mail.example.com'
  const from = 'alerts@example.com'
  const cases: [object, string][] = [
    [{ server: 'mail.example.com', from }, '/config/server'],
    [{ server: 'https://mail.example.com', from }, '/config/server'],
    [{ server: 'smtp://user:word@mail.example.com', from }, '/config/server'],
    [{ server: 'smtp://mail.example.com/?tls=no', from }, '/config/server'],
    [{ server: 'smtp://127.0.0.1:25', from }, '/config/server'],
    [{ server: 'smtp://mail.example.com:99999', from }, '/config/server'],
    [{ server }, '/config/from'],
    [{ from }, '/config/server'],
    [{ server, from: 'nobody' }, '/config/from'],
    [{ server, from: 'A <a@b.example>\r\nBcc: x@y.example' }, '/config/from'],
    [{ server, from, username: 'alerts' }, '/config/password'],
    [{ server, from, password: 'word' }, '/config/username'],
  ]
  for (const [wrong, pointer] of cases) {
    const json = { name: 'Desk', type: 'email', config: { to: ['desk@example.com'], ...wrong } }
    const answer = await daemon.ask('POST', `/api/v1${ada.org}/alert-channels`, {
      cookie: ada.cookie,
      json,
    })
    t.match(answer.json, { errors: [{ pointer }] }, JSON.stringify(wrong))
  }
})
