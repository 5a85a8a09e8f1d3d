// Letters through a real mail server: what goes over the wire, when it does not, and what is said.
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import { createLog } from '../../src/base/log/log.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { createSmtpMailer, poolOptions, type SmtpOptions } from '../../src/mail/smtp.ts'
import type { LetterEnvelope } from '../../src/mail/transport.ts'
import { testCa, testCertificates } from '../support/certificates.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { freePort } from '../support/free-port.ts'
import { hostileName } from '../support/letter-samples.ts'
import { makeEnvelope, makeLetter, secretLink, startMailWorld } from '../support/mail-world.ts'
import { linkIn } from '../support/read-mail.ts'
import { type InboxOptions, startSmtpInbox } from '../support/smtp-inbox.ts'
import { until } from '../support/until.ts'

const never = new AbortController().signal

/** A mailer to a server, closed with the test; `lines` is what it logged. */
function mailerTo(t: Test, url: string, options: Partial<SmtpOptions> = {}) {
  const clock = options.clock ?? startClock()
  const lines: string[] = []
  const log = createLog({ level: 'debug', format: 'json', write: (line) => void lines.push(line) })
  const transport = createSmtpMailer({ url, clock, log, ...options })
  t.teardown(() => {
    transport.close()
    if ('stop' in clock && typeof clock.stop === 'function') clock.stop()
  })
  const send = (envelope: Partial<LetterEnvelope> = {}, signal = never) =>
    transport.send(makeEnvelope(envelope), { signal })
  return { transport, send, lines }
}

async function start(t: Test, options: InboxOptions = {}, more: Partial<SmtpOptions> = {}) {
  const inbox = await startSmtpInbox(t, options)
  return { inbox, ...mailerTo(t, inbox.url, { ca: [testCa], ...more }) }
}

t.test('a letter arrives as text and as HTML, with its sender and recipient', async (t) => {
  const { inbox, send } = await start(t)
  t.same(await send(), { ok: true })
  const mail = await inbox.mailTo('ann@example.test')
  t.match(mail, {
    sender: 'up@up.test',
    recipients: ['ann@example.test'],
    subject: 'Sign in',
    from: 'Stillup <up@up.test>',
    to: 'ann@example.test',
    messageId: '<ltr_1@up.test>',
  })
  t.match(mail.headers, {
    'auto-submitted': 'auto-generated',
    'x-auto-response-suppress': 'All',
    'mime-version': '1.0',
    date: 'Thu, 01 Jan 2026 00:00:00 +0000',
    'content-type': /^multipart\/alternative/,
  })
  t.equal(mail.text.trim(), makeLetter().text.trim())
  t.equal(mail.html.trim(), makeLetter().html.trim())
  t.equal(linkIn(mail), secretLink)
})

t.test('names with line breaks and any script stay in their place', async (t) => {
  const { inbox, send } = await start(t)
  const subject = `${hostileName.replace(/[\r\n]+/g, ' ')} – Grüße 你好 🚀`
  const letter = { ...makeLetter(), subject }
  await send({ letter, from: { name: hostileName, address: 'up@up.test' } })
  const mail = await inbox.mailTo('ann@example.test')
  t.equal(mail.subject, subject)
  t.equal(mail.headers.bcc, undefined)
  t.same(mail.recipients, ['ann@example.test'])
  t.match(mail.from, /<up@up\.test>$/)
  t.notMatch(mail.raw, /^Bcc/im)
  const raw = { ...makeLetter(), subject: 'Hi\r\nBcc: all@evil.test\r\n\r\nbody' }
  await send({ letter: raw, messageId: '<ltr_2@up.test>' })
  const second = await inbox.mailTo('ann@example.test', 2)
  t.notMatch(second.raw, /^Bcc/im, 'even where a letter was not made by letterOf')
  t.same(second.recipients, ['ann@example.test'])
})

t.test('a recipient that is not one address gets nothing, permanently', async (t) => {
  const { inbox, send } = await start(t)
  for (const to of [
    'ann@example.test, eve@evil.test',
    'ann@example.test> NOTIFY=NEVER',
    'ann@example.test\r\nRCPT TO:<eve@evil.test>',
    'Eve <eve@evil.test>',
    'group: eve@evil.test;',
    'ann@[eve@evil.test]',
    '"eve@evil.test"@example.test',
    'ann',
    '',
  ]) {
    t.match(await send({ to }), { ok: false, mayRetry: false, reason: /address/ }, to)
  }
  t.same(inbox.seen, [])
  t.same(await send({ to: "o'neil+up@grüße.example" }), { ok: true })
  t.match(inbox.mails, [{ to: "o'neil+up@xn--gre-6ka8l.example", recipients: { length: 1 } }])
})

t.test('a password is sent only over TLS, to a server with a valid certificate', async (t) => {
  const account = { user: 'up@up.test', password: 's3cr3t-password' }
  const { inbox, send } = await start(t, { account, tls: testCertificates.good })
  t.same(await send(), { ok: true })
  t.match(await inbox.mailTo('ann@example.test'), { isSecure: true, user: account.user })

  const plain = await start(t, { account })
  t.match(await plain.send(), { ok: false, mayRetry: true, reason: /no usable TLS/ })
  t.same(plain.inbox.mails, [])
  t.same(
    plain.inbox.seen.filter(({ stage }) => stage !== 'connect'),
    [],
    'without STARTTLS nothing is said to the server',
  )
  t.match(plain.lines.join(''), /no usable TLS/, 'the operator is told')
})

