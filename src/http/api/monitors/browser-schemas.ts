// The schemas of what a browser does on a page.
import * as s from '../../../base/schema/schema.ts'
import {
  actionNames,
  actionsMax,
  actionValueCharsMax,
  selectorCharsMax,
  stateNames,
  viewportNames,
  viewports,
  waitMsMax,
} from '../../../domain/browser/action.ts'

const ActionIn = s.object({
  action: s.described(
    s.oneOf(actionNames),
    '`open`: goes to `value`, a URL. `click`, `doubleClick`, `hover`. `check`, `uncheck`: a box or a radio. `fill`: with `value`, absent to empty it. `upload`: chooses a file, by its ' +
      'name in the first line of `value`, with what follows in it. `popup`: goes on in the tab that the ' +
      'page opened last; with the value `close` closes it, and goes back. `press`: a key such as `Enter` or ' +
      '`Control+a`, where the focus is or on `selector`. `select`: an option by its text or value. `wait`: until ' +
      '`selector` is visible, or with the value `hidden` until it is not; without it `value` milliseconds, at ' +
      `most ${waitMsMax}. \`expect\`: \`selector\` is visible, and has the text \`value\`; without ` +
      'it the page has that text where it is visible. `expectUrl`, `expectTitle`: of the page. `expectCount`: so many, ' +
      'seen or not. `expectState`: one of ' +
      `${stateNames.map((name) => `\`${name}\``).join(', ')}. ` +
      'A text is a part in any case, in quotes the whole, between slashes a regular expression, as `/order \\d+/i`.',
  ),
  selector: s.optionalOrNull(
    s.text({ charsMax: selectorCharsMax }),
    'What is meant, the first that is visible: CSS, or `text=Sign in`, `label=E-mail`, `placeholder=Search`, ' +
      '`alt=Logo`, `title=Close`, `testid=total`, `xpath=//h1`, `role=button[name=Sign in]`. A text is a part in any ' +
      'case; in quotes, it is the whole; between slashes, a regular expression. With ` >> ` between them, each is ' +
      'looked for in what the one before found; `has-text=`, `has-not-text=`, `is=` (CSS) and `nth=` (0 is the ' +
      'first, -1 the last) choose of that. `enter-frame` goes into the frame that stands before it. Shadow roots ' +
      'are searched.',
  ),
  value: s.optionalOrNull(
    s.text({ charsMax: actionValueCharsMax }),
    'What the action needs besides. Everybody who may edit the monitor sees it: a password is ' +
      '`{{name}}`, of one of the `variables`, or `{{secret.NAME}}`.',
  ),
})

const sizes = viewportNames.map((name) => {
  const { width, height } = viewports[name]
  return `\`${name}\`: ${width} × ${height}`
})

export const actionsOut = s.listOf(ActionIn, actionsMax)

export const browserFields = {
  actions: s.described(
    actionsOut,
    'What the browser does once `url` is open, in this order. Each waits until what it needs is there and can be ' +
      'used, until shortly before `timeoutMs`. The first that does not work ends the check. A change replaces the ' +
      'whole list. Viewers see none.',
  ),
  viewport: s.described(
    s.oneOf(viewportNames),
    `The window in CSS pixels. ${sizes.join('; ')}, with touch, and as a phone says of itself.`,
  ),
}
