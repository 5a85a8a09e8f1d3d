// A resolver that asks nobody.
import type { Resolver } from '../../src/net/dns/resolver.ts'

/** It resolves names like this; there are no name servers behind it. */
export function resolverThat(resolve: Resolver['resolve']): Resolver {
  return {
    resolve,
    servers: [],
    setServers() {},
    hasAnswered: () => false,
    withPermit: async ({ ask }) => ({ found: await ask() }),
  }
}

/** It finds the same addresses for every name. */
export function resolverTo(...addresses: readonly string[]): Resolver {
  return resolverThat(async () => ({ addresses }))
}
