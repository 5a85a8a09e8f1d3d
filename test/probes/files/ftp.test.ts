// The FTP probe against a server that others wrote; skipped where it is not installed.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { ftp } from '../../../src/probes/files/ftp.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithoutFtp, startFtp } from '../../support/servers/ftp.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = ftp.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const login = { checkType: 'ftp', username: 'ada', password: 's3cret' } as const
const look = (fields: TargetFields) =>
  probe(makeTarget({ ...login, timeoutMs: 8_000, ...fields }), { clock })

t.test('an FTP server', { skip: skipWithoutFtp }, async (t) => {
  const { port, tlsPort } = await startFtp(t, clock.nowMs() - 3_600_000)
  const url = `ftp://localhost:${port}`

  await t.test('signs in, and tells the age of a file', async (t) => {
    const found = await look({ url: `${url}/backups/db.dump` })
    t.match(
      found,
      { result: 'good', found: { bytes: 5, modifiedAt: /Z$/ } },
      `${found.error?.message}`,
    )
    const { value } = found.found as { value: number }
    t.ok(Math.abs(value - 3_600) < 60, `${value} s`)
    t.match((await look({ url })).found, { greeting: /pyftpdlib/ })
    const secured = await look({ url: `ftp://localhost:${tlsPort}/backups/db.dump` })
    t.match(
      secured,
      { result: 'good', certificate: { issuer: /Stillup/ } },
      `${secured.error?.message}`,
    )
    const assertions = [
      { source: 'json', path: '$.value', type: 'lessThan', value: '1800' },
    ] as const
    const old = await look({ url: `${url}/backups/db.dump`, expect: { assertions } })
    t.match(old.error, { kind: 'assertion' })
  })

  await t.test('says why it refused', async (t) => {
    const why = async (fields: TargetFields) => (await look({ url, ...fields })).error
    t.match(await why({ password: 'wrong' }), { message: /refused the sign-in \(530\): / })
    t.match(await why({ username: null }), { message: /refused the sign-in \(530\)/ })
    t.match(await why({ url: `${url}/no.file` }), {
      message: /does not have what was asked for \(550\)/,
    })
    t.match(await why({ url: `${url}?tls=required` }), { kind: 'tls' })
    t.match(await why({ url: `ftp://elsewhere.test:${tlsPort}` }), { kind: 'tls' })
    t.match(await why({ url: `ftp://localhost:${tlsPort}?tls=off` }), { kind: 'status' })
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port,
      target: (port) => ({ ...login, url: `ftp://localhost:${port}/backups/db.dump?tls=off` }),
      // The answer to its goodbye.
      spareBytes: 14,
    }),
  )
})
