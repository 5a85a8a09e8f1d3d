// What subscribers are told of incidents and maintenance, and when they are not.
import t from 'tap'
import type { MaintenanceId } from '../../../src/base/ids.ts'
import {
  flappingIncident,
  type Incident,
  reopened,
  resolvedIncident,
  withUpdate,
} from '../../../src/domain/incidents/incident.ts'
import type { MaintenanceWindow } from '../../../src/domain/maintenance/window.ts'
import {
  type AnnouncedIncident,
  type AnnouncedWindow,
  incidentNews,
  maintenanceNews,
  maintenanceNewsSettleMs,
  newsSettleMs,
  untoldUpdates,
} from '../../../src/domain/subscribers/news.ts'
import { makeIncident, orgA } from '../../support/make-incident.ts'

const settleMs = newsSettleMs
const openedAtMs = 61_000

/** Follows an incident as the actor does. */
function reader() {
  let announced: AnnouncedIncident | undefined
  return {
    look(incident: Incident, nowMs: number) {
      const decision = incidentNews(incident, incident.state !== 'resolved', announced, nowMs)
      const updates = untoldUpdates(incident, announced).map(({ message }) => message)
      if (decision.kind === 'later') return decision.atMs
      if (decision.kind === 'nothing') return null
      announced = decision.announced
      return [decision.news, ...updates]
    },
  }
}

const end = (incident: Incident, atMs: number) =>
  resolvedIncident(incident, { resolution: 'recovered', resolvedAtMs: atMs, atMs })
const again = (incident: Incident, atMs: number) =>
  reopened(
    incident,
    { monitorName: 'API', cause: 'timeout', evidence: null },
    {
      kind: 'opened',
      severity: 'down',
      startedAtMs: atMs,
      confirmedAtMs: atMs,
      reopens: incident.id,
      flapping: false,
    },
  )
const write = (incident: Incident, message: string, atMs: number, isPublic = true) =>
  withUpdate(incident, { id: `upd_${atMs}_${message}`, atMs, by: 'usr_1', message, isPublic })

t.test('an outage that the daemon found is told once it has lasted for a time', async (t) => {
  const { look } = reader()
  const incident = makeIncident()
  t.equal(look(incident, openedAtMs), openedAtMs + settleMs)
  t.same(look(incident, openedAtMs + settleMs), ['opened'])
  t.equal(look(incident, openedAtMs + 2 * settleMs), null)
  const ended = end(incident, 600_000)
  t.equal(look(ended, 600_000), 600_000 + settleMs)
  t.same(look(ended, 600_000 + settleMs), ['resolved'])
  t.equal(look(ended, 900_000), null)
})

t.test('what is over before it was told is never told', async (t) => {
  const { look } = reader()
  t.equal(look(end(makeIncident(), openedAtMs + 1), openedAtMs + settleMs), null)
})

t.test('an outage that flaps for an hour is told once', async (t) => {
  const { look } = reader()
  let incident = makeIncident()
  const told = [look(incident, openedAtMs + settleMs)]
  for (let atMs = 300_000; atMs < 3_900_000; atMs += 60_000) {
    incident = incident.state === 'resolved' ? again(incident, atMs) : end(incident, atMs)
    told.push(look(incident, atMs))
  }
  incident = flappingIncident(
    again(incident.state === 'resolved' ? incident : end(incident, 3_950_000), 3_960_000),
    3_960_000,
  )
  told.push(look(incident, 3_960_000 + settleMs))
  t.same(
    told.filter((one) => Array.isArray(one)),
    [['opened']],
  )
})

t.test('what a person writes is told at once, and each update once', async (t) => {
  const { look } = reader()
  const first = write(makeIncident(), 'We see it.', openedAtMs + 1)
  t.same(look(first, openedAtMs + 1), ['opened', 'We see it.'])
  const secret = write(first, 'Only for us.', openedAtMs + 2, false)
  t.equal(look(secret, openedAtMs + 2), null)
  const both = write(write(secret, 'It is the bank.', openedAtMs + 3), 'Still.', openedAtMs + 3)
  t.same(look(both, openedAtMs + 3), ['updated', 'It is the bank.', 'Still.'])
  t.equal(look(both, openedAtMs + 4), null)
})

