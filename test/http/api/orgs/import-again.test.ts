// A document of another product is imported again: what came from there is changed, and never doubled.
import t from 'tap'
import { limits } from '../../../../src/domain/limits/limits.ts'
import { needOf, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'

const source = { product: 'kuma', installation: 'of a test' }
const ids = {
  hook: 'chn_01arz3ndektsv4rrffq69g5fav',
  site: 'mon_01arz3ndektsv4rrffq69g5fav',
  job: 'mon_01arz3ndektsv4rrffq69g5faw',
  group: 'mon_01arz3ndektsv4rrffq69g5fax',
  page: 'pag_01arz3ndektsv4rrffq69g5fav',
  work: 'mnt_01arz3ndektsv4rrffq69g5fav',
  template: 'tpl_01arz3ndektsv4rrffq69g5fav',
  location: 'loc_01arz3ndektsv4rrffq69g5fav',
}

const hook = {
  id: ids.hook,
  origin: 'notification/1',
  name: 'Hook',
  type: 'webhook',
  config: { url: 'https://hook.example.com/in', headers: { Authorization: 'Bearer one' } },
}
const site = {
  id: ids.site,
  origin: 'monitor/1',
  name: 'Site',
  checkType: 'endpoint',
  url: 'https://site.example.com/',
  headers: { 'X-Key': 'secret' },
  isPublic: true,
  isActive: false,
  notifyChannelIds: [ids.hook],
}
const job = { id: ids.job, origin: 'monitor/2', name: 'Job', checkType: 'push', isPublic: true }
const group = {
  id: ids.group,
  origin: 'monitor/3',
  name: 'Group',
  checkType: 'group',
  memberIds: [ids.job],
}
const page = {
  id: ids.page,
  origin: 'status_page/1',
  name: 'Status',
  slug: 'status',
  publicMonitorIds: [ids.site, ids.job],
  sections: [{ name: 'All', monitorIds: [ids.site, ids.job] }],
}
const work = {
  id: ids.work,
  origin: 'maintenance/1',
  name: 'Work',
  cron: '0 3 * * 0',
  durationMinutes: 60,
  monitorIds: [ids.job],
}
const template = {
  id: ids.template,
  origin: 'template/1',
  kind: 'incident',
  name: 'Provider',
  title: 'Late',
  monitorIds: [ids.site],
}
const location = { id: ids.location, origin: 'place/1', name: 'Oslo' }
const secret = { origin: 'secret/1', name: 'TOKEN', hosts: ['site.example.com'] }

const whole = {
  channels: [hook],
  locations: [location],
  secrets: [secret],
  monitors: [site, job, group],
  statusPages: [page],
  maintenance: [work],
  templates: [template],
}

async function open(t: Parameters<typeof startDaemon>[0], env: Record<string, string> = {}) {
  const daemon = await startDaemon(t, { env })
  const [alice, bob] = [await register(daemon, 'alice'), await register(daemon, 'bob')]
  const [mine, theirs] = [needOf(daemon, alice), needOf(daemon, bob)]
  const bodyOf = (lists: object, from: object = source) => ({
    format: 'stillup/1',
    source: from,
    ...structuredClone(lists),
  })
  const bring = (lists: object, query = '') => mine('POST', `/import${query}`, bodyOf(lists))
  const counts = async (need = mine) => {
    const paths = ['alert-channels', 'locations', 'secrets', 'monitors', 'status-pages']
    const found = await Promise.all(
      [...paths, 'maintenance-windows', 'templates'].map((path) => need('GET', `/${path}`)),
    )
    return found.map((list) => list.length)
  }
  const refused = async (body: object) => {
    const { org, cookie } = alice
    const { json } = await daemon.ask('POST', `/api/v1${org}/import`, { cookie, json: body })
    return json
  }
  /** As a text, because what is refused is not as described. */
  const bringLess = async (path: string, lists: object) => {
    const { org, cookie } = alice
    const headers = { 'content-type': 'application/json' }
    const options = { cookie, headers, body: JSON.stringify(bodyOf(lists)) }
    const { json } = await daemon.ask('POST', `/api/v1${org}${path}?leavesOut=true`, options)
    return json.data
  }
  return { mine, theirs, bring, counts, bodyOf, refused, bringLess }
}

type Line = { name: string; action: string; origin: string; id: string; fields: string[] }
const actionsIn = ({ plan }: { plan: Line[] }) =>
  Object.fromEntries(plan.map(({ origin, action }) => [origin, action]))

t.test('colours come along for tags that have none here', async (t) => {
  const { mine, bring } = await open(t)
  const own = { tag: 'prod', color: '#dc2626' }
  await mine('PATCH', '', { tagColors: [own] })
  const web = { tag: 'web', color: '#2563eb' }
  await bring({ ...whole, tagColors: [{ ...own, color: '#16a34a' }, web] })
  t.same((await mine('GET', '')).tagColors, [own, web])
  t.same((await mine('GET', '/export')).tagColors, [own, web])
})

t.test('the same document twice doubles nothing, of any list', async (t) => {
  const { mine, bring, counts, theirs, bodyOf } = await open(t)
  const first = await bring(whole)
  t.same(new Set(Object.values(actionsIn(first))), new Set(['create']))
  const made = await counts()
  t.same(made, [1, 1, 1, 3, 1, 1, 1])
  const { revision } = await mine('GET', `/monitors/${first.ids[ids.site]}`)
  const again = await bring(whole)
  t.same(new Set(Object.values(actionsIn(again))), new Set(['keep']))
  t.same(await counts(), made)
  t.same(again.ids, first.ids, 'ids lead to what is there')
  t.match(again, { monitors: 0, channels: 0 }, 'nothing is created')
  t.equal((await mine('GET', `/monitors/${first.ids[ids.site]}`)).revision, revision)

  await theirs('POST', '/import', bodyOf({ ...whole, statusPages: [{ ...page, slug: 'other' }] }))
  t.same(await counts(theirs), made, 'another organization has its own')
  const elsewhere = { ...source, installation: 'another' }
  const other = await mine('POST', '/import', bodyOf({ monitors: [job] }, elsewhere))
  t.match(other.plan, [{ action: 'create' }], 'another installation has its own')
})

t.test('what changed there is changed here, and what was changed here stays', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at } = await bring(whole)
  await mine('PATCH', `/monitors/${at[ids.site]}`, { name: 'Our site', timeoutMs: 4_000 })
  await mine('PATCH', `/alert-channels/${at[ids.hook]}`, { delayMinutes: 5 })
  const moved = {
    ...whole,
    channels: [{ ...hook, config: { ...hook.config, method: 'PUT' } }],
    locations: [{ ...location, description: 'North' }],
    monitors: [
      { ...site, intervalMinutes: 10, headers: { 'X-Other': 'changed' } },
      { ...job, tags: ['night'] },
      group,
    ],
    statusPages: [{ ...page, title: 'Is it up?', sections: [] }],
    maintenance: [{ ...work, durationMinutes: 90 }],
    templates: [{ ...template, title: 'Very late' }],
  }
  const trial = await mine('POST', '/import/trial', {
    format: 'stillup/1',
    source,
    ...structuredClone(moved),
  })
  const { intervalSeconds } = await mine('GET', `/monitors/${at[ids.site]}`)
  t.equal(intervalSeconds, 300, 'a trial changes nothing')
  const done = await bring(moved)
  t.same(done.plan, trial.plan, 'the trial says what will be done')
  t.match(actionsIn(done), { 'monitor/1': 'change', 'monitor/3': 'keep', 'secret/1': 'keep' })
  t.match(
    done.plan.find(({ origin }: Line) => origin === 'monitor/1'),
    { fields: ['headers', 'intervalMinutes'], id: at[ids.site], list: 'monitors' },
  )
  t.match(await mine('GET', `/monitors/${at[ids.site]}`), {
    name: 'Our site',
    timeoutMs: 4_000,
    intervalSeconds: 600,
    headers: { 'X-Other': String },
    notifyChannelIds: [at[ids.hook]],
  })
  t.notOk((await mine('GET', `/monitors/${at[ids.site]}`)).headers['X-Key'])
  t.match(await mine('GET', `/monitors/${at[ids.job]}`), { tags: ['night'] })
  t.match(await mine('GET', `/alert-channels/${at[ids.hook]}`), {
    delayMinutes: 5,
    config: { method: 'PUT', url: hook.config.url },
  })
  t.match(await mine('GET', `/status-pages/${at[ids.page]}`), {
    title: 'Is it up?',
    slug: 'status',
  })
  t.match(await mine('GET', `/maintenance-windows/${at[ids.work]}`), { durationMinutes: 90 })
  t.match(await mine('GET', `/templates/${at[ids.template]}`), { title: 'Very late' })
  t.match(await mine('GET', `/locations/${at[ids.location]}`), { description: 'North' })
  // What is no longer said there is as it is by default.
  await bring({ ...moved, monitors: [{ ...site }, job, group] })
  t.match(await mine('GET', `/monitors/${at[ids.job]}`), { tags: [] })
  t.match(await mine('GET', `/monitors/${at[ids.site]}`), {
    name: 'Our site',
    intervalSeconds: 300,
  })
})

