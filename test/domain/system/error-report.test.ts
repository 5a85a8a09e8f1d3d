// Error reports: the same error is recognized, whatever ids and numbers are in it.
import t from 'tap'
import { fingerprintOf } from '../../../src/domain/system/error-report.ts'
import { leastMs } from '../../support/starvation.ts'

const of = (message: string, more: { source?: string; stack?: string } = {}) =>
  fingerprintOf({ source: 'agent', message, ...more })

t.test('numbers, ids and addresses in memory make no difference', async (t) => {
  const pairs = [
    ['timeout after 3000 ms', 'timeout after 12.5 ms'],
    ['no mon_01k0000000000000000000000a', 'no mon_01k9zzzzzzzzzzzzzzzzzzzzzz'],
    ['job 7f9c24e8-3b12-4fef-91e0-56a2d5a1b3c4', 'job 00000000-0000-0000-0000-000000000000'],
    ['at 0xdeadbeef', 'at 0x7ffe0042'],
    ['commit 4f2a91bc', 'commit 99cdef01aa'],
    ['to 10.0.0.1:8080', 'to 192.168.7.33:443'],
  ] as const
  for (const [one, other] of pairs) t.equal(of(one), of(other), one)
})

t.test('words, the source and the place in the code do', async (t) => {
  t.not(of('cannot read'), of('cannot write'))
  t.not(of('x'), of('x', { source: 'other' }))
  const stack = (name: string, line: number) =>
    `Error: x\n    at ${name} (file:///app/a.js:${line}:7)\n    at main (file:///app/b.js:1:1)`
  t.not(of('x', { stack: stack('load', 1) }), of('x', { stack: stack('save', 1) }))
  t.equal(of('x', { stack: stack('load', 1) }), of('x', { stack: stack('load', 99) }))
})

t.test('only the innermost places count, in the notation of either engine', async (t) => {
  const deep = (tail: string) =>
    ['a', 'b', 'c', tail].map((name) => `${name}@https://x/app.js:1:2`).join('\n')
  t.equal(of('x', { stack: deep('d') }), of('x', { stack: deep('e') }))
  t.not(of('x', { stack: deep('d') }), of('x', { stack: deep('d').replace('a@', 'z@') }))
})

t.test('a fingerprint takes its time from the length of a text alone', async (t) => {
  const texts = ['1'.repeat(4_000), 'a1'.repeat(2_000), 'abc_0'.repeat(800), '-'.repeat(4_000)]
  const tookMs = leastMs(1_000, () => {
    for (const text of texts) {
      for (let run = 0; run < 20; run += 1) of(text)
    }
  })
  t.ok(tookMs < 1_000, `${tookMs} ms`)
})
