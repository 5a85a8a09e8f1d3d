// Looking up a TXT record at several name servers, and at those of the domain itself.
import t, { type Test } from 'tap'
import { createTextRecords } from '../../../src/net/dns/text-records.ts'
import { createGuard, type TargetPolicy } from '../../../src/net/egress-policy.ts'
import { type RecordsZone, rdata, startRecordsServer } from '../../support/dns-records-server.ts'
import { resolverThat } from '../../support/fake-resolver.ts'

const question = {
  name: '_status-challenge.status.example.com',
  zones: ['status.example.com', 'example.com'],
  orgId: '',
}
const record = `TXT ${question.name}`
const servers = 'NS example.com'

async function start(t: Test, zone: RecordsZone) {
  const server = await startRecordsServer(zone)
  t.teardown(() => server.close())
  return server
}

function lookup(own: readonly string[], authoritativePort: number, targets: TargetPolicy = 'any') {
  const resolver = resolverThat(async () => ({ addresses: ['127.0.0.1'] }))
  const guard = createGuard({ targets })
  return createTextRecords({ resolver: { ...resolver, servers: own }, guard, authoritativePort })
}

t.test('every name server answers for itself', async (t) => {
  const one = await start(t, { [record]: { records: [rdata.text('a', 'b'), rdata.text('c')] } })
  const two = await start(t, { [record]: { records: [] } })
  const three = await start(t, { [record]: { code: 2 } })
  const { ask } = lookup([one.server, two.server, three.server], 9)
  t.same(await ask(question), [['ab', 'c'], [], null])
  t.notOk(
    one.questions.some((text) => text.includes('NS')),
    'and no others are needed',
  )
})

t.test('with one name server, that of the domain is asked too', async (t) => {
  const theirs = await start(t, { [record]: { records: [rdata.text('new')] } })
  const ours = await start(t, { [record]: {}, [servers]: { records: [rdata.name('ns.test')] } })
  const { ask } = lookup([ours.server], theirs.port)
  t.same(await ask(question), [[], ['new']])
  t.ok(ours.questions.includes('udp NS status.example.com'), 'the innermost zone first')
  const forbidden = lookup([ours.server], theirs.port, 'public')
  t.same(await forbidden.ask(question), [[]], 'unless the egress policy forbids it')
})

t.test('a domain without name servers has only the answer of ours', async (t) => {
  const ours = await start(t, { [record]: { records: [rdata.text('token')] } })
  t.same(await lookup([ours.server], 9).ask(question), [['token']])
  t.same(await lookup([], 9).ask(question), [], 'without any there is no answer')
})

t.test('a name server that is silent has not answered', async (t) => {
  const ours = await start(t, {
    [record]: { records: [rdata.text('token')] },
    [servers]: { records: [rdata.name('ns.test')] },
  })
  const theirs = await start(t, { [record]: 'silent' })
  t.same(await lookup([ours.server], theirs.port).ask(question), [['token'], null])
})
