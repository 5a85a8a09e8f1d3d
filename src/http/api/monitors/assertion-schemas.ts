// The schema of an assertion.
import * as s from '../../../base/schema/schema.ts'
import { assertionSources, assertionTypes } from '../../../domain/assertions/expectation.ts'
import { typeNames } from '../../../domain/assertions/json-value.ts'
import { limits } from '../../../domain/limits/limits.ts'

export const pathText = s.text({ charsMax: limits.assertionPathCharsMax })
export const valueText = s.text({ charsMax: limits.assertionValueCharsMax })

const valueWords =
  'The expected value, always as text: `200`, `true`, `{"a": 1}`. Numbers are compared as ' +
  "numbers, lists and objects as JSON. Null, `''` or absent: no value, which only `exists`, " +
  '`notExists` and `jsonPath` allow.'

export const AssertionIn = s.object({
  source: s.described(
    s.oneOf(assertionSources),
    '`status` and `header`: of the HTTP response. `body`: its text. `json`, `xml`, `html`: the ' +
      'body parsed as such; html needs at least one element. `responseTime`: in milliseconds. ' +
      '`certificateDays`: whole days until the certificate expires, rounded down: 0 on its last ' +
      'day, -1 in the first 24 hours after it. `ip`: the address that the check connected to.',
  ),
  path: s.optional(
    s.described(
      s.nullable(pathText),
      'header: its name, required. json: a JSONPath (RFC 9535) such as `$.items[0].id`. ' +
        'xml and html: a CSS selector, with `@name` at its end for an attribute, such as ' +
        "`a.next@href`. Null, `''` or absent: the whole document. Other sources have no path.",
    ),
  ),
  type: s.described(
    s.oneOf(assertionTypes),
    'How the value found is compared with `value`. `regex`: an RE2 expression. `jsonPath` (json ' +
      'only): the path exists and, if `value` is given, equals it. `type`: one of ' +
      `${[...typeNames].join(', ')}. \`lengthEquals\`: the number of characters, items or keys. ` +
      '`type` and `lengthEquals` do not apply to status, responseTime, certificateDays and ip; ' +
      '`greaterThan` and the other orderings do not apply to ip. If a path has several values, one ' +
      'match is enough; `notContains` and `notEquals` must hold for all of them.',
  ),
  value: s.optional(s.described(s.nullable(valueText), valueWords)),
})
