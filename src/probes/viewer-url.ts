// The address of a monitor as viewers see it.
import type { Monitor } from '../domain/monitors/monitor.ts'
import { withHiddenQuery } from '../domain/secret-mask.ts'
import { checkKinds } from './registry.ts'

const withOwnQuery = new Set(
  checkKinds.filter(({ ownsQuery }) => ownsQuery).map(({ type }) => type),
)

/**
 * The URL with the values of its query hidden: they may be tokens, and readers who cannot change the URL
 * need none.
 */
export function urlForViewers({ url, checkType }: Pick<Monitor, 'url' | 'checkType'>) {
  return url === null || withOwnQuery.has(checkType) ? url : withHiddenQuery(url)
}
