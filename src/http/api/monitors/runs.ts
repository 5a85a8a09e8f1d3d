// The API of the runs of a push monitor, and of its token.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { type Run, runStatuses } from '../../../domain/monitors/run.ts'
import type { RunWithLog } from '../../../services/monitors/runs.ts'
import { withTimes } from '../../output/times.ts'
import { get, list, post, resource, wirePage } from '../../routing/route.ts'

const RunOut = s.object({
  number: s.described(s.anyNumber, 'Counts the kept runs of the monitor.'),
  status: s.described(
    s.oneOf(runStatuses),
    '`timeout`: it did not end within maxRunSeconds. `lost`: no end can be reported any more. ' +
      '`log`: only a log was sent.',
  ),
  startedAt: s.nullable(
    s.isoTime,
    'When the start was reported, or the end less the duration. Null if neither is known.',
  ),
  endedAt: s.nullable(s.isoTime, 'When the end was reported.'),
  durationMs: s.nullable(
    s.anyNumber,
    'As the sender reported it, else the time from start to end.',
  ),
  exitCode: s.nullable(s.anyNumber, 'Null if none was reported.'),
  runId: s.nullable(s.anyText, 'What the sender calls the run.'),
  message: s.nullable(s.anyText, 'The message of the newest report of the run.'),
  hasLog: s.described(s.flag, 'Whether output of the run is kept.'),
})

const keptKiB = limits.runLogBytesMax / 1_024
const RunWithLogOut = s.object({
  ...RunOut.properties,
  log: s.nullable(
    s.anyText,
    `The last ${keptKiB} KiB of the output, as it was sent. Null for viewers, and without output.`,
  ),
})

const TokenIn = s.object({
  revokeNow: s.optional(
    s.flag,
    'True ends the old token at once. Default: it works for another day.',
  ),
})
const TokenOut = s.object({
  pushToken: s.nullable(s.anyText, 'The new token, which authorizes reports.'),
  pushUrl: s.nullable(s.anyText, 'The address for reports.'),
  formerTokenUntil: s.nullable(s.isoTime, 'Until when the old token works. Null: it does not.'),
})

const runTimes = withTimes('startedAt', 'endedAt')
const runToWire = (run: Run) => runTimes(run)
const runWithLogToWire = (run: RunWithLog) => runTimes(run)

export const monitorRuns = resource('/orgs/:orgId/monitors', {
  runs: list('/:monitorId/runs', {
    who: { role: 'viewer' },
    out: RunOut,
    summary: 'Runs of a push monitor, newest first',
    description:
      `The newest ${limits.runsKept} are kept. A report makes a run if it has a start, an exit ` +
      'code, a runId or output, or reports an error; one that says only that all is well is a ' +
      'result like any other.',
  }).handledBy(({ scope, params, page }, { runs }) =>
    wirePage(runs.list(scope, params.monitorId, page), runToWire),
  ),
  oneRun: get('/:monitorId/runs/:number', {
    who: { role: 'viewer' },
    out: RunWithLogOut,
    patterns: { number: '^[1-9][0-9]{0,14}$' },
    summary: 'One run of a push monitor; members also see its output',
  }).handledBy(({ scope, params }, { runs }) =>
    runWithLogToWire(runs.get(scope, params.monitorId, params.number)),
  ),
  replaceToken: post('/:monitorId/push-token', {
    who: { role: 'member' },
    example: { revokeNow: false },
    body: TokenIn,
    out: TokenOut,
    message: 'Push token replaced',
    summary: 'Replace the token of a push monitor',
    description:
      'The old token works for another day, unless revokeNow is set. Only push monitors have one.',
  }).handledBy(async ({ scope, params, body }, { monitors }) => {
    const { formerTokenUntilMs, ...token } = await monitors.replaceToken(
      scope,
      params.monitorId,
      body,
    )
    return { ...token, formerTokenUntil: s.toIsoOrNull(formerTokenUntilMs) }
  }),
})
