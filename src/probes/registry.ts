// The probes of the daemon, one per kind of check, created from shared dependencies.
import type { CheckType } from '../domain/checks/check-type.ts'
import { createJsonClient } from '../net/http-client/get-json.ts'
import { createDnsProbe } from './dns/dns.ts'
import { createDomainProbe } from './domain/domain.ts'
import { createRdapBootstrap } from './domain/rdap-bootstrap.ts'
import { createHttpProbe } from './http/http.ts'
import { createPingProbe } from './ping/ping.ts'
import { createExaminationTurns } from './run/examination-turns.ts'
import type { Probe, ProbeDeps } from './run/probe-run.ts'
import { createSmtpProbe } from './smtp/smtp.ts'
import { createTargetRules, type TargetRules } from './targets.ts'
import { createTcpProbe } from './tcp.ts'
import { createSslProbe } from './tls/ssl.ts'
import { createWebsocketProbe } from './websocket/websocket.ts'

/** Shared by the probes: the policy, the resolver, the clock, certificate authorities. */
export interface ProbesDeps extends Omit<ProbeDeps, 'turns'> {
  /** Aborted when the daemon stops, to end queries that outlive a check. */
  readonly signal?: AbortSignal
  /** Whether the list of domain registries may be fetched; else the shipped one is used. */
  readonly refreshesRegistries?: boolean
}

export interface Probes extends TargetRules {
  /** Checks a target with the probe of its kind. */
  readonly probe: Probe
}

export function createProbes(options: ProbesDeps): Probes {
  const { guard, clock, signal, refreshesRegistries = false } = options
  const deps = { ...options, turns: createExaminationTurns(clock) }
  const ending = signal === undefined ? {} : { signal }
  const refreshing = { client: createJsonClient(deps), clock, ...ending }
  const bootstrap = createRdapBootstrap(refreshesRegistries ? refreshing : {})
  const web = createHttpProbe(deps)
  const probes: { readonly [Kind in Exclude<CheckType, 'push'>]: Probe } = {
    endpoint: web,
    health: web,
    keyword: web,
    ssl: createSslProbe(deps),
    ping: createPingProbe(deps),
    tcp: createTcpProbe(deps),
    dns: createDnsProbe(deps),
    websocket: createWebsocketProbe(deps),
    smtp: createSmtpProbe(deps),
    domain: createDomainProbe({ ...deps, bootstrap, ...ending }),
  }
  const rules = createTargetRules({ guard, bootstrap })
  return {
    ...rules,
    probe: (target, context) => {
      const { checkType } = target
      if (checkType !== 'push') return probes[checkType](target, context)
      return Promise.reject(new Error('a push monitor cannot be checked: it waits for reports'))
    },
  }
}
