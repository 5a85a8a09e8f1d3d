// npm test: runs tap with the arguments it is given, then names the slowest files. All tests run in
// few processes (groups.ts), files that are asked for in one each.
//
//   npm test -- test/store                         some of the tests
//   npm test -- --tools                            those that are skipped where a tool is missing
//   TIMES=1 npm test                               keeps in times.json what the groups are made by
//   npm run test:deep                              those that know more than a share, one by one
//   STILLUP_TEST_SEED=7 npm run test:deep -- test/journeys/kill-loop.test.ts
import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { browserPath } from '../../test/support/programs.ts'
import { ensureConsole } from '../console/build.ts'
import { buildGuide } from '../guide/build.ts'
import { allTests, processesAtOnce, writeGroups, writeTimes } from './groups.ts'
import { filesLeft } from './queue.ts'
import { processorSeconds, timesOf } from './times.ts'

const root = join(import.meta.dirname, '../..')
const results = join(root, '.tap/test-results')
/** For all files of a process together; each of them may take as long as .taprc allows. */
const groupTimeoutSeconds = 3_600
const slowestShown = 10

/** Files of which a deep run does more, or does it with a seed of its own. */
function deepFiles(): string[] {
  return allTests(root).filter((file) =>
    /\/(depth|axe)\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  )
}

/** Files with tests that are skipped where a tool is missing. */
const filesWithTools = () =>
  allTests(root).filter((file) =>
    /\/(programs|browser)\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  )

const sharedMemory = '/dev/shm'
/** Where groups find it. */
const memoryLink = join(root, '.tap/memory')
const memoryBytesMin = 4 * 1_024 ** 3

/**
 * Where the folders of tests are: in memory, if there is enough, because a whole run waits minutes for the
 * disk otherwise. Files that are asked for by name, and deep runs, use the disk.
 */
function makeMemoryFolder(): string | undefined {
  if (!existsSync(sharedMemory)) return
  const { bavail, bsize } = statfsSync(sharedMemory)
  if (bavail * bsize < memoryBytesMin) return
  const folder = mkdtempSync(join(sharedMemory, 'stillup-'))
  // Some tests start programs as another user.
  chmodSync(folder, 0o755)
  // Tap leaves the project where the folder of a test is outside of it.
  rmSync(memoryLink, { force: true })
  symlinkSync(folder, memoryLink)
  return folder
}

function removeMemoryFolder(folder: string): void {
  rmSync(memoryLink, { force: true })
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  const isDeep = words.includes('--deep')
  const seed = process.env.STILLUP_TEST_SEED ?? String(randomInt(1_000_000))
  const asked = words.filter((word) => word !== '--deep' && word !== '--tools')
  const hasFiles = asked.some((word) => !word.startsWith('-'))
  // A deep run holds what it measures to the full: nothing else runs beside it.
  const deepArgs = () => ['--jobs=1', '--timeout=0', ...(hasFiles ? [] : deepFiles())]
  const groupArgs = () => {
    if (hasFiles) return []
    const files = words.includes('--tools') ? filesWithTools() : allTests(root)
    const groups = writeGroups(root, files, browserPath() !== undefined)
    return [`--jobs=${processesAtOnce(totalmem())}`, `--timeout=${groupTimeoutSeconds}`, ...groups]
  }
  const args = [...asked, ...(isDeep ? deepArgs() : groupArgs())]
  const deepEnv = { STILLUP_TEST_DEPTH: '1', STILLUP_TEST_SEED: seed }
  // Tests of the whole daemon open the console, or start what npm start runs, which makes the bundle.
  await ensureConsole()
  await buildGuide()
  spawnSync(process.execPath, [join(root, 'bin/start.cjs'), '--version'])
  const memory = isDeep || hasFiles ? undefined : makeMemoryFolder()
  const startedMs = Date.now()
  const computedBefore = processorSeconds() ?? 0
  const tap = spawn(process.execPath, [join(root, 'node_modules/.bin/tap'), ...args], {
    stdio: 'inherit',
    env: {
      ...(isDeep ? deepEnv : {}),
      ...process.env,
      ...(memory === undefined ? {} : { TMPDIR: memory }),
    },
  })
  // The terminal interrupts both; tap ends first and its reports are shown.
  process.on('SIGINT', () => {})
  const [code] = await once(tap, 'exit')
  if (memory !== undefined) removeMemoryFolder(memory)
  const seconds = ((Date.now() - startedMs) / 1_000).toFixed(0)
  const computed = Math.round((processorSeconds() ?? 0) - computedBefore)
  console.log(`# took ${seconds} s, ${computed} s of processor time; the slowest files:`)
  const times = timesOf(results, startedMs)
  for (const [seconds, file] of times.slice(0, slowestShown)) {
    console.log(`# ${seconds.toFixed(1).padStart(6)} s  ${file}`)
  }
  if (process.env.TIMES === '1') writeTimes(root, times)
  if (isDeep) console.log(`# again with these inputs: STILLUP_TEST_SEED=${seed}`)
  const left = hasFiles || isDeep ? [] : filesLeft(root)
  if (left.length > 0) console.log(`# no process was left to run ${left.join(' ')}`)
  return left.length > 0 ? 1 : (code ?? 1)
}

process.exitCode = await main()
