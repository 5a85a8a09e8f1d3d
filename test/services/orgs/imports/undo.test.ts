// An import is taken back for a day: what it made goes, what it changed is as before.
import t from 'tap'
import { addJob, needOf, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { patient } from '../../../support/depth.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { watchTurns } from '../../../support/turns.ts'
import { until } from '../../../support/until.ts'

const source = { product: 'kuma', installation: 'of a test' }
const ids = {
  hook: 'chn_01arz3ndektsv4rrffq69g5fav',
  job: 'mon_01arz3ndektsv4rrffq69g5faw',
  site: 'mon_01arz3ndektsv4rrffq69g5fax',
}
const hook = {
  id: ids.hook,
  origin: 'notification/1',
  name: 'Hook',
  type: 'webhook',
  config: { url: 'https://hook.example.com/in' },
}
const job = {
  id: ids.job,
  origin: 'monitor/1',
  name: 'Job',
  checkType: 'push',
  isPublic: true,
  notifyChannelIds: [ids.hook],
}
const site = { ...job, id: ids.site, origin: 'monitor/2', name: 'Site' }
const page = { origin: 'page/1', name: 'Status', slug: 'undone', publicMonitorIds: [ids.job] }
const work = { origin: 'work/1', name: 'Work', cron: '0 3 * * 0', durationMinutes: 60 }
const whole = {
  channels: [hook],
  locations: [{ origin: 'place/1', name: 'Oslo' }],
  secrets: [{ origin: 'secret/1', name: 'TOKEN', hosts: ['site.example.com'] }],
  monitors: [job, site],
  statusPages: [page],
  maintenance: [work],
  templates: [{ origin: 'template/1', kind: 'incident', name: 'Provider', title: 'Late' }],
}
const lists = [
  ...['alert-channels', 'locations', 'secrets', 'monitors', 'status-pages'],
  ...['maintenance-windows', 'templates'],
]

async function open(t: Parameters<typeof startDaemon>[0]) {
  const daemon = await startDaemon(t)
  const alice = await register(daemon, 'alice')
  const mine = needOf(daemon, alice)
  const bring = (document: object) =>
    mine('POST', '/import', { format: 'stillup/1', source, ...structuredClone(document) })
  const counts = async () => {
    const all = await Promise.all(lists.map((list) => mine('GET', `/${list}`)))
    return all.map(({ length }) => length)
  }
  const refused = async (path: string) => {
    const { org, cookie } = alice
    const { status } = await daemon.ask('POST', `/api/v1${org}${path}`, { cookie })
    return status
  }
  return { daemon, alice, mine, bring, counts, refused }
}

type Line = { name: string; action: string }
const actionsIn = ({ plan }: { plan: Line[] }) =>
  Object.fromEntries(plan.map(({ name, action }) => [name, action]))

t.test('an undo deletes what the import made, of every list, and it can come again', async (t) => {
  const { mine, bring, counts, refused } = await open(t)
  const before = await counts()
  const { importId } = await bring(whole)
  const trial = await mine('POST', `/imports/${importId}/undo/trial`)
  t.same(new Set(Object.values(actionsIn(trial))), new Set(['delete']))
  t.not((await counts()).join(), before.join(), 'a trial deletes nothing')
  t.same(await mine('POST', `/imports/${importId}/undo`), trial)
  t.same(await counts(), before)
  t.match(await mine('GET', `/imports/${importId}`), { state: 'undone', undoneAt: String })
  t.equal(await refused(`/imports/${importId}/undo`), 409)
  t.equal(await refused(`/imports/${importId}/undo/trial`), 409)
  const { plan } = await bring(whole)
  t.same(new Set(Object.values(actionsIn({ plan }))), new Set(['create']), 'nothing is remembered')
})

t.test('an undo puts back what the import changed, unless it was changed since', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at } = await bring(whole)
  const second = await bring({
    ...whole,
    monitors: [
      { ...job, tags: ['there'] },
      { ...site, tags: ['there'] },
    ],
    channels: [{ ...hook, name: 'Renamed', config: { url: 'https://other.example.com/' } }],
    statusPages: [{ ...page, title: 'Is it up?' }],
    maintenance: [{ ...work, durationMinutes: 90 }],
    templates: [{ ...whole.templates[0], title: 'Very late' }],
  })
  await mine('PATCH', `/monitors/${at[ids.site]}`, { name: 'Ours' })
  const undone = await mine('POST', `/imports/${second.importId}/undo`)
  t.match(actionsIn(undone), {
    Job: 'restore',
    Site: 'changedSince',
    Renamed: 'restore',
    Status: 'restore',
  })
  t.match(await mine('GET', `/monitors/${at[ids.job]}`), { tags: [], name: 'Job' })
  t.match(await mine('GET', `/monitors/${at[ids.site]}`), { tags: ['there'], name: 'Ours' })
  t.match(await mine('GET', `/alert-channels/${at[ids.hook]}`), {
    name: 'Hook',
    config: hook.config,
  })
  t.match(await mine('GET', '/status-pages'), [{ title: 'Status', slug: 'undone' }])
  t.match(await mine('GET', '/maintenance-windows'), [{ durationMinutes: 60 }])
  t.match(await mine('GET', '/templates'), [{ title: 'Late' }])
  const { plan } = await bring(whole)
  t.match(
    plan.filter(({ action }: Line) => action !== 'keep'),
    [{ name: 'Site', action: 'change', fields: ['tags'] }],
    'it is remembered as before the import',
  )
})

