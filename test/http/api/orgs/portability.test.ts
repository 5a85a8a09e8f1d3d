// A document of an organization brings back what people saw: pictures of pages, and templates.
import { crc32 } from 'node:zlib'
import t from 'tap'
import { needOf, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { pictureSample } from '../../../support/picture-files.ts'

t.test('an export brings back templates, and the pictures of pages', async (t) => {
  const daemon = await startDaemon(t)
  const [alice, bob] = [await register(daemon, 'alice'), await register(daemon, 'bob')]
  const [mine, theirs] = [needOf(daemon, alice), needOf(daemon, bob)]
  const job = { name: 'Payments', checkType: 'push', isPublic: true }
  const monitor = await mine('POST', '/monitors', job)
  const gone = await mine('POST', '/monitors', { ...job, name: 'Gone' })
  const hidden = await mine('POST', '/monitors', { ...job, name: 'Hidden' })
  const publicMonitorIds = [monitor.id, gone.id, hidden.id]
  const sections = [{ name: 'All', monitorIds: publicMonitorIds }]
  const shop = { name: 'Shop', slug: 'shop', publicMonitorIds, sections }
  const page = await mine('POST', '/status-pages', shop)
  const sample = (name: Parameters<typeof pictureSample>[0]) =>
    pictureSample(name).toString('base64')
  for (const [kind, name] of [
    ['logo', 'png'],
    ['favicon', 'webp'],
  ] as const) {
    await mine('PUT', `/status-pages/${page.id}/pictures/${kind}`, { data: sample(name) })
  }
  const outage = {
    kind: 'incident',
    name: 'Provider is down',
    title: 'Payments are delayed',
    severity: 'degraded',
    monitorIds: [monitor.id, gone.id],
    isPublic: true,
  }
  const work = { kind: 'maintenance', name: 'Database', tags: ['db'], durationMinutes: 30 }
  await mine('POST', '/templates', outage)
  await mine('POST', '/templates', work)
  await mine('DELETE', `/monitors/${gone.id}`)
  await mine('PATCH', `/monitors/${hidden.id}`, { isPublic: false })

  const document = await mine('GET', '/export')
  t.match(document, {
    picturesOmitted: [],
    templates: [{ name: outage.name }, { name: work.name }],
  })
  await mine('DELETE', `/status-pages/${page.id}`)
  const { ids, ...counts } = await theirs('POST', '/import', document)
  t.match(counts, { templates: 2, statusPages: 1 })
  const [maintenance, incident] = await theirs('GET', '/templates')
  t.match(incident, { ...outage, monitorIds: [ids[monitor.id]] }, 'a deleted monitor is left out')
  t.match(maintenance, work)

  const copy = await theirs('GET', `/status-pages/${ids[page.id]}`)
  const shown = [ids[monitor.id]]
  t.same(copy.publicMonitorIds, shown, 'and so are those that no reader sees')
  t.match(copy.sections, [{ name: 'All', monitorIds: shown }])
  t.match(copy.pictures, { logo: { format: 'png', widthPx: 24 }, cover: null })
  for (const kind of ['logo', 'favicon']) {
    const { pathname } = new URL(copy.pictures[kind].url)
    const answer = await fetch(daemon.url + pathname)
    t.equal(answer.status, 200)
    const bytes = Buffer.from(await answer.arrayBuffer()).toString('base64')
    t.equal(bytes, document.statusPages[0].pictures[kind], 'readers see the same')
  }
})

t.test('an import takes only pictures that an upload would take', async (t) => {
  const daemon = await startDaemon(t)
  const { org, cookie } = await register(daemon, 'alice')
  const animated = pictureSample('apng').toString('base64')
  const refusedOf = async (pictures: object) => {
    const json = { format: 'stillup/1', statusPages: [{ name: 'Shop', pictures }] }
    const { json: problem } = await daemon.ask('POST', `/api/v1${org}/import`, { cookie, json })
    return problem
  }
  t.match(await refusedOf({ logo: animated }), {
    status: 422,
    errors: [{ pointer: '/statusPages/0/pictures/logo', keyword: 'picture' }],
  })
  t.match(await refusedOf({ cover: Buffer.from('<svg/>').toString('base64') }), {
    errors: [{ pointer: '/statusPages/0/pictures/cover', keyword: 'picture' }],
  })
  t.match(await refusedOf({ cover: 'A'.repeat(700 * 1024) }), {
    errors: [{ pointer: '/statusPages/0/pictures/cover', keyword: 'maxLength' }],
  })
  t.match(await refusedOf({ banner: animated }), { status: 422 })
  t.same(await daemon.need('GET', `${org}/status-pages`, { cookie }), [], 'nothing is kept')
})

t.test('an export has pictures as long as they have room, and names the others', async (t) => {
  const daemon = await startDaemon(t, { env: { QUOTAS_PAGES: '20' } })
  const alice = needOf(daemon, await register(daemon, 'alice'))
  const data = largePng().toString('base64')
  for (let no = 0; no < 13; no += 1) {
    const { id } = await alice('POST', '/status-pages', { name: `Page ${no}`, slug: `page-${no}` })
    await alice('PUT', `/status-pages/${id}/pictures/cover`, { data })
  }
  const document = await alice('GET', '/export')
  const kept = document.statusPages.filter(
    ({ pictures }: { pictures: { cover?: string } }) => pictures.cover === data,
  )
  t.equal(kept.length, 12)
  t.same(document.picturesOmitted, ['/statusPages/12/pictures/cover'])
})

/** About as large as a file may be; what it draws is of no matter. */
function largePng(): Buffer {
  const [head, end] = [pictureSample('png').subarray(0, 33), Buffer.from(emptyEnd, 'hex')]
  const drawn = Buffer.concat([Buffer.from('IDAT'), Buffer.alloc(500 * 1024, 7)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(drawn.length - 4)
  sum.writeUInt32BE(crc32(drawn))
  return Buffer.concat([head, length, drawn, sum, end])
}

const emptyEnd = '0000000049454e44ae426082'

t.test('items say what they are in the product that they come from', async (t) => {
  const daemon = await startDaemon(t)
  const { org, cookie } = await register(daemon, 'alice')
  const source = { product: 'kuma', installation: 'of a test' }
  const job = { name: 'Job', checkType: 'push', origin: 'monitor/1' }
  const imported = async (document: object) => {
    const json = { format: 'stillup/1', ...document }
    return daemon.ask('POST', `/api/v1${org}/import`, { cookie, json })
  }
  t.match(await imported({ source, monitors: [job] }), { status: 200 })
  const refused = async (document: object) => {
    const { status, json } = await imported(document)
    return { status, errors: json.errors }
  }
  t.match(await refused({ monitors: [job] }), {
    status: 422,
    errors: [{ pointer: '/monitors/0/origin', keyword: 'source' }],
  })
  t.match(await refused({ source, monitors: [job, { ...job, name: 'Another' }] }), {
    errors: [{ pointer: '/monitors/1/origin', keyword: 'uniqueItems' }],
  })
  t.match(await refused({ source, monitors: [{ ...job, origin: 'x'.repeat(201) }] }), {
    errors: [{ pointer: '/monitors/0/origin', keyword: 'maxLength' }],
  })
  t.match(await refused({ source: { product: 'kuma' }, monitors: [job] }), {
    errors: [{ pointer: '/source/installation', keyword: 'required' }],
  })
})
