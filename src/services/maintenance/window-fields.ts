// The fields of a maintenance window: merge patches, and the rules that they must keep.
import type { FieldProblem } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { isForEvery, type WindowScope } from '../../domain/maintenance/coverage.ts'
import { isEndless, type WindowTimes } from '../../domain/maintenance/occurrences.ts'
import type { MaintenanceWindow } from '../../domain/maintenance/window.ts'
import { type Changes, type Clearable, patched } from '../../domain/merge-patch.ts'
import { cronProblem } from '../../domain/schedule/cron.ts'
import type { Store } from '../../store/store.ts'

type PlainFields = Pick<MaintenanceWindow, 'description' | 'monitorIds' | 'tags' | 'isPublic'>

const defaults: PlainFields = { description: null, monitorIds: [], tags: [], isPublic: false }

/** The fields that callers set. Undefined keeps a field, null restores its default. */
export interface WindowChanges extends Changes<PlainFields> {
  readonly name?: string | undefined
  /** Absent: a window without monitors and tags is for every monitor. */
  readonly isForAll?: Clearable<boolean>
  /** ISO 8601. */
  readonly startsAt?: Clearable<string>
  readonly endsAt?: Clearable<string>
  readonly cron?: Clearable<string>
  readonly durationMinutes?: Clearable<number>
  /** The default is that of the organization. */
  readonly timezone?: Clearable<string>
}

/** When the window is on, as callers state it. */
export interface TimeFields {
  readonly startsAtMs: number | null
  readonly endsAtMs: number | null
  readonly cron: string | null
  readonly durationMinutes: number | null
  readonly timezone: string | null
}

const noTimes: TimeFields = {
  startsAtMs: null,
  endsAtMs: null,
  cron: null,
  durationMinutes: null,
  timezone: null,
}

export function timeFieldsOf({ times }: Pick<MaintenanceWindow, 'times'>): TimeFields {
  if (times.kind === 'once') {
    const { startsAtMs, endsAtMs } = times
    return { ...noTimes, startsAtMs, endsAtMs }
  }
  const { cron, durationMinutes, timezone } = times
  return { ...noTimes, cron, durationMinutes, timezone }
}

export type WindowFields = PlainFields & Pick<MaintenanceWindow, 'name' | 'times'>

export interface MergedWindow {
  readonly problems: readonly FieldProblem[]
  /** The fields, which are valid only if there are no problems. */
  readonly fields: WindowFields
}

interface MergeOptions {
  readonly before?: MaintenanceWindow | undefined
  readonly nowMs: number
  /** An exported window may be over by the time that it is imported. */
  readonly mayBeOver?: boolean
}

/** Judges fields in the transaction that writes, because a named monitor may just have been deleted. */
export function createWindowFields(store: Pick<Store, 'monitors' | 'orgs'>) {
  function monitorProblems(
    orgId: OrgId,
    { monitorIds }: WindowChanges,
    before: readonly MonitorId[],
  ): FieldProblem[] {
    // One that was deleted stays: without it, a window could be for every monitor.
    return (monitorIds ?? []).flatMap((id, index) => {
      if (before.includes(id) || store.monitors.readable(orgId, id)) return []
      const message = 'is not a monitor of this organization'
      return [{ pointer: `/monitorIds/${index}`, keyword: 'reference', message }]
    })
  }

  return {
    /** What is wrong with fields whose shape is right, whatever the other fields are. */
    problems(orgId: OrgId, changes: WindowChanges): FieldProblem[] {
      return [...monitorProblems(orgId, changes, []), ...cronProblems(changes)]
    },

    merged(orgId: OrgId, changes: WindowChanges, options: MergeOptions): MergedWindow {
      const { before } = options
      const problems = monitorProblems(orgId, changes, before?.monitorIds ?? [])
      const old = before ? timeFieldsOf(before) : noTimes
      const { timezone } = localeOf(store.orgs.get(orgId))
      const wanted = mergedTimes(old, changes, timezone)
      const isSame = JSON.stringify(wanted) === JSON.stringify(old)
      const { times, problems: timeProblems } =
        before && isSame ? { times: before.times, problems: [] } : timesOf(wanted, options)
      const plain = patched(defaults, before, changes)
      const monitorIds = [...new Set(plain.monitorIds)]
      const tags = [...new Set(plain.tags)]
      const scopeProblems = contradictions(changes, { monitorIds, tags })
      return {
        problems: [...problems, ...scopeProblems, ...timeProblems],
        fields: {
          name: changes.name ?? before?.name ?? '',
          ...plain,
          monitorIds,
          tags,
          times,
        },
      }
    },
  }
}

/** A caller that says whether every monitor is meant gets no other window by mistake. */
function contradictions({ isForAll }: WindowChanges, scope: WindowScope): FieldProblem[] {
  if (typeof isForAll !== 'boolean' || isForAll === isForEvery(scope)) return []
  const message = isForAll
    ? 'must be false, or absent, where monitorIds or tags name something'
    : 'must be true, or absent, where monitorIds and tags are empty'
  return [{ pointer: '/isForAll', keyword: 'dependency', message }]
}

