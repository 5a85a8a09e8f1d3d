// Which test files run together in one process, and in which order the processes start.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeQueue } from './queue.ts'

/** Tap passes over this folder where it looks for tests itself. */
const groupsFolder = '.tap/groups'
/** Most files take less than a second, and are not measured. */
const unmeasuredSeconds = 0.8

/** Seconds by file: of those that take longest. */
export type Times = Readonly<Record<string, number>>

/** A process, the kind of files that it takes, and whether it is the last one that takes them. */
export type Group = { readonly name: string; readonly kind: string; readonly isLast: boolean }

/** Files that need a process for themselves, or leave one that is not what it was, although nothing shows. */
const apart = [
  // It counts what delays the end of the process: work of a store may still go on after its test.
  'test/base/exit.test.ts',
  // Its ids are of the year 10525, and no later id of the process is of an earlier time.
  'test/base/ids.test.ts',
]

/** Files of one kind share processes: those that use the browser of the process also share that. */
const kindOf = (file: string, sharesBrowser: (file: string) => boolean) => {
  if (apart.includes(file)) return 'apart'
  return sharesBrowser(file) ? 'browser' : 'usual'
}

/**
 * The kinds of processes in the order in which tap starts them, as many at once as `processesAtOnce`. Files
 * for a browser take half of the processor time, and a process and its browser take more than one core; most
 * of the others wait for half of their time. A process that finds no file makes room for one of the other
 * kind, and one that has grown large for the next of its own (group.ts).
 */
const started = [
  ...['browser', 'usual', 'usual', 'browser', 'usual', 'usual', 'apart', 'usual', 'browser'],
  ...['usual', 'usual', 'usual', 'usual', 'usual', 'usual', 'usual'],
]

const gibi = 1_024 ** 3

/** How many of them run at once on a machine of so much memory, of which each takes a share (group.ts). */
export const processesAtOnce = (memoryBytes: number) => (memoryBytes < 7 * gibi ? 4 : 6)

/** Each file once, by kind: those that take longest first, so that all processes end together. */
export function queuesOf(
  files: readonly string[],
  times: Times,
  sharesBrowser: (file: string) => boolean,
): Map<string, string[]> {
  const seconds = (file: string) => times[file] ?? unmeasuredSeconds
  return Map.groupBy(
    files.toSorted((one, other) => seconds(other) - seconds(one)),
    (file) => kindOf(file, sharesBrowser),
  )
}

/** One character, so that names are in the order of numbers. */
const digitOf = (index: number) => index.toString(36)

/** The processes for these kinds of files. */
export function groupsOf(kinds: ReadonlySet<string>): Group[] {
  return started
    .filter((kind) => kinds.has(kind))
    .map((kind, index, all) => {
      return { name: `${digitOf(index)}-${kind}`, kind, isLast: all.lastIndexOf(kind) === index }
    })
}

/** Lets these tests wait, and writes a file for each process; tap runs them in the order of their names. */
export function writeGroups(root: string, files: readonly string[], hasBrowser: boolean): string[] {
  const sharesBrowser = (file: string) =>
    hasBrowser && /\/(browser|console-tab)\.ts'/.test(readFileSync(join(root, file), 'utf8'))
  const folder = join(root, groupsFolder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const queues = queuesOf(files.toSorted(), readTimes(root), sharesBrowser)
  writeQueue(root, queues)
  return groupsOf(new Set(queues.keys())).map(({ name, kind, isLast }) => {
    const path = `${groupsFolder}/${name}.ts`
    const text = `import { runGroup } from '../../scripts/test/group.ts'
import { takeNext } from '../../scripts/test/queue.ts'

await runGroup(() => takeNext('.', '${kind}', '${name}'), ${isLast})
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
