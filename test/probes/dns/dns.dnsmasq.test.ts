// The DNS probe against a name server that others wrote; skipped where dnsmasq is not installed.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { dns } from '../../../src/probes/dns/dns.ts'
import { prepareDnsmasq } from '../../support/child-peer.ts'
import { makeTarget } from '../../support/make-target.ts'
import { skipWithout } from '../../support/programs.ts'

const skip = skipWithout('dnsmasq')

const longText = Array.from({ length: 20 }, (_, i) => `${i}-${'x'.repeat(200)}`)

const records = [
  ...['--host-record=web.test,127.0.0.7,::1', '--cname=www.test,web.test'],
  ...['--mx-host=a.test,mx1.test,10', '--mx-host=a.test,mx2.test,20'],
  ...['--srv-host=_sip._udp.a.test,sip.test,5060,1,2', '--caa-record=a.test,0,issue,ca.test'],
  ...['--ptr-record=9.0.0.127.in-addr.arpa,host.test', '--txt-record=a.test,"v=spf1 -all"'],
  ...longText.map((one) => `--txt-record=l.test,${one}`),
]

t.test('dnsmasq is read like any other name server', { skip }, async (t) => {
  const dnsmasq = await prepareDnsmasq(t)
  await dnsmasq.start(records)
  const clock = startClock()
  t.after(() => clock.stop())
  const servers = [dnsmasq.server]
  const probe = dns.open({
    guard: createGuard({ targets: 'any' }),
    resolver: createResolver({ clock, servers }),
    clock,
  }).probe
  const holds: Record<string, string> = {
    'dns://web.test': '"records":["127.0.0.7"]',
    'dns://web.test?type=AAAA': '"records":["::1"]',
    'dns://www.test?type=CNAME': '"records":["web.test"]',
    'dns://www.test': '"records":["127.0.0.7"]',
    'dns://a.test?type=MX': '20 mx2.test',
    'dns://a.test?type=TXT': 'v=spf1 -all',
    'dns://a.test?type=CAA': '0 issue ca.test',
    'dns://_sip._udp.a.test?type=SRV': '1 2 5060 sip.test',
    'dns://127.0.0.9?type=PTR': '"records":["host.test"]',
    'dns://l.test?type=TXT': '19-xxx',
  }
  for (const [url, bodyContains] of Object.entries(holds)) {
    const reading = await probe(makeTarget({ url, expect: { bodyContains } }), { clock })
    t.equal(reading.result, 'good', `${url}: ${reading.error?.message} ${reading.evidence?.body}`)
  }
  const missing = await probe(makeTarget({ url: 'dns://nowhere.test' }), { clock })
  t.equal(missing.error?.message, 'there is no such name as nowhere.test')
  const none = await probe(makeTarget({ url: 'dns://web.test?type=MX' }), { clock })
  t.equal(none.error?.message, 'web.test has no MX record')
})
