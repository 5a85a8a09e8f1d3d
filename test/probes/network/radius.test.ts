// The RADIUS probe against a server that others wrote; skipped where it is not installed.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { radius } from '../../../src/probes/network/radius.ts'
import { datagramContract } from '../../contracts/datagram.contract.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithout } from '../../support/programs.ts'
import { startRadius } from '../../support/servers/radius.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = radius.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
})
const look = (fields: TargetFields) =>
  probe(makeTarget({ checkType: 'radius', timeoutMs: 8_000, ...fields }), {
    clock,
    keepsAnswer: true,
  })
const login = { username: 'ada', password: 'l0velace', secret: 'sh4red' } as const

t.test('a RADIUS server', { skip: skipWithout('freeradius') }, async (t) => {
  const { port } = await startRadius(t)
  const url = `radius://localhost:${port}`
  const found = async (fields: TargetFields) => {
    const reading = await look({ url, ...login, ...fields })
    t.equal(reading.result, 'good', `${reading.error?.message}`)
    return reading.found
  }
  const why = async (fields: TargetFields) => (await look({ url, ...login, ...fields })).error

  await t.test('lets a user in, or says that it is alive', async (t) => {
    t.match(await found({ url: `${url}?called=AP-1:Guest` }), {
      value: 'Access-Accept',
      message: 'Hello from AP-1:Guest',
    })
    t.same(await found({ username: null, password: null }), {
      value: 'Access-Accept',
      message: null,
    })
  })

  await t.test('says why it refused', async (t) => {
    const wrong = { kind: 'status', message: /^the server refused the sign-in \(Access-Reject\)/ }
    t.match(await why({ password: 'wrong' }), wrong)
    t.match(await why({ username: 'bob', password: 'x'.repeat(100) }), wrong)
    t.match(await why({ username: 'otp' }), { message: /\(Access-Challenge\)/ })
    t.match(await why({ secret: 'another', timeoutMs: 400 }), { kind: 'timeout' })
    t.match(await why({ url: `radius://localhost:${await freePort()}` }), { kind: 'connect' })
  })

  await t.test('whatever becomes of the packets', (t) =>
    datagramContract(t, {
      probe,
      clock,
      port,
      target: (port) => ({ checkType: 'radius', url: `radius://localhost:${port}`, ...login }),
    }),
  )
})
