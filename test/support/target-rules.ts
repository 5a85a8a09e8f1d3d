// The rules for the URLs of monitors, as the daemon has them.
import type { Guard } from '../../src/net/egress-policy.ts'
import { createProbes } from '../../src/probes/registry.ts'
import { FakeClock } from './fake-clock.ts'
import { resolverThat } from './fake-resolver.ts'

/** Judging a URL looks up nothing. */
export function targetRules(guard: Guard) {
  const resolver = resolverThat(async () => ({ addresses: [] }))
  return createProbes({ guard, resolver, clock: new FakeClock() })
}
