// What is asked of Healthchecks: its Management API, version 3 (templates/docs/api.md).
import { limits } from '../../limits/limits.ts'
import {
  type ForeignApi,
  type ForeignAsks,
  fieldsOf,
  listOf,
  optionalAsk,
  textOf,
} from '../foreign.ts'

export const healthchecksApi: ForeignApi = {
  authorized: (key) => ({ headers: { 'x-api-key': key } }),
  asks,
}

function* asks(nowMs: number): ForeignAsks {
  // A key that may only read is refused the integrations.
  const [answer, channels, badges] = yield [
    { path: '/api/v3/checks/' },
    { path: '/api/v3/channels/', isOptional: true },
    optionalAsk('/api/v3/badges/', 'badges'),
  ]
  const { checks } = fieldsOf(answer)
  const ids = listOf(checks)
    .slice(0, limits.importMonitorsMax)
    .map(fieldsOf)
    .map(({ uuid, unique_key }) => textOf(uuid) || textOf(unique_key))
    .filter((id) => /^[0-9a-f-]{36,40}$/.test(id))
  const flips = yield ids.map((id) => ({ path: `/api/v3/checks/${id}/flips/`, isOptional: true }))
  return {
    checks,
    ...(channels === undefined ? {} : fieldsOf(channels)),
    ...(badges === undefined ? {} : { badges: fieldsOf(badges).badges }),
    flips: Object.fromEntries(ids.map((id, index) => [id, flips[index]])),
    readAt: new Date(nowMs).toISOString(),
  }
}
