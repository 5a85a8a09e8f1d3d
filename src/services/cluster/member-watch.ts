// The other members of a cluster, as their leader sees them: each says of itself how far it is.
import type { Clock } from '../../base/clock.ts'
import type { Follower } from '../standby/followers.ts'
import type { SeenMember } from './member-word.ts'

export interface MemberWatchDeps {
  readonly clock: Clock
  /** The entries that have not ended; rejects where the servers do not answer. */
  readonly list: () => Promise<readonly SeenMember[]>
  /** The name of this machine. */
  readonly own: string
  /** The newest record of the log. */
  readonly newest: () => number
}

const lookEveryMs = 5_000
/** What a member says of itself is at most so old. */
const saidMsMax = 15_000

export type MemberWatch = ReturnType<typeof watchMembers>

export function watchMembers({ clock, list, own, newest }: MemberWatchDeps) {
  const known = new Map<string, Follower>()
  /** Which record was the newest when. */
  let history: { readonly atMs: number; readonly sequence: number }[] = []
  let timer: unknown
  let isStopped = false

  /** The record that a member that is in step has at least said. */
  function leastSaid(nowMs: number): number {
    history = history.filter(
      ({ atMs }, at) => at === history.length - 1 || nowMs - atMs < 2 * saidMsMax,
    )
    const said = history.findLast(({ atMs }) => nowMs - atMs >= saidMsMax) ?? history[0]
    return said?.sequence ?? 0
  }

  function note(members: readonly SeenMember[]): void {
    const nowMs = clock.nowMs()
    history.push({ atMs: nowMs, sequence: newest() })
    const least = leastSaid(nowMs)
    for (const { member, url, version, sequence } of members) {
      if (member === own) continue
      const before = known.get(member)
      const isInStep = sequence >= least
      known.set(member, {
        ...{ member, version, address: url, heardAtMs: nowMs, isInStep },
        reached: isInStep ? newest() : sequence,
        behindSinceMs: isInStep ? null : (before?.behindSinceMs ?? nowMs),
      })
    }
    const heard = new Set(members.map(({ member }) => member))
    for (const [member, one] of known) {
      if (heard.has(member)) continue
      known.set(member, { ...one, isInStep: false, behindSinceMs: one.behindSinceMs ?? nowMs })
    }
  }

  async function look(): Promise<void> {
    // Without an answer, what was heard before stays, with its time.
    await list().then(note, () => {})
    if (!isStopped) timer = clock.setTimeout(() => void look(), lookEveryMs)
  }

  void look()
  return {
    list: (): Follower[] => [...known.values()],
    newest,
    stop(): void {
      isStopped = true
      clock.clearTimeout(timer)
    },
  }
}
