// Randomness: for jitter and spread. What must not be guessed comes from node:crypto.

/** A number in [0, 1). */
export function randomUnit(): number {
  return Math.random()
}
