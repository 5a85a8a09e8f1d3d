// The mail server probe: a real server, servers that misbehave, and never a mail.
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { smtp } from '../../../src/probes/smtp/smtp.ts'
import { probeContract } from '../../contracts/probe.contract.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { stuckIn } from '../../support/deadline.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { startSmtpInbox } from '../../support/smtp-inbox.ts'
import { timed } from '../../support/starvation.ts'
import { closedPort, startTarget } from '../../support/target.ts'
import { startTlsTarget } from '../../support/tls-target.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const resolver = resolverTo('127.0.0.1')
const names = await startDnsServer({ '*': ['127.0.0.1'] })
t.after(() => names.close())
const probe = openProbe(t, clock, { checkType: 'smtp', nameServers: [names.server], ca: [testCa] })
const check = (url: string, fields: TargetFields = {}) =>
  probe(makeTarget({ url, ...fields }), { clock })

const contains = (text: string): TargetFields => ({ expect: { bodyContains: text } })

interface ScriptedServer {
  readonly port: number
  readonly url: string
  /** Every line that a client sent. */
  readonly heard: readonly string[]
}

/** Greets, then answers each command from a table, by its first word; silent to others. */
async function scripted(
  t: Test,
  greeting: string,
  answers: Readonly<Record<string, string>> = {},
): Promise<ScriptedServer> {
  const target = await startTarget()
  t.after(() => target.close())
  const heard: string[] = []
  target.greet = (socket: Socket) => {
    socket.write(greeting)
    socket.on('data', (chunk) => {
      for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
        heard.push(line)
        const answer = answers[line.split(' ')[0] ?? '']
        if (answer !== undefined) socket.write(answer)
      }
    })
  }
  return { port: target.port, url: `smtp://localhost:${target.port}`, heard }
}

const polite = { EHLO: '250-mx.example\r\n250 8BITMIME\r\n', QUIT: '221 bye\r\n' }

t.test('a real server is greeted, asked for its extensions, and left without a mail', async (t) => {
  const inbox = await startSmtpInbox(t)
  const reading = await check(inbox.url)
  t.match(reading, { result: 'good', address: '127.0.0.1', certificate: undefined })
  t.same(Object.keys(reading.phases ?? {}).sort(), ['connect', 'firstByte'])
  t.match(await check(inbox.url, contains('8BITMIME')), { result: 'good' })
  t.match(await check(inbox.url, contains('220 ')), { result: 'good' })
  const wrong = await check(inbox.url, contains('CHUNKING'))
  t.match(wrong, { result: 'failed', error: { kind: 'assertion' }, evidence: { body: /^220 / } })
  t.same(
    [inbox.mails.length, new Set(inbox.seen.map(({ stage }) => stage))],
    [0, new Set(['connect'])],
  )
})

t.test('where STARTTLS is offered it is used, and the certificate is judged', async (t) => {
  const inbox = await startSmtpInbox(t, { tls: testCertificates.good })
  const url = `smtp://localhost:${inbox.port}`
  const reading = await check(url, contains('STARTTLS'))
  t.match(reading, { result: 'good', certificate: { issuer: 'Stillup Tests' } })
  t.ok((reading.phases?.tls ?? 0) > 0)
  t.match(await check(`${url}?starttls=required`), { result: 'good' })
  const other = await check(`smtp://mx.example:${inbox.port}`)
  const message = 'the certificate is for another host name'
  t.match(other, { result: 'failed', error: { kind: 'tls', phase: 'tls', message } })
  t.match(other.evidence?.body, /^220 .*STARTTLS/s, 'what it said before is the evidence')
  const expired = await startSmtpInbox(t, { tls: testCertificates.expired })
  const late = await check(`smtp://localhost:${expired.port}`)
  t.match(late.error, { kind: 'tls', message: 'the certificate has expired' })
  const lax = { ignoreTlsErrors: true }
  t.match(await check(`smtp://localhost:${expired.port}`, lax), { result: 'good' }, 'as elsewhere')
  const self = await startSmtpInbox(t, { tls: testCertificates.self })
  const own = `smtp://localhost:${self.port}`
  t.match(await check(own), { error: { message: 'the certificate is self-signed' } })
  t.match(await check(own, lax), { result: 'good' })
})

