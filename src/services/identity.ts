// Identity: credentials to a principal, and a principal to its role in one organization.
import { Fault, notFound } from '../base/fault.ts'
import { asId, type OrgId } from '../base/ids.ts'
import { type Principal, type Role, reaches } from '../domain/access.ts'
import { networkOf } from '../domain/network.ts'
import { keyStanding } from '../domain/orgs/api-key.ts'
import { type ApiKey, isSessionAlive, type Session } from '../domain/people/person.ts'
import type { SessionSeal } from '../seal/session.ts'
import { hashToken, isTokenShaped } from '../seal/tokens.ts'
import { isOrgOff, keyMaker, readableKeyMaker } from '../store/org-state.ts'
import type { Store } from '../store/store.ts'
import type { Caller, OrgScope } from './context.ts'

/** The operator on the machine itself. */
export type LocalCaller = Caller & {
  readonly principal: Extract<Principal, { kind: 'command_line' }>
}

/** With an API key, the session token is ignored. */
export interface Credentials {
  readonly sessionToken?: string | undefined
  readonly apiKey?: string | undefined
  readonly address?: string | undefined
}

export interface IdentityDeps {
  readonly store: Store
  readonly sessionSeal: SessionSeal
}

export type Identity = ReturnType<typeof createIdentity>

export function createIdentity({ store, sessionSeal }: IdentityDeps) {
  const uses = createUseNotes(store)

  function bySession(token: string, nowMs: number): Principal {
    const claim = sessionSeal.read(token)
    const session = claim && sessionOf(claim.tokenHash, nowMs)
    if (!session || !isSessionAlive(session, nowMs) || !sessionSeal.matches(claim))
      throw unauthenticated()
    const user = store.users.get(session.userId)
    if (!user || user.isDisabled) throw unauthenticated()
    uses.seen(session, nowMs)
    const isCurrent = session.tokenHash === claim.tokenHash
    const isUnused = isValueUnused(session, nowMs)
    if (isCurrent && isUnused) uses.took(session, nowMs)
    return {
      kind: 'session',
      userId: user.id,
      sessionId: session.id,
      authenticatedAtMs: session.authenticatedAtMs,
      isSystemAdmin: user.isSystemAdmin,
      // With the previous value only while nobody has used the current one.
      ...((isCurrent || isUnused) && isValueOld(session, nowMs) ? { mustRenew: true } : {}),
      ...(isCurrent ? {} : { usesFormer: true }),
    }
  }

  function sessionOf(tokenHash: string, nowMs: number): Session | undefined {
    const session = store.sessions.findByToken(tokenHash)
    if (session) return session
    const renewed = store.sessions.findByFormer(tokenHash)
    return renewed?.former && nowMs < renewed.former.untilMs ? renewed : undefined
  }

  function byKey(text: string, address: string, nowMs: number): Principal {
    if (!isTokenShaped(text, 'sup')) throw unauthenticated()
    const key = store.apiKeys.findByHash(hashToken(text))
    if (!key) throw unauthenticated()
    const { role } = keyStanding(key, keyMaker(store, key), nowMs)
    if (!role) throw unauthenticated()
    uses.used(key, address, nowMs)
    return { kind: 'key', keyId: key.id, orgId: key.orgId, role }
  }

  function roleIn(principal: Principal, orgId: OrgId): Role | undefined {
    if (principal.kind === 'key') return principal.orgId === orgId ? principal.role : undefined
    if (principal.kind === 'command_line') return store.orgs.has(orgId) ? 'owner' : undefined
    if (principal.kind !== 'session') return undefined
    return store.memberships.get(orgId, principal.userId)?.role
  }

  /** What an earlier principal may do now; undefined: nothing. Damaged records grant nothing. */
  function presentRole(principal: Principal, orgId: OrgId, nowMs: number): Role | undefined {
    if (principal.kind === 'key') {
      const key = store.apiKeys.readable(principal.orgId, principal.keyId)
      if (key?.orgId !== orgId) return undefined
      return keyStanding(key, readableKeyMaker(store, key), nowMs).role
    }
    if (principal.kind !== 'session') return undefined
    const session = store.sessions.get(principal.userId, principal.sessionId)
    const user = store.users.readable(principal.userId)
    if (!session || !isSessionAlive(session, nowMs) || user?.isDisabled !== false) return undefined
    return store.memberships.readable(orgId, principal.userId)?.role
  }

  return {
    /** Whether an earlier scope would still be granted now. */
    holds({ caller: { principal }, orgId }: OrgScope, needed: Role, nowMs: number): boolean {
      const role = presentRole(principal, orgId, nowMs)
      return role !== undefined && reaches(role, needed) && !isOrgOff(store, orgId)
    },
    /**
     * Reads the store each time, so that a revoked credential fails on the next request. Throws
     * unauthenticated for every invalid one, always in the same words.
     */
    authenticate({ sessionToken, apiKey, address = '' }: Credentials, nowMs: number): Principal {
      if (apiKey !== undefined) return byKey(apiKey, address, nowMs)
      if (sessionToken !== undefined) return bySession(sessionToken, nowMs)
      throw unauthenticated()
    },
    /**
     * Throws not_found for organizations that do not exist or are foreign, in the same words, and
     * forbidden if the role is too low or the operator switched the organization off.
     */
    scope(caller: Caller, orgIdText: string, needed: Role): OrgScope {
      if (caller.principal.kind === 'anonymous') throw unauthenticated()
      const orgId = asId('org', orgIdText)
      const role = orgId && roleIn(caller.principal, orgId)
      if (!orgId || !role) throw notFound('organization')
      if (isOrgOff(store, orgId) && caller.principal.kind !== 'command_line') {
        throw new Fault('forbidden', 'This organization was switched off by the operator.')
      }
      if (!reaches(role, needed)) {
        throw new Fault('forbidden', `This requires the role ${needed}; yours is ${role}.`)
      }
      return { caller, orgId, role }
    },
    /**
     * The scope for the command line of this machine, whose user owns the data: any organization, also
     * one that is switched off, by its id or its name. Throws not_found, or conflict if several have the
     * name.
     */
    operatorScope(caller: LocalCaller, idOrName: string): OrgScope {
      const orgId = asId('org', idOrName)
      if (orgId && store.orgs.has(orgId)) return { caller, orgId, role: 'owner' }
      const [found, another] = store.orgs.named(idOrName)
      if (!found) throw notFound('organization')
      if (another) throw new Fault('conflict', 'Several organizations have this name: use the id.')
      return { caller, orgId: found.id, role: 'owner' }
    },
  }
}

