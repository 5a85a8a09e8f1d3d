// Tries a bucket before it is stored: a small object is written, read and deleted.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/log/error-text.ts'
import { type BackupBucketWiring, bucketOf } from './backup-bucket.ts'

export const bucketTrialSteps = ['write', 'read', 'delete'] as const

export interface BucketTrialStep {
  readonly step: (typeof bucketTrialSteps)[number]
  /** What the server answered, and what to change; null if the step worked. */
  readonly error: string | null
}

export type BucketTrial = ReturnType<typeof createBucketTrial>

const trialMsMax = 25_000

export function createBucketTrial({ clock }: { readonly clock: Clock }) {
  /** The steps up to the first that failed. The settings name a whole bucket. */
  return async (
    settings: BackupBucketWiring['settings'],
    callerSignal: AbortSignal,
  ): Promise<readonly BucketTrialStep[]> => {
    const name = `trial-${randomBytes(8).toString('hex')}`
    const sent = Buffer.from(`stillup tries this bucket: ${name}\n`)
    const deadline = new AbortController()
    const timer = clock.setTimeout(() => {
      const seconds = trialMsMax / 1_000
      deadline.abort(new Error(`The bucket did not answer within ${seconds} seconds.`))
    }, trialMsMax)
    const signal = AbortSignal.any([callerSignal, deadline.signal])
    const done: BucketTrialStep[] = []
    try {
      const bucket = bucketOf({ settings, clock })
      if (!bucket) throw new Error('The bucket is not named.')
      const steps = {
        write: () => bucket.put(name, oneChunk(sent), sent.length, signal),
        async read() {
          const parts: Buffer[] = []
          for await (const part of await bucket.get(name, signal)) parts.push(part)
          if (!Buffer.concat(parts).equals(sent)) {
            throw new Error('The bucket returned something else than what was stored.')
          }
        },
        delete: () => bucket.remove(name, signal),
      }
      for (const step of bucketTrialSteps) {
        await steps[step]()
        done.push({ step, error: null })
      }
    } catch (error) {
      const step = bucketTrialSteps[done.length] ?? 'delete'
      done.push({ step, error: errorText(signal.aborted ? signal.reason : error) })
    } finally {
      clock.clearTimeout(timer)
    }
    return done
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}