/** Naming the fields of one kind clears the fields of the other, unless they are given too. */
function mergedTimes(before: TimeFields, changes: WindowChanges, usualZone: string): TimeFields {
  const { cron, startsAt, endsAt, durationMinutes, timezone } = changes
  const becomesRecurring = typeof cron === 'string' && before.cron === null
  const becomesOnce = (typeof startsAt === 'string' || cron === null) && before.cron !== null
  const known = becomesRecurring || becomesOnce ? noTimes : before
  const merged = {
    startsAtMs: startsAt === undefined ? known.startsAtMs : timeOf(startsAt),
    endsAtMs: endsAt === undefined ? known.endsAtMs : timeOf(endsAt),
    cron: cron === undefined ? known.cron : cron,
    durationMinutes: durationMinutes === undefined ? known.durationMinutes : durationMinutes,
    timezone: timezone === undefined ? known.timezone : timezone,
  }
  return merged.cron === null ? merged : { ...merged, timezone: merged.timezone ?? usualZone }
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}

interface CheckedTimes {
  readonly times: WindowTimes
  readonly problems: readonly FieldProblem[]
}

/** Both kinds fit the type also where they have problems: then nobody uses them. */
function timesOf(fields: TimeFields, options: MergeOptions): CheckedTimes {
  return fields.cron === null
    ? singleTimes(fields, options)
    : recurringTimes(fields, fields.cron, options.nowMs)
}

function singleTimes(fields: TimeFields, { nowMs, mayBeOver }: MergeOptions): CheckedTimes {
  const { startsAtMs, endsAtMs } = fields
  const problems: FieldProblem[] = []
  const refuse = (field: string, keyword: string, message: string) =>
    void problems.push({ pointer: `/${field}`, keyword, message })
  if (fields.durationMinutes !== null) refuse('durationMinutes', 'dependency', 'requires cron')
  if (fields.timezone !== null) refuse('timezone', 'dependency', 'requires cron')
  if (startsAtMs === null) refuse('startsAt', 'required', 'is required, unless cron is given')
  if (endsAtMs === null) refuse('endsAt', 'required', 'is required, unless cron is given')
  if (Number.isNaN(startsAtMs)) refuse('startsAt', 'format', 'must be a time that exists')
  if (Number.isNaN(endsAtMs)) refuse('endsAt', 'format', 'must be a time that exists')
  const times = { kind: 'once', startsAtMs: startsAtMs ?? 0, endsAtMs: endsAtMs ?? 0 } as const
  if (problems.length > 0) return { times, problems }
  const lengthMs = times.endsAtMs - times.startsAtMs
  const days = limits.maintenanceDaysMax
  if (lengthMs <= 0) refuse('endsAt', 'minimum', 'must be after startsAt')
  else if (lengthMs > days * 86_400_000) {
    refuse('endsAt', 'maximum', `must be at most ${days} days after startsAt`)
  } else if (!mayBeOver && times.endsAtMs <= nowMs) {
    refuse('endsAt', 'minimum', 'must be in the future')
  }
  return { times, problems }
}

function recurringTimes(fields: TimeFields, cron: string, nowMs: number): CheckedTimes {
  const { durationMinutes, timezone } = fields
  const problems: FieldProblem[] = []
  const refuse = (field: string, keyword: string, message: string) =>
    void problems.push({ pointer: `/${field}`, keyword, message })
  for (const field of ['startsAt', 'endsAt'] as const) {
    if (fields[`${field}Ms`] === null) continue
    refuse(field, 'dependency', 'must be absent with cron: a window is on once, or recurs')
  }
  if (durationMinutes === null) refuse('durationMinutes', 'required', 'is required with cron')
  problems.push(...cronProblems({ cron, timezone }))
  const times = {
    kind: 'recurring',
    cron,
    timezone: timezone ?? '',
    durationMinutes: durationMinutes ?? 1,
    extras: [],
    cuts: [],
  } as const
  if (problems.length === 0 && isEndless(times, nowMs)) {
    const message = 'must be shorter than the time between two runs of cron: it would never end'
    refuse('durationMinutes', 'maximum', message)
  }
  return { times, problems }
}

/** One minute of the hour, or a nickname. More often, windows are no use, and cost every check. */
const oncePerHour = /^\s*(?:@|\d{1,2}\s)/

function cronProblems({ cron, timezone }: WindowChanges): FieldProblem[] {
  if (typeof cron !== 'string') return []
  const problem = cronProblem({ cron, timezone: timezone ?? 'UTC' })
  if (problem) return [{ pointer: `/${problem.field}`, keyword: 'format', message: problem.rule }]
  if (oncePerHour.test(cron)) return []
  const message = 'must begin with one minute of the hour, such as "30 2 * * 0"'
  return [{ pointer: '/cron', keyword: 'format', message }]
}
