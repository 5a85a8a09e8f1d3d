// The API of an organization's audit log: as a list, as a file, and verified.

import Type from 'typebox'
import { csvLine } from '../../../base/formats/csv.ts'
import * as s from '../../../base/schema/schema.ts'
import { auditActions, auditOutcomes, chainBreaks } from '../../../domain/audit/audit.ts'
import type { AuditedEntry, AuditFilter, AuditPart } from '../../../services/audit/audit-log.ts'
import { queryNumberMax } from '../../input/query.ts'
import { timeIn } from '../../input/times.ts'
import { withTimes } from '../../output/times.ts'
import { get, list, type PlainAnswer, resource, wirePage } from '../../routing/route.ts'

const auditFilterCharsMax = 64

const filterText = s.text({ charsMin: 1, charsMax: auditFilterCharsMax })
const span = {
  from: s.optional(timeIn, 'Only entries of this time or later.'),
  to: s.optional(timeIn, 'Only entries of this time or earlier.'),
}

export const AuditFilterIn = s.object({
  action: s.optional(filterText, 'Only this action, such as `monitor.created`.'),
  actorId: s.optional(filterText, 'Only what this person, key or channel did.'),
  outcome: s.optional(s.oneOf(auditOutcomes), 'Only entries with this outcome.'),
  ...span,
})

const formats = ['ndjson', 'csv'] as const
export const AuditExportIn = s.object({
  format: s.preset(s.oneOf(formats), 'ndjson', '`ndjson`: one JSON object in each line.'),
  ...span,
  after: s.optional(s.integer(0, queryNumberMax), 'The last sequence of the previous part.'),
})

export const AuditEntryOut = s.object({
  id: s.idOf('audit'),
  sequence: s.described(Type.Integer(), 'Counts the entries of this log, from 1, without gaps.'),
  at: s.isoTime,
  actor: s.object({
    kind: Type.String(),
    id: s.nullable(Type.String()),
    name: s.nullable(Type.String()),
    email: s.nullable(Type.String()),
    sessionId: s.nullable(Type.String()),
  }),
  address: Type.String(),
  requestId: Type.String(),
  action: s.asType<string>({
    type: 'string',
    enum: [...auditActions],
    description: 'What was done, such as `monitor.created`.',
  }),
  objectId: s.nullable(Type.String(), 'The id of what it was done to.'),
  objectName: s.nullable(
    Type.String(),
    'The name that the object has now; null if it is gone or has none.',
  ),
  fields: s.described(Type.Array(Type.String()), 'The names of the fields that changed.'),
  outcome: s.oneOf(auditOutcomes),
  detail: s.nullable(Type.String()),
  previousHash: s.described(Type.String(), '`hash` of the entry before it.'),
  hash: s.described(Type.String(), 'Over all other fields, previousHash included.'),
})

export const ChainOut = s.object({
  ok: s.described(Type.Boolean(), 'Whether the chain is whole.'),
  entries: s.described(Type.Integer(), 'How many entries were verified.'),
  firstSequence: s.nullable(Type.Integer()),
  newestSequence: Type.Integer(),
  headHash: s.described(Type.String(), '`hash` of the newest entry: keep it elsewhere to compare.'),
  brokenAt: s.optional(
    s.object({
      sequence: Type.Integer(),
      id: s.nullable(Type.String()),
      reason: s.oneOf(chainBreaks),
    }),
  ),
})

export const auditEntryToWire = withTimes('at')

interface SpanIn {
  readonly from?: string
  readonly to?: string
}

/** The times of a query as milliseconds. */
export function spanOf({ from, to }: SpanIn): Pick<AuditFilter, 'fromMs' | 'toMs'> {
  return {
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
  }
}

const columns = [
  ...['sequence', 'id', 'at', 'actorKind', 'actorId', 'actorName', 'actorEmail', 'sessionId'],
  ...['address', 'requestId', 'action', 'objectId', 'fields', 'outcome', 'detail'],
  ...['previousHash', 'hash'],
]

function csvOf(entries: readonly AuditedEntry[]): string {
  const lines = entries.map(({ actor, ...entry }) =>
    csvLine([
      ...[entry.sequence, entry.id, s.toIso(entry.atMs)],
      ...[actor.kind, actor.id, actor.name, actor.email, actor.sessionId],
      ...[entry.address, entry.requestId, entry.action, entry.objectId],
      ...[entry.fields.join(' '), entry.outcome, entry.detail, entry.previousHash, entry.hash],
    ]),
  )
  return csvLine(columns) + lines.join('')
}

/** Every hashed field, so that a file can be verified by itself. */
function ndjsonOf(entries: readonly AuditedEntry[]): string {
  return entries
    .map(({ atMs, ...entry }) => `${JSON.stringify({ ...entry, at: s.toIso(atMs), atMs })}\n`)
    .join('')
}

/** The documented responses of a route that returns a file of entries. */
export const auditFileType = {
  status: 200,
  contentType: 'application/x-ndjson',
  orContentType: 'text/csv',
} as const

/** The file of one part of the log; `url` leads to the next part. */
export function auditFile(
  { entries, nextAfter }: AuditPart,
  { format, from, to }: SpanIn & { readonly format: (typeof formats)[number] },
  { url, name }: { readonly url: string; readonly name: string },
): PlainAnswer {
  const headers: (readonly [string, string])[] = [
    ['Content-Disposition', `attachment; filename="${name}.${format}"`],
  ]
  if (nextAfter !== undefined) {
    const query = new URLSearchParams({
      format,
      after: String(nextAfter),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    })
    headers.push(['Link', `<${url}?${query}>; rel="next"`])
  }
  const isCsv = format === 'csv'
  return {
    plain: true,
    status: 200,
    headers,
    contentType: isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    body: isCsv ? csvOf(entries) : ndjsonOf(entries),
  }
}

const who = { role: 'admin' } as const

export const auditLog = resource('/orgs/:orgId/audit-log', {
  about: 'Who did what in an organization. Entries are chained, so that a change shows.',
  list: list('/', {
    who,
    summary: 'What was done in the organization and by whom, newest first',
    query: AuditFilterIn,
    out: AuditEntryOut,
  }).handledBy(({ scope, query, page }, { auditLog }) =>
    wirePage(auditLog.list(scope, { ...query, ...spanOf(query), ...page }), auditEntryToWire),
  ),
  verify: get('/verify', {
    who,
    summary: 'Verify that no entry was changed, removed or inserted',
    out: ChainOut,
  }).handledBy(({ scope, signal }, { auditLog }) => auditLog.verify(scope, signal)),
  export: get('/export', {
    who,
    summary: 'The audit log as a file, oldest first; Link leads to the next part',
    query: AuditExportIn,
    plain: auditFileType,
  }).handledBy(async ({ scope, query, signal }, { auditLog, baseUrl }) => {
    const part = await auditLog.part(scope, { ...query, ...spanOf(query) }, signal)
    const url = `${baseUrl}/api/v1/orgs/${scope.orgId}/audit-log/export`
    return auditFile(part, query, { url, name: `audit-${scope.orgId}` })
  }),
})
