// Who has how many connections, told from what came and what the system says.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  type ConnectionCounts,
  connectionsIn,
  createPeerShare,
  peerKey,
  peersCountedMs,
} from '../../../src/http/edge/peers.ts'

/** With room for so many that a peer who is alone may have two of them. */
function start(connectionsMax = 8) {
  const world: { nowMs: number; counts: number; held: ConnectionCounts | undefined } = {
    nowMs: 0,
    counts: 0,
    held: new Map(),
  }
  const count = () => {
    world.counts++
    return world.held
  }
  return { world, share: createPeerShare({ connectionsMax, monoMs: () => world.nowMs, count }) }
}

t.test('connections that come and go are not held against anybody', async (t) => {
  const { world, share } = start()
  for (let i = 0; i < 9; i++) {
    world.held = new Map([['a', 1]])
    t.equal(share.isTooMany('a', 3), false)
    world.nowMs += peersCountedMs
  }
  t.equal(world.counts, 4, 'the system is asked only where too many have come')
})

t.test('a peer with too many connections is refused, until it has fewer', async (t) => {
  const { world, share } = start()
  world.held = new Map([['a', 3]])
  const refused = []
  for (let came = 1; came <= 9; came++) refused.push(share.isTooMany('a', Math.min(came, 3)))
  t.same(refused, [false, false, true, true, true, true, true, true, true])
  t.equal(world.counts, 1, 'the system is asked once in a while')
  t.equal(share.isTooMany('b', 3), false)
  world.held = new Map([['a', 2]])
  t.equal(share.isTooMany('a', 3), true, 'not asked yet')
  world.nowMs += peersCountedMs
  t.equal(share.isTooMany('a', 3), false)
})

t.test('no peer is refused when there are few, or the system does not tell', async (t) => {
  const { world, share } = start()
  for (let i = 0; i < 9; i++) t.equal(share.isTooMany('a', 2), false)
  t.equal(world.counts, 0)
  world.held = undefined
  t.equal(share.isTooMany('a', 3), false)
})

for (const [greedyPeers, leftMin] of [
  [5, 20],
  [100, 3],
] as const) {
  t.test(`${greedyPeers} who take what they can get leave some for whoever comes`, async (t) => {
    const connectionsMax = 2_000
    const { world, share } = start(connectionsMax)
    const held = new Map<string, number>()
    let open = 0
    function comes(peer: string): boolean {
      const mine = (held.get(peer) ?? 0) + 1
      world.held = new Map(held).set(peer, mine)
      world.nowMs += peersCountedMs
      if (open === connectionsMax || share.isTooMany(peer, open + 1)) return false
      held.set(peer, mine)
      open += 1
      return true
    }
    for (let round = 0; round < connectionsMax / greedyPeers; round++) {
      for (let peer = 0; peer < greedyPeers; peer++) comes(`greedy ${peer}`)
    }
    t.ok(open > connectionsMax / 2, `${open} open`)
    for (let i = 0; i < leftMin; i++) t.ok(comes('somebody'))
  })
}

t.test('very many peers are not remembered forever', async (t) => {
  const { world, share } = start()
  for (let i = 0; i <= limits.connectionsMax; i++) share.isTooMany(`peer ${i}`, 1)
  t.equal(world.counts, 1)
})

t.test('IPv6 is counted by its network', async (t) => {
  const key = (hex: string) => peerKey(Buffer.from(hex, 'hex'))
  t.equal(key('20010db8000100020003000400050006'), key('20010db8000100020000000000000009'))
  t.not(key('20010db8000100020003000400050006'), key('20010db8000100030003000400050006'))
  t.equal(key('c0000201'), key('00000000000000000000ffffc0000201'), 'wrapped or not')
  t.not(key('c0000201'), key('c0000202'))
})

t.test("the system's tables tell who holds connections to a port", async (t) => {
  const rows = [
    '0100007F:1F90 00000000:0000 0A', // listens
    '0100007F:1F90 010200C0:D431 01',
    '0100007F:1F90 010200C0:D432 08', // the peer has ended
    '0100007F:1F91 010200C0:D433 01', // another port
    '0100007F:1F90 010200C0:D434 06', // over
    '0100007F:1F90 010200C0:D435 05', // ended by us
    '0100007F:1F90 010200C0:D436 04 0', // ended by us, and closed
    'B80D0120020001000000000001000000:1F90 B80D0120020001000000000009000000:D431 01',
    '0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF0000010200C0:D431 01',
  ]
  const lines = rows.map((text, i) => {
    const [ours, theirs, state, file = '61'] = text.split(' ')
    const rest = `0:0 00:0 0  1000        0 ${file} 1 0000 20 4 30 10 -1`
    return `  ${i}: ${ours} ${theirs} ${state} ${rest}`
  })
  const held = connectionsIn(`  sl  local_address rem_address   st\n${lines.join('\n')}\n`, 8080)
  t.same(
    [...held],
    [
      ['c0000201', 4],
      ['20010db800010002', 1],
    ],
  )
})
