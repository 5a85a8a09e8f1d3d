// A message as channel types see it: its title, its facts, its links, and a template's words of it.
import t from 'tap'
import { messageOf, type Payload } from '../../../src/channels/model/message.ts'
import { renderTemplate } from '../../../src/channels/model/template.ts'
import {
  certificatePayload,
  type IncidentEvent,
  incidentPayload,
} from '../../../src/domain/alerts/payload.ts'
import {
  closedByHand,
  type Incident,
  reopened,
  resolvedIncident,
  withUpdate,
} from '../../../src/domain/incidents/incident.ts'
import { defaultLocale } from '../../../src/domain/language.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { makeMonitor } from '../../support/make-page.ts'

const page = 'https://up.test/alerts/x'
const payloadFor = (event: IncidentEvent) =>
  incidentPayload(event, makeIncident(), [makeMonitor({ name: 'API' })], 61_000, page)

function messageFor(payload: Payload) {
  const payloadJson = JSON.stringify(payload)
  const message = messageOf(
    { webhookId: 'msg_1', event: payload.type, payloadJson },
    { locale: defaultLocale, nowMs: Date.parse(payload.timestamp) },
  )
  const words = JSON.parse(renderTemplate('{"text": "{{text}}"}', message))
  return { ...message, text: words.text }
}

t.test('the cause is said in the language of the organization', async (t) => {
  const incident = makeIncident({ cause: 'expected status 200, found 503' })
  const payload = incidentPayload('incident.opened', incident, [], 61_000, page)
  const { facts } = messageOf(
    { webhookId: 'msg_1', event: payload.type, payloadJson: JSON.stringify(payload) },
    { locale: { language: 'de', timezone: 'UTC' }, nowMs: 61_000 },
  )
  t.match(facts, [{ label: 'Ursache', value: 'erwartet: Status 200; gefunden: 503' }])
})

t.test('what is degraded by its own word is not called slow, in any language', async (t) => {
  const monitors = [makeMonitor({ name: 'API' })]
  const titled = (title: string, type: IncidentEvent, language: 'en' | 'de') => {
    const incident = makeIncident({ severity: 'degraded', title, cause: 'one of two' })
    const payload = incidentPayload(type, incident, monitors, 61_000, page)
    const content = { webhookId: 'msg_1', event: type, payloadJson: JSON.stringify(payload) }
    const { title: said, matter } = messageOf(content, {
      locale: { language, timezone: 'UTC' },
      nowMs: 61_000,
    })
    return [said, matter]
  }
  const opened = titled('API is degraded', 'incident.opened', 'de')
  t.same(opened, ['API ist beeinträchtigt', 'API ist beeinträchtigt'])
  const resolved = titled('API was degraded', 'incident.resolved', 'en')
  t.same(resolved, ['Resolved: API was degraded', 'API is degraded'])
  t.same(titled('API is slow', 'incident.opened', 'de')[0], 'API ist langsam')
})

t.test('an incident has its cause, its times and where to look', async (t) => {
  const message = messageFor(payloadFor('incident.opened'))
  const { id } = makeIncident()
  t.match(message, {
    id: 'msg_1',
    event: 'incident.opened',
    atMs: 61_000,
    title: 'API is down',
    incidentId: id,
    dedupKey: id,
    severity: 'down',
    state: 'open',
  })
  t.same(message.facts, [
    { label: 'Cause', value: 'timeout: no answer within 10,000 ms' },
    { label: 'Monitors', value: 'API' },
    { label: 'Started', value: { atMs: 1_000 } },
  ])
  t.same(message.links, [{ kind: 'incident', label: 'View and acknowledge', url: page }])
  t.match(message, { news: 'opened', tone: 'bad', startedAtMs: 1_000, endedAtMs: null })
  t.match(message.text, /^Cause: timeout: no answer.*\nStarted: 1 Jan 1970, 00:00:01 UTC\n/s)
  t.match(message.text, /\nView and acknowledge: https:\/\/up\.test\/alerts\/x$/)
  const titleOf = (event: IncidentEvent) => messageFor(payloadFor(event)).title
  t.equal(titleOf('incident.resolved'), 'Resolved: API is down')
  t.equal(titleOf('incident.reminder'), 'Reminder: API is down')
  t.equal(titleOf('incident.acknowledged'), 'Acknowledged: API is down')
  t.equal(titleOf('incident.updated'), 'Update: API is down')
})

t.test('a resolution says when it began and when it ended', async (t) => {
  const payload = payloadFor('incident.resolved')
  const acknowledgedAt = '1970-01-01T00:00:02.000Z'
  const resolvedAt = '1970-01-01T00:00:03.000Z'
  const incident = { ...payload.data.incident, acknowledgedAt, resolvedAt }
  const { facts } = messageFor({ ...payload, data: { ...payload.data, incident } })
  t.same(facts.slice(-4), [
    { label: 'Started', value: { atMs: 1_000 } },
    { label: 'Acknowledged', value: { atMs: 2_000 } },
    { label: 'Resolved', value: { atMs: 3_000 } },
    { label: 'Lasted', value: '2 s' },
  ])
})

