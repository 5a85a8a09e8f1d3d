// The groups of operations in the OpenAPI document, in the order of the reference.
import type { Route } from '../routing/route.ts'

/** The tags of routes, each the last word of its resource's path. Others come after them. */
const order: readonly string[] = [
  ...['monitors', 'overview', 'push', 'incidents', 'maintenance-windows', 'templates', 'secrets'],
  ...['alert-channels', 'alert-deliveries', 'status-pages', 'custom-domains', 'locations'],
  ...['events', 'uptime', 'history'],
  ...['orgs', 'members', 'invites', 'api-keys', 'ping-keys', 'shadow', 'audit-log'],
  ...['auth', 'totp', 'oidc', 'magic-link', 'user', 'kyc', 'system', 'backups'],
]

export interface Tag {
  readonly name: string
  readonly description?: string
}

/** The tags of the routes, with what each is about. */
export function describedTags(routes: readonly Pick<Route, 'tag' | 'about'>[]): readonly Tag[] {
  const names = new Set(routes.map(({ tag }) => tag))
  const known = order.filter((name) => names.has(name))
  const others = [...names].filter((name) => !order.includes(name))
  return [...known, ...others].map((name) => {
    const { about } = routes.find((route) => route.tag === name && route.about !== undefined) ?? {}
    return { name, ...(about === undefined ? {} : { description: about }) }
  })
}
