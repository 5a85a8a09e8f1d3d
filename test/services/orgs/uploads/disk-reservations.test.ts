// Imports of all organizations together leave enough of the disk to the data.
import t from 'tap'
import { createDiskReservations } from '../../../../src/services/orgs/uploads/disk-reservations.ts'

const mib = 1024 ** 2

function world(freeMib: number) {
  const disk = { freeBytes: freeMib * mib }
  return { disk, ...createDiskReservations({ freeBytes: async () => disk.freeBytes }) }
}

t.test('several at once get no more than half of the disk together', async (t) => {
  const { reserve } = world(4_000)
  const asked = Array.from({ length: 10 }, () => reserve(300 * mib))
  const got = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled')
  t.equal(got.length, 6)
  await t.rejects(reserve(201 * mib), {
    code: 'storage_full',
    message: 'There is no space for a file of 201 MiB.',
  })
})

t.test('the data keep 512 MiB of a small disk', async (t) => {
  const { reserve, reserveUpTo } = world(600)
  await t.rejects(reserve(89 * mib), { code: 'storage_full' })
  await reserve(88 * mib)
  t.equal((await reserveUpTo(mib)).bytes, 0)
  t.equal((await world(400).reserveUpTo(mib)).bytes, 0, 'nothing of one that is almost full')
})

t.test(
  'what is written counts once, and what is released or not needed is free again',
  async (t) => {
    const { disk, reserve, reserveUpTo } = world(4_000)
    const first = await reserve(1_000 * mib)
    first.noteWritten(1_000 * mib)
    disk.freeBytes -= 1_000 * mib
    const second = await reserveUpTo(10_000 * mib)
    t.equal(second.bytes, 500 * mib, 'half of what is left')
    await t.rejects(reserve(501 * mib), { code: 'storage_full' })
    second.keep(100 * mib)
    disk.freeBytes -= 100 * mib
    const third = await reserve(900 * mib)
    await t.rejects(reserve(mib), { code: 'storage_full' })
    for (const one of [first, first, third]) one.release()
    disk.freeBytes += 1_000 * mib
    await reserve(1_900 * mib)
  },
)
