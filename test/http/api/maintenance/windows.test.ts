// Maintenance windows over HTTP: what callers may send, what they are told, what monitors show.
import t from 'tap'
import { registerWithKey } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { answer, startTarget } from '../../../support/target.ts'

const hourMs = 3_600_000
const iso = (fromNowMs: number) => new Date(Date.now() + fromNowMs).toISOString()

t.test('a window excuses a monitor while it is on, and what fails after it opens', async (t) => {
  const daemon = await startDaemon(t)
  const target = await startTarget()
  t.teardown(() => target.close())
  const { org, key } = await registerWithKey(daemon)
  const json = { name: 'Shop', url: target.url, failureThreshold: 1, recoveryThreshold: 1 }
  const monitor = await daemon.need('POST', `${org}/monitors`, { key, json })
  const one = `${org}/monitors/${monitor.id}`
  t.match(await daemon.need('POST', one, { key }), { state: 'up' })

  const times = { startsAt: iso(-hourMs), endsAt: iso(hourMs) }
  const window = await daemon.need('POST', `${org}/maintenance-windows`, {
    key,
    json: { name: 'Upgrade', ...times, monitorIds: [monitor.id] },
  })
  t.match(window, {
    ...times,
    id: /^mnt_/,
    state: 'active',
    cron: null,
    durationMinutes: null,
    timezone: null,
    isPublic: false,
    occurrences: [times],
  })
  const shown = await daemon.need('GET', one, { key })
  t.match(shown, { state: 'maintenance', stateSince: window.createdAt, lastOutcome: 'up' })
  target.script = answer({ status: 503 })
  t.match(await daemon.need('POST', one, { key }), {
    outcome: 'down',
    state: 'maintenance',
    openIncidentId: null,
  })
  const list = (state: string) => daemon.need('GET', `${org}/monitors?state=${state}`, { key })
  t.match(await list('maintenance'), [{ id: monitor.id, lastOutcome: 'down' }])
  t.same(await list('down'), [])
  t.match((await daemon.need('GET', `${org}/summary`, { key })).monitors, {
    total: 1,
    maintenance: 1,
    down: 0,
  })

  // Who would be alerted, and what visitors see.
  const hook = { name: 'Hook', type: 'webhook', config: { url: target.url } }
  await daemon.need('POST', `${org}/alert-channels`, { key, json: hook })
  const question = { event: 'incident.opened', send: false }
  t.match(await daemon.need('POST', `${one}/alerts/test`, { key, json: question }), {
    channels: [{ gets: 'never', reason: 'maintenance' }],
  })
  const later = { ...question, at: iso(3 * hourMs) }
  t.match(await daemon.need('POST', `${one}/alerts/test`, { key, json: later }), {
    channels: [{ gets: 'now', reason: null }],
  })
  await daemon.need('PATCH', one, { key, json: { isPublic: true } })
  await daemon.need('POST', `${org}/status-pages`, { key, json: { name: 'Page', slug: 'shop' } })
  const page = async () => (await daemon.ask('GET', '/status/shop')).text
  t.match(await page(), 'Under maintenance')
  t.notMatch(await page(), 'Upgrade', 'a window that is not public is not announced')

  const path = `${org}/maintenance-windows/${window.id}`
  const described = { isPublic: true, description: 'The <b>shop</b> rests.' }
  await daemon.need('PATCH', path, { key, json: described })
  t.match(await page(), /Upgrade[\s\S]*In progress[\s\S]*The &lt;b&gt;shop&lt;\/b&gt; rests\./)
  await daemon.need('PATCH', path, { key, json: { isPublic: false } })
  t.notMatch(await page(), 'Upgrade')
  const longer = await daemon.need('POST', `${path}/extend`, { key, json: { minutes: 30 } })
  t.equal(Date.parse(longer.endsAt) - Date.parse(window.endsAt), 30 * 60_000)
  t.match(await daemon.need('POST', `${path}/end`, { key }), { state: 'ended' })
  t.match((await daemon.ask('POST', `/api/v1${path}/end`, { key })).json, { code: 'conflict' })
  t.match(await daemon.need('POST', one, { key }), { outcome: 'down', state: 'down' })
  const [incident] = await daemon.need('GET', `${org}/incidents`, { key })
  t.match(incident, { state: 'open', monitorIds: [monitor.id] })
  t.ok(incident.startedAt >= (await daemon.need('GET', path, { key })).endsAt)
  t.match(await daemon.need('GET', `${org}/maintenance-windows?state=ended`, { key }), [
    { id: window.id },
  ])
  t.same(await daemon.need('GET', `${org}/maintenance-windows?state=active`, { key }), [])
  await daemon.need('DELETE', path, { key })
  t.same(await daemon.need('GET', `${org}/maintenance-windows`, { key }), [])
})

