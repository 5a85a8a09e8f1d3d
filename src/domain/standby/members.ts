// The machines of a cluster, as the one that leads sees them.

export const clusterRoles = ['leader', 'standby'] as const

export interface ClusterMachine {
  readonly name: string
  readonly role: (typeof clusterRoles)[number]
  readonly version: string
  /** Where it was heard from; null for this machine, or where that is not known. */
  readonly address: string | null
  readonly heardAtMs: number
  /** How many records of the log it does not have yet. */
  readonly behind: number
  /** It leads, or is waited for: whatever is acknowledged is on its disk, too. */
  readonly isInStep: boolean
  /** Since when it has not been in step; null if it is. */
  readonly behindSinceMs: number | null
  /** This machine. */
  readonly isThis: boolean
}

export interface ClusterView {
  /** How often the leader has changed. */
  readonly epoch: number
  readonly members: readonly ClusterMachine[]
}

/** Whether whatever is acknowledged is on another machine's disk, too. */
export function hasStandbyInStep({ members }: ClusterView): boolean {
  return members.some(({ role, isInStep }) => role === 'standby' && isInStep)
}
