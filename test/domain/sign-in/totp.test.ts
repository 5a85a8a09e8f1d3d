// One-time codes: the vectors of the standards, another implementation, and what does not count.

import * as OTPAuth from 'otpauth'
import t from 'tap'
import {
  base32,
  hotp,
  matchingStep,
  otpauthUrl,
  totpStep,
} from '../../../src/domain/sign-in/totp.ts'

const rfcSecret = Buffer.from('12345678901234567890')

t.test('the codes are those of RFC 4226, appendix D', async (t) => {
  const codes = Array.from({ length: 10 }, (_, counter) => hotp(rfcSecret, counter))
  t.same(codes, [
    ...['755224', '287082', '359152', '969429', '338314'],
    ...['254676', '287922', '162583', '399871', '520489'],
  ])
})

t.test('the codes are those of RFC 6238, appendix B, in six digits', async (t) => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    t.equal(hotp(rfcSecret, totpStep(seconds * 1_000)), code, `${seconds} s`)
  }
})

t.test('base32 is that of RFC 4648, without padding', async (t) => {
  for (const [text, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const) {
    t.equal(base32(Buffer.from(text)), encoded)
  }
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  t.equal(base32(bytes), new OTPAuth.Secret({ buffer: bytes.buffer }).base32)
})

t.test('an app that reads the address generates valid codes', async (t) => {
  const nowMs = Date.UTC(2026, 0, 1, 12)
  for (const [issuer, account] of [
    ['stillup up.example.com', 'alice@example.com'],
    ['stillup 127.0.0.1', 'o\'neil+"<x>"&secret=AAAA@exämple.com'],
  ] as const) {
    const read = OTPAuth.URI.parse(otpauthUrl(rfcSecret, issuer, account))
    t.ok(read instanceof OTPAuth.TOTP)
    t.match(read, { issuer, label: account, algorithm: 'SHA1', digits: 6, period: 30 })
    t.equal(read.secret.base32, base32(rfcSecret))
    for (let at = 0; at < 50; at += 1) {
      const timestamp = nowMs + at * 7_919_000
      const code = (read as OTPAuth.TOTP).generate({ timestamp })
      const step = matchingStep(rfcSecret, code, { nowMs: timestamp, lastStep: null })
      t.equal(step, totpStep(timestamp))
    }
  }
})

t.test('a code counts one step aside, not two, and never a second time', async (t) => {
  const nowMs = 1_111_111_111_000
  const present = totpStep(nowMs)
  const taken = (step: number, lastStep: number | null = null) =>
    matchingStep(rfcSecret, hotp(rfcSecret, step), { nowMs, lastStep })
  t.same(
    [-2, -1, 0, 1, 2].map((aside) => taken(present + aside)),
    [...[undefined, present - 1, present, present + 1, undefined]],
  )
  t.equal(taken(present, present), undefined, 'used')
  t.equal(taken(present - 1, present), undefined, 'older than the one that was used')
  t.equal(taken(present + 1, present), present + 1)
  t.equal(taken(0), undefined)
  t.equal(matchingStep(rfcSecret, hotp(rfcSecret, 0), { nowMs: 0, lastStep: null }), 0)
})

t.test('anything that is not a code is wrong', async (t) => {
  const nowMs = 1_111_111_111_000
  const code = hotp(rfcSecret, totpStep(nowMs))
  for (const wrong of ['', '12345', `${code}0`, ` ${code}`, '٠٥٠٤٧١', '0504e1', '-50471', 'NaN']) {
    t.equal(matchingStep(rfcSecret, wrong, { nowMs, lastStep: null }), undefined, wrong)
  }
})
