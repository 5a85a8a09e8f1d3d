// Tells every failed test of a TAP report once more, with file and diagnosis: the end of a CI log.

const diagnosisLinesMax = 60
const failuresMax = 50
const lineCharactersMax = 400

export type Failure = { readonly path: readonly string[]; readonly diagnosis: readonly string[] }

/** The failed tests of a report that hold no failed test themselves, each with the titles above it. */
export function failures(report: string): Failure[] {
  const found: Failure[] = []
  /** The titles of the subtests that are open, by depth, and the depth of the last failure in each. */
  const titles: string[] = []
  let lastDepth = 0
  const lines = report.split('\n')
  lines.forEach((line, at) => {
    const [, space = '', title] = /^( *)# Subtest: (.*)$/.exec(line) ?? []
    if (title !== undefined) {
      titles.length = Math.min(titles.length, space.length / 4)
      titles.push(title)
      return
    }
    const [, indent, failed, name] =
      /^((?: {4})*)(not )?ok \d+(?: - (.*?))?(?: # time=[\d.]+m?s| \{)?$/.exec(line) ?? []
    if (indent === undefined) return
    const depth = indent.length / 4
    // What did not come to its end, because its process died.
    const unfinished = titles.slice(depth + 1)
    titles.length = Math.min(titles.length, depth)
    // What ends here holds the failures deeper down, which are told already.
    const isToldAlready = lastDepth > depth && unfinished.length === 0
    if (failed === undefined) {
      if (isToldAlready) lastDepth = 0
      return
    }
    lastDepth = depth
    if (isToldAlready || / # (SKIP|TODO)\b/.test(line)) return
    const path = [...titles, name ?? '', ...unfinished]
    // The process in which a file ran (groups.ts) says little.
    if (path.length > 1 && path[0]?.startsWith('.tap/')) path.shift()
    found.push({ path, diagnosis: diagnosisAfter(lines, at, indent) })
  })
  return found
}

/** The lines between `---` and `...` that follow a result, without the space before them. */
function diagnosisAfter(lines: readonly string[], at: number, indent: string): string[] {
  const start = `${indent}  ---`
  if (lines[at + 1] !== start) return []
  const end = lines.indexOf(`${indent}  ...`, at + 2)
  return lines
    .slice(at + 2, end === -1 ? at + 2 + diagnosisLinesMax : end)
    .map((line) => line.slice(indent.length))
}

/** The failures as text, of bounded length; empty where nothing failed. */
export function failuresText(report: string): string {
  return textOf(failures(report))
}

export function textOf(found: readonly Failure[]): string {
  if (found.length === 0) return ''
  const shown = found.slice(0, failuresMax).flatMap(({ path, diagnosis }, index) => {
    const left = diagnosis.length - diagnosisLinesMax
    return [
      `${index + 1}. ${path.join(' > ')}`,
      ...diagnosis.slice(0, diagnosisLinesMax),
      ...(left > 0 ? [`  (${left} more lines)`] : []),
    ].map((line) => `# ${line.slice(0, lineCharactersMax)}`)
  })
  const left = found.length - failuresMax
  const rest = left > 0 ? [`# and ${left} more`] : []
  return [`# Failed: ${found.length}`, ...shown, ...rest, ''].join('\n')
}
