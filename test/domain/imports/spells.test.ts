// Times up and down become days and outages.
import t from 'tap'
import { historiesOfSpells, type Spell } from '../../../src/domain/imports/spells.ts'

const hourMs = 3_600_000
const day = Date.UTC(2026, 10, 2)
const spell = (fromMs: number, toMs: number | null, isUp: boolean): Spell => ({
  ...{ fromMs, toMs, isUp },
  text: 'why',
})

t.test(
  'a time over midnight belongs to both days, and one that goes on ends when it was read',
  async (t) => {
    const spells = [spell(day - 2 * hourMs, day + hourMs, false), spell(day + hourMs, null, true)]
    const [history] = historiesOfSpells([{ origin: 'a', spells }], day + 5 * hourMs)
    t.match(history, {
      days: [
        { upMs: 0, downMs: 2 * hourMs },
        { upMs: 4 * hourMs, downMs: hourMs },
      ],
      outages: [{ fromMs: day - 2 * hourMs, toMs: day + hourMs, text: 'why' }],
    })
  },
)

t.test('what goes on longer than it could be read is not counted', async (t) => {
  const spells = [spell(day, day + 100 * 24 * hourMs, true), spell(day + 99 * hourMs, null, false)]
  const [history] = historiesOfSpells([{ origin: 'a', spells }], day + hourMs)
  t.match(history?.days, [{ upMs: hourMs, downMs: 0 }])
  t.same(historiesOfSpells([{ origin: 'a', spells: [] }], day), [])
})