t.test('addresses that senders keep are those of the last document', async (t) => {
  const { mine, bring } = await open(t)
  const kept = { ...job, keptAddresses: ['/api/push/0123456789abcdef'] }
  const { ids: at } = await bring({ monitors: [kept] })
  const { plan } = await bring({ monitors: [kept] })
  t.match(plan, [{ action: 'keep' }])
  const path = `/monitors/${at[ids.job]}`
  t.match(await mine('GET', path), { keptAddresses: [/0123456789abcdef$/] })
  const other = { ...job, keptAddresses: ['/api/push/fedcba9876543210'] }
  await bring({ monitors: [other] })
  t.match(await mine('GET', path), { keptAddresses: [/fedcba9876543210$/] })
  await bring({ monitors: [job] })
  t.same((await mine('GET', path)).keptAddresses ?? [], [])
})

t.test('what was entered here does not go to a server that was named there', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at } = await bring(whole)
  const path = `/monitors/${at[ids.site]}`
  await mine('PATCH', path, { username: 'us', password: 'ours' })
  await bring({ ...whole, monitors: [{ ...site, url: 'https://other.example.com/' }, job, group] })
  t.match(await mine('GET', path), { url: 'https://other.example.com/', password: null })
})

t.test('changes of both sides that do not fit together come from there', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at } = await bring(whole)
  const path = `/monitors/${at[ids.site]}`
  await mine('PATCH', path, { timeoutMs: 50_000 })
  await bring({ ...whole, monitors: [{ ...site, intervalSeconds: 30 }, job, group] })
  t.match(await mine('GET', path), { intervalSeconds: 30, timeoutMs: 10_000 })
})

