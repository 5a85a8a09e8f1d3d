// The API of error reports from clients, agents and the service itself.
import Type from 'typebox'
import {
  anything,
  idOf,
  isoTime,
  mapOf,
  nullable,
  object,
  optional,
  preset,
  text,
  toIso,
} from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ErrorRecord } from '../../../domain/system/error-report.ts'
import { list, post, resource, wirePage } from '../../routing/route.ts'

const ReportIn = object({
  message: text({ charsMin: 1, charsMax: limits.errorMessageTextMax }),
  stack: optional(text({ charsMax: limits.errorStackTextMax })),
  context: optional(mapOf(anything, limits.errorContextKeysMax)),
  source: preset(
    text({
      charsMax: limits.errorSourceCharsMax,
      pattern: '^[A-Za-z0-9][\\w.@/ -]*$',
      rule: 'must be a name of letters, digits, spaces and . _ @ / -',
    }),
    'client',
  ),
})

const ErrorOut = object({
  id: idOf('error'),
  fingerprint: Type.String(),
  source: Type.String(),
  message: Type.String(),
  stack: nullable(Type.String()),
  context: mapOf(anything, limits.errorContextKeysMax),
  reporter: object({ kind: Type.String(), id: nullable(Type.String()) }),
  count: Type.Integer(),
  firstSeenAt: isoTime,
  lastSeenAt: isoTime,
})

const toWire = (record: ErrorRecord) => ({
  ...record,
  firstSeenAt: toIso(record.firstSeenAtMs),
  lastSeenAt: toIso(record.lastSeenAtMs),
})

export const systemErrors = resource('/system', {
  reportError: post(
    '/errors',
    {
      who: { optional: true },
      summary: 'Report an error; repeated reports of the same error are counted',
      body: ReportIn,
      bodyBytesMax: limits.errorBodyBytesMax,
      out: object({ fingerprint: Type.String() }),
      message: 'Error noted',
    },
    ({ caller, body }, { errorReports }) => errorReports.report(caller, body),
  ),
  errors: list(
    '/errors',
    { who: { system: true }, summary: 'Errors by kind, most recent first', out: ErrorOut },
    ({ page }, { errorReports }) => wirePage(errorReports.list(page), toWire),
  ),
})
