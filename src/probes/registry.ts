// The probes of the daemon, made once from what they share.
import type { ConnectDeps } from './connect.ts'
import { createHttpProbe } from './http.ts'
import type { Probe } from './probe.ts'
import type { Resolver } from './resolve.ts'

export interface ProbeDeps extends ConnectDeps {
  readonly resolver: Resolver
}

export interface Probes {
  readonly probeEndpoint: Probe
}

export function createProbes(deps: ProbeDeps): Probes {
  return { probeEndpoint: createHttpProbe(deps) }
}