t.test('what was deleted here stays deleted, unless it is to be made again', async (t) => {
  const { mine, bring, counts } = await open(t)
  const { ids: at } = await bring(whole)
  await mine('DELETE', `/maintenance-windows/${at[ids.work]}`)
  await mine('DELETE', `/monitors/${at[ids.job]}`)
  await mine('DELETE', `/alert-channels/${at[ids.hook]}`)
  const before = await counts()
  const changed = { ...whole, monitors: [{ ...site, tags: ['a'] }, job, group] }
  const again = await bring(changed)
  t.match(actionsIn(again), {
    'monitor/1': 'change',
    'monitor/2': 'deletedHere',
    'notification/1': 'deletedHere',
    'maintenance/1': 'deletedHere',
  })
  t.same(await counts(), before)
  t.match(await mine('GET', `/monitors/${at[ids.site]}`), { tags: ['a'], notifyChannelIds: [] })
  const remade = await bring(changed, '?remakes=true')
  t.match(actionsIn(remade), { 'monitor/2': 'create', 'maintenance/1': 'create' })
  const { monitorIds } = await mine('GET', `/maintenance-windows/${remade.ids[ids.work]}`)
  t.same(monitorIds, [remade.ids[ids.job]])
  t.same(await counts(), [1, 1, 1, 3, 1, 1, 1])
})

