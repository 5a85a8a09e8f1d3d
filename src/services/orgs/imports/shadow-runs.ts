// Shadow runs: what imported monitors would have told beside what the other product told, and where it tells us.

import { LRUCache } from 'lru-cache'
import { notFound } from '../../../base/fault.ts'
import { asId, type ImportId, type MonitorId, newId } from '../../../base/ids.ts'
import { createYielder } from '../../../base/yielding.ts'
import { reaches } from '../../../domain/access.ts'
import type { CheckRow } from '../../../domain/checks/check-row.ts'
import type { ImportRecord } from '../../../domain/imports/import-record.ts'
import { isTest, type SaidAlert, saidAlerts } from '../../../domain/imports/shadow/their-alerts.ts'
import {
  beganMs,
  type ShadowLine,
  type ShadowLineKind,
} from '../../../domain/imports/shadow-report.ts'
import { withAlert } from '../../../domain/imports/their-word.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Monitor } from '../../../domain/monitors/monitor.ts'
import type { ShadowTokens } from '../../../seal/id-token.ts'
import { isOrgOff } from '../../../store/org-state.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import { createGoingLive, type GoingLiveDeps } from './going-live.ts'
import type { OfOrg, ShadowComparison, ShadowCounts, ShadowImport } from './shadow-comparison.ts'

export interface ShadowRunsDeps extends Omit<GoingLiveDeps, 'monitorsOf' | 'found'> {
  readonly comparison: ShadowComparison
  readonly tokens: ShadowTokens
}

/** Which lines of a report are shown. */
export interface ShadowFilter {
  readonly kind?: ShadowLineKind | undefined
  readonly monitorId?: MonitorId | undefined
  /** Only those that began before this time. */
  readonly beforeMs?: number | undefined
  readonly limit: number
}

export interface ShownShadowLine extends ShadowLine {
  /** Our results around it, oldest first. */
  readonly evidence: readonly CheckRow[]
}

export interface ShadowReport {
  readonly sinceMs: number
  /** Monitors of which nobody hears. */
  readonly monitors: number
  /** Monitors that went live since. */
  readonly live: number
  readonly counts: ShadowCounts
  /** Where the other product tells its alerts. Null for whom it is not: whoever has it can add to the report. */
  readonly reportUrl: string | null
  /** When it told one last; null: it has not. */
  readonly toldAtMs: number | null
  /** Newest first. */
  readonly lines: readonly ShownShadowLine[]
  /** How many more match the filter. */
  readonly more: number
}

/** What was taken of a request of the other product. */
export interface HeardAlerts {
  /** Alerts that are in the report now. */
  readonly taken: number
  /** The names of those that are of no monitor of the run. */
  readonly unknown: readonly string[]
  /** Why there was nothing to take, in a sentence; null: there was something, or it was a test. */
  readonly note: string | null
}

/** How long the names of the monitors of a run are kept for the alerts of the other product. */
const namesKeptMs = 60_000
const runsNamed = 100

