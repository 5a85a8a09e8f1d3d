// The tiles of the wall: as large as the screen lets all of them be.
import t from 'tap'
import { tileColumns } from '../../../src/console/pages/wall/tile-columns.ts'

t.test('few tiles are as wide as usual, and many are smaller until all fit', async (t) => {
  const screen = { widthPx: 1_800, heightPx: 700 }
  t.equal(tileColumns({ ...screen, count: 12 }), 8)
  const rows = (count: number) => Math.ceil(count / tileColumns({ ...screen, count }))
  for (const count of [12, 120, 300, 390]) t.ok(rows(count) * 40 <= 706, `${count} tiles fit`)
  t.equal(
    tileColumns({ ...screen, count: 5_000 }),
    23,
    'what does not fit is as small as can be read',
  )
  t.equal(tileColumns({ count: 0, widthPx: 0, heightPx: 0 }), 0)
})