/** How long a session's value is used, and the previous one once its successor was used. */
const sessionValueMsMax = 86_400_000
const sessionFormerMs = 30_000
const lastSeenStepMs = 5 * 60_000
const keyLastUsedStepMs = 60_000

/** Records when sessions and keys were last used: occasionally, and without delaying requests. */
function createUseNotes(store: Store) {
  // Ids whose last use is being written, so that a busy caller causes one write, not thousands.
  const beingWritten = new Set<string>()

  function writeLater(id: string, body: Parameters<Store['writeSoon']>[0]): void {
    if (beingWritten.has(id)) return
    beingWritten.add(id)
    const done = () => beingWritten.delete(id)
    // A failed write has already ended the process, by the store's rule.
    store.writeSoon(body).then(done, done)
  }

  return {
    seen({ userId, id, lastSeenAtMs }: Session, nowMs: number): void {
      if (nowMs - lastSeenAtMs < lastSeenStepMs) return
      writeLater(id, (tx) => {
        const session = store.sessions.get(userId, id)
        if (session) store.sessions.put(tx, { ...session, lastSeenAtMs: nowMs })
      })
    },
    /** Its caller has the current value: the previous one ends soon. */
    took({ userId, id, tokenHash }: Session, nowMs: number): void {
      writeLater(`${id} ${tokenHash}`, (tx) => {
        const session = store.sessions.get(userId, id)
        if (session?.tokenHash !== tokenHash || !session.former) return
        const former = { ...session.former, untilMs: nowMs + sessionFormerMs }
        store.sessions.put(tx, { ...session, former })
      })
    },
    used({ keyHash, id, lastUsedAtMs }: ApiKey, address: string, nowMs: number): void {
      if (lastUsedAtMs !== null && nowMs - lastUsedAtMs < keyLastUsedStepMs) return
      writeLater(id, (tx) => {
        const key = store.apiKeys.findByHash(keyHash)
        const use = { lastUsedAtMs: nowMs, lastUsedFrom: networkOf(address) }
        if (key) store.apiKeys.put(tx, { ...key, ...use })
      })
    },
  }
}

/** Whether a session's value should be replaced at the next request. */
export function isValueOld({ mustRenew, mintedAtMs }: Session, nowMs: number): boolean {
  return mustRenew || nowMs - mintedAtMs >= sessionValueMsMax
}

/** Whether nobody has used the current value of a session yet. */
export function isValueUnused({ former }: Session, nowMs: number): boolean {
  return former !== null && former.untilMs > nowMs + sessionFormerMs
}

function unauthenticated(): Fault {
  return new Fault('unauthenticated', 'A valid session or API key is required.')
}
