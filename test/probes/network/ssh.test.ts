// The SSH probe against a server that others wrote; skipped where it is not installed.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { completedInput, inputProblems } from '../../../src/domain/monitors/monitor-input.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { ssh } from '../../../src/probes/network/ssh.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { greets, startBadServer } from '../../support/bad-server.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithoutSsh, startSsh } from '../../support/servers/ssh.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe, destination } = ssh.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
})
const look = (fields: TargetFields) =>
  probe(makeTarget({ checkType: 'ssh', timeoutMs: 8_000, ...fields }), { clock, keepsAnswer: true })
const chacha = 'chacha20-poly1305@openssh.com'
const etm = (bits: 256 | 512) => `hmac-sha2-${bits}-etm@openssh.com`
const ada = { username: 'ada', password: 's3cret' } as const

t.test('an SSH server', { skip: skipWithoutSsh }, async (t) => {
  const server = await startSsh(t)
  const url = `ssh://localhost:${server.port}`
  const found = async (fields: TargetFields = {}) => {
    const reading = await look({ url, ...fields })
    t.equal(reading.result, 'good', `${reading.error?.message}`)
    return reading.found
  }
  const why = async (fields: TargetFields) => (await look({ url, ...fields })).error

  await t.test('proves that it has its host key, and tells what it offers', async (t) => {
    const offered = await found()
    t.match(offered, {
      value: server.fingerprint('ed25519'),
      keyType: 'ssh-ed25519',
      banner: /^SSH-2\.0-OpenSSH/,
    })
    const { kex, hostKeys, ciphers, macs } = offered as Record<string, string[]>
    t.ok(kex?.includes('curve25519-sha256') && hostKeys?.includes('rsa-sha2-512'))
    t.ok(ciphers?.includes('aes256-gcm@openssh.com') && macs?.includes('hmac-sha2-256'))
    const weak = { source: 'json', path: '$.macs[*]', type: 'notContains', value: 'sha1' } as const
    t.match(await why({ expect: { assertions: [weak] } }), {
      kind: 'assertion',
      message: /\$\.macs/,
    })
  })

  await t.test('is down as soon as it has another host key', async (t) => {
    await found({ url: `${url}?hostKey=${server.fingerprint('ed25519')}` })
    const other = await why({ url: `${url}?hostKey=${server.fingerprint('rsa')}`, ...ada })
    t.match(other, { kind: 'tls', message: 'the server has another host key' })
  })

  await t.test('lets a user in', async (t) => {
    await found(ada)
    const wrong = await why({ ...ada, password: 'wrong' })
    t.match(wrong, {
      kind: 'status',
      message: /^the server refused the sign-in: it takes publickey, ?password/,
    })
    t.match(await why({ ...ada, username: 'bob' }), { message: /refused the sign-in/ })
  })

  await t.test('is understood whatever it prefers', async (t) => {
    for (const [type, kex, cipher, mac, keyType] of [
      ['rsa-sha2-512', 'diffie-hellman-group14-sha256', 'aes128-ctr', 'hmac-sha2-512', 'rsa'],
      ['rsa-sha2-256', 'diffie-hellman-group16-sha512', 'aes192-ctr', 'hmac-sha2-256', 'rsa'],
      ['ssh-rsa', 'diffie-hellman-group14-sha1', 'aes256-ctr', 'hmac-sha1', 'rsa'],
      ['ecdsa-sha2-nistp256', 'ecdh-sha2-nistp384', 'aes128-gcm@openssh.com', '', 'ecdsa'],
      ['ssh-ed25519', 'ecdh-sha2-nistp521', 'aes256-gcm@openssh.com', '', 'ed25519'],
      ['ssh-ed25519', 'ecdh-sha2-nistp256', 'aes256-ctr', 'hmac-sha2-256', 'ed25519'],
      // Nothing that is over the plain packet.
      ['ssh-ed25519', 'curve25519-sha256', 'aes256-gcm@openssh.com', etm(512), 'ed25519'],
      [
        'ssh-ed25519',
        'curve25519-sha256',
        'aes128-gcm@openssh.com',
        'umac-64@openssh.com',
        'ed25519',
      ],
      ['ssh-ed25519', 'curve25519-sha256', 'aes256-ctr', etm(256), 'ed25519'],
      ['ssh-ed25519', 'curve25519-sha256', 'aes128-ctr', etm(512), 'ed25519'],
      ['ssh-ed25519', 'curve25519-sha256', chacha, etm(256), 'ed25519'],
    ] as const) {
      await server.restart({
        HostKeyAlgorithms: type,
        KexAlgorithms: kex,
        Ciphers: cipher,
        ...(mac === '' ? {} : { MACs: mac }),
      })
      const value = server.fingerprint(keyType)
      t.match(
        await found(ada),
        { value, ciphers: [cipher], kex: [kex] },
        `${type} ${kex} ${cipher}`,
      )
    }
  })

  await t.test('is looked at also where it offers nothing that a sign-in could use', async (t) => {
    const unknown = { message: 'the server offers no algorithm that this check knows' }
    for (const offered of [
      { Ciphers: 'aes256-cbc' },
      { Ciphers: 'aes256-ctr', MACs: 'umac-128-etm@openssh.com' },
    ]) {
      await server.restart(offered)
      await found()
      t.match(await why(ada), unknown)
    }
    await server.restart({ KexAlgorithms: 'sntrup761x25519-sha512' })
    t.match(await why({}), unknown)
    await server.restart({})
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port: server.port,
      target: (port) => ({ checkType: 'ssh', url: `ssh://localhost:${port}`, ...ada }),
      // What it says of its other host keys after the sign-in.
      spareBytes: 900,
    }),
  )
})

t.test('a server that speaks something else is no SSH server', async (t) => {
  const words = ['220 mail\r\n'.repeat(60), 'SSH-1.5-old\r\n', 'x'.repeat(5_000)]
  for (const text of words) {
    const server = await startBadServer(greets(text))
    t.teardown(() => server.close())
    const { error } = await look({ url: `ssh://127.0.0.1:${server.port}` })
    t.match(error?.message, /^(the server does not speak SSH 2|the connection was closed)/, text)
  }
})

t.test('a fingerprint must be one', (t) => {
  const good = `SHA256:${'a+/'.repeat(14)}b`
  t.same(destination(`ssh://host?hostKey=${good}`), { host: 'host', port: null })
  t.match(destination('ssh://host?hostKey=MD5:00'), {
    problem: /^must have as hostKey a fingerprint/,
  })
  t.match(destination('ssh://host/path'), { problem: 'must not have a path' })
  t.end()
})

t.test('a password needs the host key of the server that it is for', (t) => {
  const problems = (fields: object) =>
    inputProblems(completedInput({ name: 'A', checkType: 'ssh', ...fields }), ssh)
  const url = 'ssh://host'
  t.match(problems({ url, ...ada }), [{ pointer: '/url', message: /must have a hostKey/ }])
  t.same(problems({ url: `${url}?hostKey=SHA256:${'a'.repeat(43)}`, ...ada }), [])
  t.same(problems({ url }), [])
  t.end()
})
