// What of a document an import refuses, and what then goes with it.
import t from 'tap'
import { Fault } from '../../../../src/base/fault.ts'
import { withoutRefused } from '../../../../src/services/orgs/imports/without-refused.ts'

const refusal = (...pointers: string[]) =>
  new Fault('validation_failed', 'no', {
    errors: pointers.map((pointer) => ({ pointer, keyword: 'format', message: 'must be a URL' })),
  })

const refusalOf = (problem: object) =>
  new Fault('subdomain_taken', 'no', {
    errors: [{ pointer: '', keyword: '', message: 'is taken', ...problem }],
  })

const document = {
  format: 'stillup/1',
  source: { product: 'kuma', installation: 'a' },
  secretsOmitted: ['/monitors/0/headers/A', '/monitors/2/headers/C', '/channels/0/config/token'],
  channels: [{ id: 'chn_a', name: 'Hook' }],
  monitors: [
    { id: 'mon_a', origin: 'monitor/1', name: 'A', url: 'x' },
    { id: 'mon_b', name: 'B', dependsOn: ['mon_a'], notifyChannelIds: ['chn_a'] },
    { id: 'mon_c', name: 'C', memberIds: ['mon_a', 'mon_b'] },
  ],
  statusPages: [{ name: 'P', groups: [{ name: 'G', monitors: [{ monitorId: 'mon_a' }] }] }],
  maintenance: [
    { name: 'only A', origin: 'maintenance/1', monitorIds: ['mon_a'] },
    { name: 'A and B', monitorIds: ['mon_a', 'mon_b'] },
    { name: 'A and a tag', monitorIds: ['mon_a'], tags: ['web'] },
    { name: 'all', monitorIds: [] },
  ],
} as const
const whole = { document, leftOut: [], reasons: new Map() }

t.test('an item that is refused goes, with all that names it', async (t) => {
  const lessened = withoutRefused(whole, refusal('/monitors/0/url', '/monitors/0/name'))
  t.same(lessened?.document, {
    ...document,
    locations: [],
    secrets: [],
    templates: [],
    secretsOmitted: ['/monitors/1/headers/C', '/channels/0/config/token'],
    monitors: [
      { id: 'mon_b', name: 'B', dependsOn: [], notifyChannelIds: ['chn_a'] },
      { id: 'mon_c', name: 'C', memberIds: ['mon_b'] },
    ],
    statusPages: [{ name: 'P', groups: [{ name: 'G', monitors: [] }] }],
    maintenance: [
      { name: 'A and B', monitorIds: ['mon_b'] },
      { name: 'A and a tag', monitorIds: [], tags: ['web'] },
      { name: 'all', monitorIds: [] },
    ],
  })
  const line = { action: 'leftOut', id: null, fields: [] }
  t.same(
    lessened?.leftOut,
    [
      { ...line, list: 'monitors', name: 'A', origin: 'monitor/1', reason: 'url must be a URL' },
      {
        ...line,
        list: 'maintenance',
        name: 'only A',
        origin: 'maintenance/1',
        reason: 'is for monitors that are left out',
      },
    ],
    'a window is never for all monitors because its own ones are left out',
  )
})

t.test('a ping key that is refused goes alone, and no whole one is shown', async (t) => {
  const keptPingKeys = ['key-of-theirs', 'key-of-ours']
  const given = { ...whole, document: { ...document, keptPingKeys } }
  const less = withoutRefused(given, refusal('/keptPingKeys/0'))
  t.same(less?.document.keptPingKeys, ['key-of-ours'])
  t.equal(less?.document.monitors?.length, document.monitors.length)
  t.match(less?.leftOut, [{ list: 'monitors', name: 'ping key key-…', action: 'leftOut' }])
  t.equal(withoutRefused(given, refusal('/keptPingKeys/2')), undefined)
})

t.test('a refusal that is about more than items stays one', async (t) => {
  t.equal(withoutRefused(whole, refusal('/monitors/0/url', '/format')), undefined)
  t.equal(withoutRefused(whole, refusal('/monitors/9')), undefined)
  t.equal(withoutRefused(whole, new Fault('conflict', 'no room')), undefined)
  t.equal(withoutRefused(whole, new Error('disk')), undefined)
})

t.test('an item that only wants what another one has comes without it', async (t) => {
  const [first, second] = [
    { name: 'P', slug: 'p', subdomain: 'q' },
    { name: 'Q', slug: 'q' },
  ]
  const sharedAddresses = ['/ping/d']
  const job = { name: 'Job', keptAddresses: ['/ping/a', '/ping/b', '/ping/c'], sharedAddresses }
  const given = { format: 'stillup/1', monitors: [job], statusPages: [first, second] } as const
  const errors = [
    { pointer: '/monitors/0/keptAddresses/0', keyword: 'uniqueItems', message: 'is taken' },
    { pointer: '/monitors/0/keptAddresses/2', keyword: 'uniqueItems', message: 'is taken' },
    { pointer: '/monitors/0/sharedAddresses/0', keyword: 'uniqueItems', message: 'is taken' },
    { pointer: '/statusPages/0/slug', keyword: 'slug_taken', message: 'The slug p is taken.' },
  ]
  const before = { document: given, leftOut: [], reasons: new Map() }
  const less = withoutRefused(before, new Fault('slug_taken', 'no', { errors }))
  t.match(less?.document, {
    monitors: [{ name: 'Job', keptAddresses: ['/ping/b'], sharedAddresses: [] }],
    statusPages: [{ name: 'P', subdomain: 'q', slug: undefined }, second],
  })
  t.same(less?.leftOut, [])
  const reasonOf = (item: object | undefined) => less?.reasons.get(item ?? {})
  const monitors = less?.document.monitors ?? []
  t.equal(reasonOf(monitors[0]), 'comes without an address that another monitor has')
  const pages = less?.document.statusPages ?? []
  t.equal(reasonOf(pages[0]), 'comes without its slug: The slug p is taken.')
  t.equal(reasonOf(pages[1]), undefined)
  const subdomain = {
    ...errors[3],
    pointer: '/statusPages/0/subdomain',
    keyword: 'subdomain_taken',
  }
  const again = less && withoutRefused(less, refusalOf(subdomain))
  const said = again?.reasons.get(again.document.statusPages?.[0] ?? {})
  t.match(said, /slug.*subdomain/, 'what the round before said is still said')
})
