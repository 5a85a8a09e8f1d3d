// The schemas of a monitor's settings and its assertions; each field is described by its effect.

import type { TOptional, TProperties, TUnsafe } from 'typebox'
import { idPattern } from '../../../base/ids.ts'
import * as s from '../../../base/schema/schema.ts'
import { countText } from '../../../base/sizes.ts'
import { assertionValueCharsMax } from '../../../domain/assertions/assertion-rules.ts'
import {
  assertionSources,
  assertionTypes,
  responseFormats,
} from '../../../domain/assertions/expectation.ts'
import { schemaCharsMax } from '../../../domain/assertions/json-schema.ts'
import { typeNames } from '../../../domain/assertions/json-value.ts'
import { regexCharsMax } from '../../../domain/assertions/pattern.ts'
import { isChecked, methods } from '../../../domain/checks/check-type.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { type DownWhen, home } from '../../../domain/locations/choice.ts'
import type { PlaceId } from '../../../domain/locations/place.ts'
import type { GroupState } from '../../../domain/monitors/group-state.ts'
import {
  keptAddressCharsMax,
  keptAddressesMax,
  keptAddressPattern,
  keptWordCharsMax,
  keptWordsMax,
  sharedAddressesMax,
  sharedAddressPattern,
} from '../../../domain/monitors/kept-address.ts'
import { retrySeconds } from '../../../domain/monitors/monitor.ts'
import {
  authTypes,
  fieldsOfChecks,
  fieldsOfPush,
  type MonitorInput,
  monitorDefaults,
  secretFields,
  typesWith,
} from '../../../domain/monitors/monitor-fields.ts'
import { secretMask } from '../../../domain/secret-mask.ts'
import {
  captureSources,
  capturesMax,
  stepsMax,
  variableCharsMax,
  variablesMax,
} from '../../../domain/steps/step.ts'
import { madeNames, namePattern, nameRule } from '../../../domain/steps/template.ts'
import { checkKinds, checkTypes, kindsInWords, probedKinds } from '../../../probes/registry.ts'
import { documented } from '../../routing/documented.ts'
import { browserFields } from './browser-schemas.ts'

const pathText = s.text({ charsMax: limits.assertionPathCharsMax })

const valueText = s.text({ charsMax: assertionValueCharsMax })

/** The longest name of a proxy in the settings. */
const proxyCharsMax = 64

const valueWords =
  'The expected value, always as text: `200`, `true`, `{"a": 1}`. Numbers are compared as ' +
  "numbers, lists and objects as JSON. Null, `''` or absent: no value, which only `exists`, " +
  '`notExists`, `jsonPath` and `unchanged` allow.'

export const AssertionIn = s.object({
  source: s.described(
    s.oneOf(assertionSources),
    '`status` and `header`: of the HTTP response. `body`: its text. `json`, `xml`, `html`: the ' +
      'body parsed as such; html needs at least one element. `responseTime`: in milliseconds. ' +
      '`certificateDays`: whole days until the certificate expires, rounded down: 0 on its last ' +
      'day, -1 in the first 24 hours after it. `ip`: the address that the check connected to. ' +
      '`size`: the bytes of the body, decompressed. `redirects`: how many were followed. ' +
      '`tlsVersion`: `TLSv1.3` and the like, which have an order. `tlsCipher`: the name by IANA, ' +
      'such as `TLS_AES_256_GCM_SHA384`. A kind of check has the sources that fit its protocol.',
  ),
  path: s.optionalOrNull(
    pathText,
    'header: its name, required. json: a JSONPath (RFC 9535) such as `$.items[0].id`. ' +
      'xml and html: a CSS selector, with `@name` at its end for an attribute, such as ' +
      "`a.next@href`. Null, `''` or absent: the whole document. Other sources have no path.",
  ),
  type: s.described(
    s.oneOf(assertionTypes),
    'How the value found is compared with `value`. `regex`: an RE2 expression. `jsonPath` (json ' +
      'only): the path exists and, if `value` is given, equals it. `type`: one of ' +
      `${[...typeNames].join(', ')}. \`lengthEquals\`: the number of characters, items or keys. ` +
      '`unchanged` (header, body, json, xml, html): the values found are those that were accepted last; `value` is ' +
      'the mark of these, as a check found it (`failedAssertions[].found`); without it the assertion fails and ' +
      'tells the mark. ' +
      '`jsonSchema` (json only): `value` is a JSON Schema that the value found must fit, of draft 6, 7, ' +
      '2019-09 or 2020-12 (without `$schema`: the last), with regular expressions of RE2; `format` only ' +
      'describes; `unevaluatedProperties`, `unevaluatedItems`, `$dynamicRef`, an `$id` inside and ' +
      'references to other documents are refused. ' +
      '`type` and `lengthEquals` apply only to what a header or the body has; ' +
      '`greaterThan` and the other orderings do not apply to ip and tlsCipher. If a path has several values, one ' +
      'match is enough; `notContains`, `notEquals` and `jsonSchema` must hold for all of them.',
  ),
  value: s.optionalOrNull(
    s.text({ charsMax: schemaCharsMax }),
    `${valueWords} At most ${countText(assertionValueCharsMax)} characters, or a schema.`,
  ),
})

