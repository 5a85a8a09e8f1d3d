// Alerts by e-mail through a real mail server: threads, the link out, and what goes wrong.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createLog } from '../../../src/base/log/log.ts'
import type { Message, Payload } from '../../../src/channels/model/message.ts'
import { createSender } from '../../../src/channels/sender.ts'
import type { PartDone } from '../../../src/domain/alerts/delivery.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { Mailbox } from '../../../src/mail/address.ts'
import { createSmtpMailer } from '../../../src/mail/smtp.ts'
import { composed, type LetterEnvelope } from '../../../src/mail/transport.ts'
import {
  type AlertLettersDeps,
  createAlertLetters,
} from '../../../src/services/assembly/alert-letters.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { runs } from '../../support/depth.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { readMail } from '../../support/read-mail.ts'
import { longestMessages, messageFrom, samplePayloads } from '../../support/sample-messages.ts'
import { type InboxOptions, startSmtpInbox } from '../../support/smtp-inbox.ts'
import { until } from '../../support/until.ts'

const account = { user: 'up@up.test', password: 's3cr3t-password' }
const ann = 'ann@example.test'

const from: Mailbox = { name: 'stillup', address: 'up@up.test' }

const wiring: Omit<AlertLettersDeps, 'send'> = {
  from: () => from,
  baseUrl: 'https://up.test',
  unsubscribeToken: ({ address }) => `token-of-${address.split('@')[0]}`,
  organizationName: () => 'Acme',
  sendThrough: () => Promise.reject(new Error('must not be called')),
}

const sampleOf = (name: string) => messageFrom(samplePayloads[name] as Payload)

/** A sender through the mail server at the url. */
function senderTo(t: Test, url: string, clock: FakeClock | ReturnType<typeof startClock>) {
  const lines: string[] = []
  const log = createLog({ level: 'debug', format: 'json', write: (line) => void lines.push(line) })
  const transport = createSmtpMailer({ url, ca: [testCa], clock, log })
  t.teardown(() => {
    transport.close()
    if ('stop' in clock) clock.stop()
  })
  const send = createSender({
    sign: () => '',
    request: () => Promise.reject(new Error('must not be called')),
    sendLetter: createAlertLetters({ ...wiring, send: transport.send }),
  })
  return {
    lines,
    send: (
      message: Message,
      to: readonly string[] = [ann],
      partsDone: readonly PartDone[] = [],
    ) => {
      const channel = makeChannel({ type: 'email', config: { to }, name: 'On call' })
      return send(message, { channel, config: channel.config }, { clock, partsDone })
    },
  }
}

/** With STARTTLS and a password, as most mail servers want it. */
async function start(t: Test, options: InboxOptions = { account, tls: testCertificates.good }) {
  const inbox = await startSmtpInbox(t, options)
  return { inbox, ...senderTo(t, inbox.url, startClock()) }
}

