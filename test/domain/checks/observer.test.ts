// Is it them or us: what silent sentinels mean, and what they do not.
import t from 'tap'
import {
  afterSentinelCheck,
  areUnheard,
  type Capabilities,
  type Doubt,
  doubtOver,
  initialCapabilities,
  isCutOff,
  isOurs,
  lostCapabilities,
  type NamesAnswer,
  networkOf,
  type SentinelAnswer,
  type Sight,
  sightOf,
} from '../../../src/domain/checks/observer.ts'

const place = (version: 'ipv4' | 'ipv6', answers: boolean, isProven = true): SentinelAnswer => ({
  version,
  answers,
  isProven,
})
const v4 = (...answers: readonly boolean[]) => answers.map((answer) => place('ipv4', answer))
const named = (answers: boolean, more: Partial<NamesAnswer> = {}): NamesAnswer => ({
  answers,
  isProven: true,
  hasAnsweredOthers: true,
  ...more,
})
const works: Sight = { ipv4: true, ipv6: true, dns: true }
const seen = (...sights: readonly Partial<Sight>[]): Capabilities =>
  sights.reduce<Capabilities>(
    (believed, sight) => afterSentinelCheck(believed, { ...works, ...sight }),
    initialCapabilities,
  )

t.test('a version is lost where fewer than half of its sentinels answer', async (t) => {
  const sight = (sentinels: readonly SentinelAnswer[]) => sightOf({ sentinels, names: null })
  t.equal(sight(v4(true, true, false)).ipv4, true, 'two of three')
  t.equal(sight(v4(true, false)).ipv4, true, 'one of two')
  t.equal(sight(v4(true, false, false)).ipv4, false, 'one of three')
  t.equal(sight(v4(false)).ipv4, false)
  t.equal(sight([]).ipv4, null, 'nobody to ask')
  t.equal(sight([place('ipv4', false, false)]).ipv4, null, 'who never answered says nothing')
  t.equal(sight([...v4(true), place('ipv4', false, false)]).ipv4, true)
  const onlySix = sight([...v4(true), place('ipv6', false)])
  t.match(onlySix, { ipv4: true, ipv6: false }, 'each version by itself')
})

t.test('name servers are lost if they answer less than they once did', async (t) => {
  const dns = (names: NamesAnswer | null) => sightOf({ sentinels: [], names }).dns
  t.equal(dns(null), null)
  t.equal(dns(named(true)), true)
  t.equal(dns(named(false)), false)
  const internal = { isProven: false, hasAnsweredOthers: true }
  t.equal(dns(named(false, internal)), null, 'they know our own names only: no sign of trouble')
  const dead = { isProven: false, hasAnsweredOthers: false }
  t.match(
    sightOf({ sentinels: v4(true), names: named(false) }),
    { ipv4: true, dns: false },
    'who cannot resolve may still have a network',
  )
  t.equal(dns(named(false, dead)), null, 'who never answered anything was never there to be lost')
  const unheard = (names: NamesAnswer | null) => areUnheard({ sentinels: [], names })
  t.ok(unheard(named(false, dead)), 'but it is known that nothing was heard of them')
  t.notOk(unheard(named(false, internal)))
  t.notOk(unheard(named(true, dead)))
  t.notOk(unheard(named(false)), 'they are lost')
  t.notOk(unheard(null))
})

t.test('lost at once, back after two good looks', async (t) => {
  t.same(lostCapabilities(initialCapabilities), [])
  t.same(lostCapabilities(seen({ ipv4: false })), ['ipv4'])
  t.same(lostCapabilities(seen({ ipv4: false, dns: false }, {})), ['ipv4', 'dns'])
  t.same(lostCapabilities(seen({ ipv4: false }, {}, {})), [])
  t.same(lostCapabilities(seen({ ipv4: false }, {}, { ipv4: false }, {})), ['ipv4'], 'in a row')
  t.same(lostCapabilities(seen({ ipv4: false }, { ipv4: null })), [], 'nothing can tell any more')
})

t.test('a failure is ours only if something it needed is lost', async (t) => {
  const ours = (believed: Capabilities, ...doubts: readonly Doubt[]) =>
    doubts.map((doubt) => isOurs(believed, doubt))
  const all = ['dns', 'ipv4', 'ipv6', 'network'] as const
  t.same(ours(initialCapabilities, ...all), [false, false, false, false])
  t.same(ours(seen({ dns: false }), ...all), [true, false, false, false])
  t.same(ours(seen({ ipv6: false }), ...all), [false, false, true, false], 'IPv4 was there to use')
  t.same(ours(seen({ ipv4: false, ipv6: false }), ...all), [false, true, true, true])
  t.same(ours(seen({ ipv4: false, ipv6: null }), ...all), [false, true, false, true])
  t.notOk(isCutOff(seen({ dns: false })), 'whoever knows our address finds us')
  t.ok(isCutOff(seen({ ipv4: false })))
})

t.test('the doubt depends on where the target is', async (t) => {
  t.equal(doubtOver(['192.0.2.1']), 'ipv4')
  t.equal(doubtOver(['2001:db8::1']), 'ipv6')
  t.equal(doubtOver(['2001:db8::1', '192.0.2.1']), 'network')
  t.equal(doubtOver(['127.0.0.1', '::1']), undefined, 'this machine is never far')
  t.equal(doubtOver(['::ffff:127.0.0.1']), undefined)
  t.equal(doubtOver(['::ffff:192.0.2.1']), 'ipv4', 'however it is spelled')
  t.equal(doubtOver([]), undefined)
  t.equal(networkOf('192.0.2.1'), networkOf('192.0.99.1'))
  t.not(networkOf('192.0.2.1'), networkOf('192.1.2.1'))
  t.equal(networkOf('2001:db8:1::1'), networkOf('2001:db8:2::1'))
})
