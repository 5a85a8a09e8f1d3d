// The oracle of placement: books of who was put where, kept apart from the cells, and what does not agree with them.

interface Placed {
  readonly monitors: Int32Array
  readonly intervalS: Int16Array
  readonly present: readonly number[]
}

interface Counted {
  readonly members: readonly number[]
  readonly monitors: number
  readonly readingsPerS: number
  readonly bytes: number
}

interface Bounds {
  readonly limits: { readonly monitors: number; readonly readingsPerS: number }
  /** How far over its limits a cell may be: 1 is not at all. */
  readonly mayPass: number
}

export type Ledger = ReturnType<typeof createLedger>

/** Learns each event once, and knows nothing else. */
export function createLedger() {
  const owner = new Map<number, number>()
  const problems: string[] = []
  return {
    owner,
    problems,
    placed: (org: number, cell: number) => {
      if (owner.has(org)) problems.push(`organization ${org} was placed twice`)
      owner.set(org, cell)
    },
    moved: (org: number, from: number, to: number) => {
      if (owner.get(org) !== from)
        problems.push(`organization ${org} was moved from cell ${from}, which had it not`)
      owner.set(org, to)
    },
    gone: (org: number) => {
      if (!owner.delete(org)) problems.push(`organization ${org} left twice`)
    },
  }
}

/** What is wrong with the cells at the end: everything is counted anew. */
export function checkPlaces(
  ledger: Ledger,
  { monitors, intervalS, present }: Placed,
  cells: readonly Counted[],
  { limits, mayPass }: Bounds,
): string[] {
  const problems = [...ledger.problems]
  if (ledger.owner.size !== present.length) {
    problems.push(
      `${ledger.owner.size} organizations are in the books, ${present.length} are there`,
    )
  }
  const seen = new Set<number>()
  for (const [cell, { members, ...counted }] of cells.entries()) {
    let [many, readings] = [0, 0]
    for (const org of members) {
      if (seen.has(org)) problems.push(`organization ${org} is in cell ${cell} and in another`)
      seen.add(org)
      if (ledger.owner.get(org) !== cell)
        problems.push(`cell ${cell} has organization ${org}, which it does not own`)
      many += monitors[org] ?? 0
      readings += (monitors[org] ?? 0) / (intervalS[org] ?? 1)
    }
    if (many !== counted.monitors)
      problems.push(`cell ${cell} counts ${counted.monitors} monitors, and has ${many}`)
    if (Math.abs(readings - counted.readingsPerS) > 0.01) {
      problems.push(`cell ${cell} counts ${counted.readingsPerS} readings/s, and has ${readings}`)
    }
    if (readings > limits.readingsPerS * mayPass || many > limits.monitors * mayPass) {
      problems.push(
        `cell ${cell} has ${Math.round(readings)} readings/s of ${many} monitors: over its limits`,
      )
    }
  }
  if (seen.size !== present.length)
    problems.push(`${present.length - seen.size} organizations are in no cell`)
  return problems.slice(0, 20)
}