t.test('what an import made and somebody changed since stays', async (t) => {
  const { mine, bring } = await open(t)
  const first = await bring(whole)
  await mine('PATCH', `/monitors/${first.ids[ids.site]}`, { name: 'Ours' })
  const second = await bring({ ...whole, monitors: [{ ...job, tags: ['there'] }, site] })
  t.match(actionsIn(second), { Job: 'change', Site: 'keep' })
  const trial = await mine('POST', `/imports/${first.importId}/undo/trial`)
  const left = { Site: 'changedSince', Hook: 'inUse', Job: 'delete', Status: 'delete' }
  t.match(actionsIn(trial), left)
  await mine('POST', `/imports/${second.importId}/undo`)
  const undone = await mine('POST', `/imports/${first.importId}/undo`)
  t.match(actionsIn(undone), left)
  const kept = [first.ids[ids.hook]]
  t.match(await mine('GET', '/monitors'), [{ name: 'Ours', notifyChannelIds: kept }], 'it alerts')
  const { plan } = await bring({ monitors: [site], channels: [hook] })
  t.match(plan, [{ action: 'keep' }, { name: 'Site', action: 'keep' }], 'it is not doubled')
})

t.test('a channel that the service switched off is as the import left it', async (t) => {
  const { daemon, alice, mine, bring } = await open(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  receiver.always({ status: 410 })
  const own = { ...hook, config: { url: receiver.url }, isDefault: true }
  const first = await bring({ channels: [own] })
  const second = await bring({ channels: [{ ...own, name: 'Renamed' }] })
  const at = `/alert-channels/${first.ids[ids.hook]}`
  const job = await addJob(daemon, alice, 'Backup')
  const goesOff = async () => {
    await job.report('ok')
    await job.report('error')
    await until(async () => (await mine('GET', at)).isActive === false)
  }
  await goesOff()
  t.match(actionsIn(await mine('POST', `/imports/${second.importId}/undo`)), { Renamed: 'restore' })
  t.match(await mine('GET', at), { name: 'Hook', isActive: true, disabledReason: null })
  await goesOff()
  t.match(actionsIn(await mine('POST', `/imports/${first.importId}/undo`)), { Hook: 'delete' })
  t.same(await mine('GET', '/alert-channels'), [])
})

t.test('of several imports, the first is taken back without what the second did', async (t) => {
  const { mine, bring } = await open(t)
  const lists = (tag: string, ...monitors: object[]) => ({
    channels: [hook],
    monitors: monitors.map((one) => ({ ...one, tags: [tag] })),
  })
  await bring(lists('before', site))
  const first = await bring(lists('one', site, job))
  const third = { ...job, id: undefined, origin: 'monitor/3', name: 'Third' }
  const second = await bring(lists('two', site, job, third))
  const undone = await mine('POST', `/imports/${first.importId}/undo`)
  t.same(actionsIn(undone), { Site: 'changedSince', Job: 'delete' }, 'what was there before stays')
  const left = async () =>
    (await mine('GET', '/monitors')).map((one: { name: string; tags: string[] }) => [
      one.name,
      ...one.tags,
    ])
  t.same((await left()).sort(), [
    ['Site', 'two'],
    ['Third', 'two'],
  ])
  const after = await mine('POST', `/imports/${second.importId}/undo`)
  t.same(actionsIn(after), { Site: 'restore', Job: 'gone', Third: 'delete' })
  t.same(await left(), [['Site', 'one']])
})

t.test('what was deleted or is in use meanwhile is said, and stays so', async (t) => {
  const { mine, bring } = await open(t)
  const { importId, ids: at } = await bring(whole)
  await mine('DELETE', `/monitors/${at[ids.site]}`)
  const [{ id: place }] = await mine('GET', '/locations')
  await mine('POST', '/monitors', {
    ...{ name: 'Ours', url: 'https://ours.example.com/', isActive: false, locations: [place] },
  })
  const undone = await mine('POST', `/imports/${importId}/undo`)
  t.match(actionsIn(undone), { Site: 'gone', Job: 'delete', Oslo: 'inUse' })
  t.equal((await mine('GET', '/locations')).length, 1)
})

const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const period = (startMs: number, upMs: number) => ({
  ...{ startMs, upMs, downMs: 0, maintenanceMs: 0, checks: 60, failures: 0, latencyMs: null },
})
const day = (ago: number) => period(today - ago * dayMs, dayMs)

t.test('the past that an import brought to a monitor of a former one goes with it', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at } = await bring({ monitors: [job], channels: [hook] })
  const { importId } = await bring({ monitors: [job], channels: [hook] })
  const outage = { fromMs: today - dayMs, toMs: today - dayMs + 60_000, text: 'timeout' }
  const past = { origin: 'monitor/1', days: [day(3), day(2)], hours: [], outages: [outage] }
  const path = `/monitors/${at[ids.job]}`
  await mine('POST', `/imports/${importId}/history`, { history: [past] })
  t.equal((await mine('GET', path)).uptime['7d'], 1)
  await mine('POST', `/imports/${importId}/undo`)
  t.equal((await mine('GET', path)).uptime['7d'], null)
  t.same(await mine('GET', `${path}/incidents`), [])
  t.match(await mine('GET', path), { name: 'Job' }, 'the monitor stays')
})

