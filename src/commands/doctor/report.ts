// Shows the findings of `stillup doctor` to a person, the worst first, or to a program.
import {
  type Finding,
  type FindingStatus,
  findingStatuses,
} from '../../services/doctor/model/finding.ts'

export interface ReportOptions {
  readonly version: string
  /** Whether the words of the status have a colour. */
  readonly hasColor: boolean
  /** Whether what is well is shown with what was seen. */
  readonly isFull: boolean
}

const labels: Readonly<Record<FindingStatus, string>> = {
  problem: 'PROBLEM',
  warning: 'warning',
  ok: 'ok',
  skipped: 'skipped',
}
const labelChars = 8
/** ANSI colours: red, yellow, green, grey. */
const colors: Readonly<Record<FindingStatus, number>> = {
  problem: 31,
  warning: 33,
  ok: 32,
  skipped: 90,
}

function countsOf(findings: readonly Finding[]): Readonly<Record<FindingStatus, number>> {
  const counts = { problem: 0, warning: 0, ok: 0, skipped: 0 }
  for (const { status } of findings) counts[status] += 1
  return counts
}

/** Whether nothing keeps the daemon from doing its work. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status !== 'problem')
}

/** What is bad or needs a hand comes first and in full, the rest as names unless all is wanted. */
export function reportLines(findings: readonly Finding[], options: ReportOptions): string[] {
  const lines = findingStatuses.flatMap((status) => {
    const own = findings.filter((one) => one.status === status)
    const isFull = options.isFull || status === 'problem' || status === 'warning'
    return isFull ? own.flatMap((one) => fullLines(one, options)) : shortLines(status, own, options)
  })
  const counts = countsOf(findings)
  const sums = findingStatuses.map((status) => sumWords[status](counts[status]))
  return [...lines, '', `stillup ${options.version}: ${sums.join(', ')}`]
}

function labelOf(status: FindingStatus, { hasColor }: ReportOptions): string {
  const label = labels[status].padEnd(labelChars)
  return hasColor ? `\u001b[${colors[status]}m${label}\u001b[0m` : label
}

function fullLines({ check, subject, status, seen, advice }: Finding, options: ReportOptions) {
  const first = `${labelOf(status, options)} ${check}, ${subject}: ${seen}`
  return advice === null ? [first] : [first, `${' '.repeat(labelChars)} -> ${advice}`]
}

/** A line for each check, with the names of what was looked at. */
function shortLines(status: FindingStatus, own: readonly Finding[], options: ReportOptions) {
  const byCheck = Map.groupBy(own, ({ check }) => check)
  return [...byCheck].map(([check, found]) => {
    return `${labelOf(status, options)} ${check}: ${found.map(({ subject }) => subject).join(', ')}`
  })
}

const sumWords: Readonly<Record<FindingStatus, (count: number) => string>> = {
  problem: (count) => `${count} ${count === 1 ? 'problem' : 'problems'}`,
  warning: (count) => `${count} ${count === 1 ? 'warning' : 'warnings'}`,
  ok: (count) => `${count} ok`,
  skipped: (count) => `${count} skipped`,
}

/** The document of `--json`. */
export function reportDocument(findings: readonly Finding[], version: string) {
  return { version, isWell: isWell(findings), counts: countsOf(findings), findings }
}
