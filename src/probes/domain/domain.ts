// The check of a domain: whether a domain is registered, for how long, and in what state.

import { clip } from '../../base/clip.ts'
import type { Clock } from '../../base/clock.ts'
import { within } from '../../base/timeout.ts'
import { wholeDays } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import { publicSuffixes } from '../../domain/public-suffixes.ts'
import { dnsName, nameUrl } from '../../net/dns/dns-name.ts'
import { failure } from '../../net/failure.ts'
import { createJsonClient } from '../../net/http-client/get-json.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { defineKind, type KindDeps } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import { createRdapBootstrap, type RdapBootstrap, rdapProblem } from './rdap-bootstrap.ts'
import {
  createRegistrations,
  type DomainRegistration,
  notKnown,
  type RegistryAnswer,
  registrationProblem,
} from './registrations.ts'

export interface DomainUrl {
  readonly name: string
  readonly problem?: never
}

export interface DomainDeps extends KindDeps {
  /** The registries; default: the shipped list. */
  readonly bootstrap?: RdapBootstrap
}

/** All its monitors share the registries' answers. */
export const domain = defineKind({
  type: 'domain',
  fields: ['registration'],
  sources: [],
  textName: 'registration',
  schemes: ['domain'],
  family: 'web',
  icon: 'at-sign',
  example: 'domain://example.com',
  urlForm:
    '`domain://example.com`; for a name below it, the registered domain is queried, ' +
    'according to the public suffix list (`www.example.co.uk`: example.co.uk)',
  finds: 'json',
  typed: { keeps: 'host' },
  isInOneThread: true,
  parse: parseDomainUrl,
  // All such checks contact the same servers, the registries.
  destination: () => ({ host: null }),
  open(deps: DomainDeps) {
    const { clock, signal, refreshesRegistries } = deps
    const client = createJsonClient(deps)
    const ending = signal === undefined ? {} : { signal }
    const refreshing = refreshesRegistries ? { client, clock, ...ending } : {}
    const { bootstrap = createRdapBootstrap(refreshing) } = deps
    const registrations = createRegistrations({ client, bootstrap, clock, ...ending })
    return {
      problem: ({ name }) => rdapProblem(name, bootstrap),
      async look({ name }, target, run) {
        void bootstrap.freshen()
        run.record.enter('firstByte')
        const found = await inTime(registrations.find(name), target.timeoutMs, run.clock)
        const shown = clip(name, limits.quotedCharsMax)
        if (found.kind === 'unknown') throw new RunError(found.failure)
        if (found.kind === 'unregistered') {
          throw new RunError(failure('assertion', `${shown} is not registered`))
        }
        const { registration, readAtMs } = found
        run.record.registration = {
          name: registration.name,
          expiresAtMs: registration.expiresAtMs,
          registrar: registration.registrar,
        }
        const nowMs = run.clock.nowMs()
        const text = textOf(registration, { readAtMs, nowMs })
        const wrong = registrationProblem(registration, nowMs)
        if (wrong === null) return { text, contentType: 'application/json' }
        run.record.text = text
        throw new RunError(failure('assertion', wrong))
      },
    }
  },
})

/** Recognizes suffixes of registries, such as `co.uk`, but not private ones, such as `github.io`. */
const suffixRules = {
  allowIcannDomains: true,
  allowPrivateDomains: false,
  // The input is already a name. DNS names may contain more characters than host names, such as
  // underscores.
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
}

/** The registrable domain of the name, or what is wrong with it, without its subject. */
export function parseDomainUrl(text: string): DomainUrl | UrlFault {
  const url = nameUrl(text, 'domain')
  if ('problem' in url) return url
  if (url.query.size > 0) return { problem: 'must not have a query' }
  const found = dnsName(url.host)
  if (found.problem !== undefined) return found
  if (!found.name.includes('.')) {
    return { problem: 'must name a registered domain, such as domain://example.com' }
  }
  const { getDomain, getPublicSuffix } = publicSuffixes()
  const name = getDomain(found.name, suffixRules)
  if (name !== null) return { name }
  const suffix = clip(getPublicSuffix(found.name, suffixRules) ?? '', limits.quotedCharsMax)
  const such = `such as domain://example.${suffix}`
  return { problem: `must name a domain below the public suffix ${suffix}, ${such}` }
}

/** The share of its time that a check waits for a registry; the rest is for reporting it. */
const rdapWaitRatio = 0.9

/** Waits for a registry within the time of the check. A missing answer is not the domain's fault. */
async function inTime(
  found: Promise<RegistryAnswer>,
  timeoutMs: number,
  clock: Clock,
): Promise<RegistryAnswer> {
  const message = `the registry did not answer within ${timeoutMs} ms; the query continues in the background`
  const waitMs = Math.floor(timeoutMs * rdapWaitRatio)
  return (await within(clock, found, waitMs)) ?? notKnown('timeout', message)
}

function textOf(
  registration: DomainRegistration,
  { readAtMs, nowMs }: { readonly readAtMs: number; readonly nowMs: number },
): string {
  const { name, expiresAtMs, registeredAtMs, changedAtMs } = registration
  const { registrar, status, nameServers, isSigned } = registration
  return JSON.stringify({
    name,
    expiresAt: timeOf(expiresAtMs),
    daysLeft: expiresAtMs === null ? null : wholeDays(expiresAtMs - nowMs),
    registrar,
    status,
    nameServers,
    isSigned,
    registeredAt: timeOf(registeredAtMs),
    changedAt: timeOf(changedAtMs),
    readAt: timeOf(readAtMs),
  })
}

function timeOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
