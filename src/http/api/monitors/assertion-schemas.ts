// What callers may say of an answer: one assertion.
import { described, nullable, object, oneOf, optional, text } from '../../../base/schema/schema.ts'
import { assertionSources, assertionTypes } from '../../../domain/assertions/expectation.ts'
import { typeNames } from '../../../domain/assertions/json-value.ts'
import { limits } from '../../../domain/limits/limits.ts'

export const pathText = text({ charsMax: limits.assertionPathCharsMax })
export const valueText = text({ charsMax: limits.assertionValueCharsMax })

const valueWords =
  'What is compared with, always as text: `200`, `true`, `{"a": 1}`. Numbers are compared as ' +
  "numbers, lists and objects as JSON. Null, `''` or absent: none, which `exists`, `notExists` " +
  'and `jsonPath` alone allow.'

export const AssertionIn = object({
  source: described(
    oneOf(assertionSources),
    '`status` and `header`: of the HTTP answer. `body`: its text. `json`, `xml`, `html`: the ' +
      'body as such a document; html: one with an element. `responseTime`: milliseconds. ' +
      '`certificateDays`: whole days until the certificate expires, rounded down: 0 on its last ' +
      'day, -1 in the first 24 hours after it. `ip`: the address that was connected to.',
  ),
  path: optional(
    described(
      nullable(pathText),
      'header: its name, which is required. json: a JSONPath (RFC 9535) such as `$.items[0].id`. ' +
        'xml and html: a CSS selector, with `@name` at its end for an attribute, such as ' +
        "`a.next@href`. Null, `''` or absent: the whole document. Other sources have none.",
    ),
  ),
  type: described(
    oneOf(assertionTypes),
    'How what is found is compared with `value`. `regex` is an RE2 expression. `jsonPath` (json ' +
      'only): something is at the path, and equals the value where there is one. `type`: one of ' +
      `${[...typeNames].join(', ')}. \`lengthEquals\`: so many characters, items or keys. ` +
      'Neither of the two with status, responseTime, certificateDays and ip, and no order ' +
      '(`greaterThan` and its like) with ip. Of several values at a path one ' +
      'that fits is enough; `notContains` and `notEquals` allow none.',
  ),
  value: optional(described(nullable(valueText), valueWords)),
})