/** `\p{Cc}` written out, because not every reader of the schema supports it. */
const control = '\\u0000-\\u001f\\u007f-\\u009f'

const oneLine = `[^${control}]*[^\\s${control}][^${control}]*`
const oneLineRule = 'must be one line with visible characters and no control characters'

/** Names and tags are shown on one line: in mail subjects, on pages, in commands. */
export const name = s.text({
  charsMin: 1,
  charsMax: limits.nameCharsMax,
  pattern: `^${oneLine}$`,
  rule: oneLineRule,
  description:
    'The name in alerts, in lists, and on status pages if there is no `publicName`; it need not be ' +
    'unique.',
})
export const tag = s.text({
  charsMin: 1,
  charsMax: limits.tagCharsMax,
  pattern: `^[^${control}]*$`,
  rule: 'must not contain control characters, such as line breaks',
})
const status = s.text({
  charsMax: 7,
  pattern: '^[1-5][0-9]{2}(-[1-5][0-9]{2})?$',
  rule: 'must be a status such as 301 or a range such as 200-299',
})
// A change may send the mask.
const headerValue = documented(s.text({ charsMax: limits.headerValueCharsMax }), {
  pattern: `^([\\t\\u0020-\\u007e\\u00a0-\\u00ff]*|${secretMask})$`,
  'x-rule': 'must have only characters of Latin-1 and no line breaks',
})
const headers = documented(s.mapOf(headerValue, limits.headersMax), {
  propertyNames: {
    maxLength: limits.headerNameCharsMax,
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
    'x-rule': "must have only letters, digits and !#$%&'*+-.^_`|~",
  },
})

const acceptedStatusesMax = 20

const variables = documented(s.mapOf(s.text({ charsMax: variableCharsMax }), variablesMax), {
  propertyNames: { pattern: `^${namePattern}$`, 'x-rule': nameRule },
})

const CaptureIn = s.object({
  name: s.described(
    s.text({ charsMax: 64, pattern: `^${namePattern}$`, rule: nameRule, example: 'token' }),
    'Later steps write `{{name}}` for the value.',
  ),
  source: s.described(
    s.oneOf(captureSources),
    'The part of the answer. Of several values that the path finds, the first is taken.',
  ),
  path: s.described(
    s.text({ charsMin: 1, charsMax: regexCharsMax, example: '$.token' }),
    'json: a JSONPath. header: a name, or a name and an expression: `Set-Cookie: csrf=([^;]+)`. html and xml: a ' +
      'CSS selector, with `@name` at its end for an attribute. body: an RE2 expression, whose first group is ' +
      'taken, or its whole match.',
  ),
})

const templateWords =
  'Placeholders: `{{name}}` is a variable, or what an earlier step captured; `{{secret.NAME}}` a secret of the ' +
  `organization; \`{{$${madeNames.join('}}`, `{{$')}}}\` are made anew for each check. \`{{name|url}}\`, ` +
  '`|json` and `|base64` encode the value.'

