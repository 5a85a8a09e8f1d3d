// Which requests Healthchecks gets, and what is made of its answers.
import t from 'tap'
import { healthchecksApi } from '../../../../src/domain/imports/healthchecks/api.ts'
import { healthchecksAnswer, healthchecksChannels } from '../../../support/foreign-samples.ts'

t.test('checks and integrations come first, then the status changes of each check', async (t) => {
  const asks = healthchecksApi.asks(Date.UTC(2026, 10, 30))
  t.same(asks.next().value, [
    { path: '/api/v3/checks/' },
    { path: '/api/v3/channels/', isOptional: true },
    { path: '/api/v3/badges/', isOptional: true, what: 'badges' },
  ])
  const { checks } = healthchecksAnswer
  const ids = checks.map(({ uuid }) => uuid)
  t.same(
    asks.next([healthchecksAnswer, healthchecksChannels]).value,
    ids.map((id) => ({ path: `/api/v3/checks/${id}/flips/`, isOptional: true })),
  )
  const flips = { flips: [] }
  t.match(asks.next([flips]), {
    done: true,
    value: {
      checks,
      ...healthchecksChannels,
      flips: { [ids[0] ?? '']: flips },
      readAt: '2026-11-30T00:00:00.000Z',
    },
  })
  t.same(healthchecksApi.authorized('k'), { headers: { 'x-api-key': 'k' } })
})

t.test('what is no list of checks leads to no further request', async (t) => {
  for (const answer of [null, [], 'x', { checks: [{ uuid: '../..' }, { uuid: 7 }, null] }]) {
    const asks = healthchecksApi.asks(0)
    asks.next()
    t.same(asks.next([answer, undefined]).value, [])
    t.match(asks.next([]), { done: true })
  }
})
