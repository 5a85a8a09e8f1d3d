// Revisions: refuses a change that is based on an older record than the stored one (If-Match).
import { Fault } from '../base/fault.ts'

/** `what` names the record at the beginning of a sentence. Throws precondition_failed. */
export function mustBeAt(
  expectedRevision: number | undefined,
  record: { readonly revision: number },
  what: string,
): void {
  if (expectedRevision === undefined || expectedRevision === record.revision) return
  throw new Fault('precondition_failed', `${what} was changed in the meantime.`)
}

/** The revision of a damaged record, which nobody knows: real ones begin with 1. */
export const unknownRevision = 0
