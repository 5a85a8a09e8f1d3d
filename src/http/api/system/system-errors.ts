// The API of error reports from clients, agents and the service itself.
import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ErrorRecord } from '../../../domain/system/error-report.ts'
import { list, post, resource, wirePage } from '../../routing/route.ts'

const ReportIn = s.object({
  message: s.text({ charsMin: 1, charsMax: limits.errorMessageTextMax }),
  stack: s.optional(s.text({ charsMax: limits.errorStackTextMax })),
  context: s.optional(s.mapOf(s.anything, limits.errorContextKeysMax)),
  source: s.preset(
    s.text({
      charsMax: limits.errorSourceCharsMax,
      pattern: '^[A-Za-z0-9][\\w.@/ -]*$',
      rule: 'must be a name of letters, digits, spaces and . _ @ / -',
    }),
    'client',
  ),
})

const ErrorOut = s.object({
  id: s.idOf('error'),
  fingerprint: Type.String(),
  source: Type.String(),
  message: Type.String(),
  stack: s.nullable(Type.String()),
  context: s.mapOf(s.anything, limits.errorContextKeysMax),
  reporter: s.object({ kind: Type.String(), id: s.nullable(Type.String()) }),
  count: Type.Integer(),
  firstSeenAt: s.isoTime,
  lastSeenAt: s.isoTime,
})

const toWire = (record: ErrorRecord) => ({
  ...record,
  firstSeenAt: s.toIso(record.firstSeenAtMs),
  lastSeenAt: s.toIso(record.lastSeenAtMs),
})

export const systemErrors = resource('/system', {
  reportError: post('/errors', {
    who: { optional: true },
    summary: 'Report an error; repeated reports of the same error are counted',
    body: ReportIn,
    bodyBytesMax: limits.errorBodyBytesMax,
    out: s.object({ fingerprint: Type.String() }),
    message: 'Error noted',
  }).handledBy(({ caller, body }, { errorReports }) => errorReports.report(caller, body)),
  errors: list('/errors', {
    who: { system: true },
    summary: 'Errors by kind, most recent first',
    out: ErrorOut,
  }).handledBy(({ page }, { errorReports }) => wirePage(errorReports.list(page), toWire)),
})
