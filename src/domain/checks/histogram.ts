// The buckets of latency histograms: each is at most 4 % wide, so that what is read from one is at
// most 2 % off.
import { required } from '../../base/assert.ts'

/** The longest latency that histograms tell apart: the duration that a push report may state. */
export const latencyMsMax = 31_536_000_000

// In whole numbers, so that they are the same on every machine. Up to 25 ms each has its own bucket.
const firstMs = startsOfBuckets()

function startsOfBuckets(): readonly number[] {
  const starts: number[] = []
  for (let ms = 0; ms <= latencyMsMax; ms = Math.max(ms + 1, Math.ceil((ms * 104) / 100))) {
    starts.push(ms)
  }
  return starts
}

export const bucketsMax = firstMs.length

/** The number of the bucket of a latency in whole milliseconds. */
export function bucketOf(ms: number): number {
  let low = 0
  let high = firstMs.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((firstMs[middle] ?? 0) <= ms) low = middle
    else high = middle - 1
  }
  return low
}

/** What stands for every latency of a bucket: at most 2 % from each of them. */
export function bucketMs(bucket: number): number {
  const least = required(firstMs[bucket], 'a bucket')
  const most = (firstMs[bucket + 1] ?? least + 1) - 1
  return least === most ? least : (2 * least * most) / (least + most)
}
