// Addresses: one spelling, and no belief in what strangers claim.
import t from 'tap'
import { countedAddress } from '../../../src/domain/network.ts'
import { createProxyTrust, isLoopback, normalAddress } from '../../../src/http/edge/address.ts'

t.test('an address has one spelling', async (t) => {
  t.equal(normalAddress('192.0.2.1'), '192.0.2.1')
  t.equal(normalAddress('0000:0000:0000:0000:0000:ffff:7f00:0001'), '127.0.0.1')
  t.equal(normalAddress('2001:0db8:0000:0000:0000:0000:0000:0001'), '2001:db8::1')
})

t.test('hosts that own a whole IPv6 network are counted as one', async (t) => {
  t.equal(countedAddress('2001:db8:1:2:3:4:5:6'), countedAddress('2001:db8:1:2::9'))
  t.not(countedAddress('2001:db8:1:2::1'), countedAddress('2001:db8:1:3::1'))
  t.equal(countedAddress('192.0.2.1'), '192.0.2.1')
})

t.test('loopback is recognised in both families', async (t) => {
  for (const address of ['127.0.0.1', '127.8.8.8', '::1']) t.ok(isLoopback(address), address)
  for (const address of ['192.0.2.1', 'x', '', '::2']) t.notOk(isLoopback(address), address)
})

t.test('only trusted proxies are believed, from the right, up to the first stranger', async (t) => {
  const trust = createProxyTrust(['10.0.0.0/8', '::1'])
  const resolve = (peer: string, forwarded: string) => trust.resolve(peer, forwarded)
  t.equal(resolve('192.0.2.9', '203.0.113.7'), '192.0.2.9', 'a stranger may claim anything')
  t.equal(resolve('10.0.0.1', ''), '10.0.0.1')
  t.equal(resolve('10.0.0.1', '203.0.113.7'), '203.0.113.7')
  t.equal(resolve('10.0.0.1', '1.2.3.4, 203.0.113.7, 10.2.3.4'), '203.0.113.7')
  t.equal(resolve('10.0.0.1', '10.0.0.9'), '10.0.0.9')
  t.equal(resolve('10.0.0.1', 'garbage'), '10.0.0.1')
  t.equal(resolve('10.0.0.1', '203.0.113.7, unknown'), '10.0.0.1')
  t.equal(resolve('::1', '203.0.113.7:4711'), '203.0.113.7')
  t.equal(resolve('::1', '"x", [2001:db8::1]:80'), '2001:db8::1')
  t.equal(createProxyTrust([]).isEmpty, true)
  t.same(['10.2.3.4', '::1', '192.0.2.9', ''].map(trust.trusts), [true, true, false, false])
})
