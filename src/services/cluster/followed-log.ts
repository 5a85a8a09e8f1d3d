// The copy of a member, and the log that it follows: what it has is a part of it, or it must begin anew.
import { whatEnds } from '../../actors/standby/what-ends.ts'
import type { RunningClock } from '../../base/clock.ts'
import { LogRefused, type ReplicatedLog } from '../../cluster/log.ts'
import type { LogSeal } from '../../seal/log-seal.ts'
import { decodeRedo, hashOfRedo, type RedoRecord, UnknownRedo } from '../../store/engine/redo.ts'
import { ForeignRedo } from '../../store/engine/replica.ts'
import type { DataCopy } from '../standby/data-copy.ts'

export interface FollowedLog {
  readonly copy: DataCopy
  readonly replicated: ReplicatedLog
  readonly seal: LogSeal
  readonly clock: RunningClock
}

/**
 * Whether the log has what the copy has. Time goes on from there at the earliest. Throws StartFailure if another
 * master key sealed the log, or a newer program wrote it.
 */
export async function isPartOfLog(log: FollowedLog, signal: AbortSignal): Promise<boolean> {
  return (await isInLog(log, signal)) || (await isAppended(log, signal))
}

/** What it has is what the log has at this place. */
async function isInLog(
  { copy, replicated, seal, clock }: FollowedLog,
  signal: AbortSignal,
): Promise<boolean> {
  const { sequence, hash } = copy.replica().position()
  const role = copy.leadership()?.role
  if (role === 'founder') return (await replicated.last(signal)) === sequence
  // Else it led alone since, and changed.
  if (role !== 'member') return false
  const record = await replicated.get(sequence, signal)
  if (!record) return false
  const bytes = opened(seal, record.bytes)
  if (hashOfRedo(bytes) !== hash) return false
  clock.notBefore(decoded(bytes).atMs)
  return true
}

/**
 * Appends what this member stored last when it led, or the parts of it that are missing, if the log ends before it:
 * nobody has led since. Otherwise all could wait for a copy of somebody who leads, when the leader has ended twice.
 * Nobody was told of it before.
 */
async function isAppended(
  { copy, replicated, seal, clock }: FollowedLog,
  signal: AbortSignal,
): Promise<boolean> {
  const replica = copy.replica()
  const entry = replica.newest()
  if (!entry) return false
  const last = await replicated.last(signal)
  if (last < entry.after || last >= entry.sequence) return false
  const before = await replicated.get(entry.after, signal)
  const redo = decoded(entry.bytes)
  if (!before || hashOfRedo(opened(seal, before.bytes)) !== redo.before) return false
  const { after, sequence, bytes } = entry
  const id = recordId(replica.position().epoch, sequence)
  try {
    await replicated.append({ after, bytes: seal.seal(bytes), id }, signal)
    clock.notBefore(redo.atMs)
    return true
  } catch (error) {
    if (error instanceof LogRefused) return false
    throw error
  }
}

/**
 * Applies the records up to this one, as they come; rejects with the signal. Throws ForeignRedo or LogGap if they
 * do not follow from what is here, and StartFailure if only a person can help.
 */
export async function applyUntil(
  { copy, replicated, seal }: FollowedLog,
  until: number,
  signal: AbortSignal,
): Promise<void> {
  const replica = copy.replica()
  const from = replica.position().sequence + 1
  for await (const { sequence, bytes } of replicated.read({ from, until, signal })) {
    const record = { sequence, bytes: opened(seal, bytes) }
    await replica.apply([record]).catch((error: unknown) => {
      throw error instanceof ForeignRedo ? error : whatEnds(error, 'the leader')
    })
  }
}

/** Throws StartFailure where only a newer program understands the record. */
function decoded(bytes: Uint8Array): RedoRecord {
  try {
    return decodeRedo(bytes)
  } catch (error) {
    throw error instanceof UnknownRedo ? whatEnds(error, 'the cluster') : error
  }
}

function opened(seal: LogSeal, bytes: Uint8Array): Buffer {
  try {
    return seal.open(bytes)
  } catch (error) {
    throw whatEnds(error, 'the cluster')
  }
}

/** The id of a record in the log, by which a repeated one is known. */
export const recordId = (epoch: number, sequence: number) => `${epoch}-${sequence}`
