// The lease of a leader, and the list of members, on a real nats-server.
import t from 'tap'
import { createLease, type Lease } from '../../src/cluster/lease.ts'
import { LogUnanswered } from '../../src/cluster/log.ts'
import { createMemberList } from '../../src/cluster/members.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { natsCell, patience, startNatsServers } from '../support/nats-servers.ts'
import { until } from '../support/until.ts'

const skip = skipWithoutNats()
const cell = natsCell
/** Until the server forgets a lease. Only one test waits for it: other clocks stand still. */
const leaseMs = 1_500

t.test('the lease of a cluster', { skip }, async (t) => {
  const servers = await startNatsServers(t, { leaseMs })
  const a = await servers.connectAs('a')
  const b = await servers.connectAs('b')
  const clock = new FakeClock()
  const mine = createLease(a, { cell, leaseMs, clock })
  const yours = createLease(b, { cell, leaseMs, clock: new FakeClock() })

  t.test('one of two takes it, and gives it back for the other', async (t) => {
    t.equal(await mine.holder(patience()), null)
    const taken = await Promise.all([mine.take('a', patience()), yours.take('b', patience())])
    t.same(taken.toSorted(), [false, true])
    const [holder, other]: [Lease, Lease] = taken[0] ? [mine, yours] : [yours, mine]
    t.equal(await other.holder(patience()), taken[0] ? 'a' : 'b')
    t.equal(other.msLeft(), 0)
    t.ok(holder.msLeft() > 0)
    t.equal(await other.take('again', patience()), false)
    await holder.release(patience())
    t.equal(holder.msLeft(), 0)
    t.equal(await other.holder(patience()), null)
    t.equal(await other.take('next', patience()), true, 'at once')
    await other.release(patience())
    await other.release(patience())
  })

  t.test('it is counted from before it was asked for, by the clock of its holder', async (t) => {
    t.ok(await mine.take('a', patience()))
    t.equal(mine.msLeft(), leaseMs)
    await clock.advance(200)
    t.equal(mine.msLeft(), leaseMs - 200)
    t.ok(await mine.renew(patience(), 'a, and more'))
    t.equal(mine.msLeft(), leaseMs)
    t.equal(await yours.holder(patience()), 'a, and more')
    await clock.advance(leaseMs)
    t.equal(mine.msLeft(), 0)
    t.equal(await mine.renew(patience()), false, 'although the server still has it')
    t.equal(await yours.holder(patience()), 'a, and more')
    await mine.release(patience())
    t.equal(await yours.holder(patience()), null, 'it can still be given back')
  })

  t.test('an answer that came too late for the clock is no lease', async (t) => {
    let monoMs = 0
    const late = () => {
      monoMs += leaseMs + 1
      return monoMs
    }
    const slow = createLease(a, { cell, leaseMs, clock: { monoMs: late } })
    t.equal(await slow.take('a', patience()), false)
    t.equal(await yours.holder(patience()), 'a', 'the server gave it')
    await slow.release(patience())
  })

  t.test(
    'once it has run out, another one takes it, and its former holder cannot renew',
    async (t) => {
      await until(() => mine.take('a', patience()))
      t.equal(await yours.take('b', patience()), false)
      await until(() => yours.take('b', patience()))
      t.equal(mine.msLeft(), leaseMs, 'for a clock that stood still, as with a suspended machine')
      t.equal(await mine.renew(patience()), false)
      t.equal(mine.msLeft(), 0)
      t.equal(await mine.renew(patience()), false)
      t.ok(await yours.renew(patience()))
      await mine.release(patience())
      t.equal(await mine.holder(patience()), 'b', 'what is lost cannot be given back')
      await yours.release(patience())
    },
  )

  t.test('members list those who said something lately', async (t) => {
    const all = createMemberList(a, { cell, member: 'a' })
    const other = createMemberList(b, { cell, member: 'b' })
    t.same(await all.list(patience()), [])
    await other.announce('leads', patience())
    let turns = 0
    const said = () => {
      turns += 1
      return `follows ${turns}`
    }
    let twins = 0
    const onTwin = () => {
      twins += 1
    }
    const kept = all.keep(said, onTwin, 20)
    t.teardown(kept.end)
    await until(async () => {
      const [own] = await all.list(patience())
      return own?.member === 'a' && turns >= 3
    })
    t.match(await other.list(patience()), [{ member: 'a' }, { member: 'b', value: 'leads' }])
    t.equal(twins, 0)
    const twin = createMemberList(a, { cell, member: 'a' })
    await until(async () => {
      await twin.announce('here, too', patience())
      return twins > 0
    })
    await kept.end()
    t.match(await other.list(patience()), [{ member: 'b' }], 'who ends takes its entry away')
    await all.announce('back', patience())
    t.match(await other.list(patience()), [{ member: 'a', value: 'back' }, {}])
    t.equal(twins, 1, 'another process with its name is told of once')

    let word = 'lacks all'
    const rare = all.keep(() => word, onTwin, 600_000)
    t.teardown(rare.end)
    const says = (value: string) =>
      until(async () => (await other.list(patience()))[0]?.value === value)
    await says('lacks all')
    word = 'has all'
    rare.soon()
    await says('has all')
  })

  t.test('without an answer it is neither taken nor lost', async (t) => {
    t.ok(await mine.take('a', patience()))
    await servers.kill(0)
    const soon = AbortSignal.timeout(300)
    await t.rejects(mine.renew(soon), LogUnanswered)
    t.equal(mine.msLeft(), leaseMs, 'as long as its clock says')
    await t.rejects(yours.take('b', soon), LogUnanswered)
    await t.rejects(yours.holder(soon), LogUnanswered)
    await servers.restart(0)
    await until(() => mine.take('a', patience()))
  })
})
