// The sealed part of a monitor's request: the headers and the body that its check sends.
import type { EndpointTarget, Monitor } from '../domain/monitor.ts'
import type { Box } from '../seal/box.ts'

/** What stands for a secret that is kept and not shown; sent back, it keeps the secret. */
export const secretMask = '••••'

export interface MonitorRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const nothing: MonitorRequest = { headers: {}, body: null }

/** Null where there is nothing to keep. */
export function sealRequest(box: Box, request: MonitorRequest): string | null {
  const isEmpty = request.body === null && Object.keys(request.headers).length === 0
  return isEmpty ? null : box.seal(JSON.stringify(request))
}

export function openRequest(box: Box, monitor: Monitor): MonitorRequest {
  return monitor.requestBox === null ? nothing : JSON.parse(box.open(monitor.requestBox))
}

/** A header that comes back as its mask keeps the value it has. */
export function withKeptSecrets(
  headers: Readonly<Record<string, string>>,
  kept: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === secretMask ? (kept[name] ?? value) : value]),
  )
}

/** Everything the probe needs, its secrets opened. */
export function targetOf(box: Box, monitor: Monitor): EndpointTarget {
  return { ...monitor, ...openRequest(box, monitor), url: monitor.url ?? '', expect: monitor }
}
