// Audit entries: bound to each other, so that what was done to one shows.
import t from 'tap'
import type { AuditId } from '../../../src/base/ids.ts'
import {
  type AuditEntry,
  actorOf,
  chainBreak,
  changedFields,
  sealedEntry,
} from '../../../src/domain/audit/audit.ts'

function entryAfter(before: { sequence: number; hash: string }, action = 'page.created') {
  return sealedEntry({
    id: 'aud_1' as AuditId,
    scope: 'system',
    sequence: before.sequence + 1,
    atMs: 5,
    actor: { kind: 'daemon', id: null, sessionId: null },
    address: '',
    requestId: '',
    action,
    objectId: null,
    fields: [],
    outcome: 'done',
    detail: null,
    previousHash: before.hash,
  })
}

const begin = { sequence: 0, hash: '' }

t.test('an entry follows the one before it, and no other', async (t) => {
  const first = entryAfter(begin)
  const second = entryAfter(first)
  t.equal(chainBreak('system', begin, first), null)
  t.equal(chainBreak('system', first, second), null)
  t.equal(chainBreak('system', begin, second), 'missing')
  t.equal(chainBreak('system', second, first), 'moved')
  t.equal(chainBreak('system', { sequence: 1, hash: 'another' }, second), 'moved')
  t.equal(chainBreak('org_x' as never, begin, first), 'moved', 'of another scope')
})

t.test('any changed value is detected', async (t) => {
  const entry = entryAfter(begin)
  const changes: Partial<AuditEntry>[] = [
    ...[{ atMs: 6 }, { action: 'page.deleted' }, { objectId: 'x' }, { fields: ['a'] }],
    ...[{ outcome: 'failed' as const }, { detail: 'x' }, { address: '::1' }, { requestId: 'r' }],
    ...[{ sequence: 2 }, { previousHash: 'x' }, { hash: 'x' }, { id: 'aud_2' as AuditId }],
    ...[{ actor: { ...entry.actor, id: 'usr_x' } }, { actor: { ...entry.actor, sessionId: 's' } }],
  ]
  for (const change of changes) {
    t.equal(chainBreak('system', begin, { ...entry, ...change }), 'changed', JSON.stringify(change))
  }
})

t.test('names of what changed, without bookkeeping and without values', async (t) => {
  const before = { name: 'a', tags: ['x'], revision: 1, updatedAtMs: 1, id: 'p' }
  const after = { name: 'b', tags: ['x'], revision: 2, updatedAtMs: 9, isNew: true }
  t.same(changedFields(before, after), ['isNew', 'name'])
  t.same(changedFields(before, { ...before, tags: ['x', 'y'] }), ['tags'])
})

t.test('an actor is an id, never a credential', async (t) => {
  t.same(actorOf({ kind: 'system' }), { kind: 'system', id: null, sessionId: null })
  t.same(actorOf({ kind: 'anonymous' }), { kind: 'anonymous', id: null, sessionId: null })
})
