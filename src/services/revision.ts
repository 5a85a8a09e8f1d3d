// Revisions: refuses a change that is based on an older record than the stored one (If-Match).
import { Fault } from '../base/fault.ts'

/**
 * Throws Fault('precondition_failed') if the record is no longer at the revision that its caller
 * saw. `what` names it at the beginning of a sentence; without an expectation there is no
 * condition.
 */
export function mustBeAt(
  expectedRevision: number | undefined,
  record: { readonly revision: number },
  what: string,
): void {
  if (expectedRevision === undefined || expectedRevision === record.revision) return
  throw new Fault('precondition_failed', `${what} was changed in the meantime.`)
}
