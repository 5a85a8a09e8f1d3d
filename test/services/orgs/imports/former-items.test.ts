// The origins of items: each once in its list, and with the installation that it is of.
import t from 'tap'
import { newId } from '../../../../src/base/ids.ts'
import {
  readFormerItems,
  withoutOrigin,
} from '../../../../src/services/orgs/imports/former-items.ts'
import type { ImportedDocument, StoredObject } from '../../../../src/services/portable.ts'
import { openCore } from '../../../support/core.ts'
import { orgA } from '../../../support/make-incident.ts'

const source = { product: 'kuma', installation: 'a' }

async function formerOf(t: Parameters<typeof openCore>[0], document: Partial<ImportedDocument>) {
  const core = openCore(t)
  const deps = { hashOf: (text: string) => text, againOf: () => undefined }
  const whole = { format: 'stillup/1', ...document } as const
  return readFormerItems(core, deps, orgA, whole, ['channels', 'monitors'])
}

t.test('an origin is one item of its list, and may be in another list', async (t) => {
  const [one, two] = [{ origin: 'monitor/1' }, { origin: '__proto__' }]
  const former = await formerOf(t, { source, monitors: [one, two], channels: [one] })
  t.match(former.decide('monitors', one), { action: 'create', origin: 'monitor/1' })
  t.match(former.decide('monitors', two), { action: 'create', origin: '__proto__' })
  t.match(former.decide('channels', { ...one }), { action: 'create' })
  t.match(former.decide('monitors', {}), { action: 'create', origin: undefined })
  t.throws(() => former.decide('monitors', { ...one }), {
    errors: [{ pointer: '/origin', keyword: 'uniqueItems' }],
  })
})

t.test('an origin without an installation is refused', async (t) => {
  const former = await formerOf(t, {})
  t.throws(() => former.decide('monitors', { origin: 'monitor/1' }), {
    errors: [{ pointer: '/origin', keyword: 'source' }],
  })
})

t.test('services get the item without its origin', async (t) => {
  const plain = { name: 'Site' }
  t.equal(withoutOrigin(plain), plain)
  t.same(withoutOrigin({ name: 'Site', origin: 'monitor/1' }), plain)
})

t.test('groups of what was deleted here go with it, however long their chain is', async (t) => {
  const core = openCore(t)
  const gone = { id: 'm0', origin: 'monitor/0' }
  await core.store.write((tx) =>
    core.store.importOrigins.put(tx, {
      ...{ orgId: orgA, source, list: 'monitors', origin: 'monitor/0', name: 'Gone' },
      ...{ id: newId('monitor', 0), ref: 'm0', fields: {}, importId: newId('import', 0) },
    }),
  )
  const group = (at: number) => ({
    id: `m${at}`,
    origin: `monitor/${at}`,
    memberIds: [`m${at - 1}`, `m${at - 1}`],
  })
  // Each is before what it names. By passes over all of them it would take minutes.
  const groups = Array.from({ length: 10_000 }, (_, at) => group(10_000 - at))
  const half = { id: 'half', origin: 'monitor/half', memberIds: ['m5', 'other'] }
  const tagged = { id: 'tagged', origin: 'window/1', monitorIds: ['m5'], tags: ['shop'] }
  const document = {
    ...({ format: 'stillup/1', source } as const),
    monitors: [...groups, half, gone],
    maintenance: [tagged, { ...tagged, origin: 'window/2', tags: [] }],
  }
  const deps = { hashOf: (text: string) => text, againOf: () => undefined }
  const lists = ['monitors', 'maintenance'] as const
  const before = process.cpuUsage()
  const former = await readFormerItems(core, deps, orgA, document, lists)
  const actions = (list: (typeof lists)[number]) =>
    document[list].map((item) => former.decide(list, item).action)
  const ofMonitors = actions('monitors')
  t.same(new Set(ofMonitors.slice(0, -2)), new Set(['deletedHere']))
  t.same(ofMonitors.slice(-2), ['create', 'deletedHere'])
  t.same(actions('maintenance'), ['create', 'deletedHere'])
  const { user } = process.cpuUsage(before)
  t.ok(user < 5_000_000, `${user} µs`)
})

t.test('a field that a kind of file cannot tell stays, and is known afterwards', async (t) => {
  const core = openCore(t)
  const id = newId('monitor', 0)
  const was = { name: '"Site"', isPublic: 'true' }
  await core.store.write((tx) =>
    core.store.importOrigins.put(tx, {
      ...{ orgId: orgA, source, list: 'monitors', origin: 'monitor/1', name: 'Site' },
      ...{ id, ref: null, fields: was, importId: newId('import', 0) },
    }),
  )
  const find = (): StoredObject => ({ id, name: 'Site', revision: 1 })
  const deps = { hashOf: (text: string) => text.split(' ')[1] ?? '', againOf: () => ({ find }) }
  const read = async (fields: object, untoldFields?: readonly string[]) => {
    const item = { origin: 'monitor/1', ...fields }
    const document = { format: 'stillup/1', source, monitors: [item], untoldFields } as const
    const former = await readFormerItems(core, deps as never, orgA, document, ['monitors'])
    const { action, differing, fields: known } = former.decide('monitors', item)
    return { action, differing: [...differing], known }
  }
  const site = { name: 'Site' }
  t.match(await read(site), { action: 'change', differing: ['isPublic'] })
  t.same(await read(site, ['isPublic']), { action: 'keep', differing: [], known: was })
  t.match(await read({ ...site, isPublic: false }, ['isPublic']), { differing: ['isPublic'] })
  const names = ['isPublic', '__proto__', 'constructor']
  t.same((await read(site, names)).known, was)
})
