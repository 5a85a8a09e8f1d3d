// What is asked of Pingdom: version 3.1 of its API, with a token that may only read.
//
// The lists and what is told of each check: https://docs.pingdom.com/api/
import { limits } from '../../limits/limits.ts'
import {
  type ForeignApi,
  type ForeignAsks,
  fieldsOf,
  listOf,
  optionalAsk,
  textOf,
} from '../foreign.ts'

export const pingdomApi: ForeignApi = {
  authorized: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  asks,
}

/** As far back as outages are asked for. */
const historySeconds = 365 * 86_400
const root = '/api/3.1'

function* asks(nowMs: number): ForeignAsks {
  const optional = (path: string, what: string) => optionalAsk(`${root}${path}`, what)
  const [list, teams, contacts, maintenance, transactions] = yield [
    { path: `${root}/checks?include_tags=true&include_severity=true` },
    optional('/alerting/teams', 'teams'),
    optional('/alerting/contacts', 'contacts'),
    optional('/maintenance', 'maintenance'),
    optional('/tms/check', 'transactions'),
  ]
  const { checks } = fieldsOf(list)
  const ids = idsOf(checks)
  const details = yield ids.map((id) =>
    optional(`/checks/${id}?include_teams=true`, 'settings of checks'),
  )
  const since = Math.floor(nowMs / 1_000) - historySeconds
  const outages = yield ids.map((id) => optional(`/summary.outage/${id}?from=${since}`, 'outages'))
  const given = fieldsOf(transactions).checks
  const ofTransactions = idsOf(given)
  const scripts = yield ofTransactions.map((id) => optional(`/tms/check/${id}`, 'transactions'))
  const from = encodeURIComponent(new Date(since * 1_000).toISOString())
  const states = yield ofTransactions.map((id) =>
    optional(`/tms/check/${id}/report/status?from=${from}&order=asc`, 'outages of transactions'),
  )
  const told = new Map(ofTransactions.map((id, index) => [id, fieldsOf(scripts[index])]))
  return {
    checks,
    details: details.filter((one) => one !== undefined),
    outages: Object.fromEntries(ids.map((id, index) => [id, outages[index]])),
    teams: fieldsOf(teams).teams,
    contacts: fieldsOf(contacts).contacts,
    maintenance: fieldsOf(maintenance).maintenance,
    transactions: listOf(given)
      .map(fieldsOf)
      .map((one) => ({ ...one, ...told.get(textOf(one.id)) })),
    reports: Object.fromEntries(ofTransactions.map((id, index) => [id, states[index]])),
    readAt: new Date(nowMs).toISOString(),
  }
}

function idsOf(checks: unknown): readonly string[] {
  return listOf(checks)
    .slice(0, limits.importMonitorsMax)
    .map((check) => textOf(fieldsOf(check).id))
    .filter((id) => /^\d{1,20}$/.test(id))
}
