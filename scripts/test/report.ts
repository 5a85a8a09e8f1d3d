// Reads TAP reports file by file: how each test file ended, and how many of its assertions did.

/** The counts of one file, or what a group of files says about itself. */
export interface Counts {
  pass: number
  fail: number
}

/** A process of tap: one test file, or several (groups.ts). */
export interface ReportedProcess {
  readonly name: string
  isOk: boolean
  /** How each file ended. What was not begun, or did not come to its end, is not here. */
  readonly files: Map<string, 'ok' | 'failed'>
  /** By file, also for files that did not come to their end. */
  readonly counts: Map<string, Counts>
  /** Failed assertions of the process itself: their titles. */
  readonly own: string[]
}

export interface Report {
  readonly processes: readonly ReportedProcess[]
  /** What tap says at the end; undefined if the run did not come to its end. */
  readonly totals: Counts | undefined
}

const isGroup = (name: string) => name.startsWith('.tap/')

export function readReport(text: string): Report {
  const processes: ReportedProcess[] = []
  /** The titles of the subtests that are open, by depth. */
  const open: string[] = []
  let current: ReportedProcess | undefined
  /** Where the diagnosis ends that follows a result. */
  let endOfDiagnosis: string | undefined
  let result: string | undefined

  function begin(depth: number, title: string): void {
    open.length = Math.min(open.length, depth)
    open.push(title)
    if (depth > 0) return
    current = { name: title, isOk: false, files: new Map(), counts: new Map(), own: [] }
    processes.push(current)
  }

  function end(depth: number, isOk: boolean, line: string): void {
    const isSubtest = open.length > depth
    const path = open.slice(0, isSubtest ? depth + 1 : depth)
    open.length = Math.min(open.length, depth)
    if (!current) return
    const [name = '', inGroup] = path
    const file = isGroup(name) ? inGroup : name
    if (!isSubtest) {
      if (/ # (SKIP|TODO)\b/.test(line)) return
      if (file === undefined) {
        if (!isOk) current.own.push(line.replace(/^ *not ok \d+ - /, ''))
        return
      }
      const counts = current.counts.get(file) ?? { pass: 0, fail: 0 }
      counts[isOk ? 'pass' : 'fail'] += 1
      current.counts.set(file, counts)
      return
    }
    if (depth === 0) current.isOk = isOk
    const isFile = depth === (isGroup(name) ? 1 : 0)
    if (isFile && file !== undefined) current.files.set(file, isOk ? 'ok' : 'failed')
  }

  for (const line of text.split('\n')) {
    if (endOfDiagnosis !== undefined) {
      if (line === endOfDiagnosis) endOfDiagnosis = undefined
      continue
    }
    if (result !== undefined && line === `${result}  ---`) {
      endOfDiagnosis = `${result}  ...`
      result = undefined
      continue
    }
    const [, space, title] = /^((?: {4})*)# Subtest: (.*)$/.exec(line) ?? []
    if (space !== undefined && title !== undefined) {
      begin(space.length / 4, title)
      continue
    }
    const [, indent, failed] = /^((?: {4})*)(not )?ok \d+\b/.exec(line) ?? []
    result = indent
    if (indent !== undefined) end(indent.length / 4, failed === undefined, line)
  }
  return { processes, totals: totalsOf(text) }
}

/** `# { total: 9, pass: 8, fail: 1 }`, where what is zero is left out. */
function totalsOf(text: string): Counts | undefined {
  const [, totals] = [...text.matchAll(/^# \{ total: \d+(.*) \}\s*$/gm)].at(-1) ?? []
  if (totals === undefined) return undefined
  const count = (name: string) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(totals)?.[1] ?? 0)
  return { pass: count('pass'), fail: count('fail') }
}