const StepIn = s.object({
  name: s.described(name, 'What the step does; messages about it have it.'),
  url: s.described(
    s.text({ charsMax: limits.urlCharsMax, example: '/orders/{{order}}' }),
    `Relative to the url of the monitor, or absolute; a host has no placeholder. ${templateWords}`,
  ),
  method: s.optionalOrNull(s.oneOf(methods), 'Null or absent: GET.'),
  headers: s.optional(
    documented(s.mapOf(s.text({ charsMax: limits.headerValueCharsMax }), limits.headersMax), {
      propertyNames: { maxLength: limits.headerNameCharsMax },
    }),
    'Request headers by name, with placeholders. They are shown to everybody who edits the monitor: the value ' +
      'of one such as Authorization must have a placeholder. Cookies that answers set are sent by themselves.',
  ),
  body: s.optionalOrNull(
    s.text({ charsMax: limits.requestBodyBytesMax }),
    "The request body, with placeholders. Null or `''`: none.",
  ),
  expectedStatus: s.optionalOrNull(s.integer(100, 599), 'Null or absent: 200.'),
  acceptedStatuses: s.optional(
    s.listOf(status, acceptedStatusesMax),
    'Further accepted statuses, each like `"301"`, or a range like `"200-299"`.',
  ),
  assertions: s.optional(
    s.listOf(AssertionIn, limits.assertionsMax),
    'All of these must hold for the answer to this step. Values may have placeholders.',
  ),
  captures: s.optional(s.listOf(CaptureIn, capturesMax), 'Values for later steps.'),
  degradedThresholdMs: s.optionalOrNull(
    s.integer(1, limits.degradedThresholdMsMax),
    'If this step takes longer (milliseconds), the check is degraded. Null: never.',
  ),
  followRedirects: s.optionalOrNull(s.flag, 'As of a monitor. Null or absent: true.'),
  isCleanUp: s.optionalOrNull(
    s.flag,
    'Whether it runs after the other steps, also if one of them failed: to delete what they made. If it fails ' +
      'itself, the check is degraded. It does not run while something that it names was not captured.',
  ),
})

/** Steps in an answer. */
export const stepsOut = s.shownAs(s.listOf(StepIn, stepsMax))

const loginCharsMax = 1_024
const loginText = s.text({ charsMax: loginCharsMax })

const AuthIn = s.object({
  type: s.described(
    s.oneOf(authTypes),
    '`basic`: name and password go with each request. `digest`: they prove themselves once the server asks ' +
      '(RFC 7616). `oauth2`: a token is fetched from `tokenUrl` with them as client id and client secret ' +
      '(client credentials, RFC 6749), kept until it expires, and fetched anew once if the target answers 401. ' +
      '`awsSigV4`: each request to the origin of the url is signed with them as access key id and secret access ' +
      'key (AWS Signature Version 4); a session token is a header of the monitor, `X-Amz-Security-Token`.',
  ),
  tokenUrl: s.optionalOrNull(
    s.text({ charsMax: limits.urlCharsMax }),
    'oauth2: where tokens are given; required. The target policy judges it as it judges the url.',
  ),
  scope: s.optionalOrNull(loginText, 'oauth2: the scopes, separated by spaces.'),
  audience: s.optionalOrNull(
    loginText,
    'oauth2: for whom the token is, where the server asks for that.',
  ),
  region: s.optionalOrNull(loginText, 'awsSigV4: the region, such as `eu-central-1`; required.'),
  service: s.optionalOrNull(
    loginText,
    'awsSigV4: the service by its name in signatures, such as `execute-api`, `s3`, `lambda`, `es`; required.',
  ),
})

const gameCharsMax = 64

const bodyContainsCharsMax = 1_024

const bodyText = s.text({ charsMax: bodyContainsCharsMax })
const urlWords = [
  "The target of the check. Required, except for push, manual and group, which have none (null, `''` or absent).",
  ...urlForms(),
  '',
  'Hosts are names or addresses, IPv6 in brackets, without user name and password.',
].join('\n')

/** A line for each form; kinds with the same form share it. */
function urlForms(): string[] {
  const forms = [...new Set(probedKinds.map(({ urlForm }) => urlForm))]
  return forms.map((form) => {
    const types = probedKinds.filter(({ urlForm }) => urlForm === form).map(({ type }) => type)
    return `- ${types.join(', ')}: ${form}`
  })
}

const shortestRetrySeconds = retrySeconds({ intervalSeconds: 1, retryIntervalSeconds: null })
const longestRetrySeconds = retrySeconds({
  intervalSeconds: limits.intervalSecondsMax,
  retryIntervalSeconds: null,
})
const bytesMax = countText(limits.requestBodyBytesMax)
const usualSlowMs = monitorDefaults.degradedThresholdMs

const certificateWarningsMax = 10

