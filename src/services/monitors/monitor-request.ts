// The encrypted part of a monitor's request: the headers and the body that its check sends.
import { type FieldProblem, pointerPart } from '../../base/fault.ts'
import { expectationOf } from '../../domain/assertions/expectation.ts'
import type { EndpointTarget, Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorInput } from '../../domain/monitors/monitor-fields.ts'
import { givenAgainRule, isSameServer } from '../../domain/same-server.ts'
import { secretMask } from '../../domain/secret-mask.ts'
import { type Box, SealBroken } from '../../seal/box.ts'

export interface MonitorRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const nothing: MonitorRequest = { headers: {}, body: null }

/** Null if there is nothing to store. */
export function sealRequest(box: Box, request: MonitorRequest): string | null {
  const isEmpty = request.body === null && Object.keys(request.headers).length === 0
  return isEmpty ? null : box.seal(JSON.stringify(request))
}

function opened(box: Box, monitor: Monitor): MonitorRequest {
  return monitor.requestBox === null ? nothing : JSON.parse(box.open(monitor.requestBox))
}

/**
 * If it cannot be decrypted, the body is missing and each header has the mask as its value: no
 * check accepts that, so the next change must send the headers again.
 */
export function openRequest(box: Box, monitor: Monitor): MonitorRequest {
  try {
    return opened(box, monitor)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    const headers = Object.fromEntries(monitor.headerNames.map((name) => [name, secretMask]))
    return { headers, body: null }
  }
}

/** The headers as the API shows them: a change that leaves them out keeps each. */
export function maskedHeaders(headers: MonitorRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, secretMask]))
}

type Addressed = Pick<MonitorInput, 'url' | 'headers'>

export interface KeptHeaders {
  readonly headers: Readonly<Record<string, string>>
  /** One for each stored value that would go to another server: who sends the mask may not know it. */
  readonly carried: readonly FieldProblem[]
}

/** The headers of a change or a trial, where a mask stands for the stored value. */
export function withKeptSecrets(next: Addressed, stored: Addressed): KeptHeaders {
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
  if (isSameServer(next.url, stored.url)) return { headers, carried: [] }
  const carried = [...kept.keys()].map((name) => ({
    pointer: `/headers/${pointerPart(name)}`,
    keyword: 'secret',
    message: givenAgainRule('the requests go'),
  }))
  return { headers, carried }
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
