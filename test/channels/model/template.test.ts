// What a body template may name, and what becomes of it.
import t from 'tap'
import { messageOf, type Payload } from '../../../src/channels/model/message.ts'
import {
  renderTemplate,
  renderUrlTemplate,
  templateProblem,
  urlTemplateProblem,
} from '../../../src/channels/model/template.ts'
import { type IncidentEvent, incidentPayload } from '../../../src/domain/alerts/payload.ts'
import { defaultLocale } from '../../../src/domain/language.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { makeMonitor } from '../../support/make-page.ts'

function rendered(template: string, payload: Payload, render = renderTemplate): string {
  const payloadJson = JSON.stringify(payload)
  return render(
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

t.test('a section is there only if the message has the value that it names', async (t) => {
  const over = '{{data.incident.resolvedAt}}'
  const [begins, ends] = [over.replace('{{', '{{#'), over.replace('{{', '{{/')]
  const template = `${begins}OVER {{data.incident.title}}${ends}${begins.replace('#', '^')}ON${ends}!`
  t.equal(templateProblem(template), null)
  t.equal(rendered(template, opened()), 'ON!')
  const resolved = opened('incident.resolved')
  const data = {
    ...resolved.data,
    incident: { ...resolved.data.incident, resolvedAt: '2026-01-01T00:00:00.000Z' },
  }
  t.equal(rendered(template, { ...resolved, data }), `OVER ${data.incident.title}!`)
  const within = '{{#title}}a{{^type}}b{{#text}}c{{/text}}{{/type}}d{{/title}}'
  t.equal(rendered(within, opened()), 'ad', 'a part of what is not there is not there')
  t.equal(rendered('{{#data.incident.locations}}some{{/data.incident.locations}}', opened()), '')
})

t.test('a section ends where it must', async (t) => {
  t.equal(templateProblem('{{#title}}'), 'begins {{#title}} and does not end it')
  t.equal(templateProblem('{{/title}}'), 'ends {{#title}}, which does not begin there')
  t.match(templateProblem('{{#title}}{{#text}}{{/title}}{{/text}}'), 'ends {{#title}}')
  t.match(templateProblem('{{#titel}}{{/titel}}'), 'names {{titel}}, which no message has')
})

t.test('a URL names values in its path and query, and never where it leads to', async (t) => {
  const url = 'https://hooks.test/{{data.orgId}}?text={{data.monitors.0.name}}'
  t.equal(urlTemplateProblem(url), null)
  const named = incidentPayload(
    'incident.opened',
    makeIncident(),
    [makeMonitor({ name: 'A/ü&' })],
    1,
    '',
  )
  t.match(rendered(url, named, renderUrlTemplate), /\?text=A%2F%C3%BC%26$/)
  for (const elsewhere of [
    'https://{{title}}/',
    'https:{{title}}',
    'https:/{{title}}/a.test',
    'https://a.test{{#title}}.b.test{{/title}}/',
    'https://{{title}}@a.test/',
    'https://a:{{title}}@a.test/',
    'https://a.test:{{title}}/',
    'http{{#title}}s{{/title}}://a.test/',
  ]) {
    t.equal(urlTemplateProblem(elsewhere), 'must name no value before its path', elsewhere)
  }
  t.match(urlTemplateProblem('https://a.test/{{x}}'), 'names {{x}}, which no message has')
})