// In every optional field, null and '' mean "not given", because forms and examples send them.
const request = {
  url: s.nullable(s.text({ charsMax: limits.urlCharsMax }), urlWords),
  checkType: s.described(
    s.oneOf(checkTypes),
    'The kind of check; see url. It cannot be changed later.',
  ),
  method: s.described(
    s.oneOf(methods),
    'The HTTP method. HEAD is not allowed with expectations about the body, nor for ' +
      `${kindsInWords(({ expects }) => expects !== undefined)}.`,
  ),
  headers: s.described(
    headers,
    `Request headers by name. Values are secrets: responses show \`${secretMask}\` ` +
      `instead of each. A change replaces all headers; a header with the value \`${secretMask}\` ` +
      'keeps its stored value. A url with another scheme, host or port is another server: its change ' +
      'must give the values again. Host, Content-Length and other framing headers are refused. ' +
      'No headers are sent to another origin after a redirect.',
  ),
  body: s.nullable(
    s.text({ charsMax: limits.requestBodyBytesMax }),
    `The request body, the first message, the query or the command; at most ${bytesMax} bytes in UTF-8. tcp: ` +
      '`\\r`, `\\n`, `\\t`, `\\\\` and `\\xNN` (one byte) are escapes, other backslashes are ' +
      "refused, and nothing is appended. Null or `''`: nothing is sent.",
  ),
  username: s.nullable(
    loginText,
    "The name to sign in with; oauth2: the client id. Viewers see null. Null or `''`: none.",
  ),
  password: s.nullable(
    loginText,
    `The password to sign in with. It is a secret: responses show \`${secretMask}\`, and a change that ` +
      'sends the mask keeps it. A url with another scheme, host, port or (outside http and ws) query is another server: its ' +
      "change must give the password again. Null or `''`: none.",
  ),
  secret: s.nullable(
    loginText,
    'radius: the secret that its clients share with the server. snmp: the password for encryption, if it is ' +
      "another one than `password`. Kept and shown as `password` is. Null or `''`: none.",
  ),
  game: s.nullable(
    s.text({ charsMax: gameCharsMax, example: 'minecraft' }),
    'The game, by its id in gamedig, such as `minecraft`, `counterstrike2` or `valheim`; required. The guide lists ' +
      'all that can be watched.',
  ),
  clientKey: s.nullable(
    s.text({ charsMax: limits.clientKeyBytesMax }),
    'The private key of clientCertificate in PEM (PKCS#8, PKCS#1 or SEC 1), not encrypted; at most ' +
      `${countText(limits.clientKeyBytesMax)} bytes. Kept and shown as \`password\` is. Null or \`''\`: none.`,
  ),
  auth: s.nullable(
    AuthIn,
    'How a check of HTTP, a WebSocket or gRPC signs in with `username` and `password`. Null: `basic`, if ' +
      'there is a username. Another tokenUrl is another server: the password must be given again. Nothing of ' +
      'it goes to another origin after a redirect.',
  ),
  steps: s.described(
    s.listOf(StepIn, stepsMax),
    'The requests, in order. A change replaces the whole list. Viewers see none.',
  ),
  variables: s.described(
    variables,
    `Values that steps name as \`{{name}}\`. They are secrets: responses show \`${secretMask}\` instead of ` +
      `each. A change replaces all; one with the value \`${secretMask}\` keeps what is stored, unless the ` +
      'monitor or a step now names a server that it did not name before.',
  ),
  followRedirects: s.described(
    s.flag,
    'Whether to follow 301, 302, 303, 307 and 308, but never from https:// to http://. A status ' +
      'that expectedStatus or acceptedStatuses names on its own is accepted, not followed.',
  ),
  maxRedirects: s.described(
    s.integer(0, limits.redirectsMax),
    'The number of redirects in a row that are followed; one more is a failure.',
  ),
  ignoreTlsErrors: s.described(
    s.flag,
    'Whether to accept a certificate that is expired, not trusted or for another name.',
  ),
  caCertificates: s.nullable(
    s.text({ charsMax: limits.caCertificatesBytesMax }),
    `Certificates of authorities in PEM, at most ${limits.caCertificatesMax} and ` +
      `${countText(limits.caCertificatesBytesMax)} bytes: the target may be certified by one of ` +
      'these, too, also where a redirect leads to. They are no secret: answers and exported ' +
      "documents have them whole. Null or `''`: none.",
  ),
  clientCertificate: s.nullable(
    s.text({ charsMax: limits.caCertificatesBytesMax }),
    'The certificate that the check proves itself with where the server asks for one, in PEM, followed by its ' +
      `chain: at most ${limits.caCertificatesMax} and ${countText(limits.caCertificatesBytesMax)} bytes. Its key is ` +
      '`clientKey`. It is offered to the server of the url alone, not where a redirect leads to another origin. It ' +
      "is no secret: answers and exported documents have it whole. Null or `''`: none.",
  ),
  connectTo: s.nullable(
    s.text({ charsMax: limits.connectToCharsMax }),
    'Where the check connects in place of the host of the url, as `--connect-to` of curl: `host`, `host:port` or ' +
      '`[v6]:port`; without a port, that of the url. The Host header, the name in TLS and the check of the ' +
      'certificate stay those of the url. The address is judged as that of the url. Where a redirect leads to ' +
      'another host or port, it does not apply. Another one is another server: secrets must be given again. ' +
      "Null or `''`: the host of the url.",
  ),
  proxy: s.nullable(
    s.text({ charsMax: proxyCharsMax }),
    'The proxy that the check goes through, by its name in `checks.proxies` of the operator; at other locations in ' +
      'the settings of their probes. The address of the target is resolved and judged first, and the proxy gets the ' +
      'address, unless the operator lets it resolve names. With another one, secrets must be given again. ' +
      "Null or `''`: none.",
  ),
  certificateWarnDays: s.described(
    {
      ...s.listOf(s.integer(1, limits.certificateWarnDaysMax), certificateWarningsMax),
      uniqueItems: true,
    },
    'Alert channels receive `certificate.expiring`, once per certificate and number, when a ' +
      'good check finds that many whole days left, or fewer; no incident opens. Monitors that use ' +
      'the same certificate share the message. Empty: never.',
  ),
  domainWarnDays: s.described(
    {
      ...s.listOf(s.integer(1, limits.certificateWarnDaysMax), certificateWarningsMax),
      uniqueItems: true,
    },
    'Alert channels receive `domain.expiring`, once per expiry date and number, when a good check ' +
      'finds that the domain is registered for that many whole days more, or fewer; no incident ' +
      'opens until it has expired. Empty: never.',
  ),
  ipFamily: s.described(
    s.oneOf(['any', 'ipv4', 'ipv6']),
    'The address family of connections; it must match an address in the url. ' +
      'dns: only if the url names a server, and for the connection to it.',
  ),
}

