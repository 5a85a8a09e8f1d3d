// The time in which answers of targets are examined: for each organization, and in all. Answers and
// assertions may be made to take long, and what is examined on the event loop keeps everything else
// waiting. So an examination runs in slices, and an organization that used its share waits for the next.
import { LRUCache } from 'lru-cache'
import { type Clock, startWork } from '../../base/clock.ts'
import { Heap, type Heaped } from '../../base/waiting/heap.ts'
import type { Steps } from '../../base/waiting/steps.ts'
import { hasTimeLeft, paidAfter } from '../../domain/time-share.ts'
import { unknownFailure } from '../../net/failure.ts'
import { RunError, stopped } from '../../net/run/guarded-run.ts'

/** An organization, and what it has spent. */
interface Party extends Heaped {
  /** When its work so far is paid for, monotonic. */
  paidAtMs: number
  /** The examinations that wait, oldest first. */
  readonly waiting: Examination[]
  /** The bytes of the answers that wait. */
  bytes: number
}

export interface ExaminationOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
  /** The bytes of the answer, which is in memory meanwhile. */
  readonly bytes?: number
}

interface Examination {
  readonly sinceMs: number
  hasBegun: boolean
  /** Does a slice of it; true once it is over. */
  readonly advance: () => boolean
  readonly fail: (error: Error) => void
}

export type ExaminationTurns = ReturnType<typeof createExaminationTurns>

/** The time in which answers to checks are examined: of one organization, and of all. */
export const examinations = { share: 1 / 4, burstMs: 200 } as const
const examinationsInAll = { share: 2 / 5 } as const
/** How long an examination runs before other work has its turn. */
export const examinationSliceMs = 10
/** How long an answer waits for its examination to begin. */
const examinationWaitMsMax = 60_000
/** Bytes of an organization's answers that wait: 64 of the largest. */
const examinationBytesWaitingMax = 64 * 1024 * 1024
/** Organizations whose use of the time for examinations is remembered. */
const examinationPartiesMax = 10_000

export function createExaminationTurns(clock: Clock) {
  const parties = new LRUCache<string, Party>({ max: examinationPartiesMax })
  /** Organizations whose examinations wait. The one that used least comes first. */
  const ready = new Heap<Party>((one, other) => one.paidAtMs < other.paidAtMs)
  /** The loop is left to other work until then. */
  let restsUntilMs = 0
  let alarm: { readonly timer: unknown; readonly atMs: number } | undefined

  function partyOf(name: string): Party {
    const known = parties.get(name)
    if (known !== undefined) return known
    const party: Party = { paidAtMs: 0, waiting: [], bytes: 0, heapAt: -1 }
    parties.set(name, party)
    return party
  }

  function charge(party: Party, costMs: number): void {
    party.paidAtMs = paidAfter(examinations, party.paidAtMs, costMs, clock.monoMs())
  }

  /** Works on the steps until the slice is used up. */
  function slice<Result>(party: Party, steps: Steps<Result>): IteratorResult<undefined, Result> {
    const workMs = startWork(clock)
    try {
      let next = steps.next()
      while (!next.done && workMs() < examinationSliceMs) next = steps.next()
      return next
    } finally {
      charge(party, workMs())
    }
  }

  function wake(): void {
    const first = ready.first()
    if (first === undefined) return
    const atMs = Math.max(restsUntilMs, first.paidAtMs - examinations.burstMs)
    if (alarm !== undefined && alarm.atMs <= atMs) return
    if (alarm !== undefined) clock.clearTimeout(alarm.timer)
    alarm = { timer: clock.setTimeout(turn, Math.max(0, atMs - clock.monoMs())), atMs }
  }

  /** A slice for the organization that used least; then the loop turns to other work. */
  function turn(): void {
    alarm = undefined
    const party = ready.first()
    if (party === undefined) return
    const beganMs = clock.monoMs()
    giveUpLate(party, beganMs)
    const [examination] = party.waiting
    if (examination !== undefined && hasTimeLeft(examinations, party.paidAtMs, beganMs)) {
      examination.hasBegun = true
      if (examination.advance()) party.waiting.shift()
      const tookMs = clock.monoMs() - beganMs
      restsUntilMs = beganMs + tookMs / examinationsInAll.share
    }
    settle(party)
    wake()
  }

  function giveUpLate({ waiting }: Party, nowMs: number): void {
    const lateAtMs = nowMs - examinationWaitMsMax
    while (waiting[0] && !waiting[0].hasBegun && waiting[0].sinceMs < lateAtMs) {
      waiting.shift()?.fail(new RunError(waitedTooLong))
    }
  }

  function settle(party: Party): void {
    if (party.waiting.length > 0) ready.put(party)
    else if (party.heapAt >= 0) ready.remove(party)
  }

  return {
    /**
     * Does the work at once if the organization has time left, and it is little; else in turn. Rejects
     * with a RunError if the signal aborts meanwhile, or the organization has used so much that this
     * waited too long, or too much waits already.
     */
    run<Result>(
      orgId: string,
      steps: Steps<Result>,
      { signal, bytes = 0 }: ExaminationOptions = {},
    ): Result | Promise<Result> {
      const party = partyOf(orgId)
      const isFree = party.waiting.length === 0
      const beginsNow = isFree && hasTimeLeft(examinations, party.paidAtMs, clock.monoMs())
      if (beginsNow) {
        const first = slice(party, steps)
        if (first.done) return first.value
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          party.waiting.splice(party.waiting.indexOf(examination), 1)
          party.bytes -= bytes
          settle(party)
          reject(new RunError(stopped))
        }
        const end = () => {
          party.bytes -= bytes
          signal?.removeEventListener('abort', leave)
        }
        const examination: Examination = {
          sinceMs: clock.monoMs(),
          hasBegun: beginsNow,
          advance() {
            try {
              const next = slice(party, steps)
              if (!next.done) return false
              resolve(next.value)
            } catch (error) {
              reject(error)
            }
            end()
            return true
          },
          fail(error) {
            end()
            reject(error)
          },
        }
        if (signal?.aborted) {
          reject(new RunError(stopped))
          return
        }
        if (party.bytes + bytes > examinationBytesWaitingMax) {
          reject(new RunError(waitedTooLong))
          return
        }
        signal?.addEventListener('abort', leave)
        party.bytes += bytes
        party.waiting.push(examination)
        settle(party)
        wake()
      })
    },

    /** Does work that cannot wait, at its organization's expense. */
    runNow<Result>(orgId: string, work: () => Result): Result {
      const party = partyOf(orgId)
      const workMs = startWork(clock)
      try {
        return work()
      } finally {
        charge(party, workMs())
        if (party.heapAt >= 0) ready.put(party)
      }
    },
  }
}

export const waitedTooLong = unknownFailure(
  'timeout',
  'examining the answers to the checks of this organization takes more time than it may',
)
