// What a page shows, and that nothing else can be found in it.
import fc from 'fast-check'
import t from 'tap'
import type { IncidentId, MonitorId } from '../../../src/base/ids.ts'
import { type Declaration, declaredIncident } from '../../../src/domain/incidents/declared.ts'
import {
  closedByHand,
  type Incident,
  type TimelineEntry,
} from '../../../src/domain/incidents/incident.ts'
import type { StatusPage } from '../../../src/domain/pages/page.ts'
import { toText } from '../../../src/pages/html.ts'
import { statusPage } from '../../../src/pages/status/status-page.ts'
import { type MonitorSource, toPublicPage } from '../../../src/pages/view/public-view.ts'
import { runs, testSeed } from '../../support/depth.ts'
import {
  dayMs,
  makeDay,
  makePage,
  makePublicIncident,
  makeSource,
  monitorNo,
  noonMs,
  orgTwo,
  todayMs,
} from '../../support/make-page.ts'

function view(
  page: Partial<StatusPage>,
  sources: readonly MonitorSource[] = [makeSource()],
  incidents: readonly Incident[] = [],
) {
  return toPublicPage(makePage(page), sources, incidents, noonMs)!
}

function textOf(...parameters: Parameters<typeof view>): string {
  return toText(statusPage({ view: view(...parameters), language: 'en', root: '' }))
}

const update = (entry: Partial<TimelineEntry>): TimelineEntry => ({
  atMs: noonMs,
  kind: 'update',
  message: 'we look into it',
  isPublic: true,
  ...entry,
})

t.test('a page for members offers subscriptions only by mail', async (t) => {
  const offers = (visibility: 'everyone' | 'members', hasMailServer: boolean) => {
    const shown = makePage({ allowsSubscribers: true, visibility })
    return toPublicPage(shown, [], [], noonMs, { hasMailServer })?.allowsSubscribers
  }
  t.equal(offers('everyone', false), true, 'URLs need none')
  t.equal(offers('members', true), true)
  t.equal(offers('members', false), false, 'no link leads to a form that is not there')
})

t.test('a disabled page has no public form at all', async (t) => {
  t.equal(toPublicPage(makePage({ isEnabled: false }), [makeSource()], [], noonMs), null)
})

t.test('a monitor is shown where it is public and the page lists it, or lists none', async (t) => {
  const sources = [
    makeSource({ name: 'One' }),
    makeSource({ id: monitorNo(2), name: 'Two' }),
    makeSource({ id: monitorNo(3), name: 'Private', isPublic: false }),
    makeSource({ id: monitorNo(4), name: 'Foreign', orgId: orgTwo }),
  ]
  const names = (publicMonitorIds: readonly MonitorId[] | null) =>
    view({ publicMonitorIds }, sources).monitors?.map(({ name }) => name)
  t.same(names(null), ['One', 'Two'])
  t.same(names([monitorNo(2)]), ['Two'])
  t.same(names([monitorNo(2), monitorNo(3), monitorNo(4)]), ['Two'])
  t.same(names([]), [])
})

t.test('each show switch takes its part off the page and leaves the others', async (t) => {
  const incidents = [makePublicIncident()]
  const all = textOf({}, [makeSource()], incidents)
  const parts = { history: '<path d="M0 5h90"/>', uptime: 'uptime', incident: 'Website is down' }
  for (const part of Object.values(parts)) t.match(all, part)
  t.notMatch(textOf({ showHistory: false }, [makeSource()], incidents), parts.history)
  t.match(textOf({ showHistory: false }, [makeSource()], incidents), '<b>100%</b>')
  t.notMatch(textOf({ showUptime: false }, [makeSource()], incidents), parts.uptime)
  t.notMatch(textOf({ showIncidents: false }, [makeSource()], incidents), parts.incident)
  const bare = textOf({ showMonitors: false }, [makeSource({ name: 'Web' })], [])
  t.notMatch(bare, '>Web<')
  t.match(bare, 'All systems operational', 'the overall state is still told')
})

