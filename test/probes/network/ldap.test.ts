// The LDAP probe against a directory that others wrote; skipped where it is not installed.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { ldap } from '../../../src/probes/network/ldap.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { startBadServer } from '../../support/bad-server.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { ada, skipWithoutSlapd, startSlapd } from '../../support/servers/slapd.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe, destination } = ldap.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const look = (fields: TargetFields) =>
  probe(makeTarget({ checkType: 'ldap', timeoutMs: 8_000, ...fields }), {
    clock,
    keepsAnswer: true,
  })

t.test('a directory', { skip: skipWithoutSlapd }, async (t) => {
  const { port, tlsPort } = await startSlapd(t)
  const [url, base] = [`ldap://localhost:${port}`, 'dc=example,dc=com']
  const found = async (fields: TargetFields) => {
    const reading = await look({ url: `${url}/${base}`, ...ada, ...fields })
    t.equal(reading.result, 'good', `${reading.error?.message}`)
    return reading.found
  }
  const why = async (fields: TargetFields) =>
    (await look({ url: `${url}/${base}`, ...ada, ...fields })).error

  await t.test('lets a user in, also by TLS', async (t) => {
    t.same(await found({}), { value: 'success' })
    t.same(await found({ username: null, password: null }), { value: 'success' })
    for (const secure of [`ldaps://localhost:${tlsPort}`, `${url}?starttls=required`]) {
      const reading = await look({ url: secure, ...ada })
      t.match(
        reading,
        { result: 'good', certificate: { issuer: /Stillup/ } },
        `${reading.error?.message}`,
      )
    }
  })

  await t.test('is searched, and assertions examine what was found', async (t) => {
    t.same(await found({ url: `${url}/${base}?attributes=mail,jpegPhoto`, body: '(cn=ada)' }), {
      value: 1,
      entries: [{ dn: ada.username, mail: ['ada@example.com'], jpegPhoto: ['/9j/4AAQ'] }],
    })
    const many = await found({ body: '(&(objectClass=device)(!(cn=printer-0)))' })
    t.equal((many as { value: number }).value, 149)
    t.match(await found({ url: `${url}/${base}?scope=base`, body: 'objectClass=*' }), { value: 1 })
    t.match(await found({ url, body: '(objectClass=*)' }), { entries: [{ dn: '' }] })
    const assertion = { source: 'json', path: '$.value', type: 'equals', value: '1' } as const
    const none = await why({ body: '(cn=bob)', expect: { assertions: [assertion] } })
    t.match(none, { kind: 'assertion', message: /\$\.value/ })
  })

  await t.test('says why it refused', async (t) => {
    const wrong = await why({ password: 'wrong' })
    t.match(wrong, {
      kind: 'status',
      message: 'the server refused the sign-in (invalidCredentials)',
    })
    const missing = { message: 'the server does not have what was asked for (noSuchObject)' }
    t.match(await why({ url: `${url}/dc=nowhere`, body: '(cn=*)' }), missing)
    t.match(await why({ username: 'no dn' }), { message: /\(34\): invalid DN/ })
    t.match(await why({ url: `ldaps://elsewhere.test:${tlsPort}` }), {
      kind: 'tls',
      message: /another host name/,
    })
    t.match(await why({ url: `ldap://elsewhere.test:${port}?starttls=required` }), { kind: 'tls' })
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port,
      target: (port) => ({
        checkType: 'ldap',
        url: `ldap://localhost:${port}/${base}`,
        ...ada,
        body: '(objectClass=*)',
      }),
    }),
  )
})

t.test('a directory without TLS', { skip: skipWithoutSlapd }, async (t) => {
  const { port } = await startSlapd(t, { tls: false })
  const { error } = await look({ url: `ldap://localhost:${port}?starttls=required`, ...ada })
  t.match(error, { kind: 'tls', message: 'the server does not offer TLS' })
})

t.test('lengths that a server claims, and does not keep, end the check', async (t) => {
  const bind = '30 0c 02 01 02 61 07 0a 01 00 04 00 04 00'
  for (const [name, hex] of [
    ['a part that is longer than the whole', '30 0c 02 01 02 61 7f 0a 01 00 04 00 04 00'],
    ['an endless message', '30 80 02 01 02'],
    ['a length of five bytes', '30 85 ff ff ff ff ff 02 01 02'],
    ['an empty message', '30 00'],
    ['no result', '30 05 02 01 02 61 00'],
    [
      'attributes that never end',
      `${bind} 30 10 02 01 03 64 0b 04 00 30 84 00 ff ff ff 30 00 00 00`,
    ],
    ['another answer', '30 0c 02 01 02 65 07 0a 01 00 04 00 04 00'],
    ['a goodbye', '30 0c 02 01 00 78 07 0a 01 34 04 00 04 00'],
  ] as const) {
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
    const server = await startBadServer((socket) => {
      socket.write(bytes)
      socket.end()
    })
    t.teardown(() => server.close())
    const url = `ldap://127.0.0.1:${server.port}/dc=test`
    const { error } = await look({ url, body: '(cn=*)', timeoutMs: 2_000 })
    t.match(error?.kind, /^(invalid_response|reset|status)$/, `${name}: ${error?.message}`)
  }
})

t.test('a filter is judged when it is set, and a user has a password', (t) => {
  const problem = (body: string) => ldap.bodyProblem?.(body) ?? null
  const bits = '(userAccountControl:1.2.840.113556.1.4.803:=2)'
  for (const body of ['(cn=*)', 'uid=ada', '(|(a=b*c)(!(d>=4)))', bits]) {
    t.equal(problem(body), null, body)
  }
  for (const body of ['(', '(&', 'cn', '(cn=a))('])
    t.match(problem(body), /^must be a filter/, body)
  t.match(problem(`(cn=${'x'.repeat(5_000)})`), /at most 4096/)
  t.match(destination('ldaps://host?starttls=required'), { problem: /^must not require STARTTLS/ })
  t.match(destination('ldap://host/%zz'), { problem: /^must end after the base/ })
  t.same(destination('ldap://host:389'), { host: 'host', port: null })
  t.end()
})
