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
import type { ForeignFetch, ForeignSite } from './foreign-fetch.ts'
import { type ForeignFile, isInFiles, type MonitorText } from './foreign-files.ts'
import { type KumaPlace, type OpenKuma, openKuma } from './open-kuma.ts'

export interface ConversionsDeps {
  /** False if the operator switched the API's limits off. */
  readonly isLimited: () => boolean
  readonly fetch: ForeignFetch
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

/** Data of Uptime Kuma, which may have to be unpacked; the time is that of its past, too. */
const kumaBounds = { ...bounds, cpuMsMax: 5 * 60_000, msMax: 60 * 60_000, heapMbMax: 256 }

/** A script is one test of at most `scriptCharsMax` characters: what takes longer was made to. */
const scriptBounds = { ...bounds, cpuMsMax: 3_000 }

/** Conversions of all organizations that run at the same time, and that wait for these. */
export const conversionsTogether = 2
export const conversionsWaiting = 8

/** The time in which the API of another product is read, and how many organizations do so at the same time. */
const fetchMsMax = 30_000
const fetchesTogether = 4

export function createConversions(
  { clock }: Pick<Core, 'clock'>,
  { isLimited, fetch, convert = convertApart }: ConversionsDeps,
) {
  const ofOrg = createLimiter(limits.conversionsOfOrg, limits.rateKeysMax)
  const gate = createGate({ total: conversionsTogether, perKey: conversionsTogether })
  const fetching = createGate({ total: fetchesTogether, perKey: fetchesTogether })
  const busy = new Set<OrgId>()

  function refuseTooMany(orgId: OrgId): void {
    if (busy.has(orgId)) {
      const why = 'This organization converts another file at the moment'
      const afterMs = limits.retryAfterSeconds * 1_000
      throw rateLimited(afterMs, (seconds) => `${why}; try again in ${seconds} s.`)
    }
    if (Math.max(gate.load().waiting, fetching.load().waiting) >= conversionsWaiting) {
      const headers = [['Retry-After', String(limits.retryAfterSeconds)]] as const
      throw new Fault('unavailable', 'Too many files wait for their conversion.', { headers })
    }
    if (!isLimited()) return
    const { isAllowed, retryMs } = ofOrg.take(orgId, clock.nowMs())
    if (isAllowed) return
    const most = `An organization converts at most ${limits.conversionsOfOrg.quota} files a minute`
    throw rateLimited(retryMs, (seconds) => `${most}; try again in ${seconds} s.`)
  }

  async function inTurn<Value>(orgId: OrgId, work: () => Promise<Value>): Promise<Value> {
    await gate.enter('', clock.nowMs(), orgId)
    try {
      return await work()
    } finally {
      gate.leave('', orgId)
    }
  }

  function convertedInTurn(
    orgId: OrgId,
    file: ForeignFile | MonitorText,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const most = file.product === 'script' ? scriptBounds : bounds
    return inTurn(orgId, () => convert(file, most, { clock, signal }))
  }

  async function textOf(
    orgId: OrgId,
    site: ForeignSite,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    await fetching.enter('', clock.nowMs(), orgId)
    try {
      return await fetch(site, { signal, orgId, msMax: fetchMsMax })
    } finally {
      fetching.leave('', orgId)
    }
  }

  /** `pointer`: the field that a refusal of the conversion is about. */
  async function alone<Value>(
    orgId: OrgId,
    pointer: string,
    work: () => Promise<Value>,
  ): Promise<Value> {
    refuseTooMany(orgId)
    busy.add(orgId)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ForeignFileRefused)) throw error
      throw invalidField(pointer, 'format', error.message)
    } finally {
      busy.delete(orgId)
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
      const { product, text } = file
      const more = 'more' in file ? (file.more ?? []) : []
      const chars = more.reduce((sum, one) => sum + one.text.length, text.length)
      if (isInFiles(product) && chars > foreignYamlCharsMax) {
        const most = `must have at most ${foreignYamlCharsMax} characters of YAML`
        throw invalidField(
          '/text',
          'maxLength',
          `${most}; stillup import --from ${product} takes more`,
        )
      }
      return alone(orgId, '/text', () => convertedInTurn(orgId, file, signal))
    },

    /** The document of data of Uptime Kuma, and its past. Throws as `run` does. */
    kuma({ orgId }: OrgScope, place: KumaPlace, signal?: AbortSignal): Promise<OpenKuma> {
      const frame = { clock, signal, nowMs: clock.nowMs() }
      return alone(orgId, '/file', () => inTurn(orgId, () => openKuma(place, kumaBounds, frame)))
    },

    /**
     * The JSON of a ConvertedFile, made of what the API of another product tells. Throws validation_failed if it
     * tells nothing that it should, rate_limited, unavailable.
     */
    fetched({ orgId }: OrgScope, site: ForeignSite, signal?: AbortSignal): Promise<string> {
      return alone(orgId, '/url', async () => {
        const text = await textOf(orgId, site, signal)
        return convertedInTurn(orgId, { product: site.product, text }, signal)
      })
    },
  }
}
