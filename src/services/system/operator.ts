// The operator's actions: who may use the installation, and the quotas of organizations.
import type { OrgSwitch } from '../../actors/org-switch.ts'
import { Fault, notFound } from '../../base/fault.ts'
import { asId, type OrgId, type UserId } from '../../base/ids.ts'
import type { AuditNote } from '../../domain/audit/audit.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Organization, Quotas } from '../../domain/orgs/org.ts'
import { normalizedEmail, type User } from '../../domain/people/person.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Caller, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import type { KeyRights } from '../orgs/key-rights.ts'
import type { Factors } from '../people/factors.ts'
import type { Sessions } from '../people/sessions.ts'
import { mustBeAt } from '../revision.ts'
import type { Passkeys } from '../sign-in/passkeys.ts'

/** An organization as the operator sees it: that it exists, and how large it is. */
export interface KnownOrg {
  readonly org: Organization
  /** Its effective quotas: its own over the defaults. */
  readonly quotas: Quotas
  readonly monitors: number
  readonly members: number
}

export interface KnownUser {
  readonly user: User
  readonly hasTotp: boolean
  readonly organizations: number
}

interface UserChanges {
  readonly isDisabled?: boolean | undefined
  readonly isSystemAdmin?: boolean | undefined
  /** Turns the second factor off, for a person who lost it. */
  readonly resetTotp?: true | undefined
  /** Removes all passkeys, for a person who lost them. */
  readonly resetPasskeys?: true | undefined
}

interface OrgChangesByOperator {
  readonly isDisabled?: boolean | undefined
  /** A merge patch: null restores the default. */
  readonly quotas?: { readonly [What in keyof Quotas]?: number | null | undefined } | undefined
}

/** The filter of a list: names that contain the text, addresses that begin with it. */
export interface SearchRequest extends PageRequest {
  readonly q?: string | undefined
}

export interface OperatorDeps {
  readonly factors: Pick<Factors, 'isEnrolled' | 'reset'>
  readonly passkeys: Pick<Passkeys, 'reset'>
  readonly sessions: Pick<Sessions, 'endAll' | 'rotateSoon'>
  readonly orgSwitch: OrgSwitch
  readonly keyRights: Pick<KeyRights, 'before'>
}

/** Every method is for the system administrator, which the route enforces. */
export function createOperator(core: Core, deps: OperatorDeps) {
  const { store, quotas } = core
  const { factors } = deps
  const known: OperatorViews = {
    user: (user) => ({
      user,
      hasTotp: factors.isEnrolled(user.id),
      organizations: store.memberships.countOfUser(user.id),
    }),
    org: (org) => ({
      org,
      quotas: quotas.of(org.id),
      monitors: store.monitors.count(org.id),
      members: store.memberships.count(org.id),
    }),
  }

  return {
    /** Newest first. With a search, a page reads only a bounded number of records. */
    users: (sought: SearchRequest) =>
      search(sought, {
        slice: (limit, after) =>
          store.users.list(limit, after === undefined ? after : asId('user', after)),
        fits: ({ name, email }, q) =>
          normalizedEmail(email).startsWith(q) || Boolean(name?.toLowerCase().includes(q)),
        show: known.user,
      }),
    /**
     * Switching off signs out at once. Throws not_found, precondition_failed, and conflict if no
     * system administrator would remain.
     */
    changeUser: createUserChange(core, deps, known),
    orgs: (sought: SearchRequest) =>
      search(sought, {
        slice: (limit, after) =>
          store.orgs.list(limit, after === undefined ? after : asId('org', after)),
        fits: ({ name }, q) => name.toLowerCase().includes(q),
        show: known.org,
      }),
    /**
     * Switched off, it is closed to its members, shows no pages, runs no checks, accepts no reports
     * and sends no alerts. Resolves when that is in effect. Throws not_found, precondition_failed.
     */
    changeOrg: createOrgChange(core, deps, known),
  }
}

interface OperatorViews {
  user(user: User): KnownUser
  org(org: Organization): KnownOrg
}

interface SearchSource<Rec, Shown> {
  readonly slice: (limit: number, after: string | undefined) => readonly Rec[]
  readonly fits: (record: Rec, q: string) => boolean
  readonly show: (record: Rec) => Shown
}

function search<Rec extends { readonly id: string }, Shown>(
  { limit, after, q }: SearchRequest,
  { slice, fits, show }: SearchSource<Rec, Shown>,
): PageOf<Shown> {
  const text = q?.trim().toLowerCase() ?? ''
  const items: Shown[] = []
  let last = after
  for (let scanned = 0; scanned < limits.listScanMax; ) {
    const records = slice(limit + 1, last)
    for (const record of records) {
      if (items.length === limit && last !== undefined) return { items, nextAfter: last }
      last = record.id
      if (text === '' || fits(record, text)) items.push(show(record))
    }
    scanned += records.length
    if (records.length <= limit) return { items }
  }
  return last === undefined ? { items } : { items, nextAfter: last }
}

