// Who is asking: credentials to a principal, and a principal to its place in one organization.
import { Fault } from '../base/fault.ts'
import { asId, type OrgId } from '../base/ids.ts'
import { type Principal, type Role, reaches } from '../domain/access.ts'
import { limits } from '../domain/limits.ts'
import type { ApiKey, Session } from '../domain/person.ts'
import type { SessionSeal } from '../seal/session.ts'
import { hashToken, tokenLooksRight } from '../seal/tokens.ts'
import type { Store } from '../store/store.ts'
import type { Caller, OrgScope } from './context.ts'

/** What a request brought. An API key makes the session token ignored. */
export interface Credentials {
  readonly sessionToken?: string | undefined
  readonly apiKey?: string | undefined
}

export interface Identity {
  /**
   * Reads the store each time, so that what was revoked is refused at the very next request.
   * Throws Fault('unauthenticated') for everything that lets nobody in, always in the same words.
   */
  authenticate(credentials: Credentials, nowMs: number): Principal
  /**
   * The caller inside the organization. Throws Fault('not_found') for one that does not exist or is
   * not the caller's, in the same words, and Fault('forbidden') where the role is too low.
   */
  scope(caller: Caller, orgId: string, needed: Role): OrgScope
}

export interface IdentityDeps {
  readonly store: Store
  readonly sessionSeal: SessionSeal
}

export function createIdentity({ store, sessionSeal }: IdentityDeps): Identity {
  const uses = createUseNotes(store)

  function bySession(token: string, nowMs: number): Principal {
    const claim = sessionSeal.read(token)
    const session = claim && store.sessions.findByToken(claim.tokenHash)
    if (!session || !isAlive(session, nowMs) || !sessionSeal.matches(claim)) throw nobody()
    const user = store.users.get(session.userId)
    if (!user || user.isDisabled) throw nobody()
    uses.seen(session, nowMs)
    return {
      kind: 'session',
      userId: user.id,
      sessionId: session.id,
      authenticatedAtMs: session.authenticatedAtMs,
      isSystemAdmin: user.isSystemAdmin,
    }
  }

  function byKey(text: string, nowMs: number): Principal {
    if (!tokenLooksRight(text, 'sup')) throw nobody()
    const key = store.apiKeys.findByHash(hashToken(text))
    if (!key || (key.expiresAtMs !== null && nowMs >= key.expiresAtMs)) throw nobody()
    uses.used(key, nowMs)
    return { kind: 'key', keyId: key.id, orgId: key.orgId, role: key.role }
  }

  function roleIn(principal: Principal, orgId: OrgId): Role | undefined {
    if (principal.kind === 'key') return principal.orgId === orgId ? principal.role : undefined
    if (principal.kind !== 'session') return undefined
    return store.memberships.get(orgId, principal.userId)?.role
  }

  return {
    authenticate({ sessionToken, apiKey }, nowMs) {
      if (apiKey !== undefined) return byKey(apiKey, nowMs)
      if (sessionToken !== undefined) return bySession(sessionToken, nowMs)
      throw nobody()
    },
    scope(caller, orgIdText, needed) {
      if (caller.principal.kind === 'anonymous') throw nobody()
      const orgId = asId('org', orgIdText)
      const role = orgId && roleIn(caller.principal, orgId)
      if (!orgId || !role) throw new Fault('not_found', 'There is no such organization.')
      if (!reaches(role, needed)) {
        throw new Fault('forbidden', `This needs the role ${needed}; yours is ${role}.`)
      }
      return { caller, orgId, role }
    },
  }
}

/** Notes when sessions and keys were last used: now and then, and never while a request waits. */
function createUseNotes(store: Store) {
  // Ids whose last use is being written: a busy caller asks for one write, not for thousands.
  const beingWritten = new Set<string>()

  function writeLater(id: string, body: Parameters<Store['writeSoon']>[0]): void {
    if (beingWritten.has(id)) return
    beingWritten.add(id)
    const done = () => beingWritten.delete(id)
    // A failed write has already ended the process by the store's own rule.
    store.writeSoon(body).then(done, done)
  }

  return {
    seen({ tokenHash, id, lastSeenAtMs }: Session, nowMs: number): void {
      if (nowMs - lastSeenAtMs < limits.lastSeenStepMs) return
      writeLater(id, (tx) => {
        const session = store.sessions.findByToken(tokenHash)
        if (session) store.sessions.put(tx, { ...session, lastSeenAtMs: nowMs })
      })
    },
    used({ keyHash, id, lastUsedAtMs }: ApiKey, nowMs: number): void {
      if (lastUsedAtMs !== null && nowMs - lastUsedAtMs < limits.keyLastUsedStepMs) return
      writeLater(id, (tx) => {
        const key = store.apiKeys.findByHash(keyHash)
        if (key) store.apiKeys.put(tx, { ...key, lastUsedAtMs: nowMs })
      })
    },
  }
}

/** Whether a session still holds: not past its own end, and not left alone for too long. */
export function isAlive(session: Session, nowMs: number): boolean {
  return nowMs < session.expiresAtMs && nowMs - session.lastSeenAtMs < limits.sessionIdleMsMax
}

function nobody(): Fault {
  return new Fault('unauthenticated', 'A valid session or API key is needed.')
}
