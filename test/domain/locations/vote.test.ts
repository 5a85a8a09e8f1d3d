// The vote of the locations of a monitor.

import fc from 'fast-check'
import t from 'tap'
import type { LocationId } from '../../../src/base/ids.ts'
import { neededOf } from '../../../src/domain/locations/choice.ts'
import { type LocationVote, voteAfter } from '../../../src/domain/locations/vote.ts'

type State = LocationVote['state']

/**
 * Upper case: it was heard lately; lower case: it is silent. The first one spoke last. All have been in their
 * states since 1,000; a silent one was heard later, or before that if `heardMs` is less.
 */
function votesOf(text: string, heardMs = 2_000): LocationVote[] {
  const states: Readonly<Record<string, State>> = {
    ...{ u: 'up', d: 'down', s: 'degraded', p: 'pending' },
  }
  return [...text].map((letter, at) => {
    const isFresh = letter !== letter.toLowerCase()
    return {
      place: `loc_${at}` as LocationId,
      state: states[letter.toLowerCase()] ?? 'pending',
      isFresh,
      sinceMs: 1_000,
      heardMs: isFresh ? 3_000 : heardMs,
    }
  })
}

function verdict(
  after: string,
  downWhen: Parameters<typeof neededOf>[0],
  before: string,
  { heardMs, ...awaiting }: { heardMs?: number; isFirst?: boolean; isReturning?: boolean } = {},
) {
  const [first] = votesOf(before)
  if (!first) throw new Error('who spoke?')
  return voteAfter(votesOf(after, heardMs), downWhen, { said: 0, before: first, ...awaiting })
}

t.test('a monitor is down when enough of its locations see it down', async (t) => {
  t.equal(verdict('DUU', 'majority', 'U'), 'up', '1 of 3')
  t.equal(verdict('DDU', 'majority', 'U'), 'down', '2 of 3')
  t.equal(verdict('DU', 'majority', 'U'), 'up', 'a half is no majority')
  t.equal(verdict('DUU', 'any', 'U'), 'down')
  t.equal(verdict('DDU', 'all', 'U'), 'up')
  t.equal(verdict('DDD', 'all', 'U'), 'down')
  t.equal(verdict('DDUUU', '2', 'U'), 'down')
  t.equal(verdict('D', 'majority', 'U'), 'down', 'one location alone decides')
  t.equal(verdict('D', '3', 'U'), 'down', 'a number is at most that of those who vote')
})

t.test('the first that come back turn nothing that others may turn back', async (t) => {
  const back = (after: string, downWhen: Parameters<typeof neededOf>[0], before: string) =>
    verdict(after, downWhen, before, { heardMs: 500, isReturning: true })
  t.equal(back('UDd', '2', 'u'), null, 'it may be down from there')
  t.equal(back('UDu', '2', 'U'), null, 'or since then')
  t.equal(verdict('UDu', '2', 'U', { heardMs: 500 }), 'up', 'if it stays silent, it is not asked')
  t.equal(back('UDU', '2', 'u'), 'up', 'nobody is silent any more')
  t.equal(back('UUd', '2', 'u'), 'up', 'whatever it sees')
  t.equal(back('Duu', 'majority', 'U'), null, 'it may be alone with that')
  t.equal(back('DDu', 'majority', 'U'), 'down', 'whatever it sees')
  t.equal(back('Duu', 'any', 'U'), 'down')
})

t.test('the first word of a new monitor waits for the others if it is bad', async (t) => {
  t.equal(verdict('DPP', 'majority', 'P', { isFirst: true }), null)
  t.equal(verdict('DDP', 'majority', 'P', { isFirst: true }), 'down')
  t.equal(verdict('DPP', 'any', 'P', { isFirst: true }), 'down')
  t.equal(verdict('UPP', 'majority', 'P', { isFirst: true }), 'up')
})

t.test('slowness and outages together make it degraded, not down', async (t) => {
  t.equal(verdict('DSU', 'majority', 'U'), 'degraded')
  t.equal(verdict('SSU', 'majority', 'U'), 'degraded')
  t.equal(verdict('SUU', 'majority', 'U'), 'up')
})

t.test('who has confirmed nothing yet, or is silent, is not counted', async (t) => {
  t.equal(verdict('DPP', 'majority', 'P'), 'down')
  t.equal(verdict('Duu', 'majority', 'U'), 'down', 'the only one that is heard turned down')
  t.equal(verdict('ddd', 'majority', 'd'), 'unknown', 'nobody is heard')
})

t.test('silence neither opens nor ends an outage', async (t) => {
  t.equal(verdict('Duu', 'majority', 'D'), null, 'the silent ones saw it up when this one was down')
  t.equal(verdict('UdU', 'any', 'U'), null, 'the one that saw it down is silent')
  t.equal(verdict('UdU', 'any', 'U', { heardMs: 500 }), null, 'and has been for long')
  t.equal(verdict('UUd', 'majority', 'D'), 'up', 'it is outvoted, whatever the silent one sees')
  t.equal(verdict('uDD', 'majority', 'U'), null, 'who cannot see its target says nothing')
})

t.test('who fell silent before the others turned does not speak against them', async (t) => {
  t.equal(
    verdict('Du', 'majority', 'D', { heardMs: 500 }),
    'down',
    'its last word is of before the outage',
  )
  t.equal(verdict('Duu', 'all', 'D', { heardMs: 500 }), 'down')
  t.equal(verdict('DuU', 'majority', 'D', { heardMs: 500 }), 'up', 'one that is heard does')
})

t.test('a property: as long as nobody turns, no silence ends an outage', async () => {
  const state = fc.constantFrom<State>('up', 'down', 'degraded')
  const downWhen = fc.constantFrom('majority', 'any', 'all', '1', '2', '4' as const)
  const timeMs = fc.nat(5_000)
  const vote = fc.record({ state, isFresh: fc.boolean(), sinceMs: timeMs, heardMs: timeMs })
  const places = fc.array(vote, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(places, downWhen, fc.nat(4), (some, when, index) => {
      const said = index % some.length
      const votes = some.map((one, at) => {
        return { ...one, place: `loc_${at}` as LocationId, isFresh: one.isFresh || at === said }
      })
      const before = votes[said]
      if (!before) return false
      const spoken = { said, before }
      const now = voteAfter(votes, when, spoken)
      const whole = voteAfter(
        votes.map((one) => ({ ...one, isFresh: true })),
        when,
        spoken,
      )
      return now !== 'up' || whole === 'up'
    }),
  )
})

t.test('so many are needed', async (t) => {
  t.same(
    [1, 2, 3, 4, 5].map((voting) => neededOf('majority', voting)),
    [1, 2, 2, 3, 3],
  )
  t.same(
    [1, 2, 3].map((voting) => neededOf('2', voting)),
    [1, 2, 2],
  )
  t.same(
    [1, 2, 3].map((voting) => neededOf('all', voting)),
    [1, 2, 3],
  )
})