const expectation = {
  expectedStatus: s.described(
    s.integer(100, 599),
    'The accepted status, in addition to acceptedStatuses.',
  ),
  acceptedStatuses: s.described(
    s.listOf(status, acceptedStatusesMax),
    'Further accepted statuses, each like `"301"`, or a range like `"200-299"`.',
  ),
  bodyContains: s.nullable(
    bodyText,
    'Text that must be in the body, or in the findings of the check ' +
      `(${kindsInWords(({ finds }) => finds === 'json')}: JSON). Null or \`''\`: none. ` +
      `${kindsInWords(({ expects }) => expects === 'words')} needs this or bodyNotContains.`,
  ),
  bodyNotContains: s.nullable(bodyText, "Text that must not be in it. Null or `''`: none."),
  responseFormat: s.nullable(
    s.oneOf([...responseFormats, '']),
    'How the body is parsed. With json, xml and html, a body that is no such document fails; ' +
      'an html document has at least one element. ' +
      "auto, null or `''`: according to responseAssertionPath (`$` begins a JSONPath) and content type.",
  ),
  responseAssertionType: s.nullable(
    s.oneOf([...assertionTypes, '']),
    "One assertion about the body, in three fields; assertions[] offers more. Null or `''`: none.",
  ),
  responseAssertionPath: s.nullable(
    pathText,
    "A JSONPath or a CSS selector, as in assertions[].path. Null or `''`: the whole body.",
  ),
  responseAssertionValue: s.nullable(valueText, 'As in assertions[].value.'),
  assertions: s.described(
    s.listOf(AssertionIn, limits.assertionsMax),
    'All of these must hold for the response. A change replaces the whole list.',
  ),
}

const intervalMinutesMax = 1_440
const maxRunSecondsMax = 31_536_000
const autoRecoveryMinutesMax = 525_600

