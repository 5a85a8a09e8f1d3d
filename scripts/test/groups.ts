// Which test files run together in one process, and in which order the processes start.
import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Tap passes over this folder where it looks for tests itself. */
const groupsFolder = '.tap/groups'
/** A file's size is a fair guess at its work; these keep a process to some seconds. */
const filesMax = 16
const bytesMax = 120_000

export type TestFile = { readonly file: string; readonly bytes: number }

export type Group = { readonly name: string; readonly files: readonly string[] }

/**
 * Files that take long, longest first: each has a process of its own, and they start before all
 * others, so that none is left over at the end while a core idles.
 */
const long = [
  'test/console/safety.browser.test.ts',
  'test/console/everywhere.browser.test.ts',
  'test/console/console.browser.test.ts',
  'test/journeys/status-page.browser.test.ts',
  'test/http/matrix.test.ts',
  'test/journeys/kill-loop.test.ts',
  'test/probes/bad-target.test.ts',
  'test/console/monitor.browser.test.ts',
  'test/journeys/process.test.ts',
  'test/commands/watchdog/watchdog.test.ts',
  'test/actors/alerts/holds.test.ts',
  'test/pages/status/sub-pages.browser.test.ts',
  'test/console/status-pages.browser.test.ts',
  'test/console/people.browser.test.ts',
  'test/journeys/wrong-clock.test.ts',
  'test/store/durability.test.ts',
  'test/journeys/csrf.test.ts',
  'test/pages/browser.test.ts',
  'test/http/public/docs.browser.test.ts',
  'test/console/comparison.browser.test.ts',
  'test/journeys/full-disk.test.ts',
  'test/pages/subscribers/subscribe-page.test.ts',
]

/** Files after which a process is not what it was, although nothing shows: each has its own. */
const apart = [
  // Its ids are of the year 10525, and no later id of the process is of an earlier time.
  'test/base/ids.test.ts',
]

/** Each file once: some alone, the others with their neighbours, which load the same code. */
export function groupsOf(files: readonly TestFile[]): Group[] {
  const alone = [...long, ...apart].filter((file) => files.some((one) => one.file === file))
  const groups: TestFile[][] = alone.map((file) => [{ file, bytes: 0 }])
  let last: TestFile[] = []
  for (const one of files) {
    if (alone.includes(one.file)) continue
    const bytes = last.reduce((sum, { bytes }) => sum + bytes, one.bytes)
    const isFull = last.length === filesMax || bytes > bytesMax
    if (last.length === 0 || isFull) {
      last = []
      groups.push(last)
    }
    last.push(one)
  }
  return groups.map((group, index) => {
    const [first = ''] = group.map(({ file }) => file)
    const words = first
      .replace(/\.test\.ts$/, '')
      .split('/')
      .slice(1)
    const number = String(index).padStart(3, '0')
    return { name: [number, ...words].join('-'), files: group.map(({ file }) => file) }
  })
}

/** Writes a file for each group of all tests; tap runs them in the order of their names. */
export function writeGroups(root: string): string[] {
  const folder = join(root, groupsFolder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = globSync('test/**/*.test.ts', { cwd: root })
    .sort()
    .map((file) => ({ file, bytes: statSync(join(root, file)).size }))
  return groupsOf(files).map(({ name, files }) => {
    const path = `${groupsFolder}/${name}.ts`
    const text = `import { runGroup } from '../../scripts/test/group.ts'

await runGroup(${JSON.stringify(files, null, 2)})
`
    writeFileSync(join(root, path), text)
    return path
  })
}
