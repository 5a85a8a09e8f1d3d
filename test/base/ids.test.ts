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

t.test('an id tells its time, in the alphabet and order of ULIDs', async (t) => {
  const timeOf = (id: string) =>
    Array.from(id.slice(4, 14)).reduce((ms, digit) => {
      return ms * 32 + '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit)
    }, 0)
  for (const atMs of [1_900_000_000_000, 1_900_000_000_031, 253_402_300_800_000]) {
    t.equal(timeOf(newId('monitor', atMs)), atMs)
  }
})

t.test('very many ids of one moment still sort in their order', async (t) => {
  const atMs = 270_000_000_000_000
  let last = newId('delivery', atMs)
  let isSorted = true
  for (let count = 0; count < 1_200_000; count += 1) {
    const next = newId('delivery', atMs)
    if (next <= last) isSorted = false
    last = next
  }
  t.ok(isSorted)
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
