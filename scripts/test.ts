// npm test: runs tap with the arguments it is given, then names the slowest files.
//
//   npm test -- test/store                         some of the tests
//   npm run test:deep                              those that know more than a share, one by one
//   STILLUP_TEST_SEED=7 npm run test:deep -- test/journeys/kill-loop.test.ts
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const results = join(root, '.tap/test-results')
const slowestShown = 10

/** Files of which a deep run does more, or does it with a seed of its own. */
function deepFiles(): string[] {
  return globSync('test/**/*.test.ts', { cwd: root }).filter((file) => {
    return /\/depth\.ts'/.test(readFileSync(join(root, file), 'utf8'))
  })
}

/** The files of this run, the slowest first, from the reports that tap leaves. */
function slowest(sinceMs: number): (readonly [seconds: number, file: string])[] {
  if (!existsSync(results)) return []
  const times = globSync('**/*.tap', { cwd: results }).flatMap((name) => {
    const path = join(results, name)
    if (statSync(path).mtimeMs < sinceMs) return []
    const [, ms] =
      /^# time=([\d.]+)ms\s*$(?![\s\S]*^# time=)/m.exec(readFileSync(path, 'utf8')) ?? []
    return [[Number(ms ?? 0) / 1_000, name.replace(/\.tap$/, '')] as const]
  })
  return times.toSorted(([one], [other]) => other - one).slice(0, slowestShown)
}

async function main(): Promise<number> {
  const [first, ...rest] = process.argv.slice(2)
  const isDeep = first === '--deep'
  const seed = process.env.STILLUP_TEST_SEED ?? String(randomInt(1_000_000))
  const asked = isDeep ? rest : process.argv.slice(2)
  const hasFiles = asked.some((word) => !word.startsWith('-'))
  // A deep run holds what it measures to the full: nothing else runs beside it.
  const args = isDeep
    ? ['--jobs=1', '--timeout=0', ...asked, ...(hasFiles ? [] : deepFiles())]
    : asked
  const deepEnv = { STILLUP_TEST_DEPTH: '1', STILLUP_TEST_SEED: seed }
  const startedMs = Date.now()
  const tap = spawn(process.execPath, [join(root, 'node_modules/.bin/tap'), ...args], {
    stdio: 'inherit',
    env: isDeep ? { ...deepEnv, ...process.env } : process.env,
  })
  // The terminal interrupts both; tap ends first and its reports are shown.
  process.on('SIGINT', () => {})
  const [code] = await once(tap, 'exit')
  console.log(`# took ${((Date.now() - startedMs) / 1_000).toFixed(0)} s; the slowest files:`)
  for (const [seconds, file] of slowest(startedMs)) {
    console.log(`# ${seconds.toFixed(1).padStart(6)} s  ${file}`)
  }
  if (isDeep) console.log(`# again with these inputs: STILLUP_TEST_SEED=${seed}`)
  return code ?? 1
}

process.exitCode = await main()
