// Kept addresses of push monitors: made by an import, shown, shortened, and in nobody's way.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createBox } from '../../../src/seal/box.ts'
import { openKeyring } from '../../../src/seal/keyring.ts'
import {
  keeperOf,
  keepersOf,
  keptAfter,
  mustBeFree,
  openKept,
  withKept,
} from '../../../src/services/monitors/kept-addresses.ts'
import { makeMonitor, monitorNo, orgTwo } from '../../support/make-page.ts'
import { openTempStore } from '../../support/temp-store.ts'

const uuidPath = '/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'
const kumaPath = '/api/push/Sx7mPq2kVn9dTc4LwZ1rBf8hYj3gQa6e'

function open(t: Test) {
  const file = join(t.testdir(), 'master.key')
  const box = createBox(openKeyring({ file, create: true, random: randomBytes }))
  const push = (number: number) =>
    makeMonitor({ id: monitorNo(number), checkType: 'push', url: null })
  return { ...openTempStore(t, { inMemory: true }), box, push }
}

t.test('each address is kept once, sealed, and opened for who may see it', async (t) => {
  const { box, push } = open(t)
  const item = {
    keptAddresses: [uuidPath, uuidPath, kumaPath],
    keptRules: { methods: 'POST' },
  } as const
  const monitor = withKept(box, push(1), item)
  t.same(openKept(box, monitor), [uuidPath, kumaPath])
  t.match(monitor, { keptRules: { methods: 'POST' } })
  t.notMatch(JSON.stringify(monitor), /5bf66975|Sx7mPq/)
  t.equal(withKept(box, push(1), {}).keptAddresses, undefined)
  t.equal(withKept(box, push(1), { keptAddresses: null }).keptAddresses, undefined)
  t.throws(() => withKept(box, makeMonitor(), item), { errors: [{ keyword: 'forbidden' }] })
  const broken = { ...monitor, keptAddresses: [{ hash: 'x', box: 'lost' }] }
  t.same(openKept(box, broken), [], 'one that cannot be opened hides no monitor')
})

t.test('a change may take addresses away, and with the last one their rules', async (t) => {
  const { box, push } = open(t)
  const keptRules = { otherwise: 'error' } as const
  const monitor = withKept(box, push(1), { keptAddresses: [uuidPath, kumaPath], keptRules })
  t.equal(keptAfter(monitor, [kumaPath, uuidPath]).keptAddresses, monitor.keptAddresses)
  t.same(keptAfter(monitor, [kumaPath]), {
    keptAddresses: monitor.keptAddresses?.slice(1),
    keptRules,
  })
  for (const none of [[], null]) {
    t.same(keptAfter(monitor, none), { keptAddresses: undefined, keptRules: undefined })
  }
  t.throws(() => keptAfter(monitor, [`${kumaPath}x`]), {
    errors: [{ pointer: '/keptAddresses/0' }],
  })
})

t.test(
  'an address that monitors share leads to all of them, and to the last one alone',
  async (t) => {
    const { store, box, push } = open(t)
    const slug = '/ping/fqOOd6-F4MMNuCEnzTU01w/same'
    const [first, second] = [1, 2].map((n) => withKept(box, push(n), { sharedAddresses: [slug] }))
    const alone = withKept(box, push(3), { keptAddresses: [slug] })
    const other = makeMonitor({ ...first, id: monitorNo(4), orgId: orgTwo })
    const [{ hash } = { hash: '' }] = first?.keptAddresses ?? []
    if (!first || !second) throw new Error('nothing was made')
    t.doesNotThrow(() => mustBeFree(store, [first, second], '/monitors'))
    await store.write((tx) => store.monitors.putNew(tx, first.orgId, [first, second]))
    t.same(
      keepersOf(store, hash).map(({ id }) => id),
      [first.id, second.id],
    )
    t.equal(keeperOf(store, hash), undefined)
    t.throws(() => mustBeFree(store, [alone], '/monitors'), 'who wants it alone is refused')
    t.throws(() => mustBeFree(store, [other], '/monitors'), 'and so are other organizations')
    t.doesNotThrow(() => mustBeFree(store, [first], '/monitors'))
    t.same(openKept(box, first), [slug])

    const changed = { ...second, name: 'Other', keptAddresses: [...(second.keptAddresses ?? [])] }
    await store.write((tx) => store.monitors.put(tx, changed))
    t.equal(keepersOf(store, hash).length, 2, 'nobody has it twice')
    await store.write((tx) => store.monitors.remove(tx, first))
    t.equal(keeperOf(store, hash)?.id, second.id)
    await store.write((tx) => store.monitors.put(tx, { ...changed, ...keptAfter(changed, []) }))
    t.equal(store.monitors.areAddressesKept(), false)
  },
)

t.test('an address leads to its monitor until that is gone', async (t) => {
  const { store, box, push } = open(t)
  t.equal(store.monitors.areAddressesKept(), false)
  const first = withKept(box, push(1), { keptAddresses: [uuidPath, kumaPath] })
  const [uuid, kuma] = first.keptAddresses ?? []
  if (!uuid || !kuma) throw new Error('nothing was kept')
  await store.write((tx) => store.monitors.put(tx, first))
  t.equal(store.monitors.areAddressesKept(), true)
  t.equal(keeperOf(store, uuid.hash)?.id, first.id)
  const second = withKept(box, push(2), { keptAddresses: [kumaPath] })
  const list = '/monitors'
  t.throws(() => mustBeFree(store, [push(3), second], list), {
    errors: [{ pointer: '/monitors/1/keptAddresses/0', keyword: 'uniqueItems' }],
  })
  t.doesNotThrow(() => mustBeFree(store, [first], list), 'its own are free for it')

  const shorter = { ...first, ...keptAfter(first, [uuidPath]) }
  await store.write((tx) => store.monitors.put(tx, shorter))
  t.equal(keeperOf(store, kuma.hash), undefined)
  t.doesNotThrow(() => mustBeFree(store, [second], list))
  const twice = withKept(box, push(4), { keptAddresses: [kumaPath] })
  t.throws(() => mustBeFree(store, [second, twice], list))

  await store.write((tx) => store.monitors.remove(tx, shorter))
  t.equal(keeperOf(store, uuid.hash), undefined)
  t.equal(store.monitors.areAddressesKept(), false)
})
