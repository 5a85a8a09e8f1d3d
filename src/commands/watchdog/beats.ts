// What the watchdog's thread decides from: the beats of the event loop.

/** Cells of the memory that the event loop and the thread share. */
export const beatCells = { beats: 0, isInspected: 1 } as const

/** Looks and beats within the longest silence. */
const beatsInSilence = 15
const beatMsMax = 1_000

/** How often the event loop beats, and the thread looks. */
export function beatMs(silenceMsMax: number): number {
  return Math.min(beatMsMax, Math.ceil(silenceMsMax / beatsInSilence))
}

/**
 * Returns a function to call at each look with the number of beats so far: it answers for how long
 * the event loop has certainly not run although this thread did.
 *
 * A process that is stopped (SIGSTOP), or whose machine sleeps or is starved, does not run this
 * thread either. So a look that comes late counts as one that comes in time.
 */
export function createBeatJudge(lookMs: number) {
  let lastBeats = -1
  let lastLookMs = 0
  let silentMs = 0
  return (beats: number, nowMs: number): number => {
    silentMs = beats === lastBeats ? silentMs + Math.min(nowMs - lastLookMs, 2 * lookMs) : 0
    lastBeats = beats
    lastLookMs = nowMs
    return silentMs
  }
}
