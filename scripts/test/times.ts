// How long each test file took, from the reports that tap leaves in .tap/test-results.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The test files of the run that began at `sinceMs`, the slowest first. */
export function timesOf(
  results: string,
  sinceMs: number,
): (readonly [seconds: number, file: string])[] {
  if (!existsSync(results)) return []
  const times = readdirSync(results, { encoding: 'utf8', recursive: true }).flatMap((name) => {
    const path = join(results, name)
    const about = statSync(path)
    // The folder of the groups is called ".tap" as well.
    if (!name.endsWith('.tap') || !about.isFile() || about.mtimeMs < sinceMs) return []
    const report = readFileSync(path, 'utf8')
    // A group tells the time of each of its files, a single file its own at the end.
    const files = [...report.matchAll(/^(?:not )?ok \d+ - (test\/.*\.ts) # time=([\d.]+)ms$/gm)]
    if (files.length > 0)
      return files.map(([, file = '', ms]) => [Number(ms) / 1_000, file] as const)
    const [, ms] = /^# time=([\d.]+)ms\s*$(?![\s\S]*^# time=)/m.exec(report) ?? []
    return [[Number(ms ?? 0) / 1_000, name.replace(/\.tap$/, '')] as const]
  })
  return times.toSorted(([one], [other]) => other - one)
}

/** How many ticks Linux counts in a second for programs (proc(5)). */
const ticksOfSecond = 100

/**
 * Seconds of processor time that the children of this process took which have ended, and their children
 * (proc(5), `cutime` and `cstime`); undefined on a system that does not tell.
 */
export function processorSeconds(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const stat = readFileSync('/proc/self/stat', 'latin1')
  // The name of the program comes before the third field, and may contain whatever it likes.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ofField = (number: number) => Number(fields[number - 3])
  return (ofField(16) + ofField(17)) / ticksOfSecond
}
