// Addresses: one spelling and one kind for each, whatever they hide behind.
import t from 'tap'
import { classifyAddress, isPublicAddress } from '../../src/net/address.ts'

t.test('an address has one spelling', async (t) => {
  const rows = [
    ['8.8.8.8', '8.8.8.8'],
    ['::ffff:8.8.8.8', '8.8.8.8'],
    ['::ffff:0808:0808', '8.8.8.8'],
    ['FE80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
    ['2606:4700:0:0::1', '2606:4700:0:0:0:0:0:1'],
  ] as const
  for (const [text, canonical] of rows) t.equal(classifyAddress(text)?.canonical, canonical, text)
})

t.test('a text that is not an address has no kind', async (t) => {
  for (const text of ['', 'host', '0x7f.1', '1.2.3.4.5', '256.1.1.1', ':', ':::', '1.2.3.4/8']) {
    t.equal(classifyAddress(text), undefined, text)
  }
})

t.test('cloud metadata is known behind every tunnel', async (t) => {
  const tunnels = ['64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', '::a9fe:a9fe', '::ffff:a9fe:a9fe']
  for (const text of ['169.254.169.254', 'fd00:ec2::254', ...tunnels]) {
    t.equal(classifyAddress(text)?.isMetadata, true, text)
  }
  t.equal(classifyAddress('169.254.1.1')?.isMetadata, false)
})

t.test('public addresses have no internal kind', async (t) => {
  for (const text of ['1.1.1.1', '::ffff:8.8.8.8', '2606:4700::1111']) {
    t.equal(isPublicAddress(text), true, text)
  }
  const inside = ['127.0.0.1', '10.1.2.3', '100.64.0.1', '169.254.1.1', 'fd00::1', '::1', '0.0.0.0']
  for (const text of [...inside, '64:ff9b::808:808', '168.63.129.16', 'no address']) {
    t.equal(isPublicAddress(text), false, text)
  }
})
