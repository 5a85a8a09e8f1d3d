// How sizes are told to people.
import t from 'tap'
import { countText, sizeText } from '../../src/base/sizes.ts'

t.test('a size is told in the largest unit of which it has one', async (t) => {
  const told: readonly [bytes: number, text: string][] = [
    [0, '0 B'],
    [734, '734 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [40_960, '40 KiB'],
    [1024 ** 2, '1 MiB'],
    [5.7 * 1024 ** 3, '5.7 GiB'],
    [3 * 1024 ** 5, '3072 TiB'],
  ]
  for (const [bytes, text] of told) t.equal(sizeText(bytes), text)
})

t.test('a count has its digits in groups of three', async (t) => {
  for (const count of [0, 7, 999, 1_000, 65_536, 1_234_567, 1e12]) {
    t.equal(countText(count), count.toLocaleString('en'))
  }
})
