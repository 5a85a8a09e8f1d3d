// Addresses for people.
import t from 'tap'
import { isLocal, openAddresses } from '../../src/commands/addresses.ts'

const interfaces = {
  lo: [{ address: '127.0.0.1', internal: true }],
  eth0: [
    { address: '192.168.1.5', internal: false },
    { address: 'fe80::1', internal: false },
  ],
}

t.test('a wildcard becomes every name of the machine that a browser can open', async (t) => {
  t.same(openAddresses('http://0.0.0.0:8080', interfaces), [
    'http://localhost:8080',
    'http://192.168.1.5:8080',
  ])
  t.same(openAddresses('http://[::]:80', interfaces), [
    'http://localhost:80',
    'http://192.168.1.5:80',
  ])
  t.same(openAddresses('http://10.0.0.1:8080', interfaces), ['http://10.0.0.1:8080'])
})

t.test('only loopback is for this machine alone', async (t) => {
  for (const host of ['localhost', '127.0.0.1', '[::1]']) t.ok(isLocal(`http://${host}:1`), host)
  for (const host of ['0.0.0.0', '[::]', '10.0.0.1']) t.notOk(isLocal(`http://${host}:1`), host)
})
