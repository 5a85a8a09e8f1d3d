// The API of objectives: how the error budget of a monitor stands this month.
import * as s from '../../../base/schema/schema.ts'
import { burnWindows, sloStates } from '../../../domain/reports/objective.ts'
import type { ObjectiveView } from '../../../services/reports/objectives.ts'
import { get, resource } from '../../routing/route.ts'

const rate = s.nullable(s.anyNumber)

const SloOut = s.object({
  monitorId: s.idOf('monitor'),
  month: s.described(s.anyText, 'As YYYY-MM, in UTC.'),
  objectivePercent: s.described(s.anyNumber, 'The sloPercent of the monitor.'),
  state: s.described(
    s.oneOf(sloStates),
    '`at_risk`: at least a tenth of the budget is used, and at the rates of the last 6 hours and of ' +
      'the last 3 days the rest would not last until the end of the month. `exhausted`: it is used ' +
      'up. `no_data`: less than an hour of the month counts so far.',
  ),
  budgetSeconds: s.described(
    s.anyNumber,
    'What may be down: of the time that counted so far, and of the rest of the month.',
  ),
  usedSeconds: s.described(s.anyNumber, 'Seconds down so far.'),
  leftSeconds: s.described(s.anyNumber, 'Negative once more is used than there is.'),
  leftPercent: s.described(s.anyNumber, 'The share of the budget that is left.'),
  burnRates: s.described(
    s.object({ '1h': rate, '6h': rate, '24h': rate, '3d': rate }),
    'How fast the budget is used: 1 uses exactly the budget of that time. Each covers the current ' +
      'hour and so much before it. Null if too little of it counts.',
  ),
  exhaustedAt: s.nullable(
    s.isoTime,
    'When the budget is used up at the faster rate of 24 hours and 3 days; null if not in this month, ' +
      'or already.',
  ),
})

function toWire(view: ObjectiveView) {
  const { budgetMs, usedMs, leftMs, burnRates } = view
  const rates = burnWindows.map((name) => [name, rounded(burnRates[name])] as const)
  return {
    monitorId: view.monitorId,
    month: view.month,
    objectivePercent: view.objectivePercent,
    state: view.state,
    budgetSeconds: Math.round(budgetMs / 1_000),
    usedSeconds: Math.round(usedMs / 1_000),
    leftSeconds: Math.round(leftMs / 1_000),
    leftPercent: budgetMs === 0 ? 0 : Math.round((leftMs / budgetMs) * 10_000) / 100,
    // Object.fromEntries loses which name has which value.
    burnRates: Object.fromEntries(rates) as typeof burnRates,
    exhaustedAt: s.toIsoOrNull(view.exhaustedAtMs),
  }
}

function rounded(rate: number | null): number | null {
  return rate === null ? null : Math.round(rate * 1_000) / 1_000
}

export const slo = resource('/orgs/:orgId/monitors', {
  slo: get('/:monitorId/slo', {
    who: { role: 'viewer' },
    summary: 'The error budget of this month, and how fast it is used',
    description:
      'For a monitor with sloPercent; without one: `conflict`. Channels get `slo.at_risk` and ' +
      '`slo.exhausted`, each at most once a month.',
    out: SloOut,
    problems: [409],
  }).handledBy(({ scope, params }, { objectives }) =>
    toWire(objectives.of(scope, params.monitorId)),
  ),
})
