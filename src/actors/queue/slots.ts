// Slots: how many jobs may run at once, over all recipients.

export interface Slots {
  /** Resolves when there is room; rejects with the signal's reason if it is aborted first. */
  take(signal: AbortSignal): Promise<void>
  free(): void
}

export function createSlots(total: number): Slots & { waiting(): number } {
  let taken = 0
  const waiting = new Set<() => void>()
  return {
    waiting: () => waiting.size,
    take(signal) {
      if (taken < total) {
        taken += 1
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const leave = () => {
          waiting.delete(enter)
          reject(signal.reason)
        }
        waiting.add(enter)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    free() {
      const [next] = waiting
      if (!next) {
        taken -= 1
        return
      }
      // The slot passes directly to the next in line, so that a newcomer cannot take it.
      waiting.delete(next)
      next()
    },
  }
}