const pace = {
  intervalMinutes: s.described(
    s.integer(1, intervalMinutesMax),
    'Minutes between checks; push: between reports; manual and group: no effect. intervalSeconds takes precedence.',
  ),
  intervalSeconds: s.nullable(
    s.integer(limits.intervalSecondsMin, limits.intervalSecondsMax),
    'Seconds between checks, instead of intervalMinutes. Null or absent: intervalMinutes applies. ' +
      'A change of intervalMinutes alone clears it.',
  ),
  timeoutMs: s.described(
    s.integer(limits.timeoutMsMin, limits.timeoutMsMax),
    'The time limit of a check in milliseconds, redirects included; at most the interval.',
  ),
  retryIntervalSeconds: s.nullable(
    s.integer(limits.retryIntervalSecondsMin, limits.intervalSecondsMax),
    'Seconds between checks while a failure or a recovery is being confirmed; at most the ' +
      `interval. Null or absent: half the interval, from ${shortestRetrySeconds} to ` +
      `${longestRetrySeconds}.`,
  ),
  failureThreshold: s.described(
    s.integer(1, limits.thresholdMax),
    'N: the monitor goes down, and an incident opens, once N of the newest N + 2 checks have ' +
      'failed. Push reports need no confirmation.',
  ),
  recoveryThreshold: s.described(
    s.integer(1, limits.thresholdMax),
    'The number of good checks in a row after which the monitor is up again.',
  ),
  degradedThresholdMs: s.nullable(
    s.integer(1, limits.degradedThresholdMsMax),
    'A good check that takes longer (milliseconds) is degraded. Null: never. Absent: ' +
      `${usualSlowMs}, or null if timeoutMs leaves no room for that. A monitor at ` +
      `${usualSlowMs} counts as one without a threshold of its own: a timeoutMs that leaves no ` +
      'room for it sets it to null, on creation and on change. Any other value must be below ' +
      'timeoutMs.',
  ),
  degradedThreshold: s.described(
    s.integer(1, limits.thresholdMax),
    'The number of degraded checks in a row that make the monitor degraded, and of others that end it.',
  ),
  degradedOpensIncident: s.described(
    s.flag,
    'Whether an incident also opens when the monitor is degraded.',
  ),
  graceSeconds: s.described(
    s.integer(0, limits.graceSecondsMax),
    'Seconds after the interval, or the time of the schedule, until a missing report counts as down.',
  ),
  schedule: s.nullable(
    s.text({ charsMax: limits.cronCharsMax, example: '30 2 * * 1-5' }),
    'When reports are expected, as a cron expression of five fields or a nickname such as `@daily`, ' +
      "in place of the interval. Null or `''`: the interval applies.",
  ),
  timezone: s.nullable(
    s.text({ charsMax: limits.timezoneCharsMax, example: 'Europe/Berlin' }),
    'The time zone of the schedule, by its IANA name.',
  ),
  maxRunSeconds: s.described(
    s.integer(0, maxRunSecondsMax),
    'Seconds that a run may take: the monitor goes down if a run was started and its end is not ' +
      'reported in time. 0: a run may take as long as it likes.',
  ),
  autoRecoveryMinutes: s.described(
    s.integer(0, autoRecoveryMinutesMax),
    'Minutes without a report after which an outage ends by itself, for senders that only report ' +
      'errors. 0: an outage ends with a report of success.',
  ),
}

const sloPercentMin = 90
const sloPercentMax = 99.999

export const Place = s.asType<PlaceId>(
  s.text({
    charsMax: limits.nameCharsMax,
    pattern: `^(${home}|${idPattern('location').slice(1, -1)})$`,
    rule: 'must be `home` or the id of a location',
  }),
)
export const DownWhenIn = s.asType<DownWhen>(
  s.text({
    charsMax: 8,
    pattern: '^(majority|any|all|[1-9]|1[0-9]|20)$',
    rule: 'must be majority, any, all, or a number from 1 to 20',
  }),
)
const GroupStateIn = s.asType<GroupState>(
  s.text({
    charsMax: 5,
    pattern: '^(worst|best|[1-9][0-9]?|1[0-9][0-9]|200)$',
    rule: 'must be worst, best, or a number from 1 to 200',
  }),
)
/** Monitors on which one may depend. */
const dependsOnMax = 10

