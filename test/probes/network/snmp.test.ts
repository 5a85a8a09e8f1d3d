// The SNMP probe against an agent that others wrote; skipped where it is not installed.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { snmp } from '../../../src/probes/network/snmp.ts'
import { datagramContract } from '../../contracts/datagram.contract.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithout } from '../../support/programs.ts'
import { startSnmp } from '../../support/servers/snmp.ts'

const clock = startClock()
t.after(() => clock.stop())
const bugs: unknown[] = []
const { probe, destination } = snmp.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  onBug: (bug) => bugs.push(bug),
})
const look = (fields: TargetFields) =>
  probe(makeTarget({ checkType: 'snmp', timeoutMs: 8_000, ...fields }), {
    clock,
    keepsAnswer: true,
  })
const community = { password: 's3cret' } as const
const ada = { username: 'ada', password: 's3cretpass', secret: 'pr1vatepass' } as const

t.test('an SNMP agent', { skip: skipWithout('snmpd') }, async (t) => {
  const { port } = await startSnmp(t)
  const url = `snmp://localhost:${port}`
  const location = `${url}/1.3.6.1.2.1.1.6.0`
  const found = async (fields: TargetFields) => {
    const reading = await look({ url, ...community, ...fields })
    t.equal(reading.result, 'good', `${reading.error?.message}`)
    return reading.found
  }
  const why = async (fields: TargetFields) =>
    (await look({ url, ...community, timeoutMs: 3_000, ...fields })).error

  await t.test('tells values of every type by the community', async (t) => {
    t.match(await found({}), { value: Number, type: 'TimeTicks', oid: '1.3.6.1.2.1.1.3.0' })
    t.same(await found({ url: `${location}?version=1` }), {
      value: 'Rack 4',
      oid: '1.3.6.1.2.1.1.6.0',
      type: 'OctetString',
    })
    t.match(await found({ url: `${url}/1.3.6.1.2.1.1.4.0` }), { value: 'äda' })
    t.match(await found({ url: `${url}/1.3.6.1.2.1.1.2.0` }), {
      value: /^1\.3\.6\.1\.4/,
      type: 'OID',
    })
    t.match(await found({ url: `${url}/1.3.6.1.2.1.31.1.1.1.6.1` }), {
      type: 'Counter64',
      value: Number,
    })
    const assertion = { source: 'json', path: '$.value', type: 'equals', value: 'Rack 5' } as const
    const other = await why({ url: location, expect: { assertions: [assertion] } })
    t.match(other, { kind: 'assertion', message: /\$\.value/ })
  })

  await t.test('lets a user of version 3 in, signed and encrypted', async (t) => {
    const secure = `${location}?version=3&auth=sha256&priv=aes`
    t.match(await found({ url: secure, ...ada }), { value: 'Rack 4' })
    t.match(await found({ url: `${location}?version=3&auth=sha`, ...ada, username: 'bob' }), {
      value: 'Rack 4',
    })
    const refused = { kind: 'status', message: /^the server refused the sign-in: Wrong Digest/ }
    t.match(await why({ url: secure, ...ada, password: 'another-one' }), refused)
    t.match(await why({ url: secure, ...ada, username: 'eve' }), { message: /Unknown User Name/ })
    const unencrypted = await why({ url: `${location}?version=3&auth=sha256`, ...ada })
    t.match(unencrypted, { message: /^the server does not permit that to this user/ })
  })

  await t.test('says what it does not have, and nothing to strangers', async (t) => {
    const missing = { kind: 'status', message: /^the server does not have what was asked for/ }
    t.match(await why({ url: `${url}/1.3.6.1.9.9` }), missing)
    t.match(await why({ url: `${url}/1.3.6.1.9.9?version=1` }), missing)
    t.match(await why({ password: 'wrong', timeoutMs: 400 }), { kind: 'timeout' })
    const nobody = await freePort()
    t.match(await why({ url: `snmp://localhost:${nobody}` }), { kind: 'connect' })
  })

  await t.test('whatever becomes of the packets', (t) =>
    datagramContract(t, {
      probe,
      clock,
      port,
      target: (port) => ({
        checkType: 'snmp',
        url: `snmp://localhost:${port}?version=3&auth=sha256&priv=aes`,
        ...ada,
      }),
    }),
  )
  t.same(bugs, [])
})

t.test('an address of SNMP has an OID in numbers, and options that fit each other', (t) => {
  for (const [end, problem] of [
    ['/sysUpTime.0', /^must end after an OID/],
    ['/1', /^must end after an OID/],
    ['?auth=sha', /only with version=3/],
    ['?version=3&priv=aes', /only with auth/],
    ['?version=4', /^must have as version one of 1, 2c, 3/],
  ] as const) {
    t.match(destination(`snmp://host${end}`), { problem }, end)
  }
  t.end()
})
