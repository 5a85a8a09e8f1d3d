// Epochs: the times between two transactions. What was read in an epoch stays true in it, so it need not
// be read again.

export type Epochs = ReturnType<typeof createEpochs>

export function createEpochs() {
  let number = 1
  let isWriting = false

  return {
    /** A transaction may be in progress: reads see its changes sooner or later, or see them undone. */
    beginWrite(): void {
      isWriting = true
    },

    /** No transaction is in progress any more, and reads see what is stored. */
    endWrite(): void {
      isWriting = false
      number += 1
    },

    /** Ends the epoch: something was written otherwise. */
    next(): void {
      number += 1
    },

    /** The present epoch; undefined while something is written. */
    current: (): number | undefined => (isWriting ? undefined : number),
  }
}
