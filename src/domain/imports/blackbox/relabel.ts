// Relabelling as Prometheus does it: how the labels of a target become what the exporter is asked.
//
// The actions: https://prometheus.io/docs/prometheus/latest/configuration/configuration/#relabel_config
import type { RE2JS } from 're2js'
import { requireLibrary } from '../../../base/assets.ts'
import { regexProblem } from '../../assertions/pattern.ts'
import { type ForeignFields, ForeignFileRefused, fieldsOf, listOf, textOf } from '../foreign.ts'

export type TargetLabels = ReadonlyMap<string, string>

/** Rules of one job, and the characters of what one of them reads or writes. */
const rulesMax = 200
const subjectCharsMax = 4_096
/** Labels of a target: rules may double them, and their values. */
const labelsMax = 500

/** What rules have read so far, for all targets of a document: an expression takes long, and there are many of both. */
export interface RelabelWork {
  chars: number
}
const workCharsMax = 8_000_000

interface RelabelRule {
  readonly action: string
  readonly sources: readonly string[]
  readonly separator: string
  readonly target: string
  readonly replacement: string
  readonly pattern: RE2JS
}

export interface Relabelling {
  /** The labels that are left; undefined if the target is dropped. */
  of(labels: TargetLabels): TargetLabels | undefined
  /** Rules that are not understood, in words. */
  readonly problems: readonly string[]
}

/** Its `of` throws ForeignFileRefused beyond a bound. */
export function relabelling(configs: unknown, work: RelabelWork = { chars: 0 }): Relabelling {
  const problems: string[] = []
  const given = listOf(configs).map(fieldsOf)
  if (given.length > rulesMax) problems.push(`rules beyond ${rulesMax}`)
  const rules = given.slice(0, rulesMax).flatMap((config) => {
    const rule = ruleOf(config)
    if (typeof rule === 'string') problems.push(rule)
    return typeof rule === 'string' ? [] : rule
  })
  return {
    problems,
    of(labels) {
      let left: TargetLabels | undefined = labels
      for (const rule of rules) left = left && applied(rule, left, work)
      return left
    },
  }
}

function ruleOf(config: ForeignFields): RelabelRule | string {
  const action = textOf(config.action).toLowerCase() || 'replace'
  const regex = config.regex === undefined ? '(.*)' : textOf(config.regex)
  const problem = regexProblem(regex)
  if (problem !== null) return `a rule whose expression ${problem}`
  if (!actions.has(action)) return `the action ${action.slice(0, 40)}`
  const { RE2JS: library } = requireLibrary('re2js') as { readonly RE2JS: typeof RE2JS }
  return {
    action,
    sources: listOf(config.source_labels).map(textOf),
    separator: typeof config.separator === 'string' ? config.separator : ';',
    target: textOf(config.target_label),
    replacement: config.replacement === undefined ? '$1' : textOf(config.replacement),
    // As Prometheus does, the whole of a text is matched, line breaks too.
    pattern: library.compile(`^(?s:${regex})$`),
  }
}

const actions: ReadonlySet<string> = new Set([
  ...['replace', 'keep', 'drop', 'keepequal', 'dropequal', 'lowercase', 'uppercase'],
  ...['labelmap', 'labeldrop', 'labelkeep'],
])

function applied(
  rule: RelabelRule,
  labels: TargetLabels,
  work: RelabelWork,
): TargetLabels | undefined {
  const subject = rule.sources.map((name) => labels.get(name) ?? '').join(rule.separator)
  const short = subject.slice(0, subjectCharsMax)
  const isOfNames = rule.action.startsWith('label')
  work.chars += isOfNames ? [...labels.keys()].join().length : short.length
  if (work.chars > workCharsMax) {
    throw new ForeignFileRefused('takes too long to relabel: convert it in parts')
  }
  const matches = (text: string) => rule.pattern.matcher(text).matches()
  const kept = (test: (name: string) => boolean) =>
    new Map([...labels].filter(([name]) => test(name)))
  switch (rule.action) {
    case 'keep':
      return matches(short) ? labels : undefined
    case 'drop':
      return matches(short) ? undefined : labels
    case 'keepequal':
      return short === (labels.get(rule.target) ?? '') ? labels : undefined
    case 'dropequal':
      return short === (labels.get(rule.target) ?? '') ? undefined : labels
    case 'lowercase':
      return withLabel(labels, rule.target, short.toLowerCase())
    case 'uppercase':
      return withLabel(labels, rule.target, short.toUpperCase())
    case 'labeldrop':
      return kept((name) => !matches(name))
    case 'labelkeep':
      return kept(matches)
    case 'labelmap': {
      const mapped = [...labels].flatMap(([name, value]) => {
        const to = expanded(rule.pattern, name, rule.replacement)
        return to === undefined ? [] : [[to, value] as const]
      })
      const all = new Map([...labels, ...mapped])
      if (all.size <= labelsMax) return all
      throw new ForeignFileRefused(`has a target with more than ${labelsMax} labels`)
    }
    default: {
      const value = expanded(rule.pattern, short, rule.replacement)
      if (value === undefined) return labels
      const name = expanded(rule.pattern, short, rule.target) ?? ''
      return name === '' ? labels : withLabel(labels, name, value)
    }
  }
}

/** A label without a value is none. */
function withLabel(labels: TargetLabels, name: string, value: string): TargetLabels {
  const others = [...labels].filter(([one]) => one !== name)
  return new Map(value === '' ? others : [...others, [name, value]])
}

/** `$1` and `${1}` are groups; undefined if the text does not match. */
function expanded(pattern: RE2JS, text: string, template: string): string | undefined {
  const matcher = pattern.matcher(text)
  if (!matcher.matches()) return undefined
  let written = 0
  return template
    .slice(0, subjectCharsMax)
    .replace(/\$(?:(\d{1,3})|\{(\d{1,3})\})/g, (_, plain, inBraces) => {
      const group = Number(plain ?? inBraces)
      const isThere = group <= matcher.groupCount() && written < subjectCharsMax
      const text = isThere ? (matcher.group(group) ?? '') : ''
      written += text.length
      return text
    })
    .slice(0, subjectCharsMax)
}