t.test('an outage and its end arrive as one thread, in text and in HTML', async (t) => {
  const { inbox, send } = await start(t)
  t.match(await send(sampleOf('opened')), { ok: true })
  t.match(await send({ ...sampleOf('resolved'), id: 'msg_2' }), { ok: true })
  const [first, last] = inbox.mails
  t.match(first, { isSecure: true, user: account.user, recipients: [ann], sender: 'up@up.test' })
  const root = '<inc_01k0000000000000000000000a@up.test>'
  for (const mail of [first, last]) {
    t.match(mail?.headers, {
      'in-reply-to': root,
      references: root,
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'list-unsubscribe': '<https://up.test/unsubscribe/token-of-ann>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'content-type': /^multipart\/alternative/,
    })
  }
  t.equal(first?.subject, last?.subject)
  t.not(first?.messageId, last?.messageId)
  t.match(first?.messageId, /^<msg_[\w]+\.[0-9a-f]{16}@up\.test>$/)
  t.equal(first?.headers.date, 'Thu, 01 Jan 1970 00:01:01 +0000', 'the time of the event')
  t.match(last?.text, /^Resolved: Shop/)
  for (const part of [last?.text ?? '', last?.html ?? '']) {
    t.match(part, 'expected status 200, found 503')
    t.match(part, 'https://up.test/alerts/token')
    t.match(part, 'Acme · https://up.test')
    t.match(part, 'https://up.test/unsubscribe/token-of-ann')
  }
  t.notMatch(last?.html, /<(script|img|iframe|link|form|object)|url\(/i, 'nothing is loaded')
})

t.test('each address has its own letter, link and Message-ID; attempts share it', async (t) => {
  const { inbox, send } = await start(t)
  const to = [ann, 'bob@example.test']
  await send(sampleOf('opened'), to)
  await send(sampleOf('opened'), to)
  const ids = inbox.mails.map(({ messageId }) => messageId)
  t.equal(ids.length, 4)
  t.equal(new Set(ids).size, 2)
  for (const { recipients, headers } of inbox.mails) {
    t.match(headers['list-unsubscribe'], recipients[0]?.split('@')[0])
    t.equal(headers.to, recipients[0], 'nobody sees the others')
  }
})

t.test('one click is offered only by https', async (t) => {
  const envelope: LetterEnvelope = {
    to: ann,
    from,
    messageId: '<m@up.test>',
    writtenAtMs: 0,
    letter: { subject: 'x', text: 'x', html: 'x' },
    unsubscribeUrl: 'http://up.test/unsubscribe/token',
  }
  t.same(Object.keys(composed(envelope).headers).slice(2), ['List-Unsubscribe'])
})

t.test('a recipient refused for good, one deferred, and one who gets it', async (t) => {
  const { inbox, send } = await start(t)
  const to = ['gone@example.test', 'grey@example.test', ann]
  let tries = 0
  inbox.refuse = (stage, address) => {
    if (stage !== 'rcpt') return undefined
    if (address.startsWith('gone')) return 550
    return address.startsWith('grey') && ++tries === 1 ? 451 : undefined
  }
  const outcome = await send(sampleOf('opened'), to)
  t.match(outcome, { ok: false, mayRetry: true, status: 451, reason: /deferred the letter/ })
  t.same(
    inbox.mails.map(({ recipients }) => recipients),
    [[ann]],
  )
  const { partsDone = [] } = outcome.ok ? {} : outcome
  t.match(await send(sampleOf('opened'), to, partsDone), { ok: true })
  t.same(
    inbox.mails.map(({ recipients }) => recipients),
    [[ann], ['grey@example.test']],
  )
  const gone = inbox.seen.filter(({ stage, address }) => stage === 'rcpt' && /^gone/.test(address))
  t.equal(gone.length, 1)
})

t.test('only refusals for good make the message dead', async (t) => {
  const { inbox, send } = await start(t)
  inbox.refuse = (stage) => (stage === 'rcpt' ? 550 : undefined)
  t.match(await send(sampleOf('opened')), {
    ok: false,
    mayRetry: false,
    status: 550,
    reason: `${ann}: The mail server refused the recipient (550).`,
  })
  inbox.refuse = (stage) => (stage === 'mail' ? 550 : undefined)
  t.match(await send(sampleOf('opened')), { ok: false, mayRetry: true, reason: /the sender/ })
})

t.test('a server that says goodbye is not asked for the other addresses', async (t) => {
  const { inbox, send } = await start(t)
  inbox.refuse = (stage) => (stage === 'rcpt' ? 421 : undefined)
  t.match(await send(sampleOf('opened'), [ann, 'bob@example.test']), { ok: false, mayRetry: true })
  t.equal(inbox.seen.filter(({ stage }) => stage === 'rcpt').length, 1)
})

t.test('without STARTTLS nothing is sent, neither password nor letter', async (t) => {
  const { inbox, send, lines } = await start(t, { account })
  t.match(await send(sampleOf('opened'), [ann, 'bob@example.test']), {
    ok: false,
    mayRetry: true,
    reason: 'The mail server offers no usable TLS.',
  })
  t.same(inbox.mails, [])
  t.same(
    inbox.seen.filter(({ stage }) => stage !== 'connect'),
    [],
  )
  t.match(lines.join(''), /no usable TLS/, 'the operator is told')
})

t.test('a wrong password is tried again later, once for all addresses', async (t) => {
  const inbox = await startSmtpInbox(t, { account, tls: testCertificates.good })
  const wrong = inbox.url.replace(account.password, 'wr0ng-password')
  const { send } = senderTo(t, wrong, startClock())
  t.match(await send(sampleOf('opened'), [ann, 'bob@example.test']), {
    ok: false,
    mayRetry: true,
    reason: /refused the credentials \(535\)/,
  })
  t.equal(inbox.seen.filter(({ stage }) => stage === 'connect').length, 1)
})

t.test('a server that hangs is given up, and not asked for each address', async (t) => {
  let connections = 0
  const hanging = createServer((socket) => {
    connections++
    socket.on('error', () => {}).write('220-wait\r\n')
  })
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  t.teardown(() => hanging.close())
  const address = hanging.address()
  const port = typeof address === 'object' ? address?.port : 0
  const clock = new FakeClock()
  const { send } = senderTo(t, `smtp://127.0.0.1:${port}`, clock)
  const outcome = send(sampleOf('opened'), [ann, 'bob@example.test'])
  await until(() => connections === 1)
  await clock.advance(limits.letterTimeoutMs)
  t.match(await outcome, { ok: false, mayRetry: true, reason: /longer than 60 seconds/ })
  t.equal(connections, 1)
})

t.test('where there is a limit, the rest waits as long as it says', async (t) => {
  const own = { server: 'smtp://mail.example.test:25', from: 'up@acme.test' }
  for (const config of [{}, own]) await limited(t, config)
})

async function limited(t: Test, config: object) {
  let left = 1
  const sent: string[] = []
  const arrives = async ({ to }: { readonly to: string }) => {
    sent.push(to)
    return { ok: true } as const
  }
  const sendLetter = createAlertLetters({
    ...wiring,
    takeOne: () => ({ isAllowed: left-- > 0, retryMs: 3_600 }),
    send: arrives,
    sendThrough: (_url, envelope) => arrives(envelope),
  })
  const request = () => Promise.reject(new Error('must not be called'))
  const send = createSender({ sign: () => '', request, sendLetter })
  const to = [ann, 'bob@example.test']
  const channel = makeChannel({ type: 'email', config: { to, ...config } })
  const opened = { channel, config: channel.config }
  t.match(await send(sampleOf('opened'), opened, { clock: new FakeClock() }), {
    ok: false,
    mayRetry: true,
    class: 'rate_limited',
    reason: 'An organization may send 1000 letters an hour.',
    retryAfterMs: 3_600,
    partsDone: { length: 1 },
  })
  t.same(sent, [ann])
}

t.test('no name of a monitor or a channel becomes a header', async (t) => {
  const { send } = recorder()
  const names = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        ':',
        ' ',
        '\t',
        '=?utf-8?q?',
        '?=',
        '<',
        '"',
        '\u2028',
        'é',
        '漢',
        '😀',
      ),
      fc.constantFrom('Bcc: all@evil.test', '\r\nBcc: all@evil.test\r\n\r\n', 'Content-Type: x'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    maxLength: 300,
  })
  await fc.assert(
    fc.asyncProperty(names, names, async (title, channelName) => {
      const raw = await send({ ...sampleOf('opened'), title, matter: title }, channelName)
      const [head = ''] = raw.split('\r\n\r\n')
      assert.match(head, /^[\t\r\n\x20-\x7e]*$/, 'headers are ASCII')
      const lines = head.split('\r\n')
      assert.ok(lines.every((line) => line.length <= 998))
      const headers = lines.filter((line) => !/^[\t ]/.test(line)).map((line) => line.split(':')[0])
      assert.deepEqual(headers.map((name) => name?.toLowerCase()).sort(), expectedHeaders)
    }),
    runs(200),
  )
  t.pass('every header is ours')
})

