// The pause that an answer asks for, as receivers spell it.
import t from 'tap'
import { retryAfterMs } from '../../../src/net/http-client/retry-after.ts'

const nowMs = Date.UTC(2026, 0, 1)

t.test(
  'seconds and dates are understood, no wait exceeds the maximum, nonsense is ignored',
  async (t) => {
    const cases: [string | undefined, number | undefined][] = [
      ['0', 0],
      ['120', 120_000],
      [' 7 ', 7_000],
      ['999999999', 86_400_000],
      ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
      ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
      [undefined, undefined],
      ['', undefined],
      ['-5', undefined],
      ['1.5', undefined],
      ['soon', undefined],
      ['2026', 2_026_000],
    ]
    for (const [value, waitMs] of cases) {
      t.equal(retryAfterMs(value, nowMs, 86_400_000), waitMs, String(value))
    }
  },
)
