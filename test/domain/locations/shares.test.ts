// The shares of the probes of a location.
import t from 'tap'
import type { MonitorId, ProbeId } from '../../../src/base/ids.ts'
import { sharesOf } from '../../../src/domain/locations/shares.ts'
import { makeMonitor } from '../../support/make-page.ts'

const probeNo = (no: number, kinds = ['endpoint']) => ({
  id: `prb_01k000000000000000000000${String(no).padStart(2, '0')}` as ProbeId,
  kinds: new Set(kinds),
})
const monitors = Array.from({ length: 3_000 }, (_, no) =>
  makeMonitor({ id: `mon_01k0000000000000000000${String(no).padStart(4, '0')}` as MonitorId }),
)
const [a, b, c] = [probeNo(1), probeNo(2), probeNo(3)] as const

t.test('every monitor is in one share, and the shares are about equal', async (t) => {
  const shares = sharesOf(monitors, [a, b, c])
  const sizes = [...shares.values()].map(({ size }) => size)
  t.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    monitors.length,
  )
  for (const size of sizes) t.ok(Math.abs(size - 1_000) < 150, `${size}`)
})

t.test('when a probe goes, only its own monitors move, and they return with it', async (t) => {
  const before = sharesOf(monitors, [a, b, c])
  const after = sharesOf(monitors, [c, a])
  for (const one of [a, c]) {
    for (const id of before.get(one.id)?.keys() ?? []) {
      if (!after.get(one.id)?.has(id)) t.fail(`${id} moved`)
    }
  }
  t.same(
    [...(sharesOf(monitors, [b, c, a]).get(b.id)?.keys() ?? [])],
    [...(before.get(b.id)?.keys() ?? [])],
  )
})

t.test('a kind goes to a probe that knows it, or to none', async (t) => {
  const ping = makeMonitor({ checkType: 'ping' })
  const knowing = probeNo(4, ['ping'])
  const shares = sharesOf([ping, ...monitors.slice(0, 50)], [a, knowing])
  t.same([...(shares.get(knowing.id)?.keys() ?? [])], [ping.id])
  t.equal(shares.get(a.id)?.size, 50)
  t.equal(sharesOf([ping], [a]).get(a.id)?.size, 0)
})
