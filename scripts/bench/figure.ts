// A figure: what was measured, and what it should be.

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What the product promises on two cores; absent on figures that only inform. */
  readonly goal?: { readonly op: '<=' | '>='; readonly value: number }
}

export interface CaseResult {
  readonly title: string
  readonly figures: readonly Figure[]
  /** What is not in the figures: the settings of the case, distributions. */
  readonly details: object
}

export function atMost(name: string, value: number, unit: string, most: number): Figure {
  return { name, value, unit, goal: { op: '<=', value: most } }
}

export function atLeast(name: string, value: number, unit: string, least: number): Figure {
  return { name, value, unit, goal: { op: '>=', value: least } }
}

export function info(name: string, value: number, unit: string): Figure {
  return { name, value, unit }
}

/** Whether the promise is kept; undefined where there is none. */
export function isKept({ value, goal }: Figure): boolean | undefined {
  if (!goal) return undefined
  return goal.op === '<=' ? value <= goal.value : value >= goal.value
}

/** The part of the table that one case fills. */
export function tableOf({ title, figures }: CaseResult): string {
  return ['', title, ...figures.map(lineOf)].join('\n')
}

function lineOf(figure: Figure): string {
  const { name, value, unit, goal } = figure
  const kept = isKept(figure)
  const columns = [
    name.padEnd(44),
    shown(value).padStart(9),
    unit.padEnd(7),
    (goal ? `${goal.op === '<=' ? '≤' : '≥'} ${shown(goal.value)}` : '').padEnd(10),
    kept === undefined ? '' : kept ? 'pass' : 'MISS',
  ]
  return `  ${columns.join(' ').trimEnd()}`
}

/** Three digits that say something. */
function shown(value: number): string {
  const size = Math.abs(value)
  const maximumFractionDigits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  return value.toLocaleString('en-US', { maximumFractionDigits })
}