function createUserChange(core: Core, deps: OperatorDeps, known: OperatorViews) {
  const { store, clock, audit } = core
  const { sessions, factors, passkeys, keyRights } = deps

  function put(tx: Tx, before: User, changes: UserChanges): User {
    const user: User = {
      ...before,
      isDisabled: changes.isDisabled ?? before.isDisabled,
      isSystemAdmin: changes.isSystemAdmin ?? before.isSystemAdmin,
      updatedAtMs: clock.nowMs(),
      revision: before.revision + 1,
    }
    const wasAdmin = before.isSystemAdmin && !before.isDisabled
    const isAdmin = user.isSystemAdmin && !user.isDisabled
    if (wasAdmin && !isAdmin && !store.users.hasOtherAdmin(user.id)) {
      const detail = 'This is the last system administrator: appoint another first.'
      throw new Fault('conflict', detail)
    }
    store.users.put(tx, user)
    return user
  }

  return async (
    caller: Caller,
    userId: UserId,
    changes: UserChanges,
    expectedRevision?: number,
  ): Promise<KnownUser> => {
    const after = await store.write((tx) => {
      const before = store.users.get(userId)
      if (!before) throw notFound('user')
      mustBeAt(expectedRevision, before, 'The user')
      const orgIds = store.memberships.orgIdsOfUser(userId, limits.organizationsPerUserMax)
      const settleKeys = keyRights.before(userId, orgIds)
      const user = put(tx, before, changes)
      settleKeys(tx, caller)
      const note = (action: AuditNote['action']) =>
        audit.noteIn(tx, 'system', caller, { action, objectId: userId })
      if (user.isDisabled !== before.isDisabled) {
        if (user.isDisabled) sessions.endAll(tx, userId)
        note(user.isDisabled ? 'user.switched_off' : 'user.switched_on')
      }
      if (user.isSystemAdmin !== before.isSystemAdmin) {
        sessions.rotateSoon(tx, userId)
        note(user.isSystemAdmin ? 'user.made_administrator' : 'user.made_ordinary')
      }
      // They record their own entry and send a letter to the person.
      if (changes.resetTotp) factors.reset(tx, caller, userId)
      if (changes.resetPasskeys) passkeys.reset(tx, caller, userId)
      return user
    })
    return known.user(after)
  }
}

function createOrgChange(core: Core, deps: OperatorDeps, known: OperatorViews) {
  const { store, clock, audit } = core
  const { orgSwitch } = deps

  function changed(before: Organization, changes: OrgChangesByOperator): Organization {
    const { disabledAtMs, quotas: own, ...plain } = before
    const nowMs = clock.nowMs()
    const isDisabled = changes.isDisabled ?? before.isDisabled ?? false
    const quotas = mergedQuotas(own ?? {}, changes.quotas ?? {})
    return {
      ...plain,
      ...(isDisabled ? { disabledAtMs: disabledAtMs ?? nowMs } : {}),
      ...(Object.keys(quotas).length > 0 ? { quotas } : {}),
      isDisabled,
      updatedAtMs: nowMs,
      revision: before.revision + 1,
    }
  }

  /**
   * Notes an action in the system's log and in the organization's own, so that its people know who did
   * it.
   */
  function note(tx: Tx, caller: Caller, orgId: OrgId, entry: Omit<AuditNote, 'objectId'>): void {
    audit.noteIn(tx, 'system', caller, { ...entry, objectId: orgId })
    audit.noteIn(tx, orgId, caller, { ...entry, objectId: null })
  }

  return async (
    caller: Caller,
    orgId: OrgId,
    changes: OrgChangesByOperator,
    expectedRevision?: number,
  ): Promise<KnownOrg> => {
    const { before, after } = await store.write((tx) => {
      const before = store.orgs.get(orgId)
      if (!before) throw notFound('organization')
      mustBeAt(expectedRevision, before, 'The organization')
      const after = changed(before, changes)
      store.orgs.put(tx, after)
      if (isOff(after) !== isOff(before)) {
        const action = isOff(after) ? 'organization.switched_off' : 'organization.switched_on'
        note(tx, caller, orgId, { action })
      }
      const fields = Object.keys(changes.quotas ?? {})
      if (fields.length > 0) {
        note(tx, caller, orgId, { action: 'organization.quotas_changed', fields })
      }
      return { before, after }
    })
    if (isOff(after) !== isOff(before)) {
      const offSinceMs = before.disabledAtMs ?? after.updatedAtMs
      if (isOff(after)) await orgSwitch.off(orgId)
      else await orgSwitch.on(orgId, after.updatedAtMs - offSinceMs)
    }
    return known.org(after)
  }
}

function isOff({ isDisabled }: Organization): boolean {
  return isDisabled === true
}

function mergedQuotas(
  own: Partial<Quotas>,
  changes: NonNullable<OrgChangesByOperator['quotas']>,
): Partial<Quotas> {
  const givenQuotas = Object.entries(changes).filter(([, most]) => most !== undefined)
  const merged = Object.entries({ ...own, ...Object.fromEntries(givenQuotas) })
  return Object.fromEntries(merged.filter(([, most]) => most !== null))
}