t.test('a certificate that is not trusted gets neither password nor letter', async (t) => {
  for (const name of ['expired', 'other', 'self'] as const) {
    for (const isSecure of [true, false]) {
      const account = { user: 'up', password: 's3cr3t-password' }
      const options = { account, isSecure, tls: testCertificates[name] }
      const { inbox, send, lines } = await start(t, options)
      const outcome = await send()
      t.match(outcome, { ok: false, mayRetry: true, reason: /certificate .* not trusted/ }, name)
      t.same(inbox.mails, [])
      t.match(lines.join(''), /certificate/)
    }
  }
  const { inbox, send } = await start(t, { isSecure: true, tls: testCertificates.good })
  t.same(await send(), { ok: true }, 'smtps with the right one')
  t.match(inbox.mails, [{ isSecure: true }])
})

t.test('wrong credentials are a matter for the operator, and do not end the letter', async (t) => {
  const account = { user: 'up', password: 's3cr3t-password' }
  const inbox = await startSmtpInbox(t, { account, tls: testCertificates.good })
  const wrong = inbox.url.replace('s3cr3t-password', 'wr0ng-password')
  const { send, lines } = mailerTo(t, wrong, { ca: [testCa] })
  const outcome = await send()
  t.match(outcome, { ok: false, mayRetry: true, reason: /refused the credentials \(535\)/ })
  t.match(lines.join(''), /"level":"error".*credentials/)
  t.notMatch(JSON.stringify(outcome) + lines.join(''), /wr0ng-password|s3cr3t|ann@example/)
  t.same(inbox.mails, [])
})

t.test('a permanent refusal ends the letter, other failures may be retried', async (t) => {
  const { inbox, send } = await start(t)
  const cases = [
    ['rcpt', 550, false, /refused the recipient \(550\)/],
    ['rcpt', 450, true, /deferred the letter \(450\)/],
    ['rcpt', 530, true, /credentials \(530\)/],
    ['data', 554, false, /refused the letter \(554\)/],
    ['data', 451, true, /deferred the letter \(451\)/],
    ['mail', 550, true, /refused the sender or the session \(550\)/],
  ] as const
  for (const [stage, status, mayRetry, reason] of cases) {
    inbox.refuse = (at) => (at === stage ? status : undefined)
    t.match(await send(), { ok: false, mayRetry, reason, status }, `${stage} ${status}`)
  }
  t.same(inbox.mails, [])
  inbox.refuse = () => undefined
  t.same(await send(), { ok: true }, 'and the next letter goes out')
})

t.test('a reason contains nothing of the letter, recipient or server’s words', async (t) => {
  const { inbox, send, lines } = await start(t)
  for (const stage of ['connect', 'mail', 'rcpt', 'data'] as const) {
    inbox.refuse = (at) => (at === stage ? 554 : undefined)
    const said = JSON.stringify(await send())
    t.notMatch(said, /ann@|refused with|s3cr3t|up\.test/, stage)
  }
  t.notMatch(lines.join(''), /ann@|s3cr3t/)
})

t.test('a server that is down, or closes the connection, may be tried again', async (t) => {
  const inbox = await startSmtpInbox(t, { port: await freePort() })
  await inbox.close()
  const { send } = mailerTo(t, inbox.url)
  t.match(await send(), { ok: false, mayRetry: true, reason: /could not be reached \(ECONN/ })
  const nowhere = mailerTo(t, 'smtp://127.0.0.1:1')
  t.match(await nowhere.send(), { ok: false, mayRetry: true })

  const cutting = createServer((socket) => socket.on('error', () => {}).destroy())
  await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve))
  t.teardown(() => cutting.close())
  const address = cutting.address()
  const port = typeof address === 'object' ? address?.port : 0
  const cut = mailerTo(t, `smtp://127.0.0.1:${port}`)
  t.match(await cut.send(), { ok: false, mayRetry: true, reason: /could not be reached/ })
})

t.test('a server that never finishes an answer is given a minute', async (t) => {
  const sockets = new Set<Socket>()
  const dripping = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.write('220-wait\r\n')
  })
  await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    dripping.close()
  })
  const address = dripping.address()
  const port = typeof address === 'object' ? address?.port : 0
  const clock = new FakeClock()
  const { send } = mailerTo(t, `smtp://127.0.0.1:${port}`, { clock })
  const sending = send()
  await until(() => sockets.size === 1)
  await clock.advance(limits.letterTimeoutMs)
  t.match(await sending, { ok: false, mayRetry: true, reason: /longer than 60 seconds/ })
  t.equal(clock.pending, 0, 'no timer is left')
})

