// The members of a cluster, as their leader sees them.
import t from 'tap'
import { watchMembers } from '../../../src/services/cluster/member-watch.ts'
import { type SeenMember, seenMember } from '../../../src/services/cluster/member-word.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const word = (member: string, sequence: number): SeenMember =>
  seenMember(
    member,
    JSON.stringify({ member, role: 'standby', url: `https://${member}`, sequence }),
  )

t.test('a member that says what was new lately is in step, one that ended is not', async (t) => {
  const clock = new FakeClock()
  let newest = 100
  let listed: SeenMember[] | undefined = [word('a', 100), word('b', 100)]
  const watch = watchMembers({
    ...{ clock, own: 'a', newest: () => newest },
    list: async () => {
      if (!listed) throw new Error('no answer')
      return listed
    },
  })
  t.teardown(() => watch.stop())
  await clock.advance(5_000)
  t.match(watch.list(), [{ member: 'b', isInStep: true, reached: 100, behindSinceMs: null }])
  // Much is written, and what it said is some seconds old: it has everything all the same.
  newest = 500
  await clock.advance(10_000)
  t.match(watch.list(), [{ isInStep: true, reached: 500 }])
  // It says the same for too long.
  await clock.advance(30_000)
  t.match(watch.list(), [{ isInStep: false, reached: 100 }])
  const [{ behindSinceMs } = { behindSinceMs: 0 }] = watch.list()
  await clock.advance(10_000)
  t.equal(watch.list()[0]?.behindSinceMs, behindSinceMs, 'since when')
  listed = [word('b', 500)]
  await clock.advance(5_000)
  t.match(watch.list(), [{ isInStep: true, behindSinceMs: null }])
  // Without an answer nothing is known anew; without its entry it is gone.
  listed = undefined
  await clock.advance(60_000)
  t.match(watch.list(), [{ isInStep: true }])
  listed = []
  await clock.advance(5_000)
  t.match(watch.list(), [{ member: 'b', isInStep: false }])
})
