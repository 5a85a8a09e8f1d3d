// The only place that records refused requests in the audit log. The response does not wait for the
// record.
import { Fault, type FaultCode } from '../../base/fault.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { Caller } from '../../services/context.ts'
import { fieldOf } from '../input/json-body.ts'
import type { AnyHandler, Route } from '../routing/route.ts'

export interface RefusalDeps {
  readonly services: Services
  readonly hasRoom: () => boolean
}

export interface Refusals {
  /** Runs a check of rights; records what it throws, then throws it. */
  around<Result>(caller: Caller, orgId: string | undefined, check: () => Result): Result
  /** The route's handler; its refusals are recorded as well. */
  readonly handle: AnyHandler
}

const refused: ReadonlySet<FaultCode> = new Set(['forbidden', 'reauthentication_required'])

export function createRefusals(route: Route, { services, hasRoom }: RefusalDeps): Refusals {
  const { name, spec } = route

  function note(error: unknown, caller: Caller, orgId: string | undefined, body?: unknown): void {
    // When the disk is nearly full, the remaining space is kept for more important records.
    if (!(error instanceof Fault) || !hasRoom()) return
    const what = `${name}: ${error.code}`
    if (refused.has(error.code)) {
      const where = 'role' in spec.who && orgId !== undefined ? { orgId } : 'system'
      services.audit.refused(caller, where, what)
    } else if (isFailedSignIn(error.code)) {
      services.audit.signInFailed(caller, typedEmail(body), what)
    }
  }

  function isFailedSignIn(code: FaultCode): boolean {
    return code === 'invalid_credentials' || (code === 'link_expired' && spec.rate === 'auth')
  }

  function typedEmail(body: unknown): string | undefined {
    const value = spec.rateField === 'email' ? fieldOf(body, 'email') : undefined
    return typeof value === 'string' ? value : undefined
  }

  return {
    around(caller, orgId, check) {
      try {
        return check()
      } catch (error) {
        note(error, caller, orgId)
        throw error
      }
    },
    handle(call, given) {
      const { caller, params, body } = call
      // Without a caller the record could not name a sender, so nothing is recorded.
      if (!caller) return route.handle(call, given)
      const noteAndThrow = (error: unknown): never => {
        note(error, caller, params.orgId, body)
        throw error
      }
      try {
        const result = route.handle(call, given)
        return result instanceof Promise ? result.catch(noteAndThrow) : result
      } catch (error) {
        return noteAndThrow(error)
      }
    },
  }
}
