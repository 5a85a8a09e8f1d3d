// What counts as an address in a name that the public sees.
import t from 'tap'
import { addressIn } from '../../../src/console/base/address-in.ts'

t.test('an address in a public name is found', async (t) => {
  for (const [name, found] of [
    ['127.0.0.1', '127.0.0.1'],
    ['Database (10.0.0.5:5432)', '10.0.0.5:5432'],
    ['http://10.0.0.5/health', 'http://10.0.0.5/health'],
    ['Shop postgres://db/shop', 'postgres://db/shop'],
    ['db:5432', 'db:5432'],
    ['shop.example.com:8443', 'shop.example.com:8443'],
    ['shop.example.com/health', 'shop.example.com/health'],
    ['Shop /healthz', '/healthz'],
    ['db.internal', 'db.internal'],
    ['api.shop.svc.cluster.local', 'api.shop.svc.cluster.local'],
    ['Localhost', 'Localhost'],
    ['2001:db8::1', '2001:db8::1'],
    ['::1', '::1'],
    ['fe80:0:0:0:1:2:3:4', 'fe80:0:0:0:1:2:3:4'],
  ] as const) {
    t.equal(addressIn(name), found, name)
  }
})

t.test('an ordinary name holds no address', async (t) => {
  for (const name of [
    'Website',
    'example.com',
    'Shop 2.0',
    'Search and/or find',
    'Backup at 12:30',
    'Backup at 12:30:45',
    'A / B',
    'Version 1.2.3',
    'Team: 24 people',
    'The local office',
    'Über uns',
    '',
  ]) {
    t.equal(addressIn(name), undefined, name)
  }
})