t.test('a message says what a person wrote, and what is not over', async (t) => {
  const person = { id: 'upd_1', by: 'usr_1', atMs: 70_000, isPublic: false }
  const factsOf = (event: IncidentEvent, incident: Incident) => {
    const { title, facts, text } = messageFor(
      incidentPayload(event, incident, [makeMonitor({ name: 'API' })], 70_000, page),
    )
    const texts = facts.flatMap(({ label, value }) =>
      typeof value === 'string' ? `${label}: ${value}` : [],
    )
    return { title, text, facts: texts.slice(0, -2) }
  }
  const update = { ...person, message: 'A disk is full.', status: 'identified' } as const
  const updated = factsOf('incident.updated', withUpdate(makeIncident(), update))
  t.same(updated.facts, ['Identified: A disk is full.'])
  t.match(updated.text, /^Identified: A disk is full\.\nCause: timeout/)

  const closed = closedByHand(makeIncident(), { ...person, message: 'Known.' }, 'down')
  const note = 'Note: The service is still failing. The incident reopens if that goes on.'
  const atClosing = factsOf('incident.resolved', closed)
  t.equal(atClosing.title, 'Closed by hand: API is down')
  t.same(atClosing.facts, ['Message: Known.', note])
  t.notOk(atClosing.text.includes('Lasted'), 'it is not over')
  const end = { resolution: 'paused', resolvedAtMs: 90_000, atMs: 90_000 } as const
  const paused = factsOf('incident.resolved', resolvedIncident(makeIncident(), end))
  t.equal(paused.title, 'Closed by hand: API was down', 'a pause is no recovery')

  const failure = { monitorName: 'API', cause: 'x', evidence: null }
  const change = { severity: 'down', startedAtMs: 1, confirmedAtMs: 80_000 } as const
  const again = reopened(closed, failure, {
    ...change,
    kind: 'opened',
    reopens: null,
    flapping: false,
  })
  t.match(factsOf('incident.opened', again), { title: 'Reopened: API is down', facts: [] })
  const over = closedByHand(makeIncident(), person, null)
  t.match(factsOf('incident.resolved', over), { title: 'Resolved: API was down', facts: [] })
})

t.test('a digest names the first few and counts the rest', async (t) => {
  const { incident } = payloadFor('incident.opened').data
  const { title, text, facts } = messageFor({
    type: 'incident.digest',
    timestamp: '1970-01-01T00:00:01.000Z',
    data: { orgId: 'org', incidents: Array(15).fill(incident), incidentsTotal: 40 },
  })
  t.equal(title, '40 incidents opened')
  t.equal(text.split('\n').length, 11)
  t.match(text, /^API is down: open\n.*\nMore incidents: 30$/s)
  t.equal(facts.length, 11)
  t.same(facts.at(-1), { label: 'More incidents', value: '30' })
  const ends = { orgId: 'org', incidents: [incident, incident], incidentsTotal: 2 }
  const data = { ...ends, event: 'incident.resolved' } as const
  const timestamp = '1970-01-01T00:00:01.000Z'
  t.equal(messageFor({ type: 'incident.digest', timestamp, data }).title, '2 incidents resolved')
})

t.test('a notice about a certificate says how long, until when, and where to look', async (t) => {
  const monitor = { ...makeMonitor({ name: 'Shop' }), url: 'https://shop.test/?token=hidden' }
  const messageWith = (daysLeft: number) => {
    const certificate = { expiresAtMs: 86_400_000 * daysLeft, issuer: 'Test CA' }
    const notice = { certificate, daysLeft, thresholdDays: 7 }
    return messageFor(certificatePayload({ monitors: [monitor], total: 1 }, notice, 0))
  }
  const { title, text, facts } = messageWith(5)
  t.equal(title, 'The certificate of Shop expires in 5 days')
  t.match(text, /\nValid until: 6 Jan 1970, 00:00:00 UTC\nIssuer: Test CA\n/)
  t.match(text, /\nOpen the address: https:\/\/shop\.test\/$/, 'without its query')
  t.same(facts, [
    { label: 'Monitor', value: 'Shop' },
    { label: 'Valid until', value: { atMs: 5 * 86_400_000 } },
    { label: 'Issuer', value: 'Test CA' },
  ])
  t.notMatch(text, /hidden/)
  t.match(messageWith(1).title, /in 1 day$/)
  t.match(messageWith(0).title, /in less than a day$/)
})

t.test('a test names its channel', async (t) => {
  const { title, text } = messageFor({
    type: 'channel.test',
    timestamp: '1970-01-01T00:00:01.000Z',
    data: { orgId: 'org', channel: { id: 'chn', name: 'Pager' } },
  })
  t.equal(title, 'Test of Pager')
  t.equal(text, 'Message: This channel works. Alerts of your monitors arrive here.')
})

t.test('a reopening says when, and a channel that works again how long it failed', async (t) => {
  const payload = payloadFor('incident.opened')
  const at = '1970-01-01T02:00:00.000Z'
  const update = { kind: 'reopened', status: null, message: 'timeout', by: null, at } as const
  const again = messageFor({ ...payload, data: { ...payload.data, update } })
  t.same(again.facts.slice(-2), [
    { label: 'Started', value: { atMs: 1_000 } },
    { label: 'Reopened', value: { atMs: 7_200_000 } },
  ])
  const channel = { id: 'chn_x', name: 'Phone', type: 'ntfy' }
  const { facts } = messageFor({
    type: 'channel.recovered',
    timestamp: at,
    data: {
      orgId: 'org_x',
      channel,
      reason: 'No answer.',
      failingSince: '1970-01-01T01:00:00.000Z',
      pending: 2,
    },
  })
  t.same(facts, [
    { label: 'Cause', value: 'No answer.' },
    { label: 'Started', value: { atMs: 3_600_000 } },
    { label: 'Lasted', value: '1 h' },
    { label: 'Messages waiting', value: '2' },
  ])
})