t.test('a window whose monitors were all deleted here is not for every monitor', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at } = await bring({ monitors: [job] })
  await mine('DELETE', `/monitors/${at[ids.job]}`)
  const { plan } = await bring({ monitors: [job, group], maintenance: [work] })
  t.same(
    plan.map(({ action }: Line) => action),
    ['deletedHere', 'deletedHere', 'deletedHere'],
  )
  t.same(await mine('GET', '/maintenance-windows'), [])
})

t.test('what is gone there is named, and stays', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at } = await bring(whole)
  const { plan } = await bring({ ...whole, monitors: [site, group] })
  t.match(plan, [
    ...[{}, {}, {}, {}, {}],
    { list: 'monitors', name: 'Job', origin: 'monitor/2', action: 'goneThere', id: at[ids.job] },
  ])
  t.match(await mine('GET', `/monitors/${at[ids.job]}`), { name: 'Job' })
})

t.test('an item may name what a former document brought', async (t) => {
  const { mine, bring } = await open(t)
  const { ids: at } = await bring({ channels: [hook], monitors: [job] })
  const { ids: later } = await bring({ monitors: [site, group], maintenance: [work] })
  t.match(await mine('GET', `/monitors/${later[ids.site]}`), { notifyChannelIds: [at[ids.hook]] })
  t.match(await mine('GET', `/monitors/${later[ids.group]}`), { memberIds: [at[ids.job]] })
})

t.test('another kind of thing under the same origin is created anew', async (t) => {
  const { bring, counts } = await open(t)
  await bring({ monitors: [job] })
  const { plan } = await bring({
    monitors: [{ ...job, checkType: 'endpoint', url: 'https://job.example.com/', isActive: false }],
  })
  t.match(plan, [{ action: 'create', origin: 'monitor/2' }])
  t.equal((await counts())[3], 2, 'what was there stays')
  const { plan: again } = await bring({
    monitors: [{ ...job, checkType: 'endpoint', url: 'https://job.example.com/', isActive: false }],
  })
  t.match(again, [{ action: 'keep' }])
})

t.test('a refused document changes nothing', async (t) => {
  const { mine, bring, bodyOf, refused } = await open(t)
  const { ids: at } = await bring(whole)
  const wrong = { ...site, tags: ['b'] }
  const broken = [wrong, { ...job, name: '' }]
  t.match(await refused(bodyOf({ monitors: broken })), { status: 422 })
  t.match(await mine('GET', `/monitors/${at[ids.site]}`), { tags: [] })
})

t.test('hostile origins are texts like others', async (t) => {
  const { bodyOf, refused, bring } = await open(t)
  const odd = ['__proto__', 'constructor', '\u0000', 'x'.repeat(200), ' ', 'a b']
  const items = odd.map((origin, no) => ({ name: `Job ${no}`, checkType: 'push', origin }))
  const { monitors } = await bring({ monitors: items })
  t.equal(monitors, odd.length)
  const again = await bring({ monitors: items })
  t.same(new Set(again.plan.map(({ action }: Line) => action)), new Set(['keep']))
  const equal = Array.from({ length: 10_000 }, () => ({ ...job, id: undefined }))
  const { errors } = await refused(bodyOf({ monitors: equal }))
  t.match(errors[0], { pointer: '/monitors/1/origin', keyword: 'uniqueItems' })
})

t.test('a full organization takes changes of what it has', async (t) => {
  const { mine, bring, bodyOf, refused } = await open(t, { QUOTAS_CHANNELS: '1' })
  await bring(whole)
  const named = { ...hook, name: 'Renamed' }
  const { ids: at } = await bring({ ...whole, channels: [named] })
  t.match(await mine('GET', `/alert-channels/${at[ids.hook]}`), { name: 'Renamed' })
  const second = { ...hook, id: undefined, origin: 'notification/2' }
  const { status, code } = await refused(bodyOf({ channels: [hook, second] }))
  t.match({ status, code }, { status: 409, code: 'conflict' })
  t.match(await mine('GET', `/alert-channels/${at[ids.hook]}`), { name: 'Renamed' })
})