t.test('a resumed monitor with figures from before is not without data', async (t) => {
  const resumed = textOf({}, [makeSource({}, 'pending')], [])
  t.match(resumed, '<b>100%</b>')
  t.match(resumed, 'Waiting for the next result</i>')
  t.notMatch(resumed, 'No data yet')
  t.match(textOf({}, [makeSource({}, 'pending', [])], []), 'No data yet</i>')
})

t.test('the overall state is the worst that is shown', async (t) => {
  const overall = (...states: Parameters<typeof makeSource>[1][]) => {
    const sources = states.map((state, index) => makeSource({ id: monitorNo(index) }, state))
    return view({}, sources).overall.kind
  }
  t.equal(overall(), 'no_data')
  const fresh = [makeSource({}, 'pending', []), makeSource({ id: monitorNo(2) }, 'pending', [])]
  t.equal(view({}, fresh).overall.kind, 'no_data')
  t.equal(overall('pending', 'pending'), 'waiting')
  t.equal(overall('up', 'pending'), 'operational')
  t.equal(overall('up', 'degraded'), 'degraded')
  t.equal(overall('up', 'down'), 'partial_outage')
  t.equal(overall('up', 'up', 'recovering'), 'partial_outage', 'it is down until it has recovered')
  t.equal(overall('down'), 'major_outage')
  t.equal(overall('up', 'down', 'down'), 'major_outage')
  const hidden = [makeSource(), makeSource({ id: monitorNo(2), isPublic: false }, 'down')]
  t.equal(view({}, hidden).overall.kind, 'operational')
  const paused = [makeSource(), makeSource({ id: monitorNo(2), isActive: false }, 'down')]
  t.equal(view({}, paused).overall.kind, 'operational')
  t.equal(view({}, [makeSource()], [makePublicIncident()]).overall.kind, 'incident')
})

const quiet = { downMs: 0, degradedMs: 0, maintenanceMs: 0 }

t.test('ninety days end today, and uptime is the share of the checked time', async (t) => {
  const days = [makeDay(90, dayMs), makeDay(89), makeDay(2, 86_400), makeDay(0)]
  const monitor = view({}, [makeSource({}, 'up', days)]).monitors![0]!
  t.equal(monitor.days.length, 90)
  t.equal(monitor.days[0]?.startMs, todayMs - 89 * dayMs)
  t.same(monitor.days.at(-1), { startMs: todayMs, upRatio: 1, hasShare: true, ...quiet })
  t.same(monitor.days.at(-2), {
    startMs: todayMs - dayMs,
    upRatio: null,
    hasShare: false,
    ...quiet,
  })
  t.equal(monitor.days.at(-3)?.downMs, 86_400)
  t.equal(monitor.uptime90d, 1 - 86_400 / (3 * dayMs), 'what is older than 90 days is left out')
  const unseen = makeDay(0, 0, { upMs: 0, excludedMs: dayMs })
  t.equal(view({}, [makeSource({}, 'up', [unseen])]).monitors![0]!.uptime90d, null)
})

t.test('incidents: open ones and those of fifteen days, public and about shown ones', async (t) => {
  const resolved = (daysAgo: number): Partial<Incident> => ({
    id: `inc_${daysAgo}` as IncidentId,
    state: 'resolved',
    resolvedAtMs: noonMs - daysAgo * dayMs,
  })
  const shown = (incident: Partial<Incident>, sources?: readonly MonitorSource[]) =>
    view({}, sources, [makePublicIncident(incident)]).incidents?.length === 1
  t.ok(shown({}))
  t.ok(shown({ startedAtMs: noonMs - 40 * dayMs }), 'an open one however old')
  t.ok(shown(resolved(14)))
  t.notOk(shown(resolved(16)))
  t.notOk(shown({ isPublic: false }))
  t.notOk(shown({ orgId: orgTwo }))
  t.notOk(shown({}, [makeSource({ isPublic: false })]), 'its monitor is not shown')
  t.notOk(shown({ monitorIds: [monitorNo(1), monitorNo(2)] }), 'one of its monitors is not shown')
  const declared = { isDeclared: true, severity: 'declared' } as const
  t.ok(shown({ ...declared, monitorIds: [] }), 'declared by hand, about no monitor')
})

