// Ids: their form, their order, and that one kind cannot be taken for another.
import t from 'tap'
import { asId, idPattern, idPrefixes, newId } from '../../src/base/ids.ts'
import { randomUnit } from '../../src/base/random.ts'

t.test('an id shows its kind, and an id of another kind is invalid', async (t) => {
  const id = newId('monitor', 1_700_000_000_000)
  t.match(id, /^mon_[0-9a-z]{26}$/)
  t.equal(asId('monitor', id), id)
  t.equal(asId('incident', id), undefined)
  for (const wrong of ['', 'mon_', `${id}0`, id.slice(0, -1), id.toUpperCase(), 'mon_../../x']) {
    t.equal(asId('monitor', wrong), undefined, wrong)
  }
})

t.test(
  'later ids sort later, also within a millisecond and when a clock is set back',
  async (t) => {
    const times = [5_000, 5_000, 5_000, 5_001, 4_000, 4_999, 6_000]
    const ids = times.map((nowMs) => newId('incident', 1_700_000_000_000 + nowMs))
    t.same(ids.toSorted(), ids)
    t.equal(new Set(ids).size, ids.length)
  },
)

t.test('no two kinds share a prefix, and each pattern takes its own ids alone', async (t) => {
  const kinds = Object.keys(idPrefixes) as (keyof typeof idPrefixes)[]
  t.equal(new Set(Object.values(idPrefixes)).size, kinds.length)
  for (const kind of kinds) {
    const id = newId(kind, 1_700_000_000_000)
    const taken = kinds.filter((other) => new RegExp(idPattern(other)).test(id))
    t.same(taken, [kind])
  }
})

t.test('ten thousand ids of one moment differ', async (t) => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newId('delivery', 1_700_000_000_000)))
  t.equal(ids.size, 10_000)
})

t.test('a random number lies in [0, 1) and varies', async (t) => {
  const units = Array.from({ length: 1_000 }, randomUnit)
  t.ok(units.every((unit) => unit >= 0 && unit < 1))
  t.ok(new Set(units).size > 900)
})