export function createShadowRuns(core: Core, deps: ShadowRunsDeps) {
  const { store, clock, audit, baseUrl } = core
  const { comparison, tokens } = deps
  const named = new LRUCache<ImportId, Names>({
    max: runsNamed,
    ttl: namesKeptMs,
    perf: { now: clock.monoMs },
  })

  function found({ orgId }: OfOrg, text: string): ShadowImport {
    const id = asId('import', text)
    const record = id && store.imports.get(orgId, id)
    if (!record) throw notFound('import')
    const { shadow } = record
    if (!shadow) throw notFound('shadow run')
    return { ...record, shadow }
  }

  const addressOf = ({ orgId, id: importId, shadow: { addressId } }: ShadowImport): string =>
    `${baseUrl}/api/v1/shadow/${tokens.token({ orgId, importId, addressId })}`

  /** The monitors of a run by their names; null: two have it. Yields to other work. */
  async function namesOf({ orgId, id }: ShadowImport): Promise<Names> {
    const known = named.get(id)
    if (known) return known
    const yielder = createYielder(clock, limits.turnMs)
    const names = new Map<string, MonitorId | null>()
    for (const monitor of comparison.monitorsOf({ orgId }, id)) {
      const key = nameKey(monitor.name)
      names.set(key, names.has(key) ? null : monitor.id)
      if (yielder.isDue()) await yielder.pause()
    }
    named.set(id, names)
    return names
  }

  function monitorMeant(
    { orgId, id, source }: ImportRecord,
    names: Names,
    said: SaidAlert,
  ): Monitor | undefined {
    const byOrigin = source
      ? said.origins.map((origin) => {
          const known = store.importOrigins.get({ orgId, source, list: 'monitors', origin })
          return known?.id as MonitorId | undefined
        })
      : []
    const byName = said.names.map((name) => names.get(nameKey(name)))
    const monitorId = [...byOrigin, ...byName].find((one) => one != null)
    const monitor = monitorId && store.monitors.readable(orgId, monitorId)
    return monitor?.shadow?.importId === id ? monitor : undefined
  }

  /** Throws not_found for a token that we did not make, or that was replaced. */
  function heardAt(token: string): ShadowImport {
    const subject = tokens.read(token)
    if (!subject || isOrgOff(store, subject.orgId)) throw notFound('shadow run')
    const record = found(subject, subject.importId)
    if (record.shadow.addressId !== subject.addressId) throw notFound('shadow run')
    return record
  }

  return {
    /** The imports whose monitors are silent, and how many. */
    list: ({ orgId }: OrgScope) =>
      [...store.monitors.silentCounts(orgId)].map(([importId, monitors]) => ({
        importId,
        monitors,
      })),

    /** How the run has gone so far. Yields to other work. Throws not_found. */
    async report(scope: OrgScope, importId: string, filter: ShadowFilter): Promise<ShadowReport> {
      const record = found(scope, importId)
      const { counts, lines, silent, live } = await comparison.compare(scope, record)
      const { kind, monitorId, beforeMs = Number.POSITIVE_INFINITY, limit } = filter
      const fitting = lines
        .filter((line) => kind === undefined || line.kind === kind)
        .filter((line) => monitorId === undefined || line.monitorId === monitorId)
        .filter((line) => beganMs(line) < beforeMs)
        .toSorted((a, b) => beganMs(b) - beganMs(a))
      const shown = fitting.slice(0, limit)
      return {
        sinceMs: record.shadow.sinceMs,
        monitors: silent,
        live,
        counts,
        reportUrl: reaches(scope.role, 'admin') ? addressOf(record) : null,
        toldAtMs: record.shadow.toldAtMs ?? null,
        lines: shown.map((line) => ({ ...line, evidence: comparison.evidenceOf(scope, line) })),
        more: fitting.length - shown.length,
      }
    },

    /**
     * Takes what the other product tells: JSON, or the fields of a form. What says nothing of a monitor, such as a
     * test, shows that we are told. Throws not_found for a token that
     * we did not make, or that was replaced.
     */
    async hear(token: string, body: unknown): Promise<HeardAlerts> {
      const alerts = saidAlerts(body)
      const names = await namesOf(heardAt(token))
      return store.write((tx) => {
        // The address may have been replaced meanwhile.
        const record = heardAt(token)
        const atMs = clock.nowMs()
        const { toldFromMs = atMs } = record.shadow
        store.imports.put(tx, {
          ...record,
          shadow: { ...record.shadow, toldFromMs, toldAtMs: atMs },
        })
        const unknown: string[] = []
        for (const said of alerts) {
          const monitor = monitorMeant(record, names, said)
          if (!monitor) {
            unknown.push(said.names[0] ?? said.origins[0] ?? '')
            continue
          }
          const word = store.theirWords.get(monitor.orgId, monitor.id)
          const { isDown, text } = said
          store.theirWords.put(tx, withAlert(word, { isDown, text, atMs }))
        }
        const note = alerts.length > 0 || isTest(body) ? null : nothingSaid
        return { taken: alerts.length - unknown.length, unknown, note }
      })
    },

    /**
     * Gives the other product a new address; at the one before nothing is heard any more, from now on. Throws
     * not_found.
     */
    replaceAddress: (scope: OrgScope, importId: string) =>
      store.write((tx) => {
        const { shadow, ...others } = found(scope, importId)
        const addressId = newId('request', clock.nowMs())
        const record = { ...others, shadow: { ...shadow, addressId } }
        store.imports.put(tx, record)
        audit.note(tx, scope, { action: 'import.address_replaced', objectId: record.id })
        return { reportUrl: addressOf(record) }
      }),

    goLive: createGoingLive(core, { ...deps, monitorsOf: comparison.monitorsOf, found }),
  }
}

/** The monitors of a run by their names; null: two have it. */
type Names = ReadonlyMap<string, MonitorId | null>

const nothingSaid =
  'It says of no monitor that it is down, or up again: send name, and status with down or up.'

const nameKey = (name: string): string => name.trim().toLowerCase()
