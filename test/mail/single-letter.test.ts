// Letters through the mail server of an organization: within the egress policy, with TLS, and what is said.
import os from 'node:os'
import t, { type Test } from 'tap'
import { type Clock, startClock } from '../../src/base/clock.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { createGuardedMailer } from '../../src/mail/single-letter.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard, type TargetPolicyRules } from '../../src/net/egress-policy.ts'
import { testCa, testCertificates } from '../support/certificates.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { freePort } from '../support/free-port.ts'
import { makeEnvelope } from '../support/mail-world.ts'
import { startSilentMailServer } from '../support/silent-mail-server.ts'
import { type InboxOptions, startSmtpInbox } from '../support/smtp-inbox.ts'
import { settle } from '../support/temp-store.ts'
import { until } from '../support/until.ts'

const account = { user: 'up@up.test', password: 's3cr3t%40:@/password' }

function senderWithin(t: Test, rules: TargetPolicyRules = { targets: 'any' }, given?: Clock) {
  const running = startClock()
  t.teardown(() => running.stop())
  const clock = given ?? running
  const resolver = createResolver({ clock })
  const send = createGuardedMailer({ clock, resolver, guard: createGuard(rules), ca: [testCa] })
  const { signal } = new AbortController()
  return (url: string) => send(url, makeEnvelope(), { signal, orgId: 'org_1' })
}

/** The address of an inbox, with what a person typed as its credentials. */
async function start(t: Test, options: InboxOptions, { user, password } = account) {
  const inbox = await startSmtpInbox(t, options)
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  const url = `${options.isSecure ? 'smtps' : 'smtp'}://${login}@localhost:${inbox.port}`
  return { inbox, url }
}

t.test('a letter goes over TLS, with the password as it was typed', async (t) => {
  for (const isSecure of [false, true]) {
    const { inbox, url } = await start(t, { account, isSecure, tls: testCertificates.good })
    t.match(await senderWithin(t)(url), { ok: true, response: /^250 .*kept/ })
    t.match(inbox.mails, [{ isSecure: true, user: account.user, recipients: ['ann@example.test'] }])
  }
})

t.test('a server of an organization does not learn the name of this machine', async (t) => {
  t.capture(os, 'hostname', () => 'vault-7.corp.internal')
  const inbox = await startSmtpInbox(t)
  t.match(await senderWithin(t)(inbox.url), { ok: true })
  t.match(inbox.mails, [{ hello: '[127.0.0.1]' }])
})

t.test('the policy for targets holds, also for what a name leads to', async (t) => {
  const inbox = await startSmtpInbox(t)
  const send = senderWithin(t, { targets: 'public' })
  for (const host of ['127.0.0.1', 'localhost']) {
    t.match(await send(`smtp://${host}:${inbox.port}`), {
      ok: false,
      mayRetry: true,
      class: 'not_allowed',
      reason:
        /^The mail server could not be reached: (127\.0\.0\.1 is|localhost leads to) a loopback address, which is not allowed\.$/,
    })
  }
  t.same(inbox.seen, [], 'nothing was said to it')
})

t.test('neither password nor letter goes to a server without TLS that is trusted', async (t) => {
  for (const tls of [undefined, testCertificates.expired]) {
    const { inbox, url } = await start(t, { account, ...(tls && { tls }) })
    const outcome = await senderWithin(t)(url)
    t.match(outcome, { ok: false, mayRetry: true })
    t.match(outcome, { reason: /no usable TLS|is not trusted/ })
    t.same(inbox.mails, [])
  }
})

t.test('what the server answers is told, without the password', async (t) => {
  const { url } = await start(
    t,
    { account, tls: testCertificates.good },
    { user: account.user, password: 'wrong-password' },
  )
  const outcome = await senderWithin(t)(url)
  t.match(outcome, { ok: false, mayRetry: true, status: 535, response: /^535 / })
  t.notMatch(JSON.stringify(outcome), 'wrong-password')
})

t.test('a server that stops answering is left, and what was waited for is said', async (t) => {
  const answers = {
    greeting: '220 here',
    EHLO: '250-me\r\n250 PIPELINING',
    MAIL: '250 ok',
    RCPT: '250 ok',
  }
  const { EHLO } = answers
  for (const [known, last, missing] of [
    [{}, 'connected', 'it did not greet'],
    [{ greeting: '220' }, 'EHLO [127.0.0.1]', 'it did not answer EHLO'],
    [{ greeting: '220', EHLO }, 'DATA', 'it did not answer MAIL FROM'],
    [{ ...answers, DATA: '354 go on' }, '.', 'it did not confirm the letter'],
  ] as const) {
    const { heard, url } = await startSilentMailServer(t, known)
    const clock = new FakeClock()
    const sending = senderWithin(t, { targets: 'any' }, clock)(url)
    await until(() => heard.includes(last))
    await settle()
    await clock.advance(limits.letterTimeoutMs)
    t.match(await sending, {
      ok: false,
      mayRetry: true,
      class: 'timeout',
      reason: `The mail server took longer than 60 seconds: ${missing}.`,
    })
    t.equal(clock.pending, 0, 'no timer is left')
  }
})

t.test('a server that is down, or a name that does not exist, may be tried again', async (t) => {
  const send = senderWithin(t)
  t.match(await send(`smtp://127.0.0.1:${await freePort()}`), {
    ok: false,
    mayRetry: true,
    class: 'connection',
    reason: /refused/,
  })
  t.match(await send('smtp://no-such-host.invalid:587'), { ok: false, mayRetry: true })
})
