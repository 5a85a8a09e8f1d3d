// What the end of a CI log says about the tests that failed.
import t from 'tap'
import { failures, failuresText } from '../../../scripts/test/failures.ts'

const report = `TAP version 14
1..3
# Subtest: test/calm.test.ts
    # Subtest: all is well
        ok 1 - should be equal
        1..1
    ok 1 - all is well # time=2.1ms

    ok 2 - no tool for it # SKIP not installed: gcc
    1..2
ok 1 - test/calm.test.ts # time=74.311ms

# Subtest: test/shaky.test.ts
    # Subtest: outer
        # Subtest: inner \\# weird
            ok 1 - not ok at first sight
            not ok 2 - one is two
              ---
              compare: ===
              diff: |
                -2
                +1
              ...
            ok 3 - should be equal
            1..3
        not ok 1 - inner \\# weird # time=20.074ms
          ---
          at:
            fileName: test/shaky.test.ts
          ...

        # Subtest: later
            ok 1 - should be equal
            1..1
        ok 2 - later # time=20.074ms

        not ok 3 - after it
        1..3
    not ok 1 - outer # time=51.938ms
      ---
      at:
        fileName: test/shaky.test.ts
      ...

    # Subtest: another
        ok 1 - fine
        1..1
    ok 2 - another # time=5.319ms

    1..2
    # time=74.311ms
not ok 2 - test/shaky.test.ts # time=74.311ms
  ---
  exitCode: 1
  ...

# Subtest: .tap/groups/007-neighbours.ts
    # Subtest: test/good.test.ts
        ok 1 - x
        1..1
    ok 1 - test/good.test.ts # time=1.5ms

    # Subtest: test/bad.test.ts
        not ok 1 - y
        1..1
    not ok 2 - test/bad.test.ts # time=1.5ms

    # Subtest: test/killed.test.ts
        # Subtest: dies
            ok 1 - x
        1..0 # no tests found
    # test count(1) != plan(null)
not ok 3 - .tap/groups/007-neighbours.ts # time=301.693ms
  ---
  signal: SIGKILL
  ...

# { total: 9, pass: 6, fail: 3 }
# time=535.447ms
`

t.test('each failed test is told once, with its file and its diagnosis', async (t) => {
  t.same(failures(report), [
    {
      path: ['test/shaky.test.ts', 'outer', 'inner \\# weird', 'one is two'],
      diagnosis: ['  compare: ===', '  diff: |', '    -2', '    +1'],
    },
    { path: ['test/shaky.test.ts', 'outer', 'after it'], diagnosis: [] },
    { path: ['test/bad.test.ts', 'y'], diagnosis: [] },
    { path: ['test/killed.test.ts', 'dies'], diagnosis: ['  signal: SIGKILL'] },
  ])
  t.equal(
    failuresText(report),
    `# Failed: 4
# 1. test/shaky.test.ts > outer > inner \\# weird > one is two
#   compare: ===
#   diff: |
#     -2
#     +1
# 2. test/shaky.test.ts > outer > after it
# 3. test/bad.test.ts > y
# 4. test/killed.test.ts > dies
#   signal: SIGKILL
`,
  )
})

t.test('where nothing failed, nothing is told', async (t) => {
  t.equal(failuresText(report.replaceAll('not ok', 'ok')), '')
  t.equal(failuresText(''), '')
})

t.test('however much failed, the end of a log stays short', async (t) => {
  const long = `not ok 1 - long\n  ---\n${'  a: b\n'.repeat(10_000)}  ...\n`
  t.ok(failuresText(long).split('\n').length < 100)
  const wide = `not ok 1 - ${'wide '.repeat(10_000)}\n`
  t.ok(failuresText(wide).length < 1_000)
  const many = 'not ok 1 - again\n'.repeat(10_000)
  t.match(failuresText(many), /# and 9950 more\n$/)
  const torn = `not ok 1 - torn\n  ---\n${'  a: b\n'.repeat(10_000)}`
  t.ok(failuresText(torn).length < 5_000, 'also where the report ends within a diagnosis')
})
