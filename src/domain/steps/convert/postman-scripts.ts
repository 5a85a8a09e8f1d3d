// What the scripts of Postman check and keep, as far as it follows one of the usual patterns: they are never run.
import { clip } from '../../../base/clip.ts'
import type { Assertion } from '../../assertions/expectation.ts'
import { jsonPathProblem } from '../../assertions/json-path.ts'
import { limits } from '../../limits/limits.ts'
import { type Capture, capturesMax } from '../step.ts'
import type { Draft } from './draft.ts'

interface ScriptChecks {
  readonly expectedStatus?: number
  readonly acceptedStatuses?: readonly string[]
  readonly assertions: readonly Assertion[]
  readonly captures: readonly Capture[]
  /** Whether nothing of the script is left out. */
  readonly isWhole: boolean
}

/** A longer script is not read. */
const scriptCharsMax = 32 * 1024
const lineCharsMax = 1_024

const statusPatterns = [
  /pm\.response\.to\.have\.status\(\s*([1-5]\d\d)\s*\)/,
  /pm\.expect\(\s*pm\.response\.(?:code|status)\s*\)\.to\.(?:be\.)?(?:equal|equals|eql|eq)\(\s*([1-5]\d\d)\s*\)/,
  /responseCode\.code\s*={2,3}\s*([1-5]\d\d)\b/,
]
const oneOfStatuses = /pm\.response\.code\s*\)\.to\.be\.oneOf\(\s*\[([\d\s,]+)\]\s*\)/
const timePattern = /pm\.response\.responseTime\s*\)\.to\.be\.(?:below|lessThan)\(\s*(\d+)\s*\)/
const keeping =
  /(?:pm\.(?:environment|collectionVariables|globals|variables)\.set|postman\.set(?:Environment|Global)Variable)\(\s*["'`]([^"'`]+)["'`]\s*,\s*(.+)\)\s*;?\s*$/
const comparing =
  /pm\.expect\((.+)\)\.to\.(?:be\.)?(?:equal|equals|eql|eq)\(\s*("[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|true|false)\s*\)/
const parsing =
  /^(?:var|let|const)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\(\s*responseBody\s*\))\s*;?$/
/** Lines that say nothing by themselves. */
const frame =
  /^(?:pm\.test\(\s*(?:"[^"]*"|'[^']*'|`[^`]*`)\s*,\s*(?:async\s*)?(?:function\s*\(\)|\(\)\s*=>)\s*\{?|[\s{}();]*|\/\/.*|["']use strict["'];?)$/
const inTest = /^(?:pm\.test\([^{]*\{|tests\[[^\]]*\]\s*=)\s*(.*?)(?:\}\s*\)\s*;?)?$/

export function checksIn(script: string, draft: Draft): ScriptChecks {
  const text = script.slice(0, scriptCharsMax)
  let isWhole = text.length === script.length
  let expectedStatus: number | undefined
  let acceptedStatuses: readonly string[] | undefined
  const assertions: Assertion[] = []
  const captures: Capture[] = []
  const answers = new Set<string>()

  function read(line: string): boolean {
    const [, answer] = parsing.exec(line) ?? []
    if (answer !== undefined) return answers.add(answer).size > 0
    for (const pattern of statusPatterns) {
      const [, status] = pattern.exec(line) ?? []
      if (status === undefined) continue
      expectedStatus = Number(status)
      return true
    }
    const [, list] = oneOfStatuses.exec(line) ?? []
    if (list !== undefined) {
      const statuses = list.match(/\b[1-5]\d\d\b/g)?.slice(0, capturesMax) ?? []
      expectedStatus = Number(statuses[0] ?? 200)
      acceptedStatuses = statuses.slice(1)
      return true
    }
    const [, ms] = timePattern.exec(line) ?? []
    if (ms !== undefined)
      return add({ source: 'responseTime', path: null, type: 'lessThan', value: ms })
    const [, kept, from = ''] = keeping.exec(line) ?? []
    if (kept !== undefined) return keep(kept, from.trim())
    const [, compared = '', value = ''] = comparing.exec(line) ?? []
    const path = pathIn(compared.trim(), answers)
    if (path === undefined) return false
    return add({ source: 'json', path, type: 'equals', value: value.replace(/^["']|["']$/g, '') })
  }

  function add(assertion: Assertion): boolean {
    const hasRoom = assertions.length < limits.assertionsMax
    if (hasRoom) assertions.push(assertion)
    return hasRoom
  }

  function keep(name: string, from: string): boolean {
    const [, header] = /^pm\.response\.headers\.get\(\s*["']([\w-]+)["']\s*\)$/.exec(from) ?? []
    const path = header ?? pathIn(from, answers)
    if (path === undefined || captures.length >= capturesMax) {
      draft.note(
        `what the variable ${clip(name, limits.quotedCharsMax)} takes of an answer is left out: capture it`,
      )
      return path === undefined
    }
    captures.push({
      name: draft.nameFor(name),
      source: header === undefined ? 'json' : 'header',
      path,
    })
    return true
  }

  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (line.length > lineCharsMax) isWhole = false
    else if (!frame.test(line)) {
      const [, inner = ''] = inTest.exec(line) ?? []
      if (!read(inner.trim() || line)) isWhole = false
    }
  }
  return {
    ...(expectedStatus === undefined ? {} : { expectedStatus }),
    ...(acceptedStatuses === undefined ? {} : { acceptedStatuses }),
    assertions,
    captures,
    isWhole,
  }
}

/** The JSONPath of what an expression reads of the answer; undefined if it is anything else. */
function pathIn(expression: string, answers: ReadonlySet<string>): string | undefined {
  const [, direct = '', name = '', tail = ''] =
    /^(?:(pm\.response\.json\(\))|([A-Za-z_$][\w$]*))((?:\??\.[A-Za-z_$][\w$]*|(?:\?\.)?\[\d+\]|(?:\?\.)?\[["'][\w .-]+["']\])*)$/.exec(
      expression,
    ) ?? []
  if (direct === '' && !answers.has(name)) return undefined
  const path = `$${tail.replaceAll('?.[', '[').replaceAll('?.', '.')}`
  const isOfList = /\.length$/.test(path)
  return !isOfList && path.length <= limits.assertionPathCharsMax && jsonPathProblem(path) === null
    ? path
    : undefined
}