t.test('a declared incident makes its services as bad as it says, and none better', async (t) => {
  const declared = (severity: Incident['severity'], fields: Partial<Incident> = {}) =>
    makePublicIncident({ isDeclared: true, severity, monitorIds: [monitorNo(1)], ...fields })
  const shown = (incidents: readonly Incident[], state: 'up' | 'degraded' | 'down' = 'up') => {
    const { monitors, overall } = view({}, [makeSource({}, state)], incidents)
    return [monitors?.[0]?.state, monitors?.[0]?.declaredIds.length, overall.level]
  }
  t.same(shown([declared('declared')]), ['degraded', 1, 'degraded'])
  t.same(shown([declared('degraded')]), ['degraded', 1, 'degraded'])
  t.same(shown([declared('down')]), ['down', 1, 'down'])
  t.same(shown([declared('degraded'), declared('down')]), ['down', 2, 'down'])
  t.same(shown([declared('degraded')], 'down'), ['down', 1, 'down'])
  t.same(shown([declared('down', { isPublic: false })]), ['up', 0, 'up'])
  t.same(shown([declared('down', { state: 'resolved', resolvedAtMs: noonMs })]), ['up', 0, 'up'])
  t.same(shown([declared('down', { monitorIds: [] })]), ['up', 0, 'degraded'])
  const hidden = view({ showIncidents: false }, [makeSource()], [declared('down')])
  t.equal(hidden.monitors?.[0]?.state, 'up', 'the page shows no incidents')
})

t.test('only what people published is shown as written; acknowledgements never', async (t) => {
  const timeline = [
    update({ kind: 'opened', message: 'Website is down: connect: 10.0.0.7:5432 refused' }),
    update({ kind: 'acknowledged', message: 'on it', by: 'usr_1' }),
    update({ message: 'A disk is full.', status: 'identified', by: 'usr_1' }),
    update({ message: 'It was Bob.', isPublic: false }),
  ]
  const page = textOf({}, undefined, [
    makePublicIncident({
      timeline,
      state: 'acknowledged',
      acknowledgedBy: 'usr_1',
      cause: 'c4use',
    }),
  ])
  t.match(page, 'A disk is full.')
  t.match(page, 'Identified')
  t.match(page, 'Detected')
  t.notMatch(page, /10\.0\.0\.7|on it|cknowledged|It was Bob|usr_1|c4use/)
})

t.test(
  'a declared incident shows its message where it is published, and no words of ours',
  async (t) => {
    const declare = (fields: Partial<Declaration>) =>
      textOf({}, undefined, [
        declaredIncident({
          id: 'inc_1' as IncidentId,
          orgId: makePublicIncident().orgId,
          monitorIds: [],
          title: 'Checkout is unavailable',
          severity: 'down',
          isPublic: true,
          by: 'usr_1',
          startedAtMs: noonMs,
          atMs: noonMs,
          ...fields,
        }),
      ])
    t.match(declare({ message: 'We are looking.' }), /Reported<[\s\S]*We are looking\./)
    t.notMatch(declare({}), /by hand|usr_1/)
    t.notMatch(declare({ isPublic: false }), 'Checkout')
  },
)

t.test('an incident that a person closed goes on until its service is good', async (t) => {
  const closing = { id: 'upd_1', by: 'usr_1', atMs: noonMs - 60_000 }
  const pageOf = (state: 'down' | 'up', message?: string) => {
    const act = message === undefined ? closing : { ...closing, message, isPublic: true }
    const incident = closedByHand(makePublicIncident(), act, 'down')
    const source = makeSource({}, state)
    const monitorState = source.monitorState && {
      ...source.monitorState,
      health: {
        ...source.monitorState.health,
        lastIncidentId: incident.id,
        badSinceClosed: state === 'down' ? 1 : null,
      },
    }
    return textOf({}, [{ ...source, monitorState }], [incident])
  }
  t.match(pageOf('down'), /Ongoing incidents[\s\S]*so far</)
  t.notMatch(pageOf('down'), /Resolved|Closed by hand|usr_1/)
  const told = pageOf('down', 'We restart it.')
  t.match(told, /<b>Update<\/b><div class="prose" dir="auto"><p>We restart it\.</)
  t.notMatch(told, 'Resolved')
  t.match(pageOf('up'), '>Resolved<')
})

