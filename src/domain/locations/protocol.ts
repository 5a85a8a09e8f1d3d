// What the daemon and a remote probe (`stillup probe`) tell each other. Version 1 of the protocol.

/** How a probe is, since its session began. */
export interface ProbeLoad {
  readonly checks: number
  /** Results that were dropped because the daemon could not be reached for long. */
  readonly dropped: number
  /** The 99th percentile of how late checks began in the last minute. */
  readonly lateMs: number
  readonly monitors: number
}
