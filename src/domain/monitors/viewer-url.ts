// The address of a monitor as viewers see it.
import type { CheckType } from '../checks/check-type.ts'
import { withHiddenQuery } from '../secret-mask.ts'
import type { Monitor } from './monitor.ts'

/** Their queries say how to check, and are sent nowhere. */
const saysHow: ReadonlySet<CheckType> = new Set(['dns', 'smtp'])

/** Without the values of its query, which may be tokens: those who may not change it need none. */
export function urlForViewers({ url, checkType }: Pick<Monitor, 'url' | 'checkType'>) {
  return url === null || saysHow.has(checkType) ? url : withHiddenQuery(url)
}
