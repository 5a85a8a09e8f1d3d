// Networks: addresses cut to a neighbourhood.
import t from 'tap'
import { networkOf } from '../../src/domain/network.ts'

t.test('only the network of an address is kept', async (t) => {
  for (const [address, network] of [
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:12:34:56:78:9a:bc', '2001:db8:12::/48'],
    ['::1', '::/48'],
    ['', null],
    ['/run/socket', null],
  ] as const) {
    t.equal(networkOf(address), network, `of “${address}”`)
  }
})
