// The rules of secrets, besides those of every noun.
import t, { type Test } from 'tap'
import { secretMask } from '../../../src/domain/secret-mask.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { createSecrets, secretsOf } from '../../../src/services/secrets/secrets.ts'
import { callerOf } from '../../support/access.ts'
import { openCore } from '../../support/core.ts'
import { orgA, orgB } from '../../support/http.ts'
import { makeMonitor } from '../../support/make-page.ts'

const scope = { caller: callerOf(), orgId: orgA, role: 'admin' } as OrgScope
const stranger = { ...scope, orgId: orgB } as OrgScope
const value = 'sk_live_8JbFzuQ2'

async function open(t: Test) {
  const core = openCore(t)
  const secrets = createSecrets(core)
  const sentAs = (name: string, orgId = orgA) => secretsOf(core, orgId, [name]).get(name)?.value
  const noted = () =>
    core.store.audit.slice(orgA, 100, 0).map(({ action, fields = [] }) => [action, ...fields])
  return { secrets, sentAs, noted, core, store: core.store }
}

t.test('a value is kept for checks, and no answer, record or log has it', async (t) => {
  const { secrets, sentAs, core, store } = await open(t)
  const made = await secrets.create(scope, { name: 'TOKEN', value })
  t.match(made, { value: secretMask, hosts: [], description: null, monitors: 0, monitorIds: [] })
  const changed = await secrets.change(scope, made.id, { value: 'another value', description: 'x' })
  t.equal(sentAs('TOKEN'), 'another value')
  const stored = store.orgSecrets.get(orgA, made.id)
  const seen = JSON.stringify([
    made,
    changed,
    secrets.get(scope, made.id),
    secrets.list(scope, { limit: 10 }),
    stored,
    store.audit.slice(orgA, 100, 0),
    core.lines,
  ])
  t.notMatch(seen, /sk_live|another value/)
})

t.test('the log says that the value was replaced, and not when it stayed', async (t) => {
  const { secrets, noted, sentAs } = await open(t)
  const { id } = await secrets.create(scope, { name: 'TOKEN', value })
  await secrets.change(scope, id, { value: 'another value' })
  await secrets.change(scope, id, { value: secretMask, description: 'of the shop' })
  t.equal(sentAs('TOKEN'), 'another value', 'the mask keeps it')
  t.same(noted(), [
    ['secret.created'],
    ['secret.changed', 'value'],
    ['secret.changed', 'description'],
  ])
})

t.test('a value that goes to more hosts than before must be given again', async (t) => {
  const { secrets } = await open(t)
  const { id } = await secrets.create(scope, { name: 'TOKEN', value, hosts: ['*.Example.com'] })
  t.match(secrets.get(scope, id), { hosts: ['*.example.com'] })
  const more = ['*.example.com', 'evil.test']
  for (const changes of [
    { hosts: more },
    { hosts: [] },
    { hosts: null },
    { hosts: more, value: secretMask },
  ]) {
    await t.rejects(secrets.change(scope, id, changes), {
      errors: [{ pointer: '/value', keyword: 'secret' }],
    })
  }
  t.match(await secrets.change(scope, id, { hosts: ['api.example.com'] }), {
    hosts: ['api.example.com'],
  })
  t.match(await secrets.change(scope, id, { hosts: more, value }), { hosts: more })
})

t.test(
  'a mask without a value, and a host that is none, are refused by their fields',
  async (t) => {
    const { secrets } = await open(t)
    const input = { name: 'TOKEN', value: secretMask, hosts: ['ok.test', 'https://no.test'] }
    await t.rejects(secrets.create(scope, input), {
      code: 'validation_failed',
      errors: [
        { pointer: '/value', keyword: 'secret' },
        { pointer: '/hosts/1', keyword: 'format' },
      ],
    })
  },
)

t.test('names are unique in an organization, and free again after a deletion', async (t) => {
  const { secrets, sentAs } = await open(t)
  for (const name of ['__proto__', 'constructor', 'token', 'TOKEN']) {
    await secrets.create(scope, { name, value: `value of ${name}` })
    t.equal(sentAs(name), `value of ${name}`)
  }
  t.equal(sentAs('toString'), undefined)
  const taken = { errors: [{ pointer: '/name', keyword: 'uniqueItems' }] }
  await t.rejects(secrets.create(scope, { name: 'TOKEN', value }), taken)
  const { id } = await secrets.create(scope, { name: 'OTHER', value })
  await t.rejects(secrets.change(scope, id, { name: 'TOKEN' }), taken)
  await secrets.change(scope, id, { name: 'THIRD' })
  t.equal(sentAs('OTHER'), undefined)
  t.equal(sentAs('THIRD'), value)
  await secrets.remove(scope, id)
  t.equal(sentAs('THIRD'), undefined)
  await secrets.create(scope, { name: 'THIRD', value: 'a new value' })
  t.equal(sentAs('THIRD'), 'a new value')
})

t.test('an organization has only its own secrets', async (t) => {
  const { secrets, sentAs } = await open(t)
  const { id } = await secrets.create(scope, { name: 'TOKEN', value })
  t.equal(sentAs('TOKEN', orgB), undefined)
  await secrets.create(stranger, { name: 'TOKEN', value: 'of the others' })
  t.equal(sentAs('TOKEN', orgB), 'of the others')
  t.equal(sentAs('TOKEN'), value)
  t.throws(() => secrets.get(stranger, id), { code: 'not_found' })
  await t.rejects(secrets.remove(stranger, id), { code: 'not_found' })
})

t.test('what monitors send is neither deleted nor renamed, and says which they are', async (t) => {
  const { secrets, store } = await open(t)
  const { id } = await secrets.create(scope, { name: 'TOKEN', value })
  const monitor = makeMonitor({ orgId: orgA, name: 'Checkout', secretNames: ['TOKEN', 'OTHER'] })
  await store.write((tx) => store.monitors.put(tx, monitor))
  t.match(secrets.get(scope, id), { monitors: 1, monitorIds: [monitor.id] })
  const told = { code: 'conflict', message: /Checkout/ }
  await t.rejects(secrets.remove(scope, id), told)
  await t.rejects(secrets.change(scope, id, { name: 'RENAMED' }), told)
  t.match(await secrets.change(scope, id, { name: 'TOKEN', value: 'a new value' }), { monitors: 1 })
  await store.write((tx) => store.monitors.put(tx, { ...monitor, secretNames: ['OTHER'] }))
  t.match(secrets.get(scope, id), { monitors: 0, monitorIds: [] })
  await secrets.remove(scope, id)
  const other = await secrets.create(scope, { name: 'OTHER', value })
  t.equal(other.monitors, 1, 'a monitor may have named it before it was there')
  await store.write((tx) => store.monitors.remove(tx, { ...monitor, secretNames: ['OTHER'] }))
  t.equal(secrets.get(scope, other.id).monitors, 0)
})

t.test('a value under a key that is gone is as good as none, and can be given again', async (t) => {
  const { secrets, sentAs, store } = await open(t)
  const { id } = await secrets.create(scope, { name: 'TOKEN', value })
  const stored = store.orgSecrets.get(orgA, id)
  await store.write((tx) => {
    if (stored) store.orgSecrets.put(tx, { ...stored, valueBox: '00000000.AAAA' })
  })
  t.equal(sentAs('TOKEN'), undefined)
  t.equal(secrets.get(scope, id).value, secretMask)
  await secrets.change(scope, id, { value })
  t.equal(sentAs('TOKEN'), value)
})
