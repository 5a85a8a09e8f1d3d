// The audit log: who did what; each entry is bound to the previous one by a hash.
import { hash } from 'node:crypto'
import type { AuditId, OrgId } from '../../base/ids.ts'
import { type NounAction, nouns } from '../../base/nouns.ts'
import type { Principal } from '../access.ts'
import { kycStates } from '../identity-verification/kyc.ts'

/** The owner of the log: an organization, or the installation (sign-ins, operator actions). */
export type AuditScope = OrgId | 'system'

/** Who did it, as far as known; never a name, which could later belong to somebody else. */
export interface AuditActor {
  readonly kind: Principal['kind'] | 'daemon' | 'channel'
  /** The id of a user or a key; of the channel whose alert had the link that somebody used. */
  readonly id: string | null
  /** The session that the person used. */
  readonly sessionId: string | null
}

export const auditOutcomes = ['done', 'refused', 'failed'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** The actions on what is no noun of an organization, by their subject. */
const otherActions = {
  access: ['refused'],
  delivery: ['repeated'],
  device: ['trusted', 'forgotten'],
  email: ['verification_asked', 'verified', 'change_asked', 'change_refused', 'changed'],
  identity: ['linked'],
  import: ['past_added', 'noted', 'undone', 'went_live', 'address_replaced'],
  organization: [
    ...(['created', 'changed', 'deleted', 'exported', 'imported', 'transferred'] as const),
    ...(['quotas_changed', 'switched_off', 'switched_on'] as const),
  ],
  passkey: ['added', 'renamed', 'removed', 'reset'],
  password: ['reset_asked', 'reset', 'change'],
  recovery_code: ['used'],
  referral_code: ['changed'],
  session: ['started', 'confirmed', 'refused', 'ended'],
  settings: ['changed', 'tried'],
  sign_in_link: ['asked'],
  system_notices: ['channels_chosen'],
  backup: ['started', 'deleted', 'restored'],
  task: ['started'],
  totp: ['begun', 'enabled', 'disabled', 'reset'],
  user: [
    ...(['registered', 'changed', 'deleted', 'switched_off', 'switched_on'] as const),
    ...(['made_administrator', 'made_ordinary'] as const),
  ],
  verification: ['submitted', 'withdrawn', 'read', 'erased', ...kycStates],
} as const

type OtherActions = typeof otherActions
type OtherAction = {
  [Subject in keyof OtherActions]: `${Subject}.${OtherActions[Subject][number]}`
}[keyof OtherActions]

/** `subject.verb`: `member.role_changed`, `key.created`. The actions of a noun are declared with it. */
export type AuditAction = NounAction | OtherAction

/** All of them. */
export const auditActions: readonly string[] = [
  ...Object.values(nouns).flatMap(({ kind, actions }) => actions.map((verb) => `${kind}.${verb}`)),
  ...Object.entries(otherActions).flatMap(([subject, verbs]) =>
    verbs.map((verb) => `${subject}.${verb}`),
  ),
]

/** What happened, before it is added to the chain. */
export interface AuditNote {
  readonly action: AuditAction
  /** The id of the object; null if the object is the scope itself. */
  readonly objectId: string | null
  /** The names of the fields that changed. Never their values. */
  readonly fields?: readonly string[]
  readonly outcome?: AuditOutcome
  /** A few words without secrets: the granted role, the reason of a refusal. */
  readonly detail?: string
}

export interface AuditEntry {
  readonly id: AuditId
  readonly scope: AuditScope
  /** 1 for the first entry of the scope, then consecutive. */
  readonly sequence: number
  readonly atMs: number
  readonly actor: AuditActor
  readonly address: string
  readonly requestId: string
  readonly action: string
  readonly objectId: string | null
  readonly fields: readonly string[]
  readonly outcome: AuditOutcome
  readonly detail: string | null
  /** The hash of the previous entry; '' for the first one. */
  readonly previousHash: string
  /** SHA-256 over everything above, base64url. */
  readonly hash: string
}

/** The entry with its hash over the values in this fixed order, as JSON. */
export function sealedEntry(entry: Omit<AuditEntry, 'hash'>): AuditEntry {
  return { ...entry, hash: entryHash(entry) }
}

function entryHash(entry: Omit<AuditEntry, 'hash'>): string {
  const { actor } = entry
  const text = JSON.stringify([
    ...[entry.id, entry.scope, entry.sequence, entry.atMs],
    ...[actor.kind, actor.id, actor.sessionId, entry.address, entry.requestId],
    ...[entry.action, entry.objectId, entry.fields, entry.outcome, entry.detail],
    entry.previousHash,
  ])
  return hash('sha256', text, 'base64url')
}

export const chainBreaks = ['missing', 'changed', 'moved', 'removed at the end'] as const
/** What is wrong at one place of a chain. */
export type ChainBreak = (typeof chainBreaks)[number]

/** Why an entry is not the one written right after `before`, or null if it is. */
export function chainBreak(
  scope: AuditScope,
  before: { readonly sequence: number; readonly hash: string },
  entry: AuditEntry,
): ChainBreak | null {
  if (entry.hash !== entryHash(entry)) return 'changed'
  if (entry.scope !== scope || entry.sequence <= before.sequence) return 'moved'
  if (entry.sequence !== before.sequence + 1) return 'missing'
  // The entry's own hash is right, but its predecessor changed.
  return entry.previousHash === before.hash ? null : 'moved'
}

// Fields of a record that change without a person changing them.
const bookkeeping = new Set(['updatedAtMs', 'revision'])

/** The names of the fields that differ in `after`, without their values. */
export function changedFields(before: object, after: object): string[] {
  const old = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value))
    .map(([name]) => name)
    .filter((name) => !bookkeeping.has(name))
    .sort()
}

/** The actor of a principal, as the log stores it. */
export function actorOf(principal: Principal): AuditActor & Pick<Principal, 'kind'> {
  const { kind } = principal
  if (kind === 'session') return { kind, id: principal.userId, sessionId: principal.sessionId }
  return { kind, id: kind === 'key' ? principal.keyId : null, sessionId: null }
}
