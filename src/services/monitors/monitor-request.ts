// The encrypted part of a monitor's request: the headers and the body that its check sends.
import type { EndpointTarget, Monitor } from '../../domain/monitors/monitor.ts'
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

/** A header that is sent back as the mask keeps its value. */
export function withKeptSecrets(
  headers: Readonly<Record<string, string>>,
  kept: Readonly<Record<string, string>>,
): Record<string, string> {
  // Header names are case-insensitive.
  const known = new Map(Object.entries(kept).map(([name, value]) => [name.toLowerCase(), value]))
  const entries = Object.entries(headers).map(([name, value]) => {
    const secret = value === secretMask ? known.get(name.toLowerCase()) : undefined
    return [name, secret ?? value] as const
  })
  return Object.fromEntries(entries)
}

/** Throws SealBroken: without its secrets nothing is sent. */
export function targetOf(box: Box, monitor: Monitor): EndpointTarget {
  const { method, timeoutMs, followRedirects, maxRedirects, ignoreTlsErrors } = monitor
  const { ipFamily, orgId } = monitor
  return {
    checkType: monitor.checkType,
    url: monitor.url ?? '',
    method,
    timeoutMs,
    ipFamily,
    orgId,
    expect: monitor,
    followRedirects,
    maxRedirects,
    ignoreTlsErrors,
    ...opened(box, monitor),
  }
}
