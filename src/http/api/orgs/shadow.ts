// The API of the address at which another product tells its alerts during a shadow run.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { parseJsonBody } from '../../input/json-body.ts'
import { parseQuery } from '../../input/query.ts'
import { post, resource, type SentRequest } from '../../routing/route.ts'

/** A message of a webhook. */
const alertBytesMax = 64 * 1024
const alertUnknownMax = 100

const AlertIn = s.mapOf(s.anything, limits.jsonKeysMax)

/** JSON, or the fields of a form; those of the query besides. */
function fieldsOf(sent: SentRequest): unknown {
  const { body, queryText } = sent
  const asked = Object.fromEntries(parseQuery(queryText))
  if (body.length === 0) return asked
  if (/^application\/x-www-form-urlencoded/i.test(sent.header('content-type'))) {
    return { ...asked, ...Object.fromEntries(parseQuery(body.toString())) }
  }
  const parsed = parseJsonBody(body, { keysMax: limits.jsonKeysMax })
  return { ...asked, ...(typeof parsed === 'object' && parsed !== null ? parsed : {}) }
}

export const shadow = resource('/shadow', {
  about: 'Where another product tells its alerts during a shadow run.',
  hear: post('/:token', {
    // Its token has another form, so that the rate counts by the address.
    who: { pathToken: 'spp' },
    rate: 'push',
    unparsed: { headers: ['content-type'] },
    takesText: 'monitorFriendlyName=Shop&alertType=1',
    summary: 'Tell that a monitor of the other product is down, or up again',
    description:
      'The end of the `reportUrl` of a shadow run: the address for a webhook of Uptime Kuma (JSON), Gatus, Healthchecks, ' +
      'UptimeRobot, Better Stack, Alertmanager and others. The monitor is found by its id there or by its name, and its ' +
      'state by the usual fields, such as `status` with `down` or `up`. It only adds to the report of the run.',
    example: { name: 'Shop', status: 'down', message: 'timeout' },
    body: AlertIn,
    bodyBytesMax: alertBytesMax,
    out: s.object({
      taken: s.described(s.anyNumber, 'Alerts that are in the report now.'),
      unknown: s.described(
        s.listOf(s.anyText, alertUnknownMax),
        'What is no monitor of the run, by its name there.',
      ),
    }),
    message: 'Heard',
    problems: [400, 404, 413, 415, 422],
  }).handledBy(({ params, sent }, { shadowRuns }) => shadowRuns.hear(params.token, fieldsOf(sent))),
})
