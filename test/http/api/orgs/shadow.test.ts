// A shadow run over the API: from the import, through the alerts of the old system, to going live.
import t from 'tap'
import { mintKey, needOf, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { until } from '../../../support/until.ts'

const source = { product: 'kuma', installation: 'of a test' }
const ids = { hook: 'chn_01arz3ndektsv4rrffq69g5fav', lift: 'mon_01arz3ndektsv4rrffq69g5faw' }

async function begin(t: Parameters<typeof startDaemon>[0]) {
  const daemon = await startDaemon(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const alice = await register(daemon, 'alice')
  const mine = needOf(daemon, alice)
  const lift = {
    ...{ id: ids.lift, origin: 'monitor/1', name: 'Lift', checkType: 'manual', isPublic: true },
    notifyChannelIds: [ids.hook],
  }
  const config = { url: receiver.url }
  const document = {
    ...{ format: 'stillup/1', source },
    channels: [{ id: ids.hook, origin: 'notification/1', name: 'Hook', type: 'webhook', config }],
    monitors: [lift, { ...lift, id: undefined, origin: 'monitor/2', name: 'Door' }],
    statusPages: [{ origin: 'page/1', name: 'Status', slug: 'beside', isEnabled: true }],
  }
  const trial = await mine('POST', '/import/trial?isShadow=true', document)
  t.equal(trial.monitors, 2)
  const { importId, ids: at } = await mine('POST', '/import?isShadow=true', document)
  const monitorId = at[ids.lift]
  const set = (state: string) => mine('POST', `/monitors/${monitorId}/state`, { state })
  const shadow = (query = '') => mine('GET', `/imports/${importId}/shadow${query}`)
  const page = async () => (await daemon.ask('GET', '/status/beside')).text
  return { daemon, receiver, alice, mine, document, importId, monitorId, set, shadow, page }
}

t.test(
  'the monitors of an import beside the old system tell nobody before they go live',
  async (t) => {
    const { receiver, mine, importId, monitorId, set, shadow, page } = await begin(t)
    t.match(await mine('GET', `/monitors/${monitorId}`), { shadow: { importId, since: String } })
    t.equal((await mine('GET', '/monitors?isShadow=true')).length, 2)
    t.equal((await mine('GET', '/monitors?isShadow=false')).length, 0)
    t.match(await mine('GET', '/summary'), { shadowRuns: [{ importId, monitors: 2 }] })
    await set('down')
    const [incident] = await mine('GET', '/incidents')
    t.match(incident, { isShadow: true, isPublic: false, state: 'open' })
    const path = await mine('POST', `/monitors/${monitorId}/alerts/test`, {
      ...{ event: 'incident.opened', severity: 'down', send: false },
    })
    t.match(JSON.stringify(path), /"shadow"/)
    t.notMatch(await page(), /Lift/)
    t.match(await shadow(), { monitors: 2, counts: { notCompared: 1, both: 0 }, toldAt: null })
    t.equal(receiver.requests.length, 0)

    t.same(await mine('POST', `/imports/${importId}/go-live`, { monitorIds: [monitorId] }), {
      ...{ live: 1, toldNow: 1 },
    })
    const [told] = await receiver.received(1)
    t.match(told?.body, /incident.opened/)
    t.match(await mine('GET', `/monitors/${monitorId}`), { shadow: null })
    await until(async () => (await page()).includes('Lift'))
    t.notMatch(await page(), /Door/, 'the other one is silent still')
    t.match(await mine('GET', '/audit-log'), [{ action: 'import.went_live' }])
    t.match(await shadow(), { monitors: 1, live: 1 })
  },
)

t.test(
  'a PATCH does not end the silence, and a second import does not begin it anew',
  async (t) => {
    const { daemon, alice, mine, document, importId, monitorId, set } = await begin(t)
    const { status } = await daemon.ask('PATCH', `/api/v1${alice.org}/monitors/${monitorId}`, {
      cookie: alice.cookie,
      json: { shadow: null },
    })
    t.equal(status, 422)
    await mine('PATCH', `/monitors/${monitorId}`, { description: 'changed here' })
    const changed = document.monitors.map((one) => ({ ...one, tags: ['there'] }))
    await mine('POST', '/import', { ...document, monitors: changed })
    t.match(await mine('GET', `/monitors/${monitorId}`), { tags: ['there'], shadow: { importId } })
    await mine('POST', `/imports/${importId}/go-live`, {})
    await mine('POST', '/import?isShadow=true', document)
    t.match(await mine('GET', `/monitors/${monitorId}`), { tags: [], shadow: null })
    await set('down')
    t.match(await mine('GET', '/incidents'), [{ isShadow: false }])
  },
)

t.test('an undo takes back what only went live, and keeps what somebody changed', async (t) => {
  const { mine, importId, monitorId } = await begin(t)
  await mine('POST', `/imports/${importId}/go-live`, {})
  const action = async () => {
    const { plan } = await mine('POST', `/imports/${importId}/undo/trial`, {})
    return plan.find(({ id }: { id: string }) => id === monitorId)?.action
  }
  t.equal(await action(), 'delete')
  await mine('PATCH', `/monitors/${monitorId}`, { description: 'ours now' })
  t.equal(await action(), 'changedSince')
})

t.test(
  'what a ping key of the import makes is silent as well, and goes live with it',
  async (t) => {
    const { daemon, mine } = await begin(t)
    const key = 'fqOOd6-F4MMNuCEnzTU01w'
    daemon.secrets.add(key)
    const other = { product: 'healthchecks', installation: 'of a test' }
    const { importId } = await mine('POST', '/import?isShadow=true', {
      ...{ format: 'stillup/1', source: other, keptPingKeys: [key] },
    })
    const ping = (rest: string) => daemon.ask('GET', `/ping/${key}/${rest}`)
    t.equal((await ping('backup?create=1')).status, 201)
    const [backup] = await mine('GET', '/monitors?q=backup')
    t.match(backup, { name: 'backup', shadow: { importId } })
    await ping('backup/fail')
    t.match(await mine('GET', '/incidents'), [{ isShadow: true }])
    t.match(await mine('GET', `/imports/${importId}/shadow`), {
      ...{ monitors: 1, live: 0, counts: { notCompared: 1 } },
    })
    const { reportUrl } = await mine('GET', `/imports/${importId}/shadow`)
    const told = { name: 'backup', status: 'down' }
    const heard = await daemon.ask('POST', new URL(reportUrl).pathname, { json: told })
    t.match(heard.json, { data: { taken: 1 } })
    t.same(await mine('POST', `/imports/${importId}/go-live`, {}), { live: 1, toldNow: 1 })
    t.equal((await ping('restore?create=1')).status, 201)
    t.match(await mine('GET', '/monitors?q=restore'), [{ shadow: null }], 'it is over')
    t.equal((await mine('GET', '/monitors?isShadow=true')).length, 2, 'another run goes on')
  },
)

t.test('only administrators learn where the old system may tell its alerts', async (t) => {
  const { daemon, alice, importId } = await begin(t)
  const key = await mintKey(daemon, alice, 'member')
  const report = needOf(daemon, { org: alice.org, key })
  t.equal((await report('GET', `/imports/${importId}/shadow`)).reportUrl, null)
})

t.test(
  'the address of the old system can be replaced; the one before is gone at once',
  async (t) => {
    const { daemon, alice, mine, importId, shadow } = await begin(t)
    const told = await mine('GET', `/imports/${importId}/shadow`)
    const ask = (url: string) =>
      daemon.ask('POST', new URL(url).pathname, { json: { name: 'Lift', status: 'down' } })
    t.equal((await ask(told.reportUrl)).status, 200)
    const { reportUrl } = await mine('POST', `/imports/${importId}/shadow/address`)
    t.not(reportUrl, told.reportUrl)
    t.equal((await ask(told.reportUrl)).status, 404)
    t.equal((await ask(reportUrl)).status, 200)
    t.match(await shadow(), { reportUrl, counts: { onlyTheirs: 1 } })
    t.match(await mine('GET', '/audit-log'), [{ action: 'import.address_replaced' }])
    const key = await mintKey(daemon, alice, 'member')
    const refused = await daemon.ask(
      'POST',
      `/api/v1${alice.org}/imports/${importId}/shadow/address`,
      { key },
    )
    t.equal(refused.status, 403)
  },
)

t.test('the webhook of the old system fills the report', async (t) => {
  const { daemon, mine, importId, monitorId, set, shadow } = await begin(t)
  const { reportUrl } = await shadow()
  const path = new URL(reportUrl).pathname
  const tell = (json: object) => daemon.need('POST', path.replace('/api/v1', ''), { json })
  const none = { taken: 0, unknown: [], note: null }
  t.same(await tell({ heartbeat: null, monitor: null, msg: 'Testing' }), none)
  const kuma = (id: number, status: number) => ({
    ...{
      heartbeat: { monitorID: id, status, msg: 'stuck' },
      monitor: { id, name: 'Lift' },
      msg: '',
    },
  })
  const one = { taken: 1, unknown: [], note: null }
  t.same(await tell(kuma(1, 0)), one)
  await set('down')
  t.same(await tell({ name: 'door', status: 'down' }), one, 'by its name')
  t.same(await tell({ name: 'Nobody', status: 'down' }), { ...none, unknown: ['Nobody'] })
  const both = await shadow('?kind=both')
  t.match(both, {
    counts: { both: 1, onlyTheirs: 1 },
    toldAt: String,
    lines: [{ monitorId, kind: 'both', firstBy: 'theirs', theirs: { text: 'stuck', to: null } }],
  })
  t.match(await shadow('?kind=onlyTheirs'), { lines: [{ name: 'Door', ours: null }], more: 0 })
  t.match(await shadow('?limit=1'), { more: 1 })
  t.same(await tell(kuma(1, 1)), one)
  t.match(await shadow('?kind=both'), { lines: [{ theirs: { to: String } }] })
  const bad = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`
  t.equal((await daemon.ask('POST', bad, { json: {} })).status, 404)
  const form = 'monitorFriendlyName=Lift&alertType=1&alertDetails=again'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answered = await fetch(new URL(path, daemon.url), { method: 'POST', headers, body: form })
  t.match(await answered.json(), { data: { taken: 1 } })
  await mine('POST', `/imports/${importId}/undo`)
  t.match(await shadow(), { monitors: 0, lines: [] }, 'an undo takes all of it away')
})

t.test('whichever form the webhook of the old system has, it is read', async (t) => {
  const { daemon, shadow } = await begin(t)
  const { reportUrl } = await shadow()
  const url = new URL(new URL(reportUrl).pathname, daemon.url)
  const post = async (body: NonNullable<RequestInit['body']>, type?: string, query = '') => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const answered = await fetch(`${url}${query}`, { method: 'POST', headers, body })
    return [answered.status, await answered.json()] as const
  }
  const alert = (status: number) => ({
    ...{ heartbeat: { monitorID: 1, status, msg: 'stuck' }, monitor: { id: 1, name: 'Lift' } },
    msg: '[Lift] [Down] stuck',
  })
  const taken = [200, { data: { taken: 1, note: null } }] as const
  const multipart = (text: string) => {
    const form = new FormData()
    form.append('data', text)
    return form
  }
  t.match(await post(multipart(JSON.stringify(alert(0)))), taken, 'form-data of Kuma')
  const tested = JSON.stringify({ heartbeat: null, monitor: null, msg: 'Testing' })
  t.match(await post(multipart(tested)), [200, { data: { taken: 0, note: null } }])
  const form = 'application/x-www-form-urlencoded'
  const own = JSON.stringify({ name: 'Lift', status: 'up' })
  t.match(await post(own, form), taken, 'a body of one\u2019s own, which Kuma calls a form')
  const query = new URLSearchParams({ heartbeat: JSON.stringify(alert(0).heartbeat), msg: 'x' })
  t.match(await post('', undefined, `?${query}&monitor=%7B%22id%22%3A1%7D`), taken, 'in the query')
  for (const body of ['{"text":"Lift has fallen"}', 'Lift has fallen']) {
    t.match(await post(body, form), [
      200,
      { data: { taken: 0, note: /no monitor .* name, and status/ } },
    ])
  }
  t.match(await post('Lift has fallen', 'text/plain'), [400, { detail: /not valid JSON/ }])
  const cut = 'multipart/form-data; boundary=x'
  t.match(await post('--x\r\nContent-Disp', cut), [400, { detail: /multipart\/form-data/ }])
  t.match(await post(multipart('{"heartbeat":')), [400, { detail: /not valid JSON/ }])
  t.match(await shadow('?kind=onlyTheirs'), { counts: { onlyTheirs: 2 } })
})