const about = {
  isUpsideDown: s.described(
    s.flag,
    'Whether the target is expected to fail, such as a port that should be closed: a check that fails is ' +
      'good, and one that succeeds is down. What could not be checked, or may not be, is not good. Response ' +
      'times then say how long it took to fail; certificates and domains give no warnings.',
  ),
  isActive: s.described(
    s.flag,
    'False: paused. There are no checks, reports are refused, and an open incident is closed.',
  ),
  isPublic: s.described(s.flag, 'Whether status pages may show the monitor.'),
  publicName: s.nullable(
    s.text({ charsMax: limits.nameCharsMax, pattern: `^$|^${oneLine}$`, rule: oneLineRule }),
    'The name that readers of status pages, badges, feeds, letters to subscribers and reports see ' +
      "in place of `name`, such as one without an address. Null or `''`: `name`.",
  ),
  notifyChannelIds: s.described(
    s.listOf(s.idOf('channel'), limits.notifyChannelsMax),
    'The alert channels for its incidents. Empty: the default channels of the organization, but for a group none: ' +
      'they hear of each monitor in it.',
  ),
  alertsNobody: s.described(
    s.flag,
    'True: no channel gets an alert of the monitor, neither those that it names nor the default ones. Incidents, ' +
      'status pages, their subscribers and live events are as ever.',
  ),
  reminderMinutes: s.described(
    s.integer(0, limits.reminderMinutesMax),
    'Channels that know of an open incident are reminded with `incident.reminder` so many minutes ' +
      'after its opening, while the monitor stays bad. The wait then doubles each time, up to 24 ' +
      'hours or this value, whichever is longer: 30 means after 30, 90, 210 and 450 minutes, and ' +
      'so on. Reminders end once it is acknowledged or resolved, or the monitor is paused. 0: none.',
  ),
  dependsOn: s.described(
    s.listOf(s.idOf('monitor'), dependsOnMax),
    'Monitors that this one needs, such as the router in front of it. While one of them is down, ' +
      'the alerts of this one are held; they are sent if it is still down once all of them are ' +
      'back. They must not depend on this one, directly or through others.',
  ),
  memberIds: s.described(
    s.listOf(s.idOf('monitor'), limits.groupMembersMax),
    'The monitors from whose states that of the group follows. One that is paused, under maintenance, pending ' +
      'or unknown does not count; if none does, the group is unknown. Groups may be in groups, but in no circle. ' +
      'A monitor that is deleted leaves its groups.',
  ),
  groupState: s.described(
    GroupStateIn,
    '`worst`: the state of the worst member. `best`: that of the best one. A number such as `2`: down while so ' +
      'many are down, or all that count; degraded while fewer are not up.',
  ),
  sloPercent: s.nullable(
    s.fraction(sloPercentMin, sloPercentMax),
    'The objective: the percentage of each month in which the monitor should work. Null: none.',
  ),
  locations: s.described(
    { ...s.listOf(Place, limits.placesMax), uniqueItems: true },
    'The places that check it: ids of locations, and `home` for where this service runs. Each confirms by ' +
      'itself what it sees, with the thresholds of the monitor; what they say together is the state. Their ' +
      'checks are spread evenly over the interval. Empty: only this service checks it.',
  ),
  downWhen: s.described(
    DownWhenIn,
    'How many of its places must see it down before it is: `majority` (more than half), `any`, `all`, or ' +
      'a number such as `2`. Only places that were heard lately count; silence neither opens nor ends an ' +
      'incident.',
  ),
  tags: s.described(
    s.listOf(tag, limits.tagsMax),
    'Labels to filter monitors by, and to select many for a bulk change.',
  ),
  description: s.nullable(
    s.text({ charsMax: limits.descriptionCharsMax }),
    "A note for people, with no effect. Null or `''`: none.",
  ),
  runbookUrl: s.nullable(
    documented(s.text({ charsMax: limits.urlCharsMax }), {
      pattern: '^$|^https?://\\S+$',
      'x-rule': 'must be an http or https URL',
    }),
    "An http:// or https:// address with instructions for an outage. Null or `''`: none.",
  ),
}

const fields = { ...request, ...browserFields, ...expectation, ...pace, ...about }

/** Fields whose defaults depend on other fields; their descriptions explain it. */
const inWords = new Set(['url', 'intervalSeconds', 'retryIntervalSeconds', 'degradedThresholdMs'])

function fieldKindsInWords(kinds: readonly string[] | undefined): string {
  if (kinds === undefined) return ''
  const others = checkTypes.filter((kind) => !kinds.includes(kind))
  const isMost = others.length < kinds.length
  return isMost ? ` Not for ${others.join(', ')}.` : ` Only for ${kinds.join(', ')}.`
}

/** Makes the fields optional, and adds their kinds and defaults to the reference. */
function optionalFields<Fields extends TProperties>(all: Fields) {
  const entries = Object.entries(all).map(([field, schema]) => {
    const { description } = schema as { readonly description?: string }
    const kinds = typesWith(checkKinds, field)
    const whole = {
      ...s.described(schema, `${description}${fieldKindsInWords(kinds)}`),
      // For programs that make forms.
      ...(kinds === undefined ? {} : { 'x-kinds': kinds }),
      ...(secretFields.has(field) ? { 'x-secret': true } : {}),
    }
    const value = monitorDefaults[field as keyof typeof monitorDefaults]
    return [field, s.optional(inWords.has(field) ? whole : s.usually(whole, value))]
  })
  // Object.entries loses which name has which schema.
  return Object.fromEntries(entries) as { [Field in keyof Fields]: TOptional<Fields[Field]> }
}

