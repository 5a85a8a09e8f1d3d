// npm run same -- REVISION [DATA]: whether this checkout shows what REVISION showed, for a redesign.
//
// Both open a data directory that the program of DATA made (a commit, default REVISION; or a directory of
// scripts/golden.ts, as there are in test/golden), with one of everything. The
// OpenAPI document, the answer to every question, the pages and the records of the tables are compared
// line by line, without what also differs between two runs of REVISION. Of texts and channels, the golden
// files must not have changed since REVISION, as far as it has them.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const [revision = '', dataRevision = revision] = process.argv.slice(2)
if (revision === '') throw new Error('usage: npm run same -- REVISION [DATA]')
const own = resolve(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'stillup-same-'))
const golden = ['test/texts/golden', 'test/channels/golden']
const differencesShownMax = 40

function run(cwd: string, command: string, ...args: string[]): string {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (done.status === 0) return done.stdout
  throw new Error(`${command} ${args.join(' ')}: ${done.stderr.slice(-2_000)}`)
}

/** A checkout of a commit, with its libraries. */
function checkout(commit: string): string {
  const root = join(work, commit)
  if (existsSync(root)) return root
  run(own, 'git', 'worktree', 'add', '--detach', root, commit)
  const locks = [own, root].map((dir) => readFileSync(join(dir, 'package-lock.json'), 'utf8'))
  if (locks[0] === locks[1]) symlinkSync(join(own, 'node_modules'), join(root, 'node_modules'))
  else run(root, 'npm', 'ci', '--no-audit', '--no-fund')
  return root
}

/** The maker of data directories is this checkout's; it leaves out what the commit does not know. */
function made(commit: string): string {
  if (existsSync(join(commit, 'world.json'))) return resolve(commit)
  const to = join(work, 'data')
  const root = checkout(commit)
  run(own, process.execPath, join(own, 'scripts/golden.ts'), to, root)
  return to
}

type Shown = Readonly<Record<string, string>>

function asked(root: string, data: string): Shown {
  const out = join(work, 'shown.json')
  // Its imports are resolved from where it lies: in the checkout that it asks.
  const script = join(root, 'scripts', 'ask-once.ts')
  if (root !== own) copyFileSync(join(import.meta.dirname, 'ask.ts'), script)
  const path = root === own ? join(import.meta.dirname, 'ask.ts') : script
  run(root, process.execPath, path, root, data, out)
  return JSON.parse(readFileSync(out, 'utf8'))
}

/** What differs in lines that two runs of the former program had in common. */
function differences(once: Shown, again: Shown, now: Shown): string[] {
  const keys = [...new Set([...Object.keys(once), ...Object.keys(now)])].sort()
  return keys.flatMap((key) => {
    const [before, repeated, after] = [once, again, now].map((shown) => shown[key]?.split('\n'))
    if (!before || !after || !repeated) return [`${key}: only ${before ? 'before' : 'now'}`]
    if (before.length !== after.length && before.length === repeated.length) {
      const at = before.findIndex((line, index) => line !== after[index])
      return [`${key}: ${before.length} lines before, ${after.length} now, from ${at + 1} on`]
    }
    const at = before.findIndex((line, i) => line === repeated[i] && line !== after[i])
    if (at < 0) return []
    const [was, is] = [before[at], after[at]].map((line) => line?.slice(0, 200))
    return [`${key}, line ${at + 1}:\n  before ${was}\n  now    ${is}`]
  })
}

try {
  const data = made(dataRevision)
  const former = checkout(revision)
  const once = asked(former, data)
  const found = differences(once, asked(former, data), asked(own, data))
  const changed = golden
    .filter((folder) => run(own, 'git', 'ls-tree', revision, folder) !== '')
    .flatMap((folder) => {
      const names = run(own, 'git', 'diff', '--name-status', revision, '--', folder)
      // A golden file that came since has nothing to be compared with.
      return names.split('\n').filter((line) => line !== '' && !line.startsWith('A'))
    })
  const all = [...found, ...changed]
  writeFileSync(join(tmpdir(), 'stillup-same.txt'), `${all.join('\n')}\n`)
  for (const line of all.slice(0, differencesShownMax)) process.stdout.write(`${line}\n`)
  const count = Object.keys(once).length
  process.stdout.write(`${count} answers, pages and tables compared, ${all.length} differ\n`)
  process.exitCode = all.length === 0 ? 0 : 1
} finally {
  for (const commit of new Set([revision, dataRevision])) {
    spawnSync('git', ['worktree', 'remove', '--force', join(work, commit)], { cwd: own })
  }
  rmSync(work, { recursive: true, force: true })
}
