// What a body template may name, and what becomes of it.
import t from 'tap'
import { messageOf, type Payload } from '../../../src/channels/model/message.ts'
import { renderTemplate, templateProblem } from '../../../src/channels/model/template.ts'
import { type IncidentEvent, incidentPayload } from '../../../src/domain/alerts/payload.ts'
import { defaultLocale } from '../../../src/domain/language.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { makeMonitor } from '../../support/make-page.ts'

function rendered(template: string, payload: Payload): string {
  const payloadJson = JSON.stringify(payload)
  return renderTemplate(
    template,
    messageOf(
      { webhookId: 'msg_1', event: payload.type, payloadJson },
      { locale: defaultLocale, nowMs: Date.parse(payload.timestamp) },
    ),
  )
}

const opened = (event: IncidentEvent = 'incident.opened') =>
  incidentPayload(event, makeIncident(), [makeMonitor({ name: 'API' })], 61_000, 'https://up.test')

t.test('every field of an incident can be named, and a list by its number', async (t) => {
  const names = Object.keys(opened().data.incident).map((name) => `{{ data.incident.${name} }}`)
  t.equal(templateProblem(names.join()), null)
  t.equal(templateProblem('{{data.monitors.3.name}} {{data.incidents.12.title}}'), null)
  t.equal(templateProblem('{{title}}{{text}}{{type}}{{timestamp}}{{data}}{{data.monitors}}'), null)
  t.equal(templateProblem('{{data.certificate.issuer}}{{data.incidentIds}}'), null)
  t.equal(templateProblem('{"a": {"b": 1}}'), null, 'braces alone are not a name')
  t.equal(templateProblem('{{data}}'.repeat(100)), null)
  t.match(templateProblem('{{data}}'.repeat(101)), 'names 101 values; at most 100 are allowed')
})

t.test('a name that no message has is told, with those that exist', async (t) => {
  for (const name of ['titel', 'data.incident', '', 'data.incident.x', 'constructor', 'a b']) {
    const problem = templateProblem(`{"x": "{{${name}}}"}`)
    if (name === 'data.incident') t.equal(problem, null)
    else t.match(problem, `names {{${name}}}, which no message has; known are title, text, type,`)
  }
  t.match(templateProblem('{{x}}'), /data\.incident\.cause, .*data\.certificate\.daysLeft/)
})

t.test('a value that this message lacks is empty', async (t) => {
  t.equal(rendered('[{{data.certificate.issuer}}|{{data.monitors.0.name}}]', opened()), '[|API]')
})

t.test('a test has a sample incident, unlike other messages', async (t) => {
  const data = { orgId: 'org', channel: { id: 'chn', name: 'Pager' } }
  const timestamp = '2026-01-01T00:00:00.000Z'
  const template = '{{type}} {{data.orgId}} {{data.channel.name}}: {{data.incident.severity}}'
  t.equal(
    rendered(template, { type: 'channel.test', timestamp, data }),
    'channel.test org Pager: down',
  )
})

t.test('a template that repeats a large payload fills in a mebibyte at most', async (t) => {
  const { incident } = opened().data
  const digest: Payload = {
    type: 'incident.digest',
    timestamp: opened().timestamp,
    data: {
      orgId: 'org_1',
      event: 'incident.opened',
      incidents: Array(100).fill({ ...incident, title: 'x'.repeat(200), cause: '"'.repeat(300) }),
      incidentsTotal: 100,
    },
  }
  const once = rendered('{{data}}', digest).length
  t.ok(once > 50_000)
  const many = rendered(`{{title}}${'{{data}}'.repeat(99)}`, digest)
  t.ok(many.length <= 1_024 * 1_024)
  t.ok(many.length >= 1_024 * 1_024 - once, 'as many as fit are there')
})
