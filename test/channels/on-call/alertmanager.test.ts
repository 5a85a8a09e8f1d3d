// Alertmanager as it is called: requests compared with golden files, the life of its alerts.
import t from 'tap'
import type { Config } from '../../../src/channels/model/config.ts'
import type { Payload } from '../../../src/channels/model/message.ts'
import { alertmanager } from '../../../src/channels/on-call/alertmanager.ts'
import type { ChannelHealthPayload, IncidentPayload } from '../../../src/domain/alerts/payload.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const config = {
  url: 'http://alertmanager.test:9093/prefix/',
  username: 'up',
  password: 'example-password',
  labels: { team: 'shop' },
}

channelContract({
  definition: alertmanager,
  config,
  accepts: { status: 200, body: '' },
  answers: [
    {
      answer: { status: 400, body: '"invalid label set"' },
      means: { mayRetry: false, reason: 'Alertmanager refused the message (400).' },
    },
    { answer: { status: 401 }, means: { mayRetry: true, reason: /does not accept the key/ } },
    // The route prefix is missing in the URL.
    { answer: { status: 404 }, means: { mayRetry: true, reason: /or the address/ } },
    { answer: { status: 204 }, means: { ok: false, mayRetry: true } },
  ],
  fits(t, { body }) {
    for (const { labels, annotations, startsAt, endsAt } of JSON.parse(body)) {
      t.ok(labels.alertname)
      for (const [name, value] of Object.entries(labels)) {
        t.match(name, /^[A-Za-z_][A-Za-z0-9_]*$/)
        t.ok(value, `${name} has a value`)
      }
      t.ok(annotations.description.length <= 4_000)
      t.ok(startsAt <= endsAt)
    }
  },
})

interface Alert {
  readonly labels: Record<string, string>
  readonly startsAt: string
  readonly endsAt: string
}

function alertsOf(payload: Payload, given: Config = config, nowMs = 0): Alert[] {
  const context = { nowMs, sign: () => '', channel: makeChannel() }
  const [request] = [alertmanager.render(messageFrom(payload), given, context)].flat()
  return JSON.parse(request?.body ?? '')
}

const sample = (name: string) => samplePayloads[name] as IncidentPayload

function withWorsened({ data, ...rest }: IncidentPayload, worsened?: boolean): IncidentPayload {
  const { worsened: _, ...incident } = data.incident
  const changed = worsened === undefined ? incident : { ...incident, worsened }
  return { ...rest, data: { ...data, incident: changed } }
}

t.test('alertmanager: all news of an incident is about one alert', async (t) => {
  const [opened] = alertsOf(sample('opened'))
  for (const name of ['reminder', 'updated', 'acknowledged', 'resolved']) {
    const { data, ...rest } = sample(name)
    // Renamed meanwhile.
    const monitors = data.monitors.map((one) => ({ ...one, name: 'Another name' }))
    const [alert] = alertsOf({ ...rest, data: { ...data, monitors } } as Payload)
    t.same(alert?.labels, opened?.labels, name)
    t.equal(alert?.startsAt, opened?.startsAt, name)
  }
})

t.test('alertmanager: an alert is open until it is resolved', async (t) => {
  const [opened] = alertsOf(sample('opened'))
  t.equal(opened?.endsAt.slice(0, 10), '1971-01-01', 'a year after the opening')
  const resolved = sample('resolved')
  for (const alert of alertsOf(resolved)) {
    t.equal(alert.endsAt, resolved.data.incident.resolvedAt)
  }
})

t.test('alertmanager: an outage that began as a slow service ends both alerts', async (t) => {
  const [slow] = alertsOf(sample('degraded'))
  const worse = (name: string) => withWorsened(sample(name), true)
  const [down, ended] = alertsOf(worse('updated'))
  t.match([slow?.labels.severity, down?.labels.severity], ['warning', 'critical'])
  t.same(ended?.labels, { ...down?.labels, severity: 'warning' })
  t.equal(ended?.endsAt, sample('updated').timestamp)
  t.equal(alertsOf(worse('resolved')).length, 2)
  t.equal(alertsOf(worse('opened')).length, 1, 'told for the first time')
  t.equal(alertsOf(sample('resolved')).length, 1)
  t.equal(alertsOf(withWorsened(sample('resolved'))).length, 2, 'unknown in earlier versions')
})

