// Randomness for jitter and spread. Secrets come from node:crypto instead.

/** A number in [0, 1). */
export function randomUnit(): number {
  return Math.random()
}