t.test('what is refused is left out on demand, and the rest comes', async (t) => {
  const { bring, counts, bringLess } = await open(t)
  const odd = { ...job, name: 'Odd', checkType: 'endpoint', url: 'no url' }
  const lists = { ...whole, monitors: [site, odd, group] }
  const leftOut = [
    { name: 'Odd', action: 'leftOut', id: null, reason: /^url / },
    { name: work.name, action: 'leftOut', id: null, reason: 'is for monitors that are left out' },
  ]
  t.match((await bringLess('/import/trial', lists)).plan.slice(-2), leftOut)
  t.same(await counts(), [0, 0, 0, 0, 0, 0, 0])
  t.match((await bringLess('/import', lists)).plan.slice(-2), leftOut)
  t.same(await counts(), [1, 1, 1, 2, 1, 0, 1])

  await bring(whole)
  const again = await bringLess('/import', lists)
  t.match(again.plan.slice(-2), leftOut)
  t.notOk(actionsIn(again)[job.origin] === 'goneThere', 'what is refused is not gone there')
  t.same(await counts(), [1, 1, 1, 3, 1, 1, 1], 'and what an import made of it before stays')
})

t.test('what another one has already does not hinder an item on demand', async (t) => {
  const { mine, bringLess, theirs, bodyOf, refused } = await open(t)
  const [kuma, uuid] = ['/api/push/Sx7mPq2kVn9d', '/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278']
  const below = '/ping/key-of-theirs/backup'
  await theirs('POST', '/import', {
    ...bodyOf({ monitors: [{ ...job, keptAddresses: [kuma] }], statusPages: [page] }),
    ...{ statusPages: [{ name: 'Theirs', slug: page.slug }], keptPingKeys: ['key-of-theirs'] },
  })
  const wanting = { ...job, keptAddresses: [kuma, uuid, below] }
  const twin = { ...job, id: undefined, origin: 'monitor/9', name: 'Twin', keptAddresses: [uuid] }
  const lists = {
    monitors: [wanting, twin],
    statusPages: [{ ...page, publicMonitorIds: [], sections: [] }],
  }
  t.match((await refused(bodyOf(lists))).errors, [
    { pointer: '/monitors/0/keptAddresses/0', keyword: 'uniqueItems' },
    { pointer: '/monitors/0/keptAddresses/2', keyword: 'uniqueItems' },
    { pointer: '/monitors/1/keptAddresses/0', keyword: 'uniqueItems' },
  ])
  const reason = 'comes without an address that another monitor has'
  const less = [
    { name: 'Job', action: 'create', reason },
    { name: 'Twin', action: 'create', reason },
    { name: 'Status', action: 'create', reason: /without its slug: The slug status is taken/ },
  ]
  t.match((await bringLess('/import/trial', lists)).plan, less)
  const { plan } = await bringLess('/import', lists)
  t.match(plan, less)
  const { keptAddresses } = await mine('GET', `/monitors/${plan[0].id}`)
  t.match(keptAddresses, { 0: /\/ping\/5bf66975/, length: 1 })
  t.match((await bringLess('/import', lists)).plan, [
    { name: 'Job', action: 'keep' },
    { name: 'Twin', action: 'keep' },
    { name: 'Status', action: 'keep' },
  ])
})

t.test(
  'very many refused items are left out, and few are told where that is not asked for',
  async (t) => {
    const { bringLess, refused, bodyOf, counts } = await open(t)
    const odd = { ...job, id: undefined, checkType: 'none', notifyChannelIds: [] }
    const monitors = Array.from({ length: 4_000 }, (_, at) => ({ ...odd, origin: `odd/${at}` }))
    const lists = { channels: [hook], monitors: [...monitors, job] }
    const { plan } = await bringLess('/import', lists)
    t.equal(plan.filter(({ action }: Line) => action === 'leftOut').length, monitors.length)
    t.same(
      (await counts()).reduce((sum, one) => sum + one),
      2,
    )
    const inItem = { ...lists, monitors: lists.monitors.slice(0, 200) }
    t.equal((await refused(bodyOf(inItem))).errors.length, limits.fieldProblemsMax)
  },
)