t.test('a message that ends an incident is shown only where it is published', async (t) => {
  const act = { id: 'upd_1', by: 'usr_1', atMs: noonMs, message: 'The intern did it.' }
  const page = (isPublic: boolean) =>
    textOf({}, undefined, [closedByHand(makePublicIncident(), { ...act, isPublic }, null)])
  t.match(
    page(true),
    /<i>Resolved<\/i><\/div><div class="clip"><div class="prose" dir="auto"><p>The intern did it\.</,
  )
  t.match(page(false), '<i>Resolved</i></div></li>')
  t.notMatch(page(false), 'intern')
})

t.test('what happened is shown once an incident becomes public', async (t) => {
  const timeline = [update({ kind: 'opened', message: 'x', isPublic: false })]
  t.match(textOf({}, undefined, [makePublicIncident({ timeline })]), 'Detected')
})

t.test('no secret string of an organization is ever in its page', async (t) => {
  const secret = fc.stringMatching(/^[a-zA-Z0-9<>"'&./:-]{1,20}$/).map((text) => `zqx${text}`)
  const source = fc.record({
    number: fc.integer({ min: 1, max: 8 }),
    isPublic: fc.boolean(),
    isActive: fc.boolean(),
    state: fc.constantFrom('up', 'down', 'pending', 'confirming', 'degraded'),
    secret,
  })
  const incident = fc.record({
    monitors: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }),
    isPublic: fc.boolean(),
    severity: fc.constantFrom('down', 'degraded', 'declared', 'certificate'),
    kind: fc.constantFrom('opened', 'reopened', 'worsened', 'acknowledged', 'resolved', 'flapping'),
    secret,
  })
  const makeAll = (raw: {
    number: number
    isPublic: boolean
    isActive: boolean
    secret: string
  }) => ({
    id: monitorNo(raw.number),
    isPublic: raw.isPublic,
    isActive: raw.isActive,
    name: raw.isPublic ? `Shown ${raw.number}` : raw.secret,
    url: `https://${raw.secret}`,
    headerNames: [raw.secret],
    requestBox: raw.secret,
    bodyContains: raw.secret,
    bodyNotContains: raw.secret,
    description: raw.secret,
    responseAssertionPath: raw.secret,
    responseAssertionValue: raw.secret,
    runbookUrl: raw.secret,
    tags: [raw.secret],
    pushTokenHash: raw.secret,
    pushTokenBox: raw.secret,
    notifyChannelIds: [raw.secret as never],
  })
  const property = fc.property(
    fc.uniqueArray(source, { selector: (one) => one.number }),
    fc.array(incident),
    (monitors, incidents) => {
      const sources = monitors.map((one) => makeSource(makeAll(one), one.state))
      const hidden = new Set(monitors.filter((one) => !one.isPublic).map((one) => one.number))
      const known = incidents.map((one, index) => {
        const namesHidden = one.monitors.some((number) => hidden.has(number))
        const isSecret = !one.isPublic || (namesHidden && one.severity !== 'declared')
        return makePublicIncident({
          id: `inc_${index}` as IncidentId,
          monitorIds: one.monitors.map(monitorNo),
          isPublic: one.isPublic,
          severity: one.severity,
          ...(one.severity === 'declared' ? { isDeclared: true } : {}),
          cause: one.secret,
          title: isSecret ? `${one.secret} is down` : 'Trouble',
          acknowledgedBy: one.secret,
          postmortem: one.secret,
          evidence: { bodyText: one.secret, kind: 'status' } as never,
          timeline: [
            update({ kind: one.kind, message: one.secret }),
            update({ kind: 'acknowledged', message: one.secret, by: one.secret }),
            update({ message: one.secret, isPublic: false, by: one.secret }),
          ],
        })
      })
      const page = textOf({}, sources, known)
      for (const one of monitors)
        if (one.isPublic && !page.includes(`Shown ${one.number}`)) return false
      return !page.includes('zqx')
    },
  )
  t.doesNotThrow(() => fc.assert(property, { ...runs(300), seed: testSeed(20_260_615) }))
})