t.test('TLS from the first byte is judged in the same way', async (t) => {
  const inbox = await startSmtpInbox(t, { tls: testCertificates.good, isSecure: true })
  const url = `smtps://localhost:${inbox.port}`
  const good = await check(url, contains('220 '))
  t.match(good, { result: 'good', certificate: { issuer: 'Stillup Tests' } })
  const wrong = await check(`smtps://mx.example:${inbox.port}`)
  t.match(wrong.error, { kind: 'tls', message: 'the certificate is for another host name' })
  const plain = await startSmtpInbox(t)
  const clear = await check(`smtps://localhost:${plain.port}`)
  t.match(clear.error, { kind: 'tls', message: 'the server does not speak TLS on this port' })
})

t.test('required encryption that is not offered is a failure', async (t) => {
  const inbox = await startSmtpInbox(t)
  const reading = await check(`smtp://localhost:${inbox.port}/?starttls=required`)
  const message = 'the mail server does not offer STARTTLS'
  t.match(reading, { result: 'failed', error: { kind: 'tls', message } })
})

t.test('the conversation is short, and ends politely', async (t) => {
  const server = await scripted(t, '220-mx.example\r\n220 at your service\r\n', polite)
  t.match(await check(server.url, contains('at your service')), { result: 'good' })
  t.same(server.heard, ['EHLO [127.0.0.1]', 'QUIT'])
  const old = await scripted(t, '220 mx\r\n', { EHLO: '502 what?\r\n', HELO: '250 mx\r\n' })
  t.match(await check(old.url), { result: 'good' }, 'a server that knows only HELO will do')
  // The check does not wait long for an answer to its goodbye.
  await until(() => old.heard.includes('QUIT'))
  t.same(old.heard, ['EHLO [127.0.0.1]', 'HELO [127.0.0.1]', 'QUIT'])
})

t.test('a goodbye that is not answered makes no failure and no long wait', async (t) => {
  const server = await scripted(t, '220 mx\r\n', { EHLO: polite.EHLO })
  const [reading, tookMs] = await timed(() => check(server.url))
  t.match(reading, { result: 'good' })
  t.ok(tookMs < 1_000, `${tookMs} ms`)
})

t.test(
  'a server that refuses is quoted with its code, and with its words as evidence',
  async (t) => {
    const rows: readonly [string, Record<string, string>, object][] = [
      ['554 go away\r\n', {}, { kind: 'status', message: /greets with 554 instead of 220/ }],
      ['421-busy\r\n421 later\r\n', {}, { kind: 'status', message: /greets with 421/ }],
      ['220 mx\r\n', { EHLO: '550 no\r\n' }, { message: /answers EHLO with 550 instead of 250/ }],
      [
        '220 mx\r\n',
        { EHLO: '250-mx\r\n250 STARTTLS\r\n', STARTTLS: '454 not now\r\n' },
        { kind: 'status', message: /answers STARTTLS with 454 instead of 220/ },
      ],
    ]
    for (const [greeting, answers, error] of rows) {
      const server = await scripted(t, greeting, answers)
      const reading = await check(server.url)
      t.match(reading, { result: 'failed', error, evidence: { body: /^\d{3}/ } })
      t.notMatch(reading.error?.message ?? '', /go away|busy|not now/)
    }
  },
)

t.test('a server that does not speak SMTP is reported so, and not read for long', async (t) => {
  const rows: readonly [string, RegExp][] = [
    ['HTTP/1.1 400 Bad Request\r\n\r\n', /does not speak SMTP/],
    ['SSH-2.0-OpenSSH_9.2\r\n', /does not speak SMTP/],
    ['\r\n', /does not speak SMTP/],
    ['220-one\r\n221 two\r\n', /does not speak SMTP/],
    ['2200 mx\r\n', /does not speak SMTP/],
    [`220 ${'x'.repeat(3_000)}`, /a line of more than 2048 bytes/],
    ['220-mx\r\n'.repeat(200), /a reply of more than 100 lines/],
  ]
  for (const [greeting, message] of rows) {
    const reading = await check((await scripted(t, greeting)).url)
    t.match(reading, { result: 'failed', error: { kind: 'invalid_response', message } })
  }
})

