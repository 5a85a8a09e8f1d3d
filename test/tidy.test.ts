// The style guide as a test: layers, circles, banned calls, crowded folders, orphans, missing
// tests, broken references.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import {
  circles,
  importGraph,
  readTree,
  type SourceTree,
  wrongImports,
} from './support/source-tree.ts'

const root = join(import.meta.dirname, '..')

// Lowest first; those in one line are siblings, which never import each other. A file imports from
// its own folder or from a lower line.
const layers = [
  ['base'],
  ['texts'],
  ['domain'],
  ['redaction'],
  ['net'],
  [
    'config',
    'store',
    'probes',
    'channels',
    'seal',
    'mail',
    'pages',
    'kyc',
    'oidc',
    'acme',
    'bucket',
    'uplink',
    'cluster',
  ],
  ['actors'],
  ['services'],
  ['http'],
  ['app', 'commands'],
  ['main'],
]

const consoleLayers = [
  ['base'],
  ['words'],
  ['api'],
  ['stores'],
  ['parts'],
  ['pages'],
  ['shell'],
  ['main', 'modules.d'],
]

const banned: readonly [pattern: RegExp, useInstead: string, allowedIn: RegExp][] = [
  [/\bDate\.now\(|new Date\(\)/, 'clock.nowMs()', /^base\/clock\.ts$/],
  [/\bperformance\.now\(/, 'clock.monoMs()', /^base\/clock\.ts$/],
  [/\bMath\.random\b/, 'base/random.ts', /^base\/random\.ts$/],
  [
    /(?<![.\w])(set|clear)(Timeout|Interval)\(/,
    'the clock',
    /^(base\/clock|commands\/watchdog\/watchdog|main)\.ts$/,
  ],
  // Libraries load their addons before there are settings.
  [/\bprocess\.env\b/, 'a setting, or Host.env in a command', /^(main|base\/native\/addons)\.ts$/],
  [/\bimport\.meta\b|\bnew Worker\(/, 'base/assets.ts', /^base\/assets\.ts$/],
  [/\bprocess\.exit\(/, 'an exit code, or Host.exit in a command', /^main\.ts$/],
  [/\bconsole\./, 'the log', /^$/],
  // Tables are opened together, before anything is written.
  [
    /\.(transaction|transactionSync|batch|putSync|removeSync)\(/,
    'store.write()',
    /^store\/store\.ts$/,
  ],
  [/from 'lmdb'/, 'a table of store/', /^store\//],
  [/from 'pino'/, 'base/log/log.ts', /^base\/log\/log\.ts$/],
  [/from 'uWebSockets\.js'/, 'http/edge', /^http\/edge\//],
  [
    /from 'node:child_process'/,
    'a library',
    // systemd and ICMP cannot be reached otherwise; neither is told a word of a user. The third starts
    // this program again, for what may end its process, and the last two run what the operator lists.
    /^(commands\/supervisor|probes\/(ping\/ping-command|machine\/program|browser\/chromium)|base\/assets)\.ts$/,
  ],
  [/from 'node:(fs|net|tls|http|https|dns|dgram)/, 'an adapter of layer 2', /^(?!domain\/)/],
  [/\bexport default\b/, 'a named export', /^$/],
  [/\bexport \* from\b/, 'imports from where a thing is', /^$/],
  [/\b(eval|Function)\(/, 'code', /^$/],
  [/^await /m, 'a function: the single binary has no top-level await', /^$/],
  // State that every user of a file shares is a singleton. Memory of what is computed may be kept by
  // its object (WeakMap), or where there are few values of it.
  [
    /^(export )?let /m,
    'a function that makes it',
    /^(base\/(ids|exit)|probes\/domain\/rdap-bootstrap|domain\/assertions\/(budget|css-path|json-path-walk|json-value))\.ts$/,
  ],
  [
    /^(export )?const \w+(: [^=]+)? = new (Map|Set)(<.*>)?\(\)/m,
    'a function that makes it',
    /^(http\/edge\/reply|domain\/assertions\/markup)\.ts$/,
  ],
  [/: any(?=[,;)\]]| =|$)|<any>|\bany\[\]|\bas any\b|noExplicitAny/m, 'a type', /^$/],
  // What depends on the kind of a check is declared with it, by `defineKind`.
  [
    /\bcheckType\)? [!=]== '|<CheckType\b/,
    'kindOf() of probes/registry.ts, or waitsForReports()',
    /^domain\/checks\/check-type\.ts$/,
  ],
  [/\b(TODO|FIXME|XXX)\b/, 'doing it before merging', /^$/],
]

/** Files that no test names or imports, and none beside them that a test does, with the reason. */
const untested: readonly [file: RegExp, reason: string][] = [
  [/^base\/apart\/host\.ts$/, 'in the process that base/apart/run-apart starts'],
  [/^app\/control\//, 'through the whole daemon, in commands/people'],
  [/^services\/people\/accounts\.ts$/, 'through services/sign-in/registration'],
  [/^services\/system\/local-operator\.ts$/, 'through the whole daemon, in commands/people'],
  [/^(app\/probe|uplink\/health-server)\.ts$/, 'as a process of its own, in commands/probe'],
  [
    /^(app\/standby|services\/standby\/data-copy)\.ts$/,
    'as a process of its own, in journeys/standby',
  ],
  [
    /^(app\/member|services\/cluster\/(?!member-).*)\.ts$/,
    'as processes of their own, in journeys/cluster',
  ],
  [
    /^probes\/run\/(driver-socket|json-answer|byte-reader|datagrams|escapes|line-talk)\.ts$/,
    'through the kinds that use them',
  ],
  [/^net\/connection\/datagrams\.ts$/, 'through probes/network/udp, and net/ssrf'],
  [/^store\/tables\//, 'through the services and actors that use them'],
  [/^domain\/assertions\/assertion-rules\.ts$/, 'through domain/monitors/monitor-input'],
  [/^domain\/orgs\/invite\.ts$/, 'a record, through services/orgs/invites'],
  [
    /^http\/output\/(account-wire|channel-wire|place-wire|times)\.ts$/,
    'through the routes that answer with them',
  ],
  [/^http\/api\/live-events\/events\.ts$/, 'through the whole daemon, in journeys/events'],
  [/^http\/public\/acme-challenge\.ts$/, 'through http/edge/tls and journeys/certificates'],
  [/^http\/api\/\w+\/summary\.ts$/, 'through the whole daemon, in journeys/departure'],
]

// The console is a program of its own for browsers: see test/console.
const daemon = readTree(join(root, 'src'), (file) => /^console\/|\.d\.ts$/.test(file))
const console = readTree(join(root, 'src/console'), (file) => /^(built|generated)\//.test(file))
const scripts = readTree(join(root, 'scripts'))
const { files, textOf, importsOf } = daemon
const allCode = globSync('{src,test,scripts}/**/*.{ts,tsx}', { cwd: root }).sort()

/** Code without its comments, so that a comment may name what is banned. */
const codeOf = (file: string) => textOf(file).replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')

t.test('imports run one way', async (t) => {
  t.same(wrongImports(daemon, layers), [])
  t.same(wrongImports(console, consoleLayers), [], 'in the console')
  const planted = readTree(
    t.testdir({ low: { 'a.ts': "from '../high/b.ts'" }, high: { 'b.ts': '' } }),
  )
  t.same(wrongImports(planted, [['low'], ['high']]), ['low/a.ts must not import high/b.ts'])
  t.same(wrongImports(planted, [['low']]), ['high/b.ts has no place in the layers'])
})

t.test('imports form no circle', async (t) => {
  for (const [name, tree] of Object.entries({ daemon, console, scripts })) {
    t.same(circles(importGraph(tree, (file) => file)), [], `between files of ${name}`)
    t.same(circles(importGraph(tree, dirname)), [], `between folders of ${name}`)
  }
  const planted = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c', 'd'])],
    ['c', new Set(['a'])],
    ['d', new Set<string>()],
  ])
  t.same(circles(planted), [['a', 'b', 'c']], 'a planted one is found')
})

t.test('nothing banned is used', async (t) => {
  const wrong = files.flatMap((file) =>
    banned
      .filter(([pattern, , allowedIn]) => !allowedIn.test(file) && pattern.test(codeOf(file)))
      .map(([pattern, useInstead]) => `${file}: ${pattern.source} is banned, use ${useInstead}`),
  )
  t.same(wrong, [])
})

t.test('every exception to a ban is used', async (t) => {
  const idle = banned.flatMap(([pattern, , allowedIn]) => {
    const isUsed = files.some((file) => allowedIn.test(file) && pattern.test(codeOf(file)))
    return isUsed || allowedIn.source === '^$' ? [] : [`${allowedIn.source} for ${pattern.source}`]
  })
  t.same(idle, [])
})

/** Each type that several files declare, with the files. */
function sharedTypeNames({ files, textOf }: SourceTree): string[] {
  const declaration =
    /^\s*(?:export )?(?:abstract )?(?:type|interface|class) (\w+)(?= =|<| \{| extends| implements)/gm
  const declared = files.flatMap((file) =>
    [...textOf(file).matchAll(declaration)].map(([, name = '']) => ({ name, file })),
  )
  const byName = [...Map.groupBy(declared, ({ name }) => name)].filter(([, all]) => all.length > 1)
  return byName.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)
}

t.test('the name of a type is declared once', async (t) => {
  t.same(sharedTypeNames(daemon), [])
  t.same(sharedTypeNames(console), [], 'in the console')
})

t.test('no folder has more than 20 files of its own', async (t) => {
  const crowded = Object.entries({ daemon, console, scripts }).flatMap(([name, { files }]) =>
    [...Map.groupBy(files, dirname)].flatMap(([folder, own]) =>
      own.length > 20 ? [`${name}: ${folder} has ${own.length} files`] : [],
    ),
  )
  t.same(crowded, [])
})

t.test(
  'what all services have in common stays small, and is known to nothing below them',
  async (t) => {
    const [, members = ''] = /interface Core \{(.*?)\n\}/s.exec(textOf('services/core.ts')) ?? []
    const names = [...members.matchAll(/^ {2}readonly (\w+): /gm)].map(([, name]) => name)
    t.ok(names.length > 0 && names.length <= 8, `the members of Core: ${names.join(', ')}`)
    const users = files.filter((file) => importsOf(file).includes('services/core.ts'))
    t.same(
      users.filter((file) => !/^(services|app)\//.test(file)),
      [],
    )
  },
)

t.test('every file says on its first line what it is for', async (t) => {
  const silent = allCode.filter((file) => {
    return !/^\/\/ [A-Z"'a-z<.:`].{10,}/.test(readFileSync(join(root, file), 'utf8'))
  })
  t.same(silent, [])
})

t.test('a doc comment begins with its subject', async (t) => {
  const unclear = globSync('{src,test,scripts}/**/*.{ts,tsx}', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const found = text.match(/\/\*\*[\s*]*(?:Those|That of|Of|Without) [^\n]*/g) ?? []
    return found.map((comment) => `${file}: ${comment}`)
  })
  t.same(unclear, [], 'name what it is about: "The windows that …", not "Those that …"')
})

t.test('every file is used', async (t) => {
  const used = new Set(files.flatMap(importsOf))
  t.same(
    // Only bundles use the loader of addons: scripts/build/natives.ts puts it there. The adapter of a
    files.filter((file) => !/^(main|base\/native\/addons)\.ts$/.test(file) && !used.has(file)),
    [],
  )
})

t.test('a limit with one user stands above its use', async (t) => {
  const home = 'domain/limits/limits.ts'
  const names = [...textOf(home).matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
  t.ok(names.length > 100, 'the limits are found')
  const words = files
    .filter((file) => importsOf(file).includes(home))
    .map((file) => new Set(codeOf(file).match(/\w+/g)))
  const lonely = names.filter((name) => words.filter((used) => used.has(name)).length < 2)
  t.same(lonely, [], `${home} has only what at least two files of src/ use`)
})

/** Tests that wait for time itself; all others wait for an event, or use the simulated clock. */
const sleeping: readonly [file: RegExp, reason: string][] = [
  [/^support\/until\.ts$/, 'the one loop that waits for real sockets and processes'],
  [
    /^(journeys\/((cluster-)?kill-loop|cluster-kill-points)\.test|support\/kill-loop\/load)\.ts$/,
    'kills at random moments',
  ],
  [/^support\/kill-loop\/(members|switch)\.ts$/, 'a supervisor, and a proxy that asks who leads'],
  [/^support\/kill-loop\/hooks\.ts$/, 'a receiver that takes its time'],
  [/^store\/durability\.test\.ts$/, 'a disk that takes real time'],
  [/^http\/edge\/(slow|exchange)\.test\.ts$/, 'clients that send slowly'],
  [/^net\/ssrf\.test\.ts$/, 'a connection that must not come'],
  [/^support\/console-states\.ts$/, 'the turn of a page after its frame'],
  [/^support\/silent-port\.ts$/, 'a connection that must not be answered'],
  [/^support\/starvation\.test\.ts$/, 'measures what sleeping counts for'],
  [/^support\/watched-process\.ts$/, 'an event loop that stands still'],
  [/^journeys\/(network-outage|standstill)\.test\.ts$/, 'minutes without network, or in SIGSTOP'],
  [/^support\/peak-process\.ts$/, 'memory that is given back after a while'],
]

/** Rooms without sockets or processes of others: nothing in them uses a real timer. */
const simulated = /^(base|domain|redaction|store|channels|actors|services|sim)\//

t.test('tests do not sleep', async (t) => {
  const tests = globSync('**/*.ts', { cwd: join(root, 'test') }).sort()
  const isAllowed = (file: string) => sleeping.some(([pattern]) => pattern.test(file))
  const sleepers = tests.filter((file) => {
    const text = readFileSync(join(root, 'test', file), 'utf8')
    const sleeps =
      /import \{[^}]*\bsetTimeout\b[^}]*\} from 'node:timers\/promises'/.test(text) ||
      /Promise\b[^\n]*(?<![.\w])setTimeout\(/.test(text) ||
      /\bAtomics\.wait\(/.test(text)
    const hasTimer = simulated.test(file) && /(?<![.\w])setTimeout\(/.test(text)
    return (sleeps || hasTimer) && !isAllowed(file)
  })
  t.same(sleepers, [], 'wait for an event (test/support/until.ts), or advance a FakeClock')
  const idle = sleeping.filter(([pattern]) => !tests.some((file) => pattern.test(file)))
  t.same(idle.map(String), [], 'no exception outlives its file')
})

/** Files that tests import or are named for, and the parts beside them that those import. */
function testedFiles(): ReadonlySet<string> {
  const tested = new Set<string>()
  const reach = (file: string): void => {
    if (tested.has(file) || !files.includes(file)) return
    tested.add(file)
    for (const part of importsOf(file)) if (dirname(part) === dirname(file)) reach(part)
  }
  for (const test of globSync('**/*.ts', { cwd: join(root, 'test') })) {
    reach(test.replace(/(\.[\w-]+)*\.test\.ts$/, '.ts'))
    const text = readFileSync(join(root, 'test', test), 'utf8')
    for (const [, path = ''] of text.matchAll(/'([./]*\/src\/[^']+\.ts)'/g)) {
      reach(relative('src', join('test', dirname(test), path)))
    }
  }
  return tested
}

t.test('every file of src/ has a test, or is a part of one that has', async (t) => {
  const tested = testedFiles()
  const missing = files.filter((file) => !tested.has(file))
  const isAllowed = (file: string) => untested.some(([pattern]) => pattern.test(file))
  t.same(
    missing.filter((file) => !isAllowed(file)),
    [],
  )
  const idle = untested.filter(([pattern]) => !missing.some((file) => pattern.test(file)))
  t.same(idle.map(String), [], 'no exception outlives its reason')
})

t.test('files that the documents name exist', async (t) => {
  const documents = globSync(['*.md', 'src/*.md', 'test/*.md', 'docs/*.md'], { cwd: root })
  const broken = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const named = [
      ...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.(?:ts|md|toml|service))`/g),
      ...text.matchAll(/\]\(([\w./-]+\.(?:ts|md|toml|service))\)/g),
    ].map(([, path = '']) => path)
    const places = [root, join(root, 'src'), dirname(join(root, document))]
    return named
      .filter((path) => !places.some((place) => existsSync(join(place, path))))
      .map((path) => `${relative(root, join(root, document))} names ${path}`)
  })
  t.same(broken, [])
})
