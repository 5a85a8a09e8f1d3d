// Runs tests, and each file that failed once more, alone, after the others: chance alone fails no run.
//
//   node scripts/test/twice.ts RESULTS COMMAND...
//
// COMMAND runs tests, and with names of files appended only those. RESULTS is a folder that gets `counts`
// ("passed failed"), `flaky` and `failures`, which are appended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Failure, failures, failuresText, textOf } from './failures.ts'
import { filesLeft, filesTaken } from './queue.ts'
import { type Counts, type Report, type ReportedProcess, readReport } from './report.ts'

/** More files, or processes that ended too early, than this are no chance. */
const repeatedMax = 8

interface Run {
  readonly text: string
  readonly report: Report
  readonly isOk: boolean
}

interface Outcome {
  readonly passed: number
  readonly failed: number
  /** What passed when it was run again, each with its first failure. */
  readonly flaky: string
  readonly failures: string
}

/**
 * The files to run again; none where something failed that no file stands for, or too much. `filesOf`
 * names the files of a group.
 */
export function filesToRepeat(report: Report, filesOf: (group: string) => string[]): string[] {
  const failed = report.processes.filter(({ isOk }) => !isOk)
  const found = failed.map((one) => ({ one, ...brokenIn(one, filesOf) }))
  const isExplained = found.every(({ one, failed, unfinished }) => {
    const blamed = one.own.every((title) => failed.some((file) => title.startsWith(`${file} `)))
    return failed.length + unfinished.length > 0 && (blamed || unfinished.length > 0)
  })
  if (!report.totals || !isExplained) return []
  const cases = found.reduce(
    (sum, { failed, unfinished }) => sum + failed.length + Math.min(unfinished.length, 1),
    0,
  )
  if (cases > repeatedMax) return []
  return found.flatMap(({ failed, unfinished }) => [...failed, ...unfinished])
}

/** Files that failed, and those that a process did not come to the end of. */
function brokenIn(one: ReportedProcess, filesOf: (group: string) => string[]) {
  const files = one.name.startsWith('.tap/') ? filesOf(one.name) : [one.name]
  const failed = files.filter((file) => one.files.get(file) === 'failed')
  const unfinished = files.filter((file) => !one.files.has(file))
  return { failed, unfinished }
}

/** What both runs say together; the assertions of repeated files are those of the second run. */
export function outcome(first: Run, repeated: readonly string[], second: Run | undefined): Outcome {
  if (!second) return outcomeOfOne(first)
  const now = second.report.totals ?? { pass: 0, fail: 0 }
  const before = first.report.totals ?? { pass: 0, fail: 0 }
  const replaced = countsOf(first.report, repeated)
  const endedWell = new Set(
    second.report.processes.filter(({ isOk }) => isOk).map(({ name }) => name),
  )
  const again = repeated.filter((file) => !endedWell.has(file))
  const flaky = repeated.filter((file) => endedWell.has(file))
  const isUnexplained = again.length === 0 && !second.isOk
  return {
    passed: before.pass - replaced.pass + now.pass,
    // A process that is killed has no failed assertion.
    failed: before.fail - replaced.fail + Math.max(now.fail, again.length, isUnexplained ? 1 : 0),
    flaky: flakyText(first.text, flaky),
    failures:
      failuresText(second.text) +
      (isUnexplained ? '# failed: the second run of what failed\n' : ''),
  }
}

function outcomeOfOne({ text, report, isOk }: Run): Outcome {
  const { pass, fail } = report.totals ?? { pass: 0, fail: 0 }
  const notes = [
    ...(pass === 0 ? ['# failed: no test ran\n'] : []),
    ...(!isOk && fail === 0 ? ['# failed: the run around the tests\n'] : []),
  ]
  return {
    passed: pass,
    failed: Math.max(fail, notes.length > 0 ? 1 : 0),
    flaky: '',
    failures: failuresText(text) + notes.join(''),
  }
}

/** What the first run counted of files that were run again, and of their processes. */
function countsOf({ processes }: Report, files: readonly string[]): Counts {
  const sum: Counts = { pass: 0, fail: 0 }
  for (const { counts, own } of processes) {
    const meant = files.filter((file) => counts.has(file))
    for (const file of meant) {
      sum.pass += counts.get(file)?.pass ?? 0
      sum.fail += counts.get(file)?.fail ?? 0
    }
    // A process says something of its own only where it is explained by files that are repeated.
    sum.fail += own.length
  }
  return sum
}

function flakyText(text: string, files: readonly string[]): string {
  const found = failures(text)
  return files
    .map((file) => {
      const one: Failure = found.find(({ path }) => path.includes(file)) ?? {
        path: [file],
        diagnosis: ['the process in which it was to run ended too early'],
      }
      return textOf([one]).replace(/^# Failed: 1\n# 1\. /, '# ')
    })
    .join('')
}

/** Shows what the command prints as it comes. */
async function run(command: readonly string[]): Promise<Run> {
  const child = spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    process.stdout.write(chunk)
  })
  const [code] = await once(child, 'close')
  const text = Buffer.concat(chunks).toString()
  return { text, report: readReport(text), isOk: code === 0 }
}

/** The files that a process took (queue.ts). */
const filesOfGroup = (group: string) => filesTaken('.', basename(group, '.ts'))

async function main([results = '', ...command]: readonly string[]): Promise<void> {
  const first = await run(command)
  const broken = first.isOk ? [] : filesToRepeat(first.report, filesOfGroup)
  const left = first.isOk || broken.length === 0 ? [] : filesLeft('.')
  // Without them the run is not whole: where they are too many, it has failed.
  const repeated = left.length > repeatedMax ? [] : [...broken, ...left]
  let second: Run | undefined
  if (repeated.length > 0) {
    console.log(`Once more, alone, what failed: ${repeated.join(' ')}`)
    second = await run([...command, '--jobs=1', ...repeated])
  }
  const { passed, failed, flaky, failures } = outcome(first, repeated, second)
  writeFileSync(join(results, 'counts'), `${passed} ${failed}\n`)
  appendFileSync(join(results, 'flaky'), flaky)
  appendFileSync(join(results, 'failures'), failures)
}

if (import.meta.main) await main(process.argv.slice(2))
