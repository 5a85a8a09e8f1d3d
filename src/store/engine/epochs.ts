// Epochs: the times between two commits. What was read in an epoch is what is stored until it ends, so it
// need not be read again.

export type Epochs = ReturnType<typeof createEpochs>

export function createEpochs() {
  let number = 1
  let isInTransaction = false

  return {
    /** Begins the next epoch: something was committed. */
    next(): void {
      number += 1
    },

    /** Runs the body of a transaction, which sees its own changes, whether or not they are committed. */
    outside<T>(body: () => T): T {
      isInTransaction = true
      try {
        return body()
      } finally {
        isInTransaction = false
      }
    },

    /** The present epoch; undefined within a transaction. */
    current: (): number | undefined => (isInTransaction ? undefined : number),
  }
}
