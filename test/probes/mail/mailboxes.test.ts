// The IMAP and POP3 probes against a server that others wrote; skipped where it is not installed.
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { imap } from '../../../src/probes/mail/imap.ts'
import { pop3 } from '../../../src/probes/mail/pop3.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithout } from '../../support/programs.ts'
import { skipWithoutRoot, startDovecot } from '../../support/servers/dovecot.ts'

const clock = startClock()
t.after(() => clock.stop())
const deps = {
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
}
const probes = { imap: imap.open(deps).probe, pop3: pop3.open(deps).probe }
const login = { username: 'ada', password: 's3cret' }
const skip = skipWithout('dovecot') || skipWithoutRoot

function lookWith(checkType: 'imap' | 'pop3') {
  return (fields: TargetFields) =>
    probes[checkType](makeTarget({ checkType, timeoutMs: 8_000, ...fields }), { clock })
}

t.test('a mail server with TLS', { skip }, async (t) => {
  const server = await startDovecot(t)

  for (const kind of ['imap', 'pop3'] as const) {
    const look = lookWith(kind)
    const url = `${kind}://localhost:${server[kind]}`
    const secured = `${kind}s://localhost:${server[`${kind}s`]}`
    await t.test(`${kind}: counts the messages, over TLS in both ways`, async (t) => {
      for (const each of [url, secured]) {
        const found = await look({ url: each, ...login })
        t.match(
          found,
          { result: 'good', certificate: { issuer: /Stillup/ } },
          `${found.error?.message}`,
        )
        t.match(
          found.found,
          kind === 'imap' ? { value: 2, unseen: 1, folder: 'INBOX' } : { value: 2 },
        )
      }
      t.match((await look({ url })).found, { greeting: /Dovecot/ }, 'or greets only')
      const assertions = [
        { source: 'json', path: '$.value', type: 'lessThan', value: '2' },
      ] as const
      t.match((await look({ url, ...login, expect: { assertions } })).error, { kind: 'assertion' })
    })

    await t.test(`${kind}: says why it refused`, async (t) => {
      const why = async (fields: TargetFields) => (await look({ url, ...login, ...fields })).error
      const wrong = await why({ password: 'wrong' })
      t.match(wrong, { kind: 'status', message: /^the server refused the sign-in/ })
      t.match(await why({ username: 'bob "x' }), { message: /refused the sign-in/ })
      const other = url.replace('localhost', 'elsewhere.test')
      t.match(await why({ url: other }), { kind: 'tls', message: /another host name/ })
    })
  }

  await t.test('a folder that is not there', async (t) => {
    const url = `imap://localhost:${server.imap}/Nowhere`
    t.match((await lookWith('imap')({ url, ...login })).error, { message: /does not have what/ })
  })
})

t.test('a mail server without TLS gets no password', { skip }, async (t) => {
  const server = await startDovecot(t, { tls: false, plain: true })
  for (const kind of ['imap', 'pop3'] as const) {
    const look = lookWith(kind)
    const url = `${kind}://localhost:${server[kind]}`
    t.match((await look({ url, ...login })).error, { message: 'the server does not offer TLS' })
    t.equal((await look({ url })).result, 'good', 'the greeting is enough')
    t.match((await look({ url: `${url}?starttls=required` })).error, { kind: 'tls' })
    const found = await look({ url: `${url}?starttls=off`, ...login })
    t.match(found, { result: 'good', found: { value: 2 } }, 'unless that is said')
    await t.test(`${kind}: whatever becomes of the conversation`, (t) => contract(t, kind, server))
  }
})

function contract(t: Test, kind: 'imap' | 'pop3', server: Record<'imap' | 'pop3', number>) {
  return conversationContract(t, {
    probe: probes[kind],
    clock,
    port: server[kind],
    target: (port) => ({
      ...login,
      checkType: kind,
      url: `${kind}://localhost:${port}?starttls=off`,
    }),
    // The answer to its goodbye.
    spareBytes: 90,
  })
}
