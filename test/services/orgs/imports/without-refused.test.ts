// What of a document an import refuses, and what then goes with it.
import t from 'tap'
import { Fault } from '../../../../src/base/fault.ts'
import { withoutRefused } from '../../../../src/services/orgs/imports/without-refused.ts'

const refusal = (...pointers: string[]) =>
  new Fault('validation_failed', 'no', {
    errors: pointers.map((pointer) => ({ pointer, keyword: 'format', message: 'must be a URL' })),
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

t.test('an item that is refused goes, with all that names it', async (t) => {
  const lessened = withoutRefused(document, refusal('/monitors/0/url', '/monitors/0/name'))
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
    lessened?.lines,
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

t.test('a refusal that is about more than items stays one', async (t) => {
  t.equal(withoutRefused(document, refusal('/monitors/0/url', '/format')), undefined)
  t.equal(withoutRefused(document, refusal('/monitors/9')), undefined)
  t.equal(withoutRefused(document, new Fault('conflict', 'no room')), undefined)
  t.equal(withoutRefused(document, new Error('disk')), undefined)
})
