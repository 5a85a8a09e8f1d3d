// Domains that the monitors of another product watch get monitors of their own.
import t from 'tap'
import { domainMonitors } from '../../../src/domain/imports/watched-domains.ts'

t.test('a domain has one monitor, with the channels of all that look at it', async (t) => {
  const looking = [
    { name: 'a', url: 'https://www.example.org/', notifyChannelIds: ['chn_1'], isActive: false },
    { name: 'b', url: 'tcp://mx.example.org:25', notifyChannelIds: ['chn_1', 'chn_2'] },
    { name: 'c', url: 'https://192.0.2.1/' },
    { name: 'd', url: 'https://printer.local/' },
    { name: 'e', url: null },
  ]
  t.same(domainMonitors(looking, [7]), [
    {
      origin: 'domain/example.org',
      name: 'example.org',
      checkType: 'domain',
      url: 'domain://example.org',
      isActive: true,
      tags: [],
      domainWarnDays: [7],
      notifyChannelIds: ['chn_1', 'chn_2'],
    },
  ])
})
