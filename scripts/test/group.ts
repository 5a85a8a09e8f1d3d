// Runs test files one after the other in one process, each as a test that is named for its file.
//
// Starting a process and loading the product costs more than most files do. A file must leave the
// process as it found it: what it changes is reported as a failure of its own.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import root, { type Test } from 'tap'
import { setCurrentTest, sharedListeners } from './current-test.ts'

const projectRoot = join(import.meta.dirname, '../..')
/** In memory in a whole run (main.ts). */
const memory = join(projectRoot, '.tap/memory')
const folders = existsSync(memory) ? memory : join(projectRoot, '.tap/fixtures')
const ownFolder = pathToFileURL(import.meta.dirname).href
/** As .taprc allows to a file. */
const fileTimeoutMs = 900_000
const lingerMsMax = 20_000

/** What files of one process share, in a form that can be compared. */
function processState(): Record<string, unknown> {
  const events = process
    .eventNames()
    .filter((name) => typeof name === 'string')
    .map((name) => [name, process.listenerCount(name) - (sharedListeners.get(name) ?? 0)] as const)
  return {
    env: { ...process.env },
    directory: process.cwd(),
    umask: process.umask(),
    exitCode: process.exitCode,
    listeners: Object.fromEntries(events.filter(([, count]) => count > 0)),
    // Packages keep theirs under names like __lmdb_envs__ and @@any-promise/REGISTRATION.
    globals: Object.getOwnPropertyNames(globalThis)
      .filter((name) => !/^(__|@@)/.test(name))
      .sort(),
  }
}

/** Functions that a test might replace, and would have to put back. */
function replaceables(): unknown[] {
  return [
    ...[Date, Date.now, RegExp, Math.random, fetch, setTimeout, setInterval, setImmediate],
    ...[performance.now, process.exit, process.kill, process.hrtime, process.stdout.write],
  ]
}

async function runFile(file: string, t: Test): Promise<void> {
  const before = processState()
  const functions = replaceables()
  t.teardown(() => {
    setCurrentTest(root)
    const after = processState()
    if (!replaceables().every((value, index) => value === functions[index])) {
      root.fail(`${file} replaces functions of the process`)
    }
    if (!isDeepStrictEqual(after, before)) root.same(after, before, `${file} changes the process`)
  })
  // As short as in a process of its own: names of files and sockets have a limit.
  t.testdirName = join(folders, file.replace(/[^\w.-]+/g, '-'))
  setCurrentTest(t)
  await import(pathToFileURL(resolve(projectRoot, file)).href)
}

/** A process that stays although its tests are over is held by a server or a timer of theirs. */
function endWhatIsLeft(): void {
  const late = setTimeout(() => {
    root.fail(`left open by the tests: ${process.getActiveResourcesInfo().join(', ')}`)
    root.end()
    process.exit(1)
  }, lingerMsMax)
  late.unref()
}

/**
 * Four processes of this size leave a machine of 4 GB room for two browsers (groups.ts). The next process loads
 * all anew, which takes two seconds: where there is much memory, few of them grow so large.
 */
const memoryBytesMax = (totalmem() < 12 * 1024 ** 3 ? 0.75 : 1.5) * 1024 ** 3

/**
 * Runs the files that `next` names, which are relative to the project's root, until there is none. A process
 * that has grown large leaves the rest to the next one, unless it is the last.
 */
export async function runGroup(next: () => string | undefined, isLast: boolean): Promise<void> {
  root.setTimeout(0)
  registerHooks({
    resolve: (specifier, context, next) => {
      const importer = context.parentURL ?? ''
      if (specifier !== 'tap' || /\/node_modules\//.test(importer)) return next(specifier, context)
      if (importer.startsWith(`${ownFolder}/`)) return next(specifier, context)
      return { url: `${ownFolder}/current-test.ts`, shortCircuit: true }
    },
  })
  // A test may wait for what keeps no process alive, such as a socket that is let go on purpose.
  const alive = setInterval(() => {}, fileTimeoutMs)
  try {
    await runFilesOf(next, isLast)
  } finally {
    clearInterval(alive)
  }
  endWhatIsLeft()
}

async function runFilesOf(next: () => string | undefined, isLast: boolean): Promise<void> {
  const first = next()
  if (first === undefined) {
    root.plan(0, 'other processes took all files')
    return
  }
  const results: Promise<unknown>[] = []
  /** While a file ends, so that no error comes between two of them, which would end the test around them. */
  const begin = (file: string) => {
    const begun = root.test(file, { timeout: fileTimeoutMs }, (t) => {
      t.teardown(() => {
        if (!isLast && process.memoryUsage.rss() > memoryBytesMax) return
        const following = next()
        if (following !== undefined) begin(following)
      })
      return runFile(file, t)
    })
    results.push(begun)
  }
  begin(first)
  for (const result of results) await result
}