export const withUrl = { required: ['url'], properties: { url: { type: 'string', minLength: 1 } } }
const unchecked = checkTypes.filter((checkType) => !isChecked({ checkType }))
/** The kinds without a target, one by one: an `enum` would make the kind the problem where the URL is missing. */
const withoutTarget = unchecked.map((type) => ({
  required: ['checkType'],
  properties: { checkType: { const: type } },
}))
const urlIfChecked = { anyOf: [withUrl, ...withoutTarget] }

export const MonitorIn = documented(
  s.object({
    name,
    ...optionalFields(fields),
  }),
  urlIfChecked,
)

/** The settings in answers, which have null only where it is the default, or says something of its own. */
type ShownSettings = {
  readonly [Field in keyof typeof fields]: TOptional<TUnsafe<MonitorInput[Field]>>
}

/** How answers show each setting; those that a monitor lacks because of its kind are absent. */
export function shownSettings(): ShownSettings {
  const entries = Object.entries(monitorDefaults).map(([name, usual]) => {
    const given = fields[name as keyof typeof fields]
    const shown = s.shownAs(usual === null ? given : s.withoutNull(given))
    const isAlwaysThere = !fieldsOfChecks.includes(name) && !fieldsOfPush.includes(name)
    return [name, isAlwaysThere ? shown : s.optional(shown)]
  })
  return Object.fromEntries(entries) as ShownSettings
}

const keptAddress = s.text({
  charsMax: keptAddressCharsMax,
  pattern: keptAddressPattern,
  rule: 'must be an address of a known product',
})
const keptWords = (meaning: string) =>
  s.optional(
    s.listOf(s.text({ charsMin: 1, charsMax: keptWordCharsMax }), keptWordsMax),
    `With one of them in its body, a report says ${meaning}.`,
  )

/** What only an import brings to a push monitor. */
const keptFields = {
  keptAddresses: s.optionalOrNull(
    s.listOf(keptAddress, keptAddressesMax),
    'push: addresses in another product at which its senders report, and go on reporting here: ' +
      '`/api/push/<token>` of Uptime Kuma, `/ping/<uuid>` and `/ping/<ping key>/<slug>` of Healthchecks, ' +
      '`/api/v1/endpoints/<key>/external#<token>` of Gatus. ' +
      'No other monitor may have them.',
  ),
  sharedAddresses: s.optionalOrNull(
    s.listOf(
      s.text({
        charsMax: keptAddressCharsMax,
        pattern: sharedAddressPattern,
        rule: 'must be an address of a known product',
      }),
      sharedAddressesMax,
    ),
    'push: such addresses with a slug of Healthchecks that other monitors of the organization may have, too. While several ' +
      'do, reports there are refused with 409, as there.',
  ),
  keptRules: s.optionalOrNull(
    s.object({
      methods: s.optional(s.oneOf(['POST']), 'Requests by other methods are only logged.'),
      otherwise: s.optional(
        s.oneOf(['ignore', 'error']),
        'If present, words of the body decide what a report says, in the order of failure, success and ' +
          'start; and this without any of them.',
      ),
      failureWords: keptWords('that the job failed'),
      successWords: keptWords('that all is well'),
      startWords: keptWords('that a run begins'),
      isResumedByHand: s.optional(
        s.flag,
        'A paused monitor stays so; if absent, the report of a result resumes it.',
      ),
      isUpsideDown: s.optional(
        s.flag,
        'Uptime Kuma: a report of `up` means down, any other report means up, and no report is expected.',
      ),
    }),
    'push: what counts of the reports that come to `keptAddresses` of Healthchecks and Uptime Kuma.',
  ),
}

/** A monitor in an exported document, and in one that is imported. */
export const monitorItem = {
  out: s.object({ id: s.idOf('monitor'), ...MonitorIn.properties }),
  in: documented(
    s.object({
      id: s.optional(s.idInDocument('monitor')),
      ...MonitorIn.properties,
      ...keptFields,
    }),
    urlIfChecked,
  ),
}

export const MonitorPatch = s.patchOf(
  s.object({
    ...MonitorIn.properties,
    checkType: s.optional(s.oneOf(checkTypes), 'Cannot be changed: the current kind, or absent.'),
    keptAddresses: s.optional(
      s.listOf(s.anyText, keptAddressesMax + sharedAddressesMax),
      'push: those of its `keptAddresses` that stay; only an import brings new ones.',
    ),
  }),
)
