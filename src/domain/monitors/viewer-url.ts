// The address of a monitor as viewers see it.
import type { CheckType } from '../checks/check-type.ts'
import { withHiddenQuery } from '../secret-mask.ts'
import type { Monitor } from './monitor.ts'

/** In these types the query says how to check, and is not sent to the target. */
const withOwnQuery: ReadonlySet<CheckType> = new Set(['dns', 'smtp'])

/**
 * The URL with the values of its query hidden: they may be tokens, and readers who cannot change the URL
 * need none.
 */
export function urlForViewers({ url, checkType }: Pick<Monitor, 'url' | 'checkType'>) {
  return url === null || withOwnQuery.has(checkType) ? url : withHiddenQuery(url)
}
