// The API of how the service is doing, for its administrator: its own history, and its health.
import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { findingStatuses } from '../../../services/doctor/model/finding.ts'
import type { HealthView } from '../../../services/doctor/system-health.ts'
import { systemPointsMax, systemRanges } from '../../../services/system/system-charts.ts'
import { withTimes } from '../../output/times.ts'
import { get, post, resource } from '../../routing/route.ts'

const who = { system: true } as const
const count = Type.Integer({ minimum: 0 })
const measured = (description: string) => s.nullable(s.anyNumber, description)

const PointOut = s.object({
  from: s.described(s.isoTime, 'When its span of pointSeconds begins'),
  checksPerSecond: measured('Results of checks that were stored, a second'),
  latenessP50Ms: measured('How late checks began, in the middle; null without checks'),
  latenessP99Ms: measured('How late the slowest of 100 checks began'),
  waiting: measured('Alerts that waited to be sent'),
  memoryBytes: measured('The memory of the process (resident set)'),
  dataBytes: measured('What was in use of data.mdb'),
  diskFreeBytes: measured('What was free on the disk of the data'),
  loopDelayP99Ms: measured('By how much the slowest of 100 turns of the event loop was late'),
  errors: measured('Errors in the log'),
})

const HistoryOut = s.object({
  from: s.isoTime,
  to: s.isoTime,
  pointSeconds: s.described(count, 'How long the span of a point is'),
  points: s.described(
    s.listOf(PointOut, systemPointsMax),
    'Oldest first. Times in which the daemon did not run have none. A point that is longer than a ' +
      'minute has the mean of usual values, the highest of the others, the sum of errors, and sizes ' +
      'as at its end',
  ),
  disk: s.described(
    s.object({
      state: s.described(
        s.oneOf(['fills', 'short', 'steady', 'unclear']),
        'short: there is too little history to say. steady: it does not fill within a year. ' +
          'unclear: it fills and empties without a trend',
      ),
      fullAt: s.nullable(s.isoTime, 'When less than 128 MiB will be free; null unless it fills'),
      bytesPerDay: s.nullable(count, 'What is taken of it in a day; null unless it fills'),
    }),
    'A line through what was free in the last 14 days',
  ),
})

const findingsMax = 500

const HealthOut = s.object({
  checkedAt: s.described(s.isoTime, 'When this was looked at'),
  isWell: s.described(s.flag, 'Whether there is no problem; warnings do not count'),
  findingCounts: s.object({ problem: count, warning: count, ok: count, skipped: count }),
  findings: s.listOf(
    s.object({
      check: s.described(s.anyText, 'What belongs together: settings, daemon, disk, mail, …'),
      subject: s.described(s.anyText, 'What was looked at'),
      status: s.described(
        s.oneOf(findingStatuses),
        'warning: needs attention. skipped: could not be looked at, or does not apply',
      ),
      seen: s.described(s.anyText, 'What was seen, in English'),
      advice: s.nullable(Type.String(), 'What to do about it, in English'),
    }),
    findingsMax,
  ),
})

const healthTimes = withTimes('checkedAt')
const healthToWire = (health: HealthView) => ({
  ...healthTimes(health),
  findings: health.findings.slice(0, findingsMax),
  isWell: health.findingCounts.problem === 0,
})

const spanTimes = withTimes('from', 'to')
const pointTimes = withTimes('from')
const diskTimes = withTimes('fullAt')

export const systemCondition = resource('/system', {
  history: get('/history', {
    who,
    summary: 'How the service was: checks, lateness, alerts that wait, memory, disk, errors',
    description:
      'The service remembers a point a minute for a day, and one an hour for 90 days. Points of the ' +
      'last minutes are lost if the process is killed.',
    query: s.object({
      range: s.preset(
        s.oneOf(systemRanges),
        'day',
        'Which time: in points of a minute, 5 minutes, an hour, or 6 hours.',
      ),
    }),
    out: HistoryOut,
    isLarge: true,
  }).handledBy(({ query }, { systemCharts }) => {
    const { points, disk, pointMs, ...span } = systemCharts.of(query.range)
    return {
      ...spanTimes(span),
      pointSeconds: pointMs / 1_000,
      points: points.map(pointTimes),
      disk: diskTimes(disk),
    }
  }),
  health: get('/health', {
    who,
    summary: 'The health of this installation: what is wrong, and what to do about it',
    description:
      'The checks of `stillup doctor`, made by the running service. An answer is at most 10 minutes ' +
      'old; a new one takes up to 10 seconds. The service calls nothing but its own addresses, name ' +
      'servers and mail server.',
    out: HealthOut,
  }).handledBy(async (_call, { systemHealth }) => healthToWire(await systemHealth.read())),
  checkHealth: post('/health', {
    who,
    summary: 'Look at the health of this installation again',
    out: HealthOut,
    message: 'Checked',
  }).handledBy(async (_call, { systemHealth }) => healthToWire(await systemHealth.check())),
})
