// How the files of the whole suite are spread over processes, and what each of them is told.
import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { groupsOf, processesAtOnce, queuesOf } from '../../../scripts/test/groups.ts'
import { filesLeft, filesTaken, takeNext, writeQueue } from '../../../scripts/test/queue.ts'
import { processorSeconds, timesOf } from '../../../scripts/test/times.ts'
import { bareNode } from '../../support/bare-node.ts'

const many = Array.from(
  { length: 200 },
  (_, index) => `test/some/number-${String(index).padStart(3, '0')}.test.ts`,
)

t.test('every file waits once, beside its kind, and what takes longest comes first', async (t) => {
  const long = 'test/journeys/kill-loop.test.ts'
  const browsers = ['test/a.browser.test.ts', 'test/c.browser.test.ts']
  const [one = '', other = '', third = ''] = many
  const queues = queuesOf(
    [...browsers, one, long, other, third],
    { [long]: 100, [third]: 59 },
    (file) => browsers.includes(file),
  )
  t.same(Object.fromEntries(queues), { browser: browsers, usual: [long, third, one, other] })
  const withoutBrowser = queuesOf([...browsers, one], {}, () => false)
  t.same([...withoutBrowser], [['usual', [...browsers, one]]])
})

t.test('each kind of files has processes, named in the order in which they start', async (t) => {
  const groups = groupsOf(new Set(['usual', 'browser']))
  const names = groups.map(({ name }) => name)
  t.same(names.toSorted(), names)
  t.same(new Set(groups.map(({ kind }) => kind)), new Set(['browser', 'usual']))
  t.same(groupsOf(new Set(['apart'])), [{ name: '0-apart', kind: 'apart', isLast: true }])
  const last = groups.filter(({ isLast }) => isLast).map(({ kind }) => kind)
  t.same(last, ['browser', 'usual'], 'one of each takes whatever is left')
})

t.test('a machine of little memory runs fewer processes at once', async (t) => {
  const gibi = 1_024 ** 3
  t.equal(processesAtOnce(4 * gibi), 4)
  t.equal(processesAtOnce(7.7 * gibi), 6)
})

t.test('processes take one file after the other, and none twice', async (t) => {
  const root = t.testdir()
  t.same(filesLeft(root), [])
  writeQueue(root, new Map([['usual', many]]))
  t.same(filesLeft(root), many)
  const names = ['1-usual', '2-usual']
  const taken: string[] = []
  for (let file: string | undefined = ''; file !== undefined; ) {
    file = takeNext(root, 'usual', names[taken.length % names.length] ?? '')
    if (file !== undefined) taken.push(file)
  }
  t.same(taken, many)
  t.same(filesLeft(root), [])
  const filesOf = (name: string) => filesTaken(root, name)
  t.same(names.flatMap(filesOf).toSorted(), many)
  t.same(filesOf('1-usual').slice(0, 2), [many[0], many[2]])
  writeQueue(root, new Map([['usual', []]]))
  t.equal(takeNext(root, 'usual', '1-usual'), undefined)
  t.same(filesOf('1-usual'), [], 'nothing is left of the run before')
})

/** What a process reports of the files that it takes. */
function runGroup(t: { testdir: (files: Record<string, string>) => string }, texts: string[]) {
  const files = texts.map((text, index) => [`${index}.test.ts`, text] as const)
  const group = new URL('../../../scripts/test/group.ts', import.meta.url)
  const folder = t.testdir({
    ...Object.fromEntries(files),
    'group.ts': `import { runGroup } from '${group}'
const files = [${files.map(([name]) => `import.meta.dirname + '/${name}'`)}]
await runGroup(() => files.shift(), false)`,
  })
  const [command, args] = bareNode([join(folder, 'group.ts')])
  const ran = spawnSync(command, args, { encoding: 'utf8' })
  return { status: ran.status, text: ran.stdout.replaceAll(realpathSync(folder), '') }
}

t.test('each file is a test of its own, whose failures do not touch the next', async (t) => {
  const shaky = `import t from 'tap'
    t.test('shaky', async (t) => { t.equal(1, 2, 'one is two') })
    t.test('calm', async () => {})
    throw new Error('torn')`
  const calm = `import t from 'tap'
    let isClosed = false
    t.teardown(() => { isClosed = true })
    t.test('calm', async (t) => { t.notOk(isClosed, 'still open') })
    t.pass('at the root')`
  const { status, text } = runGroup(t, [shaky, calm])
  t.equal(status, 1)
  t.match(text, /^ {8}not ok 1 - one is two$/m)
  t.match(text, /^not ok 1 - \/0\.test\.ts /m)
  t.match(text, 'torn')
  t.match(text, /^ {8}ok 1 - still open$/m)
  t.match(text, /^ {4}ok 2 - at the root$/m)
  t.match(text, /^ok 2 - \/1\.test\.ts /m)
})

t.test('a file that changes the process for the next ones is reported', async (t) => {
  const fine = `import t from 'tap'\nt.pass('fine')`
  t.equal(runGroup(t, [fine, fine]).status, 0)
  const changes = [
    `process.env.STILLUP_LEFT = 'x'`,
    'process.umask(0o777)',
    `process.on('SIGHUP', () => {})`,
    'globalThis.left = 1',
    'Math.random = () => 0.5',
    'Date.now = () => 0',
  ]
  const { status, text } = runGroup(t, [...changes.map((change) => `${fine}\n${change}`), fine])
  t.equal(status, 1)
  const reported = [...text.matchAll(/^not ok \d+ - \/(\d)\.test\.ts (?:changes|replaces) /gm)]
  t.same(
    reported.map(([, index]) => Number(index)),
    changes.map((_, index) => index),
  )
})

t.test('the slowest files of a run are named, also where groups ran', async (t) => {
  const results = t.testdir()
  t.same(timesOf(join(results, 'none'), 0), [])
  const groups = join(results, '.tap/groups')
  mkdirSync(groups, { recursive: true })
  mkdirSync(join(results, 'test'))
  const report = 'ok 1 - test/a.test.ts # time=1500ms\nnot ok 2 - test/b.test.ts # time=4000ms\n'
  writeFileSync(join(groups, '000-a.ts.tap'), report)
  writeFileSync(join(results, 'test/alone.test.ts.tap'), 'ok 1 - fine\n1..1\n# time=2000ms\n')
  const old = join(results, 'test/former.test.ts.tap')
  writeFileSync(old, '# time=9000ms\n')
  utimesSync(old, 1_000, 1_000)
  t.same(timesOf(results, 2_000_000), [
    [4, 'test/b.test.ts'],
    [2, 'test/alone.test.ts'],
    [1.5, 'test/a.test.ts'],
  ])
})

t.test('processor time is that of processes that ended, and of theirs', async (t) => {
  const before = processorSeconds()
  if (before === undefined) return t.pass('this system does not tell')
  const busy = `while (process.cpuUsage().user < 200_000);`
  const [command, args] = bareNode(['-e', busy])
  spawnSync('/bin/sh', ['-c', '"$0" "$@"; exit 0', command, ...args])
  t.ok((processorSeconds() ?? 0) - before >= 0.2)
})
