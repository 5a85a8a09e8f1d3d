// Which test files run together in one process, and in which order the processes start.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Tap passes over this folder where it looks for tests itself. */
const groupsFolder = '.tap/groups'
/**
 * A process loads tap and the product, which costs two seconds: more files in each cost less, but the
 * last process must not be left over while a core idles.
 */
const groupSecondsMax = 60
const filesMax = 60
/** Most files take less than a second, and are not measured. */
const unmeasuredSeconds = 0.8

/** Seconds by file: of those that take longest. */
export type Times = Readonly<Record<string, number>>

export type Group = { readonly name: string; readonly files: readonly string[] }

/** Files after which a process is not what it was, although nothing shows: each has its own. */
const apart = [
  // Its ids are of the year 10525, and no later id of the process is of an earlier time.
  'test/base/ids.test.ts',
]

/** Files of one kind share a process: those for a browser also share that browser. */
const kindOf = (file: string) => {
  if (apart.includes(file)) return file
  return /\bbrowser\.test\.ts$/.test(file) ? 'browser' : ''
}

/** Each file once, with its neighbours, which load the same code; the longest groups come first. */
export function groupsOf(files: readonly string[], times: Times): Group[] {
  const groups: { kind: string; seconds: number; files: string[] }[] = []
  for (const file of files) {
    const kind = kindOf(file)
    const seconds = times[file] ?? unmeasuredSeconds
    const last = groups.findLast((group) => group.kind === kind)
    const isFull =
      !last || last.seconds + seconds > groupSecondsMax || last.files.length === filesMax
    if (isFull) {
      groups.push({ kind, seconds, files: [file] })
      continue
    }
    last.files.push(file)
    last.seconds += seconds
  }
  return groups
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ files }, index) => {
      const [first = ''] = files
      const words = first
        .replace(/\.test\.ts$/, '')
        .split('/')
        .slice(1)
      return { name: [String(index).padStart(3, '0'), ...words].join('-'), files }
    })
}

/** Writes a file for each group of these tests; tap runs them in the order of their names. */
export function writeGroups(root: string, files: readonly string[]): string[] {
  const folder = join(root, groupsFolder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return groupsOf(files.toSorted(), readTimes(root)).map(({ name, files }) => {
    const path = `${groupsFolder}/${name}.ts`
    const text = `import { runGroup } from '../../scripts/test/group.ts'

await runGroup(${JSON.stringify(files, null, 2)})
`
    writeFileSync(join(root, path), text)
    return path
  })
}

export const allTests = (root: string) => globSync('test/**/*.test.ts', { cwd: root })

const timesFile = 'scripts/test/times.json'
/** Files that take less are not worth a line. */
const measuredSecondsMin = 3

const readTimes = (root: string): Times => JSON.parse(readFileSync(join(root, timesFile), 'utf8'))

/** Keeps how long the files of a whole run took, for the groups of the next ones. */
export function writeTimes(
  root: string,
  times: readonly (readonly [seconds: number, file: string])[],
): void {
  const kept = times
    .filter(([seconds]) => seconds >= measuredSecondsMin)
    .map(([seconds, file]) => [file, Math.round(seconds)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(join(root, timesFile), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}
