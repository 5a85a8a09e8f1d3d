// Conversions of files of other products over the API: an organization converts one at a time, and all
// together a few.
import { Fault, invalidField, rateLimited } from '../../base/fault.ts'
import { createGate } from '../../base/gate.ts'
import type { OrgId } from '../../base/ids.ts'
import { createLimiter } from '../../base/limiter.ts'
import { ForeignFileRefused } from '../../domain/imports/foreign.ts'
import { foreignYamlCharsMax } from '../../domain/imports/yaml-values.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { convertApart } from './convert-apart.ts'
import type { ForeignFile, MonitorText } from './foreign-files.ts'

export interface ConversionsDeps {
  /** False if the operator switched the API's limits off. */
  readonly isLimited: () => boolean
  /** Tests replace it. */
  readonly convert?: typeof convertApart
}

/** A conversion: its time in all, and the memory of its objects. */
export const conversionMsMax = 45_000
export const conversionHeapMbMax = 96
export const conversionAnswerBytesMax = 8 * 1024 * 1024

const bounds = {
  cpuMsMax: limits.conversionCpuMsMax,
  msMax: conversionMsMax,
  heapMbMax: conversionHeapMbMax,
  answerBytesMax: conversionAnswerBytesMax,
}

/** A script is one test of at most `scriptCharsMax` characters: what takes longer was made to. */
const scriptBounds = { ...bounds, cpuMsMax: 3_000 }

/** Conversions of all organizations that run at the same time, and that wait for these. */
export const conversionsTogether = 2
export const conversionsWaiting = 8

export function createConversions(
  { clock }: Pick<Core, 'clock'>,
  { isLimited, convert = convertApart }: ConversionsDeps,
) {
  const ofOrg = createLimiter(limits.conversionsOfOrg, limits.rateKeysMax)
  const gate = createGate({ total: conversionsTogether, perKey: conversionsTogether })
  const busy = new Set<OrgId>()

  function refuseTooMany(orgId: OrgId): void {
    if (busy.has(orgId)) {
      const why = 'This organization converts another file at the moment'
      const afterMs = limits.retryAfterSeconds * 1_000
      throw rateLimited(afterMs, (seconds) => `${why}; try again in ${seconds} s.`)
    }
    if (gate.load().waiting >= conversionsWaiting) {
      const headers = [['Retry-After', String(limits.retryAfterSeconds)]] as const
      throw new Fault('unavailable', 'Too many files wait for their conversion.', { headers })
    }
    if (!isLimited()) return
    const { isAllowed, retryMs } = ofOrg.take(orgId, clock.nowMs())
    if (isAllowed) return
    const most = `An organization converts at most ${limits.conversionsOfOrg.quota} files a minute`
    throw rateLimited(retryMs, (seconds) => `${most}; try again in ${seconds} s.`)
  }

  async function inTurn(
    orgId: OrgId,
    file: ForeignFile | MonitorText,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    await gate.enter('', clock.nowMs(), orgId)
    try {
      const most = file.product === 'script' ? scriptBounds : bounds
      return await convert(file, most, { clock, signal })
    } finally {
      gate.leave('', orgId)
    }
  }

  return {
    /**
     * The JSON of a ConvertedFile, ConvertedSteps or ConvertedScript. Throws validation_failed for a text that the product does not write
     * or that is beyond a bound, rate_limited, unavailable.
     */
    async run(
      { orgId }: OrgScope,
      file: ForeignFile | MonitorText,
      signal?: AbortSignal,
    ): Promise<string> {
      if (file.product === 'gatus' && file.text.length > foreignYamlCharsMax) {
        const most = `must have at most ${foreignYamlCharsMax} characters of YAML`
        throw invalidField('/text', 'maxLength', `${most}; stillup import --from gatus takes more`)
      }
      refuseTooMany(orgId)
      busy.add(orgId)
      try {
        return await inTurn(orgId, file, signal)
      } catch (error) {
        if (!(error instanceof ForeignFileRefused)) throw error
        throw invalidField('/text', 'format', error.message)
      } finally {
        busy.delete(orgId)
      }
    },
  }
}
