// What callers may say of a monitor, each field with what it does: what is sent.
import type { TOptional, TProperties } from 'typebox'
import {
  described,
  flag,
  idOf,
  integer,
  listOf,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  patchOf,
  text,
  usually,
} from '../../../base/schema/schema.ts'
import { assertionTypes, responseFormats } from '../../../domain/assertions/expectation.ts'
import { checkTypes, methods } from '../../../domain/checks/check-type.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { retrySeconds } from '../../../domain/monitors/monitor.ts'
import { fieldKinds, monitorDefaults } from '../../../domain/monitors/monitor-input.ts'
import { secretMask } from '../../../domain/secret-mask.ts'
import { recordTypes } from '../../../probes/dns/dns-records.ts'
import { documented } from '../../routing/documented.ts'
import { AssertionIn, pathText, valueText } from './assertion-schemas.ts'

/** `\p{Cc}` spelled out: not every reader of the description knows it. */
const control = '\\u0000-\\u001f\\u007f-\\u009f'

/** Both are shown in one line: in subjects of mails, on pages, in commands. */
const name = text({
  charsMin: 1,
  charsMax: limits.nameCharsMax,
  pattern: `^[^${control}]*[^\\s${control}][^${control}]*$`,
  rule: 'must be one line with visible characters and no control characters',
  description: 'What people read in alerts, on status pages and in lists; it need not be unique.',
})
export const tag = text({
  charsMin: 1,
  charsMax: limits.tagCharsMax,
  pattern: `^[^${control}]*$`,
  rule: 'must not contain control characters, such as line breaks',
})
const status = text({
  charsMax: 7,
  pattern: '^[1-5][0-9]{2}(-[1-5][0-9]{2})?$',
  rule: 'must be a status such as 301 or a range such as 200-299',
})
// A change may send the mask.
const headerValue = documented(text({ charsMax: limits.headerValueCharsMax }), {
  pattern: `^([\\t\\u0020-\\u007e\\u00a0-\\u00ff]*|${secretMask})$`,
})
const headers = documented(mapOf(headerValue, limits.headersMax), {
  propertyNames: { maxLength: limits.headerNameCharsMax, pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
})
const bodyText = text({ charsMax: limits.bodyContainsCharsMax })
const urlWords = [
  "What is checked; required, but for push, which has none (null, `''` or absent).",
  '- endpoint, health, keyword: `http://host/path` or `https://host/path`',
  '- ssl: `https://host[:port]` (443; the path does not matter) or `tls://host:port`',
  '- ping: `ping://host` or `host`, by ICMP, or TCP where that may not be used; with `:port` by TCP',
  '- tcp: `tcp://host:port`',
  '- dns: `dns://name?type=MX&server=9.9.9.9`; server is an address or a name, with `:port` ' +
    "where that is not 53, absent: the daemon's own name servers; type is one of " +
    `${recordTypes.join(', ')}, absent: A; with PTR the name is the address itself`,
  '- websocket: `ws://host/path` or `wss://host/path`',
  '- smtp: `smtp://host[:port]` (25) or `smtps://host[:port]` (465, TLS from the first byte); ' +
    'with `?starttls=required` a server that does not offer STARTTLS is down',
  '- domain: `domain://example.com`; of a name below it the registered domain is asked for, by ' +
    'the public suffix list (`www.example.co.uk`: example.co.uk)',
  '',
  'Hosts are names or addresses, IPv6 in brackets; never with a user name or a password.',
].join('\n')

const shortestRetrySeconds = retrySeconds({ intervalSeconds: 1, retryIntervalSeconds: null })
const longestRetrySeconds = retrySeconds({
  intervalSeconds: limits.intervalSecondsMax,
  retryIntervalSeconds: null,
})
const bytesMax = limits.requestBodyBytesMax.toLocaleString('en')
const usualSlowMs = monitorDefaults.degradedThresholdMs

// Null and '' mean "nothing said" in every optional field: examples and forms send them.
const request = {
  url: described(nullable(text({ charsMax: limits.urlCharsMax })), urlWords),
  checkType: described(
    oneOf(checkTypes),
    'What kind of check it is: see url. It cannot be changed later.',
  ),
  method: described(
    oneOf(methods),
    'Of the request. Not HEAD where something is said of the body, nor for health and keyword.',
  ),
  headers: described(
    headers,
    `What is sent with the request, by name. Values are secrets: answers show \`${secretMask}\` ` +
      `in place of each. A change replaces all headers; one with the value \`${secretMask}\` ` +
      'keeps what it had. Host, Content-Length and others that frame a request are refused, and ' +
      'a redirect to another origin gets none.',
  ),
  body: described(
    nullable(text({ charsMax: limits.requestBodyBytesMax })),
    `Sent with the request, or as the first message; at most ${bytesMax} bytes in UTF-8. tcp: ` +
      '`\\r`, `\\n`, `\\t`, `\\\\` and `\\xNN` (one byte) are escapes, other backslashes are ' +
      "refused, and nothing is added at its end. Null or `''`: nothing is sent.",
  ),
  followRedirects: described(
    flag,
    'Whether 301, 302, 303, 307 and 308 lead on; not to http:// from https://. One that ' +
      'expectedStatus or acceptedStatuses names by itself is an answer.',
  ),
  maxRedirects: described(
    integer(0, limits.redirectsMax),
    'So many redirects in a row are followed; one more is a failure.',
  ),
  ignoreTlsErrors: described(
    flag,
    'Whether a certificate that is expired, not trusted or of another name is good enough.',
  ),
  certificateWarnDays: described(
    {
      ...listOf(integer(1, limits.certificateWarnDaysMax), limits.certificateWarningsMax),
      uniqueItems: true,
    },
    'Alert channels get `certificate.expiring`, once for each certificate and number, when a ' +
      'good check finds so many whole days left, or fewer; no incident opens. Empty: never.',
  ),
  ipFamily: described(
    oneOf(['any', 'ipv4', 'ipv6']),
    'Which addresses are connected to; not another family than that of an address in the url. ' +
      'dns: only with a server in the url, of which it speaks.',
  ),
}

const expectation = {
  expectedStatus: described(integer(100, 599), 'The status that is good, beside acceptedStatuses.'),
  acceptedStatuses: described(
    listOf(status, limits.acceptedStatusesMax),
    'More statuses that are good: each one such as `"301"`, or a range such as `"200-299"`.',
  ),
  bodyContains: described(
    nullable(bodyText),
    'A text that has to be in the body, or in what the check found (ssl, ping, dns and domain: ' +
      "JSON). Null or `''`: none. keyword needs this or bodyNotContains.",
  ),
  bodyNotContains: described(
    nullable(bodyText),
    "A text that must not be in it. Null or `''`: none.",
  ),
  responseFormat: described(
    nullable(oneOf([...responseFormats, ''])),
    'As what the body is read; json, xml and html fail one that is no such document, which for ' +
      'html is one without any element. ' +
      "auto, null or `''`: as responseAssertionPath (`$` begins a JSONPath) and the content type say.",
  ),
  responseAssertionType: described(
    nullable(oneOf([...assertionTypes, ''])),
    "One assertion about the body, in three fields; assertions[] can say more. Null or `''`: none.",
  ),
  responseAssertionPath: described(
    nullable(pathText),
    "A JSONPath or a CSS selector, as in assertions[].path. Null or `''`: the whole body.",
  ),
  responseAssertionValue: described(nullable(valueText), 'As in assertions[].value.'),
  assertions: described(
    listOf(AssertionIn, limits.assertionsMax),
    'What has to hold of the answer, all of it. A change replaces the whole list.',
  ),
}

const pace = {
  intervalMinutes: described(
    integer(1, limits.intervalMinutesMax),
    'Minutes between checks; push: between two reports. intervalSeconds goes before it.',
  ),
  intervalSeconds: described(
    nullable(integer(limits.intervalSecondsMin, limits.intervalSecondsMax)),
    'Seconds in place of intervalMinutes. Null or absent: intervalMinutes counts. A change of ' +
      'intervalMinutes alone ends it.',
  ),
  timeoutMs: described(
    integer(limits.timeoutMsMin, limits.timeoutMsMax),
    'Milliseconds that a check may take, redirects included; not above the interval.',
  ),
  retryIntervalSeconds: described(
    nullable(integer(limits.retryIntervalSecondsMin, limits.intervalSecondsMax)),
    'Seconds between checks while a failure or a recovery is being confirmed; not above the ' +
      `interval. Null or absent: half the interval, from ${shortestRetrySeconds} to ` +
      `${longestRetrySeconds}.`,
  ),
  failureThreshold: described(
    integer(1, limits.thresholdMax),
    'It is down, and an incident opens, once so many of the newest N + 2 checks failed, N being ' +
      'this number. A push report is believed at once.',
  ),
  recoveryThreshold: described(
    integer(1, limits.thresholdMax),
    'It is up again after so many good checks in a row.',
  ),
  degradedThresholdMs: described(
    nullable(integer(1, limits.degradedThresholdMsMax)),
    'A good check that takes more milliseconds is degraded. Null: never. Absent: ' +
      `${usualSlowMs}, or null where timeoutMs leaves no room for that. A monitor at ` +
      `${usualSlowMs} counts as one without a threshold of its own: a timeoutMs that leaves no ` +
      'room for it makes it null, at a creation and at a change. Any other has to be below ' +
      'timeoutMs.',
  ),
  degradedThreshold: described(
    integer(1, limits.thresholdMax),
    'It is degraded after so many degraded checks in a row, and no more after so many others.',
  ),
  degradedOpensIncident: described(flag, 'Whether an incident opens where it is degraded, too.'),
  graceSeconds: described(
    integer(0, limits.graceSecondsMax),
    'Seconds after the interval until a missing report makes it down.',
  ),
}

const about = {
  isActive: described(
    flag,
    'False: paused. Nothing is checked, reports are refused, and an open incident is closed.',
  ),
  isPublic: described(flag, 'Whether status pages may show it.'),
  notifyChannelIds: described(
    listOf(idOf('channel'), limits.notifyChannelsMax),
    "The alert channels that learn of its incidents. Empty: the organization's default ones.",
  ),
  tags: described(listOf(tag, limits.tagsMax), 'Words to find it by, and to change many at once.'),
  description: described(
    nullable(text({ charsMax: limits.descriptionCharsMax })),
    "A note for people; nothing is done with it. Null or `''`: none.",
  ),
  runbookUrl: described(
    nullable(documented(text({ charsMax: limits.urlCharsMax }), { pattern: '^$|^https?://\\S+$' })),
    "An http:// or https:// address that says what to do when it is down. Null or `''`: none.",
  ),
}

/** Those whose defaults depend on other fields; their words say how. */
const inWords = new Set(['url', 'intervalSeconds', 'retryIntervalSeconds', 'degradedThresholdMs'])

/** For which kinds a field means something, where that is not all of them. */
function kindsOf(field: string): string {
  const kinds = (fieldKinds as Readonly<Record<string, readonly string[]>>)[field]
  if (kinds === undefined) return ''
  const others = checkTypes.filter((kind) => !kinds.includes(kind))
  const isMost = others.length < kinds.length
  return isMost ? ` Not for ${others.join(', ')}.` : ` Only for ${kinds.join(', ')}.`
}

/** The fields as a caller may leave them out: with their kinds and, for the reference, defaults. */
function optionalFields<Fields extends TProperties>(fields: Fields) {
  const entries = Object.entries(fields).map(([field, schema]) => {
    const { description } = schema as { readonly description?: string }
    const whole = described(schema, `${description}${kindsOf(field)}`)
    const value = monitorDefaults[field as keyof typeof monitorDefaults]
    return [field, optional(inWords.has(field) ? whole : usually(whole, value))]
  })
  // Entries lose which name has which schema.
  return Object.fromEntries(entries) as { [Field in keyof Fields]: TOptional<Fields[Field]> }
}

export const withUrl = { required: ['url'], properties: { url: { type: 'string', minLength: 1 } } }
export const ofPush = { required: ['checkType'], properties: { checkType: { const: 'push' } } }
export const urlUnlessPush = { anyOf: [withUrl, ofPush] }

export const MonitorIn = documented(
  object({
    name,
    ...optionalFields({ ...request, ...expectation, ...pace, ...about }),
  }),
  urlUnlessPush,
)

export const MonitorPatch = patchOf(
  object({
    ...MonitorIn.properties,
    checkType: optional(
      described(oneOf(checkTypes), 'It cannot be changed: only what it is, or absent.'),
    ),
  }),
)