t.test('a recurring window shows its occurrences, and lets one be cancelled', async (t) => {
  const daemon = await startDaemon(t)
  const { org, key } = await registerWithKey(daemon)
  await daemon.need('PATCH', org, { key, json: { timezone: 'Europe/Berlin' } })
  const json = { name: 'Backup', cron: '30 2 * * *', durationMinutes: 90, tags: ['db'] }
  const window = await daemon.need('POST', `${org}/maintenance-windows`, { key, json })
  t.match(window, { ...json, timezone: 'Europe/Berlin', startsAt: null, endsAt: null })
  t.equal(window.occurrences.length, 5)
  const [first, second, third] = window.occurrences
  const path = `${org}/maintenance-windows/${window.id}`
  const cancelled = await daemon.need('POST', `${path}/cancel`, {
    key,
    json: { startsAt: second.startsAt },
  })
  t.same(cancelled.occurrences.slice(0, 2), [first, third])
  const asked = await daemon.ask('POST', `/api/v1${path}/cancel`, {
    key,
    json: { startsAt: second.startsAt },
  })
  t.match(asked.json, { status: 404 })

  const renamed = await daemon.ask('PATCH', `/api/v1${path}`, {
    key,
    headers: { 'if-match': '"1"' },
    json: { name: 'Other' },
  })
  t.match(renamed.json, { code: 'precondition_failed' })
  const kept = await daemon.need('PATCH', path, { key, json: { name: 'Other' } })
  t.same(kept.occurrences, cancelled.occurrences, 'a new name changes no occurrence')
  const moved = await daemon.need('PATCH', path, { key, json: { durationMinutes: 60 } })
  const starts = moved.occurrences.map((one: { startsAt: string }) => one.startsAt)
  t.ok(starts.includes(second.startsAt), 'other times forget what was cancelled')
  const once = { startsAt: iso(hourMs), endsAt: iso(2 * hourMs) }
  t.match(await daemon.need('PATCH', path, { key, json: once }), {
    ...once,
    cron: null,
    durationMinutes: null,
    timezone: null,
    state: 'scheduled',
  })
  t.match(await daemon.need('PATCH', path, { key, json: { cron: '@daily', durationMinutes: 5 } }), {
    startsAt: null,
    endsAt: null,
    cron: '@daily',
  })

  // An export brings it into another organization, with the monitors that it names.
  const monitor = { name: 'Db', url: 'http://127.0.0.1:9/', isActive: false }
  const { id } = await daemon.need('POST', `${org}/monitors`, { key, json: monitor })
  await daemon.need('PATCH', path, { key, json: { monitorIds: [id], tags: null } })
  const document = await daemon.need('GET', `${org}/export`, { key })
  t.match(document.maintenance, [{ id: window.id, cron: '@daily', monitorIds: [id] }])
  const other = await registerWithKey(daemon, 'bob')
  const imported = await daemon.need('POST', `${other.org}/import`, {
    key: other.key,
    json: document,
  })
  t.equal(imported.maintenance, 1)
  t.match(await daemon.need('GET', `${other.org}/maintenance-windows`, { key: other.key }), [
    { name: 'Other', monitorIds: [imported.ids[id]], cron: '@daily' },
  ])
})

t.test('what cannot be is refused, with the field and the rule', async (t) => {
  const daemon = await startDaemon(t)
  const { org, key } = await registerWithKey(daemon)
  const refused: readonly [fields: object, pointer: string, words: RegExp][] = [
    [{}, '/startsAt', /is required, unless cron is given/],
    [{ startsAt: iso(0) }, '/endsAt', /is required/],
    [{ startsAt: iso(hourMs), endsAt: iso(0) }, '/endsAt', /must be after startsAt/],
    [{ startsAt: iso(-2 * hourMs), endsAt: iso(-hourMs) }, '/endsAt', /must be in the future/],
    [{ startsAt: iso(0), endsAt: iso(367 * 24 * hourMs) }, '/endsAt', /at most 366 days/],
    [{ startsAt: 'soon', endsAt: iso(hourMs) }, '/startsAt', /./],
    [{ cron: '30 2 * * *' }, '/durationMinutes', /is required with cron/],
    [{ cron: '30 2 * * *', durationMinutes: 0 }, '/durationMinutes', /at least 1/],
    [{ cron: '0 0 30 2 *', durationMinutes: 9 }, '/cron', /must have a next run/],
    [{ cron: 'nightly', durationMinutes: 9 }, '/cron', /five fields/],
    [{ cron: '*/5 * * * *', durationMinutes: 3 }, '/cron', /one minute of the hour/],
    [{ cron: '0 * * * *', durationMinutes: 60 }, '/durationMinutes', /would never end/],
    [{ cron: '@daily', durationMinutes: 9, timezone: 'Mars/Base' }, '/timezone', /IANA/],
    [{ cron: '@daily', durationMinutes: 9, endsAt: iso(hourMs) }, '/endsAt', /absent with cron/],
    [{ startsAt: iso(0), endsAt: iso(hourMs), timezone: 'UTC' }, '/timezone', /requires cron/],
    [
      { cron: '@daily', durationMinutes: 9, monitorIds: ['mon_01k0000000000000000000000a'] },
      '/monitorIds/0',
      /is not a monitor of this organization/,
    ],
  ]
  for (const [fields, pointer, words] of refused) {
    const json = { name: 'No', ...fields }
    const { status, json: problem } = await daemon.ask(
      'POST',
      `/api/v1${org}/maintenance-windows`,
      {
        key,
        json,
      },
    )
    t.equal(status, 422, JSON.stringify(fields))
    t.match(problem.errors, [{ pointer, message: words }], JSON.stringify(problem.errors))
  }
})
