// Conditions as clauses: all of them must hold, and of the parts of each, one is enough. So "down if A or B"
// becomes "not A" and "not B", which are assertions.

/** An assertion of ours, or what has none, by the words of the other product. */
interface ClausePart {
  readonly text: string
  readonly assertion?: object
  /** The key of what holds if this does not. */
  readonly opposite: string
}

interface Clause {
  /** The statuses of HTTP that are enough, a bit for each from 100 on. */
  readonly statuses: bigint
  readonly parts: ReadonlyMap<string, ClausePart>
}

export type Clauses = readonly Clause[]

export const always: Clauses = []
export const never: Clauses = [{ statuses: 0n, parts: new Map() }]

/** Clauses of the conditions of a monitor: more would be none that people wrote. */
const clausesMax = 200

/** A monitor has more conditions than are taken over. */
export class TooManyClauses extends Error {
  override readonly name = 'TooManyClauses'
}

const statusMin = 100
const statusMax = 599

/** The statuses of which the test says so. */
export function statusesWhere(test: (status: number) => boolean): Clauses {
  let statuses = 0n
  for (let status = statusMin; status <= statusMax; status += 1) {
    if (test(status)) statuses |= bitOf(status)
  }
  return [{ statuses, parts: new Map() }]
}

function bitOf(status: number): bigint {
  return 1n << BigInt(status - statusMin)
}

const everyStatus = (1n << BigInt(statusMax - statusMin + 1)) - 1n

/** The assertion, whose opposite has the second key. */
export function part(text: string, key: string, opposite: string, assertion?: object): Clauses {
  const one = { text, opposite, ...(assertion && { assertion }) }
  return [{ statuses: 0n, parts: new Map([[key, one]]) }]
}

/** Throws TooManyClauses. */
export function both(one: Clauses, other: Clauses): Clauses {
  if (one.length + other.length > clausesMax) throw new TooManyClauses()
  return [...one, ...other]
}

/** Throws TooManyClauses. */
export function either(one: Clauses, other: Clauses): Clauses {
  if (one.length * other.length > clausesMax) throw new TooManyClauses()
  return withoutLooser(one.flatMap((first) => other.flatMap((second) => merged(first, second))))
}

/** None if it always holds. */
function merged(one: Clause, other: Clause): Clauses {
  const statuses = one.statuses | other.statuses
  const parts = new Map([...one.parts, ...other.parts])
  const isSure = [...parts.values()].some(({ opposite }) => parts.has(opposite))
  return isSure || statuses === everyStatus ? [] : [{ statuses, parts }]
}

/** A clause says nothing besides one whose alternatives it has all. */
function withoutLooser(clauses: Clauses): Clauses {
  return clauses.filter(
    (clause, at) =>
      !clauses.some(
        (other, otherAt) =>
          otherAt !== at && includes(clause, other) && (!includes(other, clause) || otherAt < at),
      ),
  )
}

function includes(clause: Clause, other: Clause): boolean {
  if (clause.parts.size < other.parts.size) return false
  if ((clause.statuses | other.statuses) !== clause.statuses) return false
  return [...other.parts.keys()].every((key) => clause.parts.has(key))
}

export interface Demanded {
  /** Absent: any. Each is a status or a range, such as `200-299`. */
  readonly statuses?: readonly string[]
  readonly assertions: readonly object[]
  /** What is demanded, and is no assertion: the words of each. */
  readonly others: readonly (readonly string[])[]
  /** Nothing can meet it. */
  readonly isImpossible: boolean
}

/** What the clauses demand of an answer. */
export function demandedBy(clauses: Clauses): Demanded {
  let statuses = everyStatus
  const assertions: object[] = []
  const others: (readonly string[])[] = []
  let isImpossible = false
  for (const clause of withoutLooser(clauses)) {
    const parts = [...clause.parts.values()]
    const [first] = parts
    if (first === undefined) {
      statuses &= clause.statuses
      isImpossible ||= clause.statuses === 0n
    } else if (parts.length === 1 && clause.statuses === 0n && first.assertion) {
      assertions.push(first.assertion)
    } else {
      const listed =
        clause.statuses === 0n ? [] : [`status ${rangesOf(clause.statuses).join(', ')}`]
      others.push([...listed, ...parts.map(({ text }) => text)])
    }
  }
  return {
    ...(statuses === everyStatus ? {} : { statuses: rangesOf(statuses) }),
    assertions,
    others,
    isImpossible: isImpossible || statuses === 0n,
  }
}

function rangesOf(statuses: bigint): string[] {
  const ranges: string[] = []
  let from: number | undefined
  for (let status = statusMin; status <= statusMax + 1; status += 1) {
    const isIn = (statuses & bitOf(status)) !== 0n
    if (isIn) from ??= status
    else if (from !== undefined) {
      const last = status - 1
      ranges.push(from === last ? String(from) : `${from}-${last}`)
      from = undefined
    }
  }
  return ranges
}
