// The encrypted part of a monitor: what its check sends that may be secret.
import { type FieldProblem, pointerPart } from '../../base/fault.ts'
import type { OrgId } from '../../base/ids.ts'
import { expectationOf } from '../../domain/assertions/expectation.ts'
import { openings } from '../../domain/browser/action-rules.ts'
import type { EndpointTarget, Monitor } from '../../domain/monitors/monitor.ts'
import { completedAuth } from '../../domain/monitors/monitor-auth.ts'
import {
  emptyRequest,
  hasField,
  type MonitorInput,
  type MonitorRequest,
  secretMaps,
  secretTexts,
} from '../../domain/monitors/monitor-fields.ts'
import { givenAgainRule, isSameServer } from '../../domain/same-server.ts'
import { secretMask } from '../../domain/secret-mask.ts'
import type { UsableSecret } from '../../domain/secrets/org-secret.ts'
import { originsOf } from '../../domain/steps/step-rules.ts'
import { kindOf } from '../../probes/registry.ts'
import { type Box, SealBroken } from '../../seal/box.ts'

/** The request of a monitor, without its other fields. */
export function requestOf(from: MonitorRequest): MonitorRequest {
  const { headers, body, username, password, secret, clientKey, auth, ...parts } = from
  const { steps, variables, actions } = parts
  const sent = { headers, body, username, password, secret, clientKey, auth }
  return { ...sent, steps, variables, actions }
}

/** Null if there is nothing to store. */
export function sealRequest(box: Box, request: MonitorRequest): string | null {
  const said = Object.entries(request).filter(
    ([, value]) => value !== null && Object.keys(value).length > 0,
  )
  return said.length === 0 ? null : box.seal(JSON.stringify(Object.fromEntries(said)))
}

function opened(box: Box, monitor: Monitor): MonitorRequest {
  if (monitor.requestBox === null) return emptyRequest
  const request: MonitorRequest = { ...emptyRequest, ...JSON.parse(box.open(monitor.requestBox)) }
  return { ...request, auth: request.auth && completedAuth(request.auth) }
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
    const hadOne = (name: SecretText) =>
      name === 'clientKey' ? monitor.clientCertificate !== null : mayHave && hasField(kind, name)
    const texts = secretTexts.map((name) => [name, hadOne(name) ? secretMask : null])
    return { ...emptyRequest, headers, ...Object.fromEntries(texts) }
  }
}

/** The request as the API shows it: a change that leaves secrets out keeps each. */
export function maskedRequest(request: MonitorRequest): MonitorRequest {
  const maps = secretMaps.map((field) => [
    field,
    Object.fromEntries(Object.keys(request[field]).map((name) => [name, secretMask])),
  ])
  const texts = secretTexts.map((name) => [name, request[name] === null ? null : secretMask])
  return { ...requestOf(request), ...Object.fromEntries([...maps, ...texts]) }
}

type SecretText = (typeof secretTexts)[number]
type SecretMap = (typeof secretMaps)[number]
type Addressed = Pick<
  MonitorInput,
  'url' | 'auth' | 'steps' | 'actions' | 'connectTo' | 'proxy' | SecretMap | SecretText
>

export interface KeptSecrets extends Pick<MonitorInput, SecretMap | SecretText> {
  /** One for each stored value that would go to another server: who sends the mask may not know it. */
  readonly carried: readonly FieldProblem[]
}

/** The secrets of a change or a trial, where a mask stands for the stored value. */
export function withKeptSecrets(next: Addressed, stored: Addressed): KeptSecrets {
  const maps = secretMaps.map((field) => {
    const kept = keptIn(field, next[field], stored[field])
    return { field, kept, whole: { ...next[field], ...Object.fromEntries(kept) } }
  })
  const keptTexts = secretTexts.filter((name) => next[name] === secretMask && stored[name] !== null)
  const secrets = Object.fromEntries([
    ...maps.map(({ field, whole }) => [field, whole]),
    ...secretTexts.map((name) => [name, keptTexts.includes(name) ? stored[name] : next[name]]),
  ]) as Pick<MonitorInput, SecretMap | SecretText>
  if (goesToSameServers(next, stored)) return { ...secrets, carried: [] }
  const pointers = maps.flatMap(({ field, kept }) =>
    [...kept.keys()].map((name) => `/${field}/${pointerPart(name)}`),
  )
  const carried = [...pointers, ...keptTexts.map((name) => `/${name}`)].map((pointer) => ({
    pointer,
    keyword: 'secret',
    message: givenAgainRule('the requests go'),
  }))
  return { ...secrets, carried }
}

/** The stored values for which a mask stands. */
function keptIn(
  field: SecretMap,
  next: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  // Names of headers are case-insensitive.
  const keyOf = (name: string) => (field === 'headers' ? name.toLowerCase() : name)
  const known = new Map(Object.entries(stored).map(([name, value]) => [keyOf(name), value]))
  return new Map(
    Object.entries(next).flatMap(([name, value]) => {
      const secret = value === secretMask ? known.get(keyOf(name)) : undefined
      return secret === undefined ? [] : [[name, secret]]
    }),
  )
}

/** Whether secrets go nowhere where those of the stored monitor did not go. */
function goesToSameServers(next: Addressed, stored: Addressed): boolean {
  const known = serversOf(stored)
  return (
    isSameServer(next.url, stored.url) &&
    isSameServer(next.auth?.tokenUrl, stored.auth?.tokenUrl) &&
    next.connectTo === stored.connectTo &&
    next.proxy === stored.proxy &&
    serversOf(next).every((origin) => known.includes(origin))
  )
}

function serversOf({ url, steps, actions }: Addressed): readonly string[] {
  return originsOf(url, [...steps, ...openings(actions)])
}

/** The secrets of an organization that have these names, as far as there are any. */
export type SecretsOf = (
  orgId: OrgId,
  names: readonly string[],
) => ReadonlyMap<string, UsableSecret>

/** Throws SealBroken: without its secrets nothing is sent. */
export function targetOf(
  box: Box,
  monitor: Monitor,
  secretsOf: SecretsOf = () => new Map(),
): EndpointTarget {
  const { method, timeoutMs, followRedirects, maxRedirects, ignoreTlsErrors } = monitor
  const { caCertificates, clientCertificate, ipFamily, orgId, viewport, secretNames } = monitor
  const { connectTo, proxy, game } = monitor
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
    clientCertificate,
    viewport,
    game,
    connectTo,
    proxy,
    ...opened(box, monitor),
    ...(secretNames && { secrets: Object.fromEntries(secretsOf(orgId, secretNames)) }),
  }
}
