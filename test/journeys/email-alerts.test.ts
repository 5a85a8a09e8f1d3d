// E-mail alerts from end to end: an outage reaches two people, or says why it cannot.
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startSmtpInbox } from '../support/smtp-inbox.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const ann = 'ann@example.test'
const bob = 'bob@example.test'

t.test('an outage and its end are one thread in each mailbox', async (t) => {
  const inbox = await startSmtpInbox(t)
  const env = { MAIL_SMTP_URL: inbox.url, MAIL_FROM: 'stillup <up@up.test>' }
  const daemon = await startDaemon(t, { env })
  const target = await startTarget()
  t.teardown(() => target.close())
  const { org, key } = await registerWithKey(daemon)
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'email', config: { to: [ann, bob] } },
  })
  const at = `${org}/alert-channels/${channel.id}`
  t.match(await daemon.need('POST', `${at}/test`, { key }), { delivered: true })
  t.match(await inbox.mailTo(ann), { subject: 'Test of On call' })

  const monitor = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: {
      name: 'Shop =?utf-8?q?=0D=0ABcc:_eve@evil.test?=',
      url: `${target.url}/health`,
      intervalMinutes: 1_440,
    },
  })
  const run = () => daemon.need('POST', `${org}/monitors/${monitor.id}`, { key })
  await run()
  target.script = answer({ status: 503 })
  for (let round = 0; round < 3; round++) await run()
  const opened = await inbox.mailTo(ann, 2)
  await inbox.mailTo(bob, 2)
  target.script = answer()
  for (let round = 0; round < 2; round++) await run()
  const resolved = await inbox.mailTo(ann, 3)
  t.match(opened.subject, /is down$/)
  t.equal(resolved.subject, opened.subject)
  t.match(opened.headers.references, /^<inc_\w+@up\.test>$/)
  t.equal(resolved.headers.references, opened.headers.references)
  t.match(resolved.text, /^Resolved: Shop/)
  t.match(opened.html, `${daemon.url}/alerts/`)
  for (const { recipients, headers } of inbox.mails) {
    t.notOk(recipients.includes('eve@evil.test'))
    t.equal(headers.bcc, undefined)
  }
})

t.test('without a mail server an e-mail channel says so, and its alert waits', async (t) => {
  const daemon = await startDaemon(t)
  const target = await startTarget()
  t.teardown(() => target.close())
  const { org, key } = await registerWithKey(daemon)
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'email', config: { to: [ann] }, isDefault: true },
  })
  const at = `${org}/alert-channels/${channel.id}`
  const error = 'No mail server is set up: mail.smtpUrl.'
  t.match(await daemon.need('POST', `${at}/test`, { key }), { delivered: false, error })
  target.script = answer({ status: 503 })
  const monitor = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name: 'Shop', url: target.url, intervalMinutes: 1_440 },
  })
  for (let round = 0; round < 3; round++) {
    await daemon.need('POST', `${org}/monitors/${monitor.id}`, { key })
  }
  const delivery = await until(async () => {
    const [first, test] = await daemon.need('GET', `${at}/deliveries`, { key })
    return test && first.lastError === error && first
  })
  t.match(delivery, { state: 'pending', event: 'incident.opened' })
})
