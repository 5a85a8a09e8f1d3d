// Large imports are written in several transactions: others have their turns meanwhile, and a refusal leaves nothing.
import t from 'tap'
import { needOf, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { patient } from '../../../support/depth.ts'
import { watchTurns } from '../../../support/turns.ts'

const source = { product: 'kuma', installation: 'large' }
const digits = '0123456789abcdefghjkmnpqrstvwxyz'
const idOf = (no: number) =>
  `mon_01arz3ndektsv4rrff${[3, 2, 1, 0].map((at) => digits[Math.floor(no / 32 ** at) % 32]).join('')}0000`
const jobsOf = (count: number) =>
  Array.from({ length: count }, (_, no) => ({
    ...{ id: idOf(no), origin: `monitor/${no}`, name: `Job ${no}`, checkType: 'push' },
    ...{ isPublic: true, intervalSeconds: 86_400 },
  }))
const page = (count: number) => ({
  ...{ origin: 'page/1', name: 'Status', slug: `large-${count}` },
  publicMonitorIds: [idOf(0), idOf(count - 1)],
})
const documentOf = (count: number) => ({
  ...{ format: 'stillup/1', source, monitors: jobsOf(count) },
  statusPages: [page(count)],
})

const started = startDaemon(t)

async function open(name: string) {
  const daemon = await started
  const alice = await register(daemon, name)
  const mine = needOf(daemon, alice)
  const refusal = async (path: string, json: object) => {
    const { org, cookie } = alice
    const { status, text } = await daemon.ask('POST', `/api/v1${org}${path}`, { cookie, json })
    return { status, text }
  }
  return { daemon, mine, refusal }
}

const actionsIn = ({ plan }: { plan: { action: string }[] }) => plan.map(({ action }) => action)

t.test('a large document comes in short turns, and a trial says the same before', async (t) => {
  const { mine } = await open('alice')
  const document = documentOf(450)
  const longestMs = watchTurns()
  const trial = await mine('POST', '/import/trial', document)
  t.same(await mine('GET', '/monitors'), [], 'a trial makes nothing')
  const done = await mine('POST', '/import', document)
  t.ok(longestMs() < patient(100), 'others have their turns meanwhile')
  t.same(actionsIn(done), actionsIn(trial))
  t.match(done, { monitors: 450, statusPages: 1, plan: { length: 451 } })
  const { counts, plan } = await mine('GET', `/imports/${done.importId}`)
  t.match(counts, { create: 451 })
  t.equal(plan.length, 451, 'all of it can be taken back')
  const [{ publicMonitorIds }] = await mine('GET', '/status-pages')
  t.same(publicMonitorIds, [done.ids[idOf(0)], done.ids[idOf(449)]])
  const again = await mine('POST', '/import', { ...document, monitors: jobsOf(5) })
  t.same(new Set(actionsIn(again)), new Set(['keep', 'goneThere']))
  t.equal((await mine('GET', `/imports/${again.importId}`)).plan.length, 445)
  const undone = await mine('POST', `/imports/${done.importId}/undo`)
  t.equal(undone.plan.length, 451)
  t.same(await mine('GET', '/monitors'), [])
})

t.test('a large import that is refused at its end leaves nothing', async (t) => {
  const { daemon, mine, refusal } = await open('anna')
  const bob = needOf(daemon, await register(daemon, 'bob'))
  const keptPingKeys = ['key-of-somebody-else']
  await bob('POST', '/import', { format: 'stillup/1', source, monitors: [], keptPingKeys })
  const document = { ...documentOf(250), keptPingKeys }
  for (const path of ['/import/trial', '/import']) {
    t.match(await refusal(path, document), { status: 422, text: /keptPingKeys/ })
  }
  t.same(await mine('GET', '/monitors'), [])
  t.same(await mine('GET', '/status-pages'), [])
  t.match(await mine('GET', '/imports'), [{ state: 'undone' }], 'it is said that it was taken back')
  const { plan } = await mine('POST', '/import', documentOf(2))
  t.same(new Set(actionsIn({ plan })), new Set(['create']), 'nothing is remembered of it')
})

t.test('while a large import runs, the same one is refused', async (t) => {
  const { refusal } = await open('ada')
  const statuses = await Promise.all(
    ['/import', '/import/trial'].map(async (path) => (await refusal(path, documentOf(250))).status),
  )
  t.same(statuses.toSorted(), [200, 409])
})

t.test('a large import may be sent again with its key, and is done once', async (t) => {
  const daemon = await started
  const carol = await register(daemon, 'carol')
  const send = () =>
    daemon.ask('POST', `/api/v1${carol.org}/import`, {
      ...{ cookie: carol.cookie, json: { ...documentOf(250), statusPages: [] } },
      headers: { 'idempotency-key': 'large-import-1' },
    })
  const [first, second] = [await send(), await send()]
  t.equal(first.status, 200)
  t.same(second.json, first.json)
})
