// Evidence: what is kept of a failed exchange so that a person can see why, without our secrets.
import type { IncomingHttpHeaders } from 'node:http'
import { clip } from '../base/clip.ts'
import type { FailedAssertion } from '../domain/assertion.ts'
import { isSecretHeader } from '../domain/header-rules.ts'
import { limits } from '../domain/limits.ts'
import type { EndpointTarget } from '../domain/monitor.ts'
import type { Evidence } from '../domain/reading.ts'
import { codingsOf, decodeBody } from './body.ts'
import { textOf } from './charset.ts'
import type { Intake } from './intake.ts'

const mask = '••••'
/** Headers that are sent with a check and are nobody's secret. */
const plainHeader = /^(accept(-.*)?|content-type|user-agent|cache-control|pragma|referer|origin)$/i
/** Shorter values are words that would be blotted out all over a page. */
const secretCharsMin = 4

/** Blots out, in a text of the target, every secret that this check sent to it. */
export type Redact = (text: string) => string

/** `also`: what was sent beside the headers and the body as they stand in the target. */
export function redactorFor(target: EndpointTarget, also: readonly string[] = []): Redact {
  const secrets = secretsOf(target, also)
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text)
}

function secretsOf(target: EndpointTarget, also: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const text of also) addForms(found, text)
  for (const [name, value] of Object.entries(target.headers)) {
    if (plainHeader.test(name)) continue
    const [, scheme = '', rest = ''] = /^(\S+)\s+(\S.*)$/.exec(value.trim()) ?? []
    addForms(found, value.trim())
    addForms(found, rest)
    if (scheme.toLowerCase() === 'basic') {
      const plain = Buffer.from(rest, 'base64').toString()
      addForms(found, plain)
      addForms(found, plain.slice(plain.indexOf(':') + 1))
    }
    if (/cookie/i.test(name)) {
      for (const pair of value.split(';')) addForms(found, pair.slice(pair.indexOf('=') + 1).trim())
    }
  }
  if (target.body !== null) addForms(found, target.body)
  return [...found].sort((a, b) => b.length - a.length)
}

/** As it is, and as it looks inside JSON, HTML and a URL. */
function addForms(found: Set<string>, secret: string): void {
  if (secret.length < secretCharsMin) return
  found.add(secret)
  found.add(JSON.stringify(secret).slice(1, -1))
  found.add(secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'))
  found.add(URL.parse(`http://x/?${secret}`)?.search.slice(1) ?? secret)
  found.add(new URLSearchParams([['', secret]]).toString().slice(1))
}

/** What is to be shown of an exchange that failed; undefined where no response came. */
export function gatherEvidence(
  exchange: Intake | undefined,
  target: EndpointTarget,
  failedAssertions: readonly FailedAssertion[],
  done: (evidence: Evidence | undefined) => void,
): void {
  if (exchange === undefined || exchange.status === 0) {
    done(undefined)
    return
  }
  const { status } = exchange
  const redact = redactorFor(target)
  const contentType = String(exchange.headers['content-type'] ?? '')
  const headers = evidenceHeaders(exchange.headers, redact)
  // More than is shown, since a secret that the cut goes through would not be found any more.
  const head = Buffer.concat(exchange.chunks).subarray(0, limits.evidenceBodyBytesMax * 2)
  // Their excerpts are redacted already, for the same reason.
  const failed = failedAssertions.map(({ expected, found }) => ({ expected, found }))
  decodeBody(head, codingsOf(exchange.headers['content-encoding']), true, ({ bytes }) => {
    // Of some codings the beginning alone says nothing; then nothing is shown, not an empty body.
    const isReadable = bytes !== undefined && (bytes.length > 0 || head.length === 0)
    const text = isReadable ? textOf(bytes, contentType) : undefined
    done({
      status,
      headers,
      ...(text === undefined ? {} : { body: bounded(redact(readable(text))) }),
      ...(failed.length === 0 ? {} : { failedAssertions: failed }),
    })
  })
}

/** The same of what a target said in another way than HTTP; undefined where it said nothing. */
export function textEvidence(
  text: string | undefined,
  failedAssertions: readonly FailedAssertion[],
  redact: Redact,
): Evidence | undefined {
  if (text === undefined && failedAssertions.length === 0) return undefined
  const failed = failedAssertions.map(({ expected, found }) => ({ expected, found }))
  return {
    ...(text === undefined ? {} : { body: bounded(redact(readable(text))) }),
    ...(failed.length === 0 ? {} : { failedAssertions: failed }),
  }
}

function evidenceHeaders(
  headers: IncomingHttpHeaders,
  redact: Redact,
): readonly (readonly [string, string])[] {
  return Object.entries(headers)
    .filter(([name]) => !/^set-cookie2?$/.test(name))
    .slice(0, limits.evidenceHeadersMax)
    .map(([name, value]) => {
      const text = isSecretHeader(name) ? mask : redact(String(value))
      return [clip(name, limits.headerNameCharsMax), clip(text, limits.evidenceHeaderValueCharsMax)]
    })
}

/** Control characters of a binary body would only hide what can be read. */
function readable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd')
}

function bounded(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limits.evidenceBodyBytesMax) return text
  // A character cut in two would become a replacement character.
  return bytes
    .subarray(0, limits.evidenceBodyBytesMax)
    .toString()
    .replace(/\ufffd+$/, '')
}
