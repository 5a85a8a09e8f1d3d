// Assertions catch bugs in this program: nobody catches them, so the process ends and restarts.

export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure'
}

/** States what must hold here. A failure is a bug in this program, not of a caller or target. */
export function assert(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new AssertionFailure(claim)
}

/** Returns the value, which must be present by the logic of the program. */
export function required<T>(value: T | null | undefined, what = 'value'): T {
  if (value === null || value === undefined) throw new AssertionFailure(`${what} must be present`)
  return value
}

/** Ends an exhaustive switch: the code does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${JSON.stringify(value)}`)
}