t.test('plain text injected before TLS is not taken as sent over TLS', async (t) => {
  const server = await scripted(t, '220 mx\r\n', {
    EHLO: '250-mx\r\n250 STARTTLS\r\n',
    STARTTLS: '220 go\r\n250-mx\r\n250 AUTH PLAIN\r\n',
  })
  const message = 'the mail server sent plain text after it agreed to TLS'
  t.match(await check(server.url), { result: 'failed', error: { message } })
})

t.test('a handshake that fails after STARTTLS says why', async (t) => {
  const offers = { EHLO: '250-mx\r\n250 STARTTLS\r\n' }
  const mute = await scripted(t, '220 mx\r\n', { ...offers, STARTTLS: '220 go\r\n' })
  const silent = await stuckIn('tls', (timeoutMs) => check(mute.url, { timeoutMs }))
  t.match(silent.error, { kind: 'timeout', phase: 'tls' })
  const odd = await startTarget()
  t.after(() => odd.close())
  odd.greet = (socket) => {
    socket.write('220 mx\r\n')
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (text.startsWith('EHLO')) socket.write(offers.EHLO)
      else if (text.startsWith('STARTTLS')) socket.write('220 go\r\n')
      else socket.write('421 what is this?\r\n')
    })
  }
  const plain = await check(`smtp://localhost:${odd.port}`)
  t.match(plain.error, { kind: 'tls', message: 'the server does not speak TLS on this port' })
})

t.test('mail ports are open to this check even if others may not use them', async (t) => {
  const strict = createGuard({ targets: 'public' })
  const asked: (number | undefined)[] = []
  const watched = {
    ...strict,
    judgeAddress(address: string, port?: number) {
      asked.push(port)
      strict.judgeAddress(address, port)
      return { allowed: false, reason: 'a test that ends here' } as const
    },
  }
  const probe = smtp.open({ resolver, clock, guard: watched }).probe
  for (const port of [25, 465, 587, 22]) {
    await probe(makeTarget({ url: `smtp://mx.example:${port}` }), { clock })
  }
  t.same(asked, [undefined, undefined, undefined, 22])
})

t.test('the contract of a probe', async (t) => {
  const greets: Record<string, (socket: Socket) => void> = {
    silent: () => {},
    closing: (socket) => socket.end(),
    reset: (socket) => socket.resetAndDestroy(),
    drip: (socket) => {
      const timer = setInterval(() => socket.write('2'), 10)
      socket.on('close', () => clearInterval(timer))
    },
    endless: (socket) => {
      const push = (): void => {
        while (!socket.destroyed && socket.write('220-more\r\n'.repeat(500)));
      }
      socket.on('drain', push)
      push()
    },
    greetsAndCloses: (socket) => socket.end('220 mx\r\n'),
    greetsAndResets: (socket) => socket.write('220 mx\r\n', () => socket.resetAndDestroy()),
    greetsAndIsSilent: (socket) => socket.write('220 mx\r\n'),
  }
  const targets = await Promise.all(
    Object.values(greets).map(async (greet) => {
      const target = await startTarget()
      target.greet = greet
      t.after(() => target.close())
      return target
    }),
  )
  const wrong = await startTlsTarget(t, testCertificates.other)
  const urls = [
    ...targets.map(({ port }) => `smtp://localhost:${port}`),
    ...targets.map(({ port }) => `smtps://localhost:${port}`),
    `smtps://localhost:${wrong}`,
    `smtp://127.0.0.1:${await closedPort()}`,
    'smtp://user:pw@localhost',
  ]
  const cases = urls.map((url, i) => ({
    title: `${Object.keys(greets)[i % targets.length]} ${url}`,
    target: makeTarget({ url, timeoutMs: 250 }),
  }))
  await probeContract(t, { probe, clock, cases })
  await until(() => targets.every(({ open }) => open === 0))
})
