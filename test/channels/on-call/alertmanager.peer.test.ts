// Prometheus' own Alertmanager takes our alerts, shows them, and ends them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { Config } from '../../../src/channels/model/config.ts'
import type { Payload } from '../../../src/channels/model/message.ts'
import { createSender } from '../../../src/channels/sender.ts'
import { incidentPayload } from '../../../src/domain/alerts/payload.ts'
import { type Incident, resolvedIncident } from '../../../src/domain/incidents/incident.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createEgress } from '../../../src/net/http-client/guarded-client.ts'
import { signWebhook } from '../../../src/seal/sign.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { makeMonitor } from '../../support/make-page.ts'
import { pathOf, skipWithout } from '../../support/programs.ts'
import { messageFrom } from '../../support/sample-messages.ts'
import { testFolder } from '../../support/test-folder.ts'
import { until } from '../../support/until.ts'

const skip = skipWithout('prometheus-alertmanager')

const settings = 'route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n'

async function startAlertmanager(test: Test) {
  const dir = testFolder(test)
  writeFileSync(join(dir, 'settings.yml'), settings)
  const child = spawn(pathOf('prometheus-alertmanager') ?? '', [
    `--config.file=${join(dir, 'settings.yml')}`,
    `--storage.path=${join(dir, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
    '--cluster.listen-address=',
  ])
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = once(child, 'exit')
  test.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const address = await until(() => /Listening on" address=(\S+)/.exec(log)?.[1])
  return `http://${address}`
}

/** Sends a payload through the real client, by a channel with the config. */
function startSender(test: Test) {
  const clock = startClock()
  test.teardown(() => clock.stop())
  const guard = createGuard({ targets: 'any' })
  const request = createEgress({ clock, guard, resolver: createResolver({ clock }) })
  const sender = createSender({ request, sign: signWebhook })
  const channel = makeChannel({ type: 'alertmanager', config: {} })
  return (config: Config, payload: Payload) =>
    sender(messageFrom(payload), { channel, config }, { clock })
}

interface Shown {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly status: { readonly state: string }
}

t.test('an outage is shown until it is over', { skip }, async (t) => {
  const url = await startAlertmanager(t)
  const sendBy = startSender(t)
  const config = { url: `${url}/`, labels: { team: 'shop "&" Söhne' } }
  const send = (payload: Payload) => sendBy(config, payload)

  const nowMs = Date.now()
  const monitor = makeMonitor({ name: 'Shop & <Cart> "1"\n漢' })
  const slow: Incident = makeIncident({
    title: 'Shop is slow',
    severity: 'degraded',
    startedAtMs: nowMs - 60_000,
    confirmedAtMs: nowMs - 50_000,
  })
  const down: Incident = {
    ...slow,
    title: 'Shop is down',
    severity: 'down',
    timeline: [
      ...slow.timeline,
      { atMs: nowMs, kind: 'worsened', message: 'Shop is down', isPublic: false },
    ],
  }
  const over = resolvedIncident(down, {
    resolution: 'recovered',
    resolvedAtMs: nowMs - 1,
    atMs: nowMs,
  })
  const newsOf = (event: Parameters<typeof incidentPayload>[0], incident: Incident) =>
    incidentPayload(event, incident, [monitor], nowMs, 'https://up.test/alerts/x')
  const shown = async (): Promise<Shown[]> =>
    JSON.parse(await (await fetch(`${url}/api/v2/alerts`)).text())
  const only = async (title: string) => {
    const [alert, ...more] = await shown()
    return more.length === 0 && alert?.annotations.summary === title && alert
  }

  t.match(await send(newsOf('incident.resolved', over)), { ok: true, status: 200 })
  t.same(await shown(), [], 'the end of an outage that it never heard of is harmless')

  t.match(await send(newsOf('incident.opened', slow)), { ok: true })
  t.match(await until(() => only('Shop is slow')), {
    labels: {
      alertname: 'StillupIncident',
      severity: 'warning',
      incident: slow.id,
      monitor: monitor.id,
      team: 'shop "&" Söhne',
    },
    annotations: { monitors: monitor.name },
    status: { state: /active|unprocessed/ },
  })
  t.match(await send(newsOf('incident.updated', down)), { ok: true })
  const worse = await until(() => only('Update: Shop is down'))
  t.match(worse, { labels: { severity: 'critical' } }, 'the alert of the slow service has ended')

  t.match(await send(newsOf('incident.resolved', over)), { ok: true })
  t.ok(await until(async () => (await shown()).length === 0))

  t.match(await send(newsOf('incident.opened', down)), { ok: true }, 'it reopens')
  t.ok(await until(() => only('Shop is down')))
})

t.test('what it refuses is final', { skip }, async (t) => {
  const url = await startAlertmanager(t)
  const sendBy = startSender(t)
  const payload = incidentPayload('incident.opened', makeIncident(), [], 1, 'https://up.test/x')
  // No channel can have such a label: it is refused when the channel is made.
  const refused = { url, labels: { 'not-a-label': 'x' } }
  t.match(await sendBy(refused, payload), { ok: false, mayRetry: false, status: 400 })
  const elsewhere = { url: `${url}/elsewhere` }
  t.match(await sendBy(elsewhere, payload), { ok: false, mayRetry: true, status: 404 })
})