t.test('outages alone go with the import that brought them', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at, importId: first } = await bring({ monitors: [job], channels: [hook] })
  const { importId } = await bring({ monitors: [job], channels: [hook] })
  const send = (id: string, ago: number) => {
    const outage = { fromMs: today - ago * dayMs, toMs: today - ago * dayMs + 60_000, text: 'down' }
    const past = { origin: 'monitor/1', days: [], hours: [], outages: [outage] }
    return mine('POST', `/imports/${id}/history`, { history: [past] })
  }
  await send(first, 3)
  await send(importId, 2)
  const path = `/monitors/${at[ids.job]}/incidents`
  t.equal((await mine('GET', path)).length, 2)
  await mine('POST', `/imports/${importId}/undo`)
  t.equal((await mine('GET', path)).length, 1, 'that of the former import stays')
})

t.test('an undo leaves the past that a former import brought', async (t) => {
  const { mine, bring } = await open(t)
  const { importId: first, ids: at } = await bring({ monitors: [job], channels: [hook] })
  const send = (importId: string, past: object) =>
    mine('POST', `/imports/${importId}/history`, {
      history: [{ origin: 'monitor/1', days: [], hours: [], outages: [], ...past }],
    })
  await send(first, { days: [day(3), day(2)] })
  for (const later of [
    { hours: [period(today - dayMs, 3_600_000)] },
    { days: [day(1)] },
    { days: [day(3)], hours: [period(today - dayMs, 3_600_000)] },
  ]) {
    const { importId } = await bring({ monitors: [job], channels: [hook] })
    await send(importId, later)
    await mine('POST', `/imports/${importId}/undo`)
    t.equal((await mine('GET', `/monitors/${at[ids.job]}`)).uptime['7d'], 1)
  }
})

t.test('ping keys that the import brought make no more monitors, others stay', async (t) => {
  const { mine, bring } = await open(t)
  await bring({ monitors: [], keptPingKeys: ['key-of-before-1'] })
  const { importId } = await bring({
    monitors: [],
    keptPingKeys: ['key-of-before-1', 'key-of-import-2'],
  })
  t.equal((await mine('GET', '/ping-keys')).pingKeys.length, 2)
  await mine('POST', `/imports/${importId}/undo`)
  const { pingKeys } = await mine('GET', '/ping-keys')
  t.match(pingKeys, [{ hint: 'key-' }])
  t.equal(pingKeys.length, 1)
})

t.test('an undo takes all outages that the import brought, in small pieces', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at } = await bring({ monitors: [job], channels: [hook] })
  const { importId } = await bring({ monitors: [job], channels: [hook] })
  const outagesOf = (part: number) =>
    Array.from({ length: 1_000 }, (_, index) => {
      const fromMs = today - (part * 1_000 + index + 1) * 120_000
      return { fromMs, toMs: fromMs + 60_000, text: 'timeout' }
    })
  const history = Array.from({ length: 8 }, (_, part) => ({
    ...{ origin: 'monitor/1', days: part === 0 ? [day(20)] : [], hours: [] },
    outages: outagesOf(part),
  }))
  await mine('POST', `/imports/${importId}/history`, { history })
  const path = `/monitors/${at[ids.job]}/incidents`
  t.ok((await mine('GET', path)).length > 0)
  const longestMs = watchTurns()
  await mine('POST', `/imports/${importId}/undo`)
  t.ok(longestMs() < patient(100), 'others have their turns meanwhile')
  t.same(await mine('GET', path), [])
})