t.test('a declared incident is told at once, and its end too', async (t) => {
  const { look } = reader()
  const incident = makeIncident({ isDeclared: true, severity: 'declared' })
  t.same(look(incident, openedAtMs), ['opened'])
  t.same(look(end(incident, openedAtMs + 1), openedAtMs + 1), ['resolved'])
  t.equal(reader().look(end(incident, openedAtMs + 1), openedAtMs + 1), null)
})

const hourMs = 3_600_000
const once = (startsAtMs: number, endsAtMs: number): MaintenanceWindow => ({
  id: 'mnt_01k0000000000000000000000a' as MaintenanceId,
  orgId: orgA,
  name: 'New disks',
  description: null,
  monitorIds: [],
  tags: [],
  times: { kind: 'once', startsAtMs, endsAtMs },
  isPublic: true,
  coversFromMs: 0,
  createdAtMs: 0,
  updatedAtMs: 0,
  revision: 1,
})

function planner() {
  let announced: AnnouncedWindow | undefined
  return (window: MaintenanceWindow | undefined, nowMs: number) => {
    const decision = maintenanceNews(window, announced, nowMs)
    if (decision.kind === 'later') return decision.atMs
    if (decision.kind === 'nothing') return null
    announced = decision.announced
    return decision.news
  }
}

t.test('maintenance is told when it is planned, moved, begins and ends', async (t) => {
  const look = planner()
  const window = once(10 * hourMs, 11 * hourMs)
  t.equal(look(window, 1_000), maintenanceNewsSettleMs, 'a slip can be corrected')
  t.equal(look(window, 60_000), 'scheduled')
  t.equal(look(window, 61_000), 10 * hourMs)
  const moved = { ...once(12 * hourMs, 13 * hourMs), updatedAtMs: hourMs }
  t.equal(look(moved, 2 * hourMs), 'changed')
  t.equal(look(moved, 12 * hourMs), 'begun')
  t.equal(look(moved, 12 * hourMs + 1), 13 * hourMs)
  const longer = once(12 * hourMs, 14 * hourMs)
  t.equal(look(longer, 13 * hourMs), 'changed')
  t.equal(look(longer, 14 * hourMs), 'ended')
  t.equal(look(longer, 15 * hourMs), null)
  t.equal(look(undefined, 15 * hourMs), null)
})

t.test('cancelled maintenance is told, one that was never told is not', async (t) => {
  const look = planner()
  t.equal(look(undefined, 1), null)
  look(once(10 * hourMs, 11 * hourMs), hourMs)
  t.equal(look(undefined, 2 * hourMs), 'cancelled')
  t.equal(look(undefined, 3 * hourMs), null)
  const during = planner()
  t.equal(during(once(hourMs, 3 * hourMs), 2 * hourMs), 'begun')
  t.equal(during(undefined, 2 * hourMs), 'ended')
  t.equal(planner()(once(1, 2), hourMs), null, 'and the past is no news')
})

t.test('recurring maintenance is told when it is planned and changed, not each time', async (t) => {
  const look = planner()
  const weekly = (cron: string): MaintenanceWindow => ({
    ...once(0, 0),
    times: {
      kind: 'recurring',
      cron,
      timezone: 'UTC',
      durationMinutes: 60,
      extras: [],
      cuts: [],
    },
  })
  t.equal(look(weekly('0 3 * * 1'), hourMs), 'scheduled')
  for (let day = 1; day < 20; day += 1) t.equal(look(weekly('0 3 * * 1'), day * 24 * hourMs), null)
  t.equal(look(weekly('0 4 * * 1'), 20 * 24 * hourMs), 'changed')
  t.equal(look(undefined, 21 * 24 * hourMs), 'cancelled')
})
