// Assertions are for our own mistakes: they are never caught, the process ends and is restarted.

export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure'
}

/** States what must hold here. A failure is a bug of ours, never of a caller or a target. */
export function assert(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new AssertionFailure(claim)
}

/** The value, which must be there by the logic of the program. */
export function required<T>(value: T | null | undefined, what = 'value'): T {
  if (value === null || value === undefined) throw new AssertionFailure(`${what} must be present`)
  return value
}

/** The end of an exhaustive switch: the compiler refuses it while a case is missing. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${JSON.stringify(value)}`)
}
