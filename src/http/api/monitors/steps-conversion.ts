// The API of conversions: steps of a monitor from what people paste.

import * as s from '../../../base/schema/schema.ts'
import { Written } from '../../../base/schema/write.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { stepFormats, stepsTextCharsMax } from '../../../domain/steps/convert/convert-to-steps.ts'
import { variablesMax } from '../../../domain/steps/step.ts'
import { post, resource } from '../../routing/route.ts'
import { stepsOut } from './monitor-input-schemas.ts'

/** A text of the most characters, even if JSON escapes many of them. */
const stepsTextBytesMax = 2 * stepsTextCharsMax

const ConvertedStepsOut = s.object({
  format: s.described(s.oneOf(stepFormats), 'What the text was taken for.'),
  name: s.described(s.anyText, 'A name for the monitor.'),
  url: s.described(s.anyText, "For the `url` of the monitor; `''` if the text names no server."),
  steps: s.described(stepsOut, 'For the `steps` of the monitor.'),
  variables: s.described(
    s.mapOf(s.anyText, variablesMax),
    "For the `variables` of the monitor: what is secret in the text. `''`: a value that it leaves to others.",
  ),
  notes: s.described(
    s.listOf(s.anyText, limits.importNotesMax),
    'What was not taken over, and what is still needed, in sentences for people.',
  ),
})

export const stepsConversion = resource('/orgs/:orgId/monitors', {
  convertSteps: post('/steps/convert', {
    who: { role: 'member' },
    summary:
      'Make steps of commands of curl, a HAR file, a Postman collection or an OpenAPI description',
    rate: 'bulk',
    example: {
      text: "curl https://api.example.com/v1/stock -H 'Authorization: Bearer example-token'",
    },
    body: s.object({
      text: s.text({
        charsMin: 1,
        charsMax: stepsTextCharsMax,
        description:
          'Commands of curl, as people paste them; or the content of a file: HAR, a Postman collection, ' +
          'OpenAPI as JSON or YAML.',
      }),
    }),
    bodyBytesMax: stepsTextBytesMax,
    deadlineMs: limits.importMsMax,
    out: ConvertedStepsOut,
    description:
      'Nothing is stored. The answer has what `POST …/monitors` takes for a monitor of kind steps. What is secret in the text is in ' +
      '`variables`, and steps name it. One text of an organization is converted at a time, and at most ' +
      `${limits.conversionsOfOrg.quota} a minute.`,
  }).handledBy(async ({ scope, body, signal }, { conversions }) =>
    Written.foreign(await conversions.run(scope, { product: 'steps', ...body }, signal)),
  ),
})
