// The encrypted part of a monitor: what its check sends that may be secret.
import { type FieldProblem, pointerPart } from '../../base/fault.ts'
import { expectationOf } from '../../domain/assertions/expectation.ts'
import type { EndpointTarget, Monitor } from '../../domain/monitors/monitor.ts'
import {
  emptyRequest,
  hasField,
  type MonitorInput,
  type MonitorRequest,
  secretTexts,
} from '../../domain/monitors/monitor-fields.ts'
import { givenAgainRule, isSameServer } from '../../domain/same-server.ts'
import { secretMask } from '../../domain/secret-mask.ts'
import { kindOf } from '../../probes/registry.ts'
import { type Box, SealBroken } from '../../seal/box.ts'

/** The request of a monitor, without its other fields. */
export function requestOf(from: MonitorRequest): MonitorRequest {
  const { headers, body, username, password, secret, auth } = from
  return { headers, body, username, password, secret, auth }
}

/** Null if there is nothing to store. */
export function sealRequest(box: Box, request: MonitorRequest): string | null {
  const { headers, ...texts } = request
  const isEmpty = Object.values(texts).every((text) => text === null)
  return isEmpty && Object.keys(headers).length === 0 ? null : box.seal(JSON.stringify(request))
}

function opened(box: Box, monitor: Monitor): MonitorRequest {
  if (monitor.requestBox === null) return emptyRequest
  return { ...emptyRequest, ...JSON.parse(box.open(monitor.requestBox)) }
}

/**
 * If it cannot be decrypted, the body is missing, and each secret has the mask as its value: no
 * check accepts that, so the next change must send the secrets again.
 */
export function openRequest(box: Box, monitor: Monitor): MonitorRequest {
  try {
    return opened(box, monitor)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    const headers = Object.fromEntries(monitor.headerNames.map((name) => [name, secretMask]))
    const kind = kindOf(monitor)
    // Of kinds that can do without a login, nobody knows any more whether there was one.
    const mayHave = kind.fields.includes('login') || monitor.headerNames.length === 0
    const texts = secretTexts.map((name) => [
      name,
      mayHave && hasField(kind, name) ? secretMask : null,
    ])
    return { ...emptyRequest, headers, ...Object.fromEntries(texts) }
  }
}

/** The request as the API shows it: a change that leaves secrets out keeps each. */
export function maskedRequest(request: MonitorRequest): MonitorRequest {
  const headers = Object.keys(request.headers).map((name) => [name, secretMask])
  const texts = secretTexts.map((name) => [name, request[name] === null ? null : secretMask])
  return {
    ...requestOf(request),
    headers: Object.fromEntries(headers),
    ...Object.fromEntries(texts),
  }
}

type SecretText = (typeof secretTexts)[number]
type Addressed = Pick<MonitorInput, 'url' | 'headers' | 'auth' | SecretText>

export interface KeptSecrets extends Pick<MonitorInput, 'headers' | SecretText> {
  /** One for each stored value that would go to another server: who sends the mask may not know it. */
  readonly carried: readonly FieldProblem[]
}

/** The secrets of a change or a trial, where a mask stands for the stored value. */
export function withKeptSecrets(next: Addressed, stored: Addressed): KeptSecrets {
  // Header names are case-insensitive.
  const known = new Map(
    Object.entries(stored.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const kept = new Map(
    Object.entries(next.headers).flatMap(([name, value]) => {
      const secret = value === secretMask ? known.get(name.toLowerCase()) : undefined
      return secret === undefined ? [] : [[name, secret]]
    }),
  )
  const headers = { ...next.headers, ...Object.fromEntries(kept) }
  const keptTexts = secretTexts.filter((name) => next[name] === secretMask && stored[name] !== null)
  const texts = Object.fromEntries(
    secretTexts.map((name) => [name, keptTexts.includes(name) ? stored[name] : next[name]]),
  ) as Pick<MonitorInput, SecretText>
  const secrets = { headers, ...texts }
  const isSame =
    isSameServer(next.url, stored.url) && isSameServer(next.auth?.tokenUrl, stored.auth?.tokenUrl)
  if (isSame) return { ...secrets, carried: [] }
  const pointers = [...kept.keys()].map((name) => `/headers/${pointerPart(name)}`)
  const carried = [...pointers, ...keptTexts.map((name) => `/${name}`)].map((pointer) => ({
    pointer,
    keyword: 'secret',
    message: givenAgainRule('the requests go'),
  }))
  return { ...secrets, carried }
}

/** Throws SealBroken: without its secrets nothing is sent. */
export function targetOf(box: Box, monitor: Monitor): EndpointTarget {
  const { method, timeoutMs, followRedirects, maxRedirects, ignoreTlsErrors } = monitor
  const { caCertificates, ipFamily, orgId } = monitor
  return {
    checkType: monitor.checkType,
    url: monitor.url ?? '',
    method,
    timeoutMs,
    ipFamily,
    orgId,
    expect: expectationOf(monitor),
    followRedirects,
    maxRedirects,
    ignoreTlsErrors,
    caCertificates,
    ...opened(box, monitor),
  }
}