t.test('a name that looks like an encoded word is shown as it was written', async (t) => {
  const { send } = recorder()
  const matter = 'Shop =?utf-8?q?=0D=0ABcc:_eve@evil.test?= is down'
  const { subject } = readMail(await send({ ...sampleOf('opened'), matter }, 'On call'))
  t.equal(subject.replaceAll('\u2060', ''), matter)
})

t.test('the longest messages are whole mails', async (t) => {
  const { send } = recorder()
  for (const message of longestMessages()) {
    const raw = await send(message, 'On call')
    t.ok(raw.split('\r\n').every((line) => line.length <= 998))
    const { text, html, subject } = readMail(raw)
    t.ok(text.length > 100 && html.endsWith('</html>\n') && subject.length > 10)
    t.ok(raw.length < 200_000, `${raw.length} bytes`)
  }
})

const expectedHeaders = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'in-reply-to',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'message-id',
  'mime-version',
  'references',
  'subject',
  'to',
  'x-auto-response-suppress',
]

/** Composes the mail as the mail server would get it. */
function recorder() {
  let raw = ''
  const sendLetter = createAlertLetters({
    ...wiring,
    async send(envelope) {
      const { createTransport } = await import('nodemailer')
      const stream = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await stream.sendMail(composed(envelope))
      raw = message.toString()
      return { ok: true }
    },
  })
  const sender = createSender({
    sign: () => '',
    request: () => Promise.reject(new Error('must not be called')),
    sendLetter,
  })
  return {
    async send(message: Message, name: string): Promise<string> {
      const channel = makeChannel({ type: 'email', config: { to: [ann] }, name })
      await sender(message, { channel, config: channel.config }, { clock: new FakeClock() })
      return raw
    },
  }
}
