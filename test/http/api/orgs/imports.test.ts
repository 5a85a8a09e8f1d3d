// Imports after they were done: what each did, and the past that it brings.
import t from 'tap'
import { needOf, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { watchTurns } from '../../../support/turns.ts'

const source = { product: 'kuma', installation: 'of a test' }
const dayMs = 86_400_000
const hourMs = 3_600_000
const job = { origin: 'monitor/1', name: 'Job', checkType: 'push', isPublic: true }

async function open(t: Parameters<typeof startDaemon>[0]) {
  const daemon = await startDaemon(t)
  const [alice, bob] = [await register(daemon, 'alice'), await register(daemon, 'bob')]
  const [mine, theirs] = [needOf(daemon, alice), needOf(daemon, bob)]
  const bring = (lists: object) =>
    mine('POST', '/import', { format: 'stillup/1', source, ...structuredClone(lists) })
  const asked = async (method: string, path: string, json?: object, { org, cookie } = alice) => {
    const answer = await daemon.ask(method, `/api/v1${org}${path}`, {
      cookie,
      ...(json && { json }),
    })
    return { status: answer.status, code: answer.json?.code, errors: answer.json?.errors }
  }
  return { daemon, alice, bob, mine, theirs, bring, asked }
}

/** Days and hours before today, of which one had an outage. */
function pastOf(origin: string, { days = 30, hours = 48 } = {}) {
  const today = Math.floor(Date.now() / dayMs) * dayMs
  const hour = Math.floor(Date.now() / hourMs) * hourMs
  const period = (startMs: number, lengthMs: number, downMs: number) => ({
    startMs,
    upMs: lengthMs - downMs,
    downMs,
    maintenanceMs: 0,
    checks: lengthMs / 60_000,
    failures: downMs / 60_000,
    latencyMs: { mean: 120, min: 80, max: 900 },
  })
  const fromMs = today - 10 * dayMs + hourMs
  return {
    origin,
    days: Array.from({ length: days }, (_, no) =>
      period(today - (days - no) * dayMs, dayMs, days - no === 10 ? 6 * hourMs : 0),
    ),
    hours: Array.from({ length: hours }, (_, no) =>
      period(hour - (hours - no) * hourMs, hourMs, 0),
    ),
    outages: [{ fromMs, toMs: fromMs + 6 * hourMs, text: 'connection refused' }],
  }
}

t.test('the past of a monitor is in its uptime, its days and its incidents', async (t) => {
  const { daemon, mine, bring } = await open(t)
  const { importId, plan } = await bring({ monitors: [job] })
  const monitor = `/monitors/${plan[0].id}`
  const page = await mine('POST', '/status-pages', { name: 'Status', slug: 'past-status' })
  t.ok(page.id)
  // What is remembered of its sums must be read again.
  const before = await mine('GET', monitor)
  t.equal(before.uptime['30d'], null)
  await fetch(`${daemon.url}/status/past-status/index.json`)
  const history = [pastOf('monitor/1'), { ...pastOf('monitor/2'), origin: 'monitor/2' }]
  const taken = await mine('POST', `/imports/${importId}/history`, { history })
  t.same(taken, { monitors: 1, days: 30, hours: 48, incidents: 1, unknown: ['monitor/2'] })
  const { uptime } = await mine('GET', monitor)
  const share = 1 - (6 * hourMs) / (29 * dayMs)
  t.ok(Math.abs(uptime['30d'] - share) < 0.002, `${uptime['30d']} of 30 days, as ${share}`)
  const incidents = await mine('GET', `${monitor}/incidents`)
  t.match(incidents, [
    { title: 'Job was down', state: 'resolved', cause: 'connection refused', isPublic: true },
  ])
  t.equal(incidents.length, 1)
  const again = await mine('POST', `/imports/${importId}/history`, { history })
  t.match(again, { monitors: 1, days: 0, hours: 0, incidents: 0 }, 'a part may come again')
  t.equal((await mine('GET', `${monitor}/incidents`)).length, 1)
  const shown = await (await fetch(`${daemon.url}/status/past-status`)).text()
  t.match(shown, /99\.\d+/, 'readers see the uptime')
})

const hourNow = new Date().getUTCHours()
const isNight = hourNow === 0 && 'today has no hours yet'

t.test('the hours of today from before the import count, too', { skip: isNight }, async (t) => {
  const { mine, bring } = await open(t)
  const { importId, plan } = await bring({ monitors: [job] })
  const past = pastOf('monitor/1', { days: 0, hours: hourNow })
  const hours = past.hours.map((hour, no) =>
    no % 2 === 0 ? hour : { ...hour, upMs: 0, downMs: hourMs, failures: 60 },
  )
  const share = Math.ceil(hourNow / 2) / hourNow
  for (const _again of [1, 2]) {
    const history = [{ ...past, hours, outages: [] }]
    await mine('POST', `/imports/${importId}/history`, { history })
    const { uptime } = await mine('GET', `/monitors/${plan[0].id}`)
    t.ok(Math.abs(uptime['30d'] - share) < 0.001, `${uptime['30d']} of 30 days, as ${share}`)
    t.equal(uptime['30d'], uptime['24h'] ?? uptime['30d'])
  }
})

t.test('only what was before the monitor, and what has a form, is taken', async (t) => {
  const { mine, bring, asked, bob } = await open(t)
  const { importId, plan } = await bring({ monitors: [job] })
  const path = `/imports/${importId}/history`
  const future = pastOf('monitor/1')
  const later = future.days.map((day) => ({ ...day, startMs: day.startMs + 60 * dayMs }))
  const none = { ...future, days: later, hours: [], outages: [] }
  t.match(await mine('POST', path, { history: [none] }), { monitors: 1, days: 0 })
  const wrong = [{ ...none, days: [{ ...later[0], upMs: -1 }] }]
  t.match(await asked('POST', path, { history: wrong }), {
    status: 422,
    errors: [{ pointer: '/history/0/days/0/upMs' }],
  })
  t.match(await asked('POST', path, { history: [] }, bob), { status: 404 })
  t.match(await asked('POST', '/imports/imp_01arz3ndektsv4rrffq69g5fav/history', { history: [] }), {
    status: 404,
  })
  const own = await mine('POST', '/import', {
    format: 'stillup/1',
    monitors: [{ ...job, origin: undefined }],
  })
  const ofNothing = `/imports/${own.importId}/history`
  t.match(await asked('POST', ofNothing, { history: [] }), { status: 409, code: 'conflict' })
  t.ok(plan)
})

t.test('imports are listed with what they did', async (t) => {
  const { mine, theirs, bring } = await open(t)
  const first = await bring({ monitors: [job] })
  const second = await bring({ monitors: [{ ...job, tags: ['a'] }] })
  t.match(await mine('GET', '/imports'), [
    { id: second.importId, source, counts: { create: 0, change: 1 }, state: 'applied' },
    { id: first.importId, source, counts: { create: 1 }, undoneAt: null, by: { kind: 'session' } },
  ])
  t.match(await mine('GET', `/imports/${second.importId}`), {
    plan: [{ list: 'monitors', name: 'Job', action: 'change', fields: ['tags'] }],
  })
  t.same(await theirs('GET', '/imports'), [])
})

t.test('the past of many monitors goes through in slices', async (t) => {
  const { mine, bring } = await open(t)
  const monitors = Array.from({ length: 40 }, (_, no) => ({
    ...job,
    origin: `monitor/${no}`,
    name: `Job ${no}`,
  }))
  const { importId } = await bring({ monitors })
  const longestMs = watchTurns()
  t.teardown(longestMs)
  const startMs = performance.now()
  for (let no = 0; no < monitors.length; no += 8) {
    const history = monitors
      .slice(no, no + 8)
      .map(({ origin }) => pastOf(origin, { days: 365, hours: 600 }))
    await mine('POST', `/imports/${importId}/history`, { history })
  }
  const tookMs = performance.now() - startMs
  t.comment(
    `${(tookMs / monitors.length).toFixed(1)} ms a monitor, at most ${longestMs().toFixed(1)} ms at a time`,
  )
  t.ok(tookMs < 20_000)
})

t.test('the notes of an import stay with it, with who has dealt with which', async (t) => {
  const { mine, bring, asked, bob } = await open(t)
  const { importId } = await bring({ monitors: [job] })
  const place = `/imports/${importId}`
  t.same((await mine('GET', place)).notes, [])
  t.equal((await mine('GET', place)).isShadow, false)
  const notes = Array.from({ length: 250 }, (_, no) => ({
    name: no === 0 ? null : `Job ${no}`,
    origin: no === 0 ? null : `monitor/${no}`,
    text: `its proxy ${no}`,
  }))
  await mine('PUT', `${place}/notes`, { notes })
  await mine('PATCH', `${place}/notes`, { places: [0, 249, 900], isDone: true })
  await mine('PATCH', `${place}/notes`, { places: [0], isDone: false })
  const kept = (await mine('GET', place)).notes
  t.same(
    kept,
    notes.map((note, at) => ({ ...note, isDone: at === 249 })),
  )
  t.match(await asked('PUT', `${place}/notes`, { notes }, bob), { status: 404 })
  t.match(await asked('PUT', `${place}/notes`, { notes: [{ text: '' }] }), { status: 422 })
  await mine('PUT', `${place}/notes`, { notes: notes.slice(0, 3) })
  t.equal((await mine('GET', place)).notes.length, 3, 'in place of the former ones')
})