t.test('an abandoned attempt is aborted together with its connection', async (t) => {
  const { inbox, send, transport } = await start(t)
  let release = () => {}
  inbox.hold = new Promise((resolve) => {
    release = resolve
  })
  const giving = new AbortController()
  const sending = send({}, giving.signal)
  await until(() => inbox.seen.some(({ stage }) => stage === 'rcpt'))
  giving.abort()
  t.match(await sending, { ok: false, mayRetry: true })
  release()
  transport.close()
  t.match(await send(), { ok: false, mayRetry: true }, 'a closed transport sends nothing')
})

t.test('many letters share a few connections', async (t) => {
  const { inbox, send } = await start(t)
  const to = Array.from({ length: 30 }, (_, index) => `u${index}@example.test`)
  const outcomes = await Promise.all(to.map((one) => send({ to: one })))
  t.ok(outcomes.every(({ ok }) => ok))
  t.same(inbox.mails.flatMap(({ recipients }) => recipients).sort(), to.sort())
  const connections = inbox.seen.filter(({ stage }) => stage === 'connect').length
  t.ok(connections <= limits.lettersInFlightMax, `${connections} connections`)
})

t.test(
  'TLS is required wherever a letter leaves the machine or a password goes along',
  async (t) => {
    const must = (url: string) => {
      const { requireTLS, ignoreTLS, secure, port, host } = poolOptions({ url })
      return { requireTLS, ignoreTLS, secure, port, host }
    }
    const strict = { requireTLS: true, ignoreTLS: false, secure: false }
    t.match(must('smtp://mail.example.com'), { ...strict, port: 587 })
    t.match(must('smtp://u:p@127.0.0.1:25'), { ...strict, port: 25 })
    t.match(must('smtp://127.0.0.1.example.com'), { ...strict, host: '127.0.0.1.example.com' })
    t.match(must('smtp://[2001:db8::1]:25'), { ...strict, host: '2001:db8::1' })
    t.match(must('smtps://mail.example.com'), { secure: true, port: 465 })
    for (const host of ['localhost', '127.0.0.1', '[::1]', '127.8.8.8']) {
      t.match(must(`smtp://${host}:25`), { requireTLS: false, ignoreTLS: true })
    }
    const sly = 'smtp://u:p%40ss@mail.example.com?tls.rejectUnauthorized=false&requireTLS=false'
    t.match(poolOptions({ url: sly }), {
      ...strict,
      tls: { rejectUnauthorized: true },
      auth: { user: 'u', pass: 'p@ss' },
    })
  },
)

t.test('greylisted, then accepted: one mail', async (t) => {
  const { inbox, transport } = await start(t)
  let tries = 0
  inbox.refuse = (stage) => (stage === 'rcpt' && ++tries === 1 ? 450 : undefined)
  const world = startMailWorld(t, { send: transport.send })
  await world.mail('ann@example.test')
  await until(() => tries === 1)
  await until(async () => {
    await world.fakeClock.advance(5_000)
    return world.letters.pending() === 0
  })
  t.equal(inbox.mails.length, 1)
  t.equal(tries, 2)
})

t.test('refused with 550: dead after one try, and others still get theirs', async (t) => {
  const { inbox, transport } = await start(t)
  inbox.refuse = (stage, address) =>
    stage === 'rcpt' && address.startsWith('gone') ? 550 : undefined
  const world = startMailWorld(t, { send: transport.send })
  await world.mail(['gone@example.test', 'ann@example.test'])
  await until(() => world.letters.pending() === 0)
  await world.fakeClock.advance(limits.deliveryAgeMsMax)
  t.equal(inbox.seen.filter(({ address }) => address.startsWith('gone')).length, 1)
  t.same(
    inbox.mails.map(({ recipients }) => recipients),
    [['ann@example.test']],
  )
})

t.test('a server that was down gets the letter once it is back', async (t) => {
  const first = await startSmtpInbox(t, { port: await freePort() })
  await first.close()
  const { transport } = mailerTo(t, first.url)
  const world = startMailWorld(t, { send: transport.send })
  await world.mail('ann@example.test')
  await until(() => world.lines.join('').includes('could not be reached'))
  t.equal(world.letters.pending(), 1)
  const back = await startSmtpInbox(t, { port: first.port })
  await until(async () => {
    await world.fakeClock.advance(5_000)
    return world.letters.pending() === 0
  })
  t.equal(back.mails.length, 1)
})

t.test('a restart between acceptance and record: once more, the same id', async (t) => {
  const { inbox, transport } = await start(t)
  const world = startMailWorld(t, { send: transport.send })
  await world.letters.stop()
  await world.mail('ann@example.test')
  const dying = world.restart({
    store: { ...world.store, write: () => new Promise<never>(() => {}) },
  })
  dying.start()
  await inbox.mailTo('ann@example.test')
  t.equal(dying.pending(), 1)
  world.restart().start()
  await inbox.mailTo('ann@example.test', 2)
  await until(() => world.letters.pending() === 0)
  t.equal(inbox.mails.length, 2)
  t.equal(inbox.mails[0]?.messageId, inbox.mails[1]?.messageId)
  t.equal(inbox.mails[0]?.headers.date, inbox.mails[1]?.headers.date)
})
