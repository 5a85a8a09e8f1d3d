// The API of the address at which another product tells its alerts during a shadow run.
import { isRecord } from '../../../base/schema/pick.ts'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { isForm } from '../../input/form-body.ts'
import { parseJsonBody } from '../../input/json-body.ts'
import { isMultipart, multipartFields } from '../../input/multipart-body.ts'
import { parseQuery } from '../../input/query.ts'
import { post, resource, type SentRequest } from '../../routing/route.ts'

/** A message of a webhook. */
const alertBytesMax = 64 * 1024
const alertUnknownMax = 100

const AlertIn = s.mapOf(s.anything, limits.jsonKeysMax)

const jsonBounds = { keysMax: limits.jsonKeysMax }
/** Fields of forms in which products send JSON: Uptime Kuma the first one in a body, the others in a query. */
const jsonFields = ['data', 'heartbeat', 'monitor']

/** Text that is meant as JSON is read as such, whatever its type says: Kuma calls a body of one's own a form. */
function isMeantAsJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** The fields of a form, with what is JSON in them. Throws malformed_json. */
function readForm(pairs: Iterable<readonly [string, string]>): Readonly<Record<string, unknown>> {
  const fields = new Map<string, unknown>(pairs)
  for (const name of jsonFields) {
    const text = fields.get(name)
    if (typeof text !== 'string' || !isMeantAsJson(text)) continue
    fields.set(name, parseJsonBody(Buffer.from(text), jsonBounds))
  }
  const data = fields.get('data')
  return { ...Object.fromEntries(fields), ...(isRecord(data) ? data : {}) }
}

/** JSON, or the fields of a form; those of the query besides. Throws malformed_json. */
async function fieldsOf(sent: SentRequest): Promise<unknown> {
  const { body, queryText } = sent
  const asked = readForm(parseQuery(queryText))
  if (body.length === 0) return asked
  if (isMultipart(sent)) return { ...asked, ...readForm(await multipartFields(body, sent)) }
  const text = body.toString()
  if (isForm(sent) && !isMeantAsJson(text)) return { ...asked, ...readForm(parseQuery(text)) }
  const parsed = parseJsonBody(body, jsonBounds)
  return { ...asked, ...(isRecord(parsed) ? parsed : {}) }
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
      'The end of the `reportUrl` of a shadow run: the address for a webhook of Uptime Kuma, Gatus, Healthchecks, ' +
      'UptimeRobot, Better Stack, Alertmanager and others. The monitor is found by its id there or by its name, and its ' +
      'state by the usual fields, such as `status` with `down` or `up`. The body is JSON, or the fields of a form. It only adds to the report of the run.',
    example: { name: 'Shop', status: 'down', message: 'timeout' },
    body: AlertIn,
    bodyBytesMax: alertBytesMax,
    out: s.object({
      taken: s.described(s.anyNumber, 'Alerts that are in the report now.'),
      unknown: s.described(
        s.listOf(s.anyText, alertUnknownMax),
        'What is no monitor of the run, by its name there.',
      ),
      note: s.nullable(
        s.anyText,
        'Why nothing was taken, where nothing was found in it; null: something was.',
      ),
    }),
    message: 'Heard',
    problems: [400, 404, 413, 415, 422],
  }).handledBy(async ({ params, sent }, { shadowRuns }) =>
    shadowRuns.hear(params.token, await fieldsOf(sent)),
  ),
})
