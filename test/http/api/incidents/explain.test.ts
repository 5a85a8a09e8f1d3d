// Incidents over the API: declared, filtered, explained, given a post-mortem, deleted.
import t, { type Test } from 'tap'
import { mintKey, registerWithKey } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { bodyOf, startReceiver } from '../../../support/receiver.ts'
import { until } from '../../../support/until.ts'

async function begin(t: Test) {
  const daemon = await startDaemon(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const owner = await registerWithKey(daemon)
  const { org, key } = owner
  const viewerKey = await mintKey(daemon, owner, 'viewer')
  const call = (method: string, path: string, json?: object) =>
    daemon.need(method, `${org}${path}`, json ? { key, json } : { key })
  const ask = (method: string, path: string, more: object = {}) =>
    daemon.ask(method, `/api/v1${org}${path}`, { key, ...more })
  await call('POST', '/alert-channels', {
    name: 'hook',
    type: 'webhook',
    config: { url: `${receiver.url}/hook` },
    isDefault: true,
  })
  const heard = () => receiver.requests.map((request) => bodyOf(request).type)
  return { daemon, org, key, viewerKey, call, ask, heard, receiver }
}

t.test('a failed job is explained to members with its words, to viewers without', async (t) => {
  const { daemon, call, heard, viewerKey, org } = await begin(t)
  const job = await call('POST', '/monitors', {
    name: 'Backup',
    checkType: 'push',
    intervalMinutes: 60,
    tags: ['nightly'],
  })
  await daemon.need('POST', `/push/${job.pushToken}`, {
    json: { status: 'error', message: 'the disk is full' },
  })
  await until(() => heard().length === 1)
  const [incident] = await call('GET', `/monitors/${job.id}/incidents?state=open`)
  const at = `/incidents/${incident.id}/explain`
  await until(async () => (await call('GET', at)).channels[0].events[0].outcome === 'sent')
  const told = await call('GET', at)
  t.match(told, {
    incidentId: incident.id,
    isDeclared: false,
    isComplete: true,
    channelsTotal: 1,
    decisions: [
      {
        kind: 'opened',
        explanation: 'Opened: the sender reported an error, which needs no confirmation.',
        basis: { rule: 'reported', monitorId: job.id, needed: 1 },
        checks: [{ outcome: 'down', counted: true, message: /the disk is full/ }],
      },
    ],
    channels: [
      {
        name: 'hook',
        events: [{ event: 'incident.opened', reason: null, attempts: 1, explanation: /^Sent at / }],
        now: { gets: 'now', reason: null, explanation: 'At once.' },
      },
    ],
  })
  const seen = await daemon.need('GET', `${org}${at}`, { key: viewerKey })
  t.match(seen.decisions[0].checks, [{ counted: true, errorKind: 'reported', message: null }])
  t.notMatch(JSON.stringify(seen.decisions[0].checks), /disk/)

  const count = async (query: string) => (await call('GET', `/incidents?${query}`)).length
  t.equal(await count('tag=nightly'), 1)
  t.equal(await count('tag=weekly'), 0)
  t.equal(await count('q=backup&from=2026-01-01T00:00:00Z'), 1)
  t.equal(await count('to=2000-01-01T00:00:00Z'), 0)
})

t.test('an incident is declared once per key, told, kept and deleted', async (t) => {
  const { daemon, org, call, ask, heard, viewerKey, receiver } = await begin(t)
  const declared = {
    title: 'Checkout is unavailable',
    severity: 'degraded',
    message: 'No payments since nine.',
    startedAt: new Date(Date.now() - 3_600_000).toISOString(),
  }
  const once = { json: declared, headers: { 'idempotency-key': 'outage-1' } }
  const [first, second] = [
    await ask('POST', '/incidents', once),
    await ask('POST', '/incidents', once),
  ]
  t.match(first.json, {
    message: 'Incident declared',
    data: {
      severity: 'degraded',
      isDeclared: true,
      isPublic: false,
      startedAt: declared.startedAt,
    },
  })
  t.equal(second.json.data.id, first.json.data.id)
  const { id } = first.json.data
  await until(() => heard().length === 1)
  t.match(bodyOf(receiver.requests[0] as never), {
    data: { incident: { isDeclared: true }, update: { message: declared.message } },
  })
  const update = { json: { message: 'A disk.' }, headers: { 'idempotency-key': 'update-1' } }
  const updates = `/incidents/${id}/updates`
  await ask('POST', updates, update)
  const twin = await ask('POST', updates, update)
  t.equal(twin.headers.get('idempotency-replayed'), 'true')
  t.equal(twin.json.message, 'Update added')
  const messages = (await call('GET', `/incidents/${id}`)).timeline.map(
    ({ message }: { message: string }) => message,
  )
  t.equal(messages.filter((one: string) => one === 'A disk.').length, 1, 'it is told once')
  const wrong = { title: '', severity: 'certificate', monitorIds: ['mon_x'], isOpen: true }
  const refused = await ask('POST', '/incidents', { json: wrong })
  t.equal(refused.status, 422)
  t.same(refused.json.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(), [
    '/isOpen',
    '/monitorIds/0',
    '/severity',
    '/title',
  ])
  const asViewer = await daemon.ask('POST', `/api/v1${org}/incidents`, {
    key: viewerKey,
    json: declared,
  })
  t.equal(asViewer.status, 403)

  const postmortem = '# Why\n\n<img src=x onerror=alert(1)>'
  t.match(await call('PATCH', `/incidents/${id}`, { severity: 'down', postmortem }), {
    severity: 'down',
    postmortem,
  })
  await until(() => heard().length === 3)
  t.equal((await ask('PATCH', `/incidents/${id}`, { json: { severity: null } })).status, 422)
  t.match(await call('PATCH', `/incidents/${id}`, { postmortem: null }), { postmortem: null })
  const stale = { headers: { 'if-match': first.headers.get('etag') ?? '' } }
  t.equal((await ask('DELETE', `/incidents/${id}`, stale)).status, 412)
  t.equal((await ask('DELETE', `/incidents/${id}`)).json.message, 'Incident deleted')
  await until(() => heard().length === 4)
  const changes = ['incident.updated', 'incident.updated']
  t.same(heard(), ['incident.opened', ...changes, 'incident.resolved'])
  t.equal((await ask('GET', `/incidents/${id}`)).status, 404)
  t.equal((await ask('GET', `/incidents/${id}/explain`)).status, 404)
  // The refusal of the viewer is noted later, so it can be the newest entry.
  const [entry] = await call('GET', '/audit-log?action=incident.deleted')
  t.match(entry, { action: 'incident.deleted', objectId: id })
})

t.test('a post-mortem is rendered as status pages show it, for viewers too', async (t) => {
  const { daemon, org, call, ask, viewerKey } = await begin(t)
  const preview = (json: object) => ask('POST', '/incidents/preview', { key: viewerKey, json })
  const postmortem =
    '# Why\n\nThe **disk** was full.\n\n<img src=x onerror=alert(1)>\n<script>alert(1)</script>\n\n' +
    '[here](javascript:alert(1)) [there](https://acme.test/)'
  const shown = await preview({ postmortem })
  t.equal(shown.status, 200)
  const { html } = shown.json.data
  t.match(html, /^<div class="prose" dir="auto"><h3>Why<\/h3>/)
  t.match(html, '<strong>disk</strong>')
  t.match(html, '&lt;img src=x onerror=alert(1)&gt;')
  t.match(html, '<a href="https://acme.test/" rel="nofollow noopener noreferrer">there</a>')
  t.notMatch(html, /<(?:img|script)|href="javascript/)
  t.same(await call('GET', '/incidents'), [], 'nothing is stored')

  const { id } = await call('POST', '/incidents', { title: 'Disks', isPublic: true })
  await call('PATCH', `/incidents/${id}`, { postmortem })
  const page = await call('POST', '/status-pages', { name: 'Acme' })
  const published = await daemon.ask('GET', `/status/${page.slug}/incidents/${id}`)
  t.ok(published.text.includes(html), 'readers see the same')

  t.equal((await preview({ postmortem: ' \n ' })).json.data.html, '')
  t.equal((await preview({ postmortem: 'x'.repeat(16_384) })).status, 200)
  for (const wrong of [{}, { postmortem: '' }, { postmortem: 'x'.repeat(16_385) }]) {
    const refused = await preview(wrong)
    t.equal(refused.status, 422)
    t.match(refused.json.errors, [{ pointer: '/postmortem' }])
  }
  const nobody = { json: { postmortem } }
  t.equal((await daemon.ask('POST', `/api/v1${org}/incidents/preview`, nobody)).status, 401)
})