t.test('an installation of which one mark changed is known again', async (t) => {
  const daemon = await startDaemon(t)
  const mine = needOf(daemon, await register(daemon, 'alice'))
  const bring = (...marks: string[]) =>
    mine('POST', '/import', {
      format: 'stillup/1',
      source: { product: 'kuma', installation: marks.map((one) => one.repeat(32)).join('+') },
      monitors: [job],
    })
  await bring('a', 'b')
  t.match(await bring('c', 'b'), { plan: [{ action: 'keep' }] })
  t.match(await bring('d', 'e'), { plan: [{ action: 'create' }] }, 'another one is another')
})

t.test(
  'projects of Healthchecks are known by their checks, from a file or by the API',
  async (t) => {
    const daemon = await startDaemon(t)
    const mine = needOf(daemon, await register(daemon, 'alice'))
    const check = (project: string, number: number) => ({
      ...{ name: `${project} ${number}`, checkType: 'push' },
      origin: `check/${project.repeat(39)}${number}`,
    })
    const bring = async (installation: string, project: string, numbers = [1, 2]) => {
      const source = { product: 'healthchecks', installation }
      const monitors = numbers.map((number) => check(project, number))
      const body = { format: 'stillup/1', source, monitors }
      return Object.values(actionsIn(await mine('POST', '/import', body))).join(' ')
    }
    const [file, apiOfA, apiOfB] = ['hc.example.com', 'hc.example.com a1', 'hc.example.com b1']
    t.equal(await bring(file, 'a'), 'create create')
    t.equal(await bring(apiOfA, 'a', [1, 2, 3]), 'keep keep create', 'a file first')
    t.equal(await bring(apiOfB, 'b'), 'create create', 'another project of the same service')
    t.equal(await bring(file, 'b', [2, 4]), 'keep create goneThere', 'the API first')
    t.equal(await bring(file, 'a', [1, 2, 3]), 'keep keep keep')
  },
)

t.test('an installation that a document does not name is known by its monitors', async (t) => {
  const daemon = await startDaemon(t)
  const mine = needOf(daemon, await register(daemon, 'alice'))
  const bring = async (installation: string, names: string[], token?: string) => {
    const monitors = names.map((name, at) => ({
      ...{ name, origin: `monitor/${at}`, checkType: 'push' },
      ...(token && at === 0 && { keptAddresses: [`/api/push/${token.repeat(32)}`] }),
    }))
    const body = { format: 'stillup/1', source: { product: 'kuma', installation }, monitors }
    return Object.values(actionsIn(await mine('POST', '/import', body))).join(' ')
  }
  const names = ['Shop', 'Mail', 'Site', 'Chat', 'Blog']
  const all = (action: string) => names.map(() => action).join(' ')
  t.equal(await bring('items-a', names), all('create'))
  const later = names.with(2, 'Renamed')
  t.equal(await bring('items-b', [...later, 'New']), 'keep keep change keep keep create')
  t.equal(await bring('c'.repeat(32), later), `${all('keep')} goneThere`, 'its database')
  t.equal(await bring('items-c', later), `${all('keep')} goneThere`, 'a backup, once more')
  const [{ source: called }] = await mine('GET', '/imports')
  t.same(called, { product: 'kuma', installation: 'items-a' }, 'as the first one called it')
  const others = ['Wiki', 'Mail', 'Home', 'Talk', 'News']
  t.equal(await bring('items-d', others), all('create'), 'a backup of another')
  t.equal(await bring('e'.repeat(32), others), all('keep'), 'the database of that')
  t.equal(await bring('f'.repeat(32), names), all('create'), 'marks that differ are of two')
  t.equal(await bring('items-g', names, '1'), all('create'), 'so are tokens that differ')
  t.equal(await bring('items-h', names, '2'), all('create'))
  t.equal(await bring('items-i', others, '1'), 'change keep change change change')
})