t.test('alertmanager: a declared incident ends the alert of its other severity, too', async (t) => {
  const declared = (name: string, severity: 'down' | 'degraded') => {
    const { data, ...rest } = sample(name)
    const incident = { ...data.incident, severity, isDeclared: true } as const
    return alertsOf({ ...rest, data: { ...data, incident } })
  }
  const [slow] = declared('opened', 'degraded')
  t.notOk('monitor' in (slow?.labels ?? {}), 'its monitors may be deleted while it lasts')
  const [worse, ended] = declared('updated', 'down')
  t.same(ended?.labels, slow?.labels)
  const over = declared('resolved', 'degraded').map(({ labels }) => labels)
  t.same(over, [slow?.labels, worse?.labels], 'it may have become less severe')
})

t.test('alertmanager: a notice is shown for a day, a test for five minutes', async (t) => {
  const certificate = sample('certificate')
  const [notice] = alertsOf(certificate)
  t.equal(Date.parse(notice?.endsAt ?? '') - Date.parse(certificate.timestamp), 86_400_000)
  const [test] = alertsOf(sample('test'))
  t.equal(Date.parse(test?.endsAt ?? '') - Date.parse(sample('test').timestamp), 300_000)
  const lateMs = Date.parse(certificate.timestamp) + 7 * 86_400_000
  const [late] = alertsOf(certificate, config, lateMs)
  t.equal(Date.parse(late?.endsAt ?? '') - lateMs, 86_400_000, 'also if it comes a week late')
  t.equal(late?.startsAt, certificate.timestamp)
})

t.test('alertmanager: trouble that is over ends its notice', async (t) => {
  const failing = samplePayloads.channelFailing as ChannelHealthPayload
  const [open] = alertsOf(failing)
  const [over] = alertsOf({ ...failing, type: 'channel.recovered' })
  t.same(over?.labels, open?.labels)
  t.equal(over?.endsAt, failing.timestamp)
})

t.test('alertmanager: the address of the API is found below the given one', async (t) => {
  const message = messageFrom(sample('opened'))
  const context = { nowMs: 0, sign: () => '', channel: makeChannel() }
  const urlOf = (url: string) => [alertmanager.render(message, { url }, context)].flat()[0]?.url
  for (const end of ['', '/', '/api/v2', '/api/v2/alerts', '/api/v2/alerts/']) {
    t.equal(urlOf(`http://a.test:9093${end}`), 'http://a.test:9093/api/v2/alerts', end)
  }
  t.equal(urlOf('http://a.test/am?tenant=1'), 'http://a.test/am/api/v2/alerts?tenant=1')
})

t.test('alertmanager: a token is sent as it is, names and labels are checked', async (t) => {
  const message = messageFrom(sample('opened'))
  const context = { nowMs: 0, sign: () => '', channel: makeChannel() }
  const [request] = [
    alertmanager.render(message, { url: 'http://a.test', token: 'x' }, context),
  ].flat()
  t.equal(request?.headers?.authorization, 'Bearer x')

  const pointers = (given: Config) =>
    alertmanager.problems?.({ url: 'http://a.test', ...given }).map(({ pointer }) => pointer)
  t.same(pointers({ username: 'a', password: 'b', labels: { team: 'x' } }), [])
  t.same(pointers({ token: 'x', username: 'a' }), ['/token', '/username'])
  t.same(pointers({ password: 'b' }), ['/username', '/password'])
  t.same(pointers({ username: 'a:b' }), ['/username'])
  t.same(pointers({ labels: { severity: 'x', 'a-b': 'x', '1a': 'x', ok_1: 'x' } }), [
    '/labels/severity',
    '/labels/a-b',
    '/labels/1a',
  ])
})
