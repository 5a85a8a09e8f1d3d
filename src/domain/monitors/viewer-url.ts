// The address of a monitor as viewers see it.
import type { CheckType } from '../checks/check-type.ts'
import { withHiddenQuery } from '../secret-mask.ts'
import type { Monitor } from './monitor.ts'

/** In these types the query says how to check, and is not sent to the target. */
const withOwnQuery: ReadonlySet<CheckType> = new Set(['dns', 'smtp'])

/** Without the values of its query, which may be tokens: readers who cannot change it need none. */
export function urlForViewers({ url, checkType }: Pick<Monitor, 'url' | 'checkType'>) {
  return url === null || withOwnQuery.has(checkType) ? url : withHiddenQuery(url)
}
