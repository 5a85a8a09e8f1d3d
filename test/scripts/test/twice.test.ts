// What fails by chance fails no run of the CI, and what fails twice does.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readReport } from '../../../scripts/test/report.ts'
import { filesToRepeat, outcome } from '../../../scripts/test/twice.ts'
import { bareNode } from '../../support/bare-node.ts'

const root = join(import.meta.dirname, '../../..')

const taprc = `type-strip-only: true
allow-incomplete-coverage: true
disable-coverage: true
timeout: 60
include: ["test/**/*.test.ts"]
node-arg: ["--no-enable-source-maps", "--require=${root}/test/support/fast-start.ts"]
`

/** Fails at its first run, in this process or before it. */
const once = (act: string) => `import t from 'tap'
if (process.env.OF_THE_RUN !== '1') throw new Error('another environment')
import { existsSync, writeFileSync } from 'node:fs'
const isFirst = !existsSync(import.meta.filename + '.ran')
writeFileSync(import.meta.filename + '.ran', '')
t.test('before', async (t) => {
  t.ok(true)
  t.ok(true)
})
t.test('by chance', async (t) => {
  t.ok(true)
  ${act}
})
`
const suite = {
  'calm.test.ts': `import t from 'tap'
t.test('calm', async (t) => {
  t.ok(true)
  t.skip('no tool')
})
`,
  'flaky.test.ts': once(`t.equal(isFirst, false, 'not the first time')`),
  'gone.test.ts': once(`if (isFirst) process.kill(process.pid, 'SIGKILL')`),
  'late.test.ts': `import t from 'tap'
t.ok(true, 'after the one that ends the process')
`,
  'broken.test.ts': `import t from 'tap'
t.test('broken', async (t) => t.equal(1, 2, 'one is two'))
`,
  // These have a process each.
  'alone/flaky.test.ts': once(`t.equal(isFirst, false, 'not the first time')`),
  'alone/gone.test.ts': once(`if (isFirst) process.kill(process.pid, 'SIGKILL')`),
}

/** Runs the suite as the CI does; returns what was left for the end of its log. */
function run(t: Test) {
  const dir = mkdtempSync(join(tmpdir(), 'stillup-twice-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text)
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  for (const folder of ['test/alone', 'results', 'scripts']) {
    mkdirSync(join(dir, folder), { recursive: true })
  }
  cpSync(join(root, 'scripts/test'), join(dir, 'scripts/test'), { recursive: true })
  write('package.json', '{"type":"module"}')
  write('.taprc', taprc)
  for (const [name, text] of Object.entries(suite)) write(`test/${name}`, text)
  write(
    'suite.ts',
    `import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { writeGroups } from './scripts/test/groups.ts'
const asked = process.argv.slice(2)
const hasFiles = asked.some((one) => !one.startsWith('-'))
const [alone, together] = ['test/alone/*.test.ts', 'test/*.test.ts'].map((all) => globSync(all).sort())
// Two processes are as many as there are reasons for: one of them is killed.
const all = () => [...writeGroups(process.cwd(), together, false).slice(0, 2), ...alone]
const args = [...asked, ...(hasFiles ? [] : all())]
const tap = ['node_modules/.bin/tap', '--reporter=tap', ...args]
process.exitCode = spawnSync(process.execPath, tap, { stdio: 'inherit' }).status ?? 1
`,
  )
  const command = ['env', 'OF_THE_RUN=1', process.execPath, 'suite.ts']
  const { status } = spawnSync(...bareNode(['scripts/test/twice.ts', 'results', ...command]), {
    cwd: dir,
    encoding: 'utf8',
  })
  const read = (name: string) => readFileSync(join(dir, 'results', name), 'utf8')
  return {
    status,
    counts: read('counts'),
    flaky: read('flaky'),
    failures: read('failures'),
  }
}

t.test('what fails twice fails the run; what passes alone counts as passed, and is named', (t) => {
  const { status, counts, flaky, failures } = run(t)
  t.equal(status, 0)
  // calm 1, flaky 4, gone 3, late 1, and those with a process each 4 and 3: each once
  t.equal(counts, '16 1\n')
  t.match(failures, /^# Failed: 1\n# 1\. test\/broken\.test\.ts > broken > one is two$/m)
  for (const folder of ['', 'alone\\/']) {
    t.match(
      flaky,
      RegExp(`^# test\\/${folder}flaky\\.test\\.ts > by chance > not the first time$`, 'm'),
    )
    t.match(flaky, RegExp(`^# test\\/${folder}gone\\.test\\.ts > by chance$`, 'm'))
  }
  t.match(flaky, /signal: SIGKILL/)
  t.notMatch(flaky, /^# test\/(broken|calm|late)/m)
  t.end()
})

const ended = (name: string, isOk: boolean) =>
  `# Subtest: ${name}\n    ${isOk ? '' : 'not '}ok 1 - x\n${isOk ? '' : 'not '}ok 1 - ${name}\n`
const totals = '# { total: 9, pass: 1, fail: 8 }\n'
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `test/f${index}.test.ts`)

t.test('many failures, and a run that did not come to its end, are no chance', (t) => {
  const report = (count: number) =>
    numbered(count)
      .map((name) => ended(name, false))
      .join('')
  const repeated = (text: string, files: string[] = []) =>
    filesToRepeat(readReport(text), () => files)
  t.same(repeated(report(8) + totals), numbered(8))
  t.same(repeated(report(9) + totals), [])
  t.same(repeated(report(1)), [], 'the run was ended')
  // One process that ended early counts as one, whatever it was to run.
  const group = '# Subtest: .tap/groups/000-a.ts\nnot ok 1 - .tap/groups/000-a.ts\n'
  t.same(repeated(group + totals, numbered(12)), numbered(12))
  // What files leave behind in their process is no chance.
  const left = `# Subtest: .tap/groups/000-a.ts
    # Subtest: test/f0.test.ts
        ok 1 - x
    ok 1 - test/f0.test.ts
    not ok 2 - test/f0.test.ts changes the process
not ok 1 - .tap/groups/000-a.ts
`
  t.same(repeated(left + totals, numbered(1)), [])
  t.end()
})

t.test('nothing failed where all that failed by chance passes when it is repeated', (t) => {
  const runOf = (text: string, isOk: boolean) => ({ text, report: readReport(text), isOk })
  const both = ended('test/calm.test.ts', true) + ended('test/flaky.test.ts', false)
  const first = runOf(`${both}# { total: 2, pass: 1, fail: 1 }\n`, false)
  const second = runOf(`${ended('test/flaky.test.ts', true)}# { total: 1, pass: 1 }\n`, true)
  const { flaky, ...found } = outcome(first, ['test/flaky.test.ts'], second)
  t.same(found, { passed: 2, failed: 0, failures: '' })
  t.match(flaky, /^# test\/flaky\.test\.ts > x$/m)
  t.end()
})

t.test('the totals of a run are those that tap reports', (t) => {
  const of = (text: string) => readReport(text).totals
  t.same(of('# { total: 33, pass: 33 }\n'), { pass: 33, fail: 0 })
  t.same(of('# { total: 33, pass: 31, fail: 2 }\n'), { pass: 31, fail: 2 })
  t.same(of('# { total: 5, pass: 2, fail: 1, skip: 2 }\n# time=1\n'), { pass: 2, fail: 1 })
  t.equal(of('nothing\n'), undefined)
  t.end()
})
