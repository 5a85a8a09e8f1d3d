// The probes of the daemon, made once from what they share.
import { createHttpProbe, type HttpDeps } from './http.ts'
import type { Probe } from './probe.ts'

/** What the probes share: the policy, the resolver, the clock, certificate authorities. */
export type ProbeDeps = HttpDeps

export interface Probes {
  readonly probeEndpoint: Probe
}

export function createProbes(deps: ProbeDeps): Probes {
  return { probeEndpoint: createHttpProbe(deps) }
}
