// The API of conversions: actions of a browser check from a script of Playwright.

import * as s from '../../../base/schema/schema.ts'
import { Written } from '../../../base/schema/write.ts'
import { viewportNames } from '../../../domain/browser/action.ts'
import { scriptCharsMax } from '../../../domain/browser/convert/script-syntax.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { variablesMax } from '../../../domain/steps/step.ts'
import { post, resource } from '../../routing/route.ts'
import { actionsOut } from './browser-schemas.ts'

/** A text of the most characters, even if JSON escapes many of them. */
const scriptBytesMax = 2 * scriptCharsMax

const ConvertedScriptOut = s.object({
  name: s.described(s.anyText, 'A name for the monitor: the title of the test.'),
  url: s.described(
    s.anyText,
    "For the `url` of the monitor, which opens it: the first page of the script; `''` if it names no server.",
  ),
  actions: s.described(actionsOut, 'For the `actions` of the monitor.'),
  viewport: s.described(s.oneOf(viewportNames), 'For the `viewport` of the monitor.'),
  variables: s.described(
    s.mapOf(s.anyText, variablesMax),
    'For the `variables` of the monitor: what is secret in the script, and what it takes from its environment. ' +
      "`''`: a value that it leaves to others.",
  ),
  notes: s.described(
    s.listOf(s.anyText, limits.importNotesMax),
    'What was not taken over, with its line, and what is still needed, in sentences for people.',
  ),
})

export const scriptConversion = resource('/orgs/:orgId/monitors', {
  convertScript: post('/browser/convert', {
    who: { role: 'member' },
    summary: 'Make actions of a script of Playwright',
    rate: 'bulk',
    example: {
      text: "test('shop', async ({ page }) => {\n  await page.goto('https://shop.example.com/')\n  await expect(page).toHaveTitle('Shop')\n})",
    },
    body: s.object({
      text: s.text({
        charsMin: 1,
        charsMax: scriptCharsMax,
        description:
          'A test of Playwright or a script with its library, in JavaScript or TypeScript, such as `playwright codegen` ' +
          'writes it.',
      }),
    }),
    bodyBytesMax: scriptBytesMax,
    deadlineMs: limits.importMsMax,
    out: ConvertedScriptOut,
    description:
      'The script is read, and never run. Nothing is stored: the answer has what `POST …/monitors` takes for a monitor ' +
      'of kind browser. What no action can do, such as a loop, is left out, and named in `notes`. One text of an ' +
      `organization is converted at a time, and at most ${limits.conversionsOfOrg.quota} a minute.`,
  }).handledBy(async ({ scope, body, signal }, { conversions }) =>
    Written.foreign(await conversions.run(scope, { product: 'script', ...body }, signal)),
  ),
})
