// Revisions: a change that was made of an older record than the stored one is refused (If-Match).
import { Fault } from '../base/fault.ts'

/**
 * Throws Fault('precondition_failed') where the record is no longer at the revision that its caller
 * saw. `what` names it at the beginning of a sentence; no expectation is no condition.
 */
export function mustBeAt(
  expectedRevision: number | undefined,
  record: { readonly revision: number },
  what: string,
): void {
  if (expectedRevision === undefined || expectedRevision === record.revision) return
  throw new Fault('precondition_failed', `${what} was changed in the meantime.`)
}
