// The vote: what the locations of a monitor say together. Silence alone turns nothing.
import type { ReadingError } from '../checks/reading.ts'
import type { SeenVerdict } from '../health/fold-verdict.ts'
import type { ShownState } from '../health/health.ts'
import { type DownWhen, neededOf } from './choice.ts'
import type { PlaceId } from './place.ts'

/** The slowest way that a result may take, before its location counts as silent. */
const voteSlackMs = 30_000

/** Every place that is live looks at a new monitor sooner, and confirms what it sees. */
const firstWordsMsMax = 180_000

/** Places that were cut off together are all back within this time: probes try again at least every 30 s. */
export const returningMs = 60_000

interface VotePace {
  readonly intervalSeconds: number
  readonly timeoutMs: number
}

/** Silent: nothing was heard of it for long, or it could not look. */
export const placeStates = [
  'pending',
  'up',
  'degraded',
  'down',
  'silent',
] as const satisfies readonly (ShownState | 'silent')[]

/** What one location saw when a monitor turned, for people. */
export interface PlaceStory {
  readonly place: PlaceId
  /** Its name then; absent if it had none. */
  readonly name?: string
  readonly state: (typeof placeStates)[number]
  /** Since when it sees that. */
  readonly sinceMs: number
  /** Why its newest check failed; absent if it did not. */
  readonly error?: ReadingError
}

/** What one location says of a monitor. */
export interface LocationVote {
  readonly place: PlaceId
  /** The state that it has confirmed; pending: none yet, so that it does not vote. */
  readonly state: ShownState
  /** Its newest result is new enough, and says something about the target. */
  readonly isFresh: boolean
  /** Since when it has seen that state. */
  readonly sinceMs: number
  /** When its newest result began. */
  readonly heardMs: number
}

/** What a decision of several places was made on. */
export interface PlaceGrounds {
  /** So many had to say so. */
  readonly needed: number
  /** So many had something to say. */
  readonly voting: number
  /** All of them, in the order of the monitor. */
  readonly places: readonly PlaceStory[]
}

/** Unknown: no location votes. Null: nothing that was said turns the verdict, so it stays. */
export type VotedVerdict = SeenVerdict | 'unknown' | null

const voters = (votes: readonly LocationVote[]) =>
  votes.filter(({ state, isFresh }) => isFresh && state !== 'pending')

function verdictOf(states: readonly ShownState[], downWhen: DownWhen): SeenVerdict | 'unknown' {
  if (states.length === 0) return 'unknown'
  const needed = neededOf(downWhen, states.length)
  const down = states.filter((state) => state === 'down').length
  if (down >= needed) return 'down'
  const bad = down + states.filter((state) => state === 'degraded').length
  return bad >= needed ? 'degraded' : 'up'
}

interface Spoken {
  readonly said: number
  readonly before: LocationVote
  /** Nothing was ever said of the monitor, so that the others may be about to speak. */
  readonly isFirst?: boolean
  /** The speaker was silent until a moment ago, so that others that were, too, may be about to speak. */
  readonly isReturning?: boolean
}

/**
 * The verdict after one location spoke. `said` is the index of its vote, and `before` its vote before that.
 * Silence alone turns nothing, nor does who ends it with the same word as before: if the count would be the same
 * without what was said, the verdict stays (null), unless the locations that are silent now do not speak against it.
 * While others may be about to speak, it also stays unless it is the same whatever these see; a new monitor may be up.
 */
export function voteAfter(
  votes: readonly LocationVote[],
  downWhen: DownWhen,
  { said, before, isFirst = false, isReturning = false }: Spoken,
): VotedVerdict {
  const voting = voters(votes)
  const count = (some: readonly LocationVote[]) =>
    verdictOf(
      some.map(({ state }) => state),
      downWhen,
    )
  const verdict = count(voting)
  if (verdict === 'unknown') return verdict
  const speaker = votes[said]
  if (!speaker || !voting.includes(speaker)) return null
  /** The count, if those that are awaited saw this. */
  const countIf = (state: SeenVerdict, isAwaited: (vote: LocationVote) => boolean) =>
    count(voters(votes.map((one) => (isAwaited(one) ? { ...one, state, isFresh: true } : one))))
  if (isFirst && verdict !== 'up' && verdict !== countIf('up', isPending)) return null
  if (isReturning && verdict !== countIf('up', isSilent)) return null
  if (isReturning && verdict !== countIf('down', isSilent)) return null
  const isNews = speaker.state !== before.state
  if (isNews && verdict !== count(voters(votes.with(said, before)))) return verdict
  const isBad = verdict !== 'up'
  // What was seen before the others turned bad says nothing about it.
  const turnedMs = isBad ? Math.max(...voting.map((vote) => (isGood(vote) ? 0 : vote.sinceMs))) : 0
  const speakAgainst = votes.filter(
    (vote) => vote.state !== 'pending' && (vote.isFresh || vote.heardMs >= turnedMs),
  )
  return verdict === count(speakAgainst) ? verdict : null
}

const isPending = ({ state }: LocationVote) => state === 'pending'
const isSilent = ({ state, isFresh }: LocationVote) => !isFresh && state !== 'pending'
const isGood = ({ state }: LocationVote) => state === 'up' || state === 'pending'

/** A location votes while its newest result is younger than this. */
export function votesForMs({ intervalSeconds, timeoutMs }: VotePace): number {
  return 2 * intervalSeconds * 1_000 + timeoutMs + voteSlackMs
}

/** How long the first bad word of a new monitor waits for the other locations. */
export function firstWordsMs(pace: VotePace): number {
  return Math.min(votesForMs(pace), firstWordsMsMax)
}

/** Whether a location whose newest result began at `lastAtMs` is heard, so that it votes. */
export function isHeardAt(pace: VotePace, lastAtMs: number | null, nowMs: number): boolean {
  return lastAtMs !== null && nowMs - lastAtMs <= votesForMs(pace)
}
