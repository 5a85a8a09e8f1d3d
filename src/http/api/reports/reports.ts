// The API of monthly reports: signed statements of uptime, and the page that prints well.
import * as s from '../../../base/schema/schema.ts'
import { errorKinds } from '../../../domain/checks/reading.ts'
import { severities } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { toText } from '../../../pages/html.ts'
import { reportPage, reportPageHeaders } from '../../../pages/report-page.ts'
import { languages } from '../../../texts/languages.ts'
import { monthIn } from '../../input/times.ts'
import { get, type PlainAnswer, resource } from '../../routing/route.ts'

const month = s.optional(
  monthIn('In UTC. Default: the last complete month. The running month is allowed.'),
)

const ReportQuery = s.object({ month })

const ReportPageQuery = s.object({
  month,
  language: s.optional(
    s.described(
      { ...s.oneOf(languages), examples: ['de'] },
      'Of the page, as a BCP 47 code. Default: what Accept-Language asks for.',
    ),
  ),
})

const ratioOut = (description: string) => s.described(s.anyNumber, description)

const ReportOut = s.object({
  type: s.oneOf(['stillup.uptime-report']),
  version: s.anyNumber,
  keyId: s.described(s.anyText, 'The key that signed.'),
  generatedAt: s.isoTime,
  product: s.object({ name: s.anyText, version: s.anyText }),
  service: s.described(s.anyText, 'The address of this service.'),
  organization: s.object({ id: s.idOf('org'), name: s.anyText }),
  monitor: s.object({ id: s.idOf('monitor'), name: s.anyText, checkType: s.anyText }),
  period: s.object({
    month: s.anyText,
    from: s.isoTime,
    to: s.described(
      s.isoTime,
      'The first moment after it; in a running month: until when it counts.',
    ),
    isComplete: s.described(s.flag, 'False for the running month.'),
  }),
  seconds: s.described(
    s.object({
      total: s.anyNumber,
      up: s.anyNumber,
      degraded: s.anyNumber,
      down: s.anyNumber,
      maintenance: s.anyNumber,
      paused: s.anyNumber,
      unknown: s.described(s.anyNumber, 'Nobody looked, or could look.'),
    }),
    'The states together are the total.',
  ),
  coverage: ratioOut('The share of the period that counts: up, degraded or down. From 0 to 1.'),
  uptimeRatio: s.nullable(
    s.anyNumber,
    'The share of the counted time in which it was up or degraded, cut after six digits. Null: none ' +
      'counts.',
  ),
  objectivePercent: s.nullable(s.anyNumber, 'The sloPercent of the monitor.'),
  incidents: s.described(
    s.listOf(
      s.object({
        id: s.idOf('incident'),
        severity: s.oneOf(severities),
        isDeclared: s.described(
          s.flag,
          'A person declared it: `seconds` of the states come from checks alone.',
        ),
        causeKind: s.nullable(
          s.oneOf(errorKinds),
          'Null for slowness, and for what a person declared.',
        ),
        startedAt: s.isoTime,
        endedAt: s.nullable(s.isoTime, 'Null: still open.'),
        seconds: s.described(s.anyNumber, 'As far as it lies in the period.'),
      }),
      limits.reportIncidentsMax,
    ),
    'Oldest first.',
  ),
  incidentsTotal: s.anyNumber,
})

const SignedReportOut = s.object({
  statement: s.described(s.anyText, 'The signed text: the report as JSON.'),
  signature: s.described(s.anyText, 'Of the UTF-8 bytes of `statement`, as base64.'),
  publicKey: s.described(s.anyText, '32 bytes as base64; also at /.well-known/stillup.json.'),
  keyId: s.anyText,
  algorithm: s.oneOf(['Ed25519']),
  report: s.described(ReportOut, 'The statement, for reading.'),
})

const who = { role: 'viewer' } as const

export const reports = resource('/orgs/:orgId/monitors', {
  report: get('/:monitorId/report', {
    who,
    summary: 'The signed uptime report of a month',
    description:
      'Seconds in each state, the uptime, and every incident. `stillup verify-report` or any Ed25519 ' +
      'library verifies the signature without this service.',
    query: ReportQuery,
    out: SignedReportOut,
  }).handledBy(({ scope, params, query }, { reports }) => {
    const signed = reports.of(scope, params.monitorId, query.month)
    return { ...signed, algorithm: 'Ed25519' as const }
  }),
  reportPage: get('/:monitorId/report.html', {
    who,
    summary: 'The same report as a page that prints well',
    query: ReportPageQuery,
    plain: { status: 200, contentType: 'text/html' },
  }).handledBy(({ caller, scope, params, query }, { reports }): PlainAnswer => {
    const signed = reports.of(scope, params.monitorId, query.month)
    return {
      plain: true,
      status: 200,
      contentType: 'text/html; charset=utf-8',
      headers: reportPageHeaders,
      body: toText(reportPage(signed, query.language ?? caller.language)),
    }
  }),
})
