// The figures from which cells are reckoned: measured ones, and estimates. docs/scale.md says where each is from.

/** What a cell may bear, by the plan. */
export const cellLimits = { readingsPerS: 5_000, monitors: 300_000, bytes: 200e9 } as const

/** The largest organization: it cannot be split, so it takes half a cell at most. */
export const orgLimits = { readingsPerS: 2_500, monitors: 100_000 } as const

/** Bytes on disk, and for how many days they are kept (measured: docs/history.md). */
export const kept = {
  readingBytes: 10,
  readingDays: 30,
  hourBytes: 35,
  hourDays: 730,
  dayBytes: 242,
} as const

/** The intervals of organizations, and their shares: a check of each monitor every 60 s on average. */
export const paces = [
  { intervalS: 20, share: 0.2 },
  { intervalS: 60, share: 0.3 },
  { intervalS: 300, share: 0.5 },
] as const

export const speeds = {
  /** Half of what a backup is copied with. Estimate. */
  copyBytesPerMs: 40_000,
  /** A backup is read back as fast as it is written at most. Estimate. */
  restoreBytesPerMs: 80_000,
  /** A reading in the log, raw. Estimate. */
  recordBytes: 1_200,
  /** Starting a monitor: 19,088 ms for 100,000. Measured on a slow day; 0.073 at the former speed. */
  startMsPerMonitor: 0.19,
  /** A write waits for others that are committed with it, and for the log. */
  commitMs: 55,
  /** One way between two machines of one place. Estimate. */
  hopMs: 1,
  /** A change of the directory. Estimate. */
  directoryMs: 10,
  /** How long after a change of the directory cells and routers know it, at most. Estimate. */
  watchMs: 200,
} as const

/** The lease of a leader that died, and the start of its standby. */
export const takeover = { leaseMs: 15_000, startMs: 10_000 } as const

/** How long a sender waits for an answer, and after a 503. */
export const sender = { answerMs: 5_000, retryMs: 2_000 } as const

/** The bytes of organizations of this size, after so many days. */
export function bytesOf(monitors: number, readingsPerS: number, days: number): number {
  const readings = readingsPerS * 86_400 * Math.min(days, kept.readingDays)
  const hours = monitors * 24 * Math.min(days, kept.hourDays)
  return readings * kept.readingBytes + hours * kept.hourBytes + monitors * days * kept.dayBytes
}

interface Move {
  /** From the first byte that is copied to the new owner. */
  readonly allMs: number
  /** In which nobody takes writes of the organization, nor checks for it. */
  readonly frozenMs: number
}

/** How long it takes to move an organization, when nothing fails. */
export function moveOf(monitors: number, readingsPerS: number, bytes: number): Move {
  // What was written meanwhile is copied in turns, each shorter than the one before.
  const perMs = (readingsPerS * speeds.recordBytes) / 1_000
  let turnMs = bytes / speeds.copyBytesPerMs
  let copiedMs = turnMs
  while (turnMs > speeds.watchMs) {
    turnMs = (turnMs * perMs) / speeds.copyBytesPerMs
    copiedMs += turnMs
  }
  const lastMs = ((turnMs + speeds.watchMs) * perMs) / speeds.copyBytesPerMs
  const asksMs = speeds.commitMs + 6 * speeds.hopMs + speeds.directoryMs + speeds.watchMs
  const frozenMs = asksMs + lastMs + monitors * speeds.startMsPerMonitor
  return { allMs: copiedMs + frozenMs, frozenMs }
}
