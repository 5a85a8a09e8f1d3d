// A figure: what was measured, and what it should be.

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What the product promises; absent on figures that only inform. */
  readonly goal?: Goal
  /** What the bare libraries come to on this machine, in this run: the goal is then of the ratio. */
  readonly floor?: { readonly value: number; readonly ratio: number }
}

export interface Goal {
  readonly op: '<=' | '>='
  readonly value: number
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

/** A figure beside the floor; the goal, where there is one, is of the ratio of the two. */
export function toFloor(figure: Figure, floor: number, goal?: Goal): Figure {
  const { name, value, unit } = figure
  const compared = { name, value, unit, floor: { value: floor, ratio: value / floor } }
  return goal ? { ...compared, goal } : compared
}

/** Whether the promise is kept; undefined where there is none. */
export function isKept({ value, goal, floor }: Figure): boolean | undefined {
  if (!goal) return undefined
  const judged = floor?.ratio ?? value
  return goal.op === '<=' ? judged <= goal.value : judged >= goal.value
}

/** The part of the table that one case fills. */
export function tableOf({ title, figures }: CaseResult): string {
  return ['', title, ...figures.map(lineOf)].join('\n')
}

function lineOf(figure: Figure): string {
  const { name, value, unit, goal, floor } = figure
  const kept = isKept(figure)
  const columns = [
    name.padEnd(44),
    shown(value).padStart(9),
    unit.padEnd(7),
    (floor ? `${shown(floor.ratio)} × ${shown(floor.value)}` : '').padEnd(16),
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
