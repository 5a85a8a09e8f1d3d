// The audit log read: found, paged, filed — and held against itself after somebody was at the data.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { newId, type OrgId, type UserId } from '../../../src/base/ids.ts'
import { type AuditEntry, type AuditNote, sealedEntry } from '../../../src/domain/audit/audit.ts'
import {
  auditExportMax,
  auditSlice,
  createAuditLog,
} from '../../../src/services/audit/audit-log.ts'
import { createAudit } from '../../../src/services/audit.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { openEnv } from '../../../src/store/engine/env.ts'
import { createSignals } from '../../../src/store/engine/signals.ts'
import { openTable } from '../../../src/store/engine/table.ts'
import { createWriter } from '../../../src/store/engine/write.ts'
import type { Store } from '../../../src/store/store.ts'
import { type AuditEnds, openAudit } from '../../../src/store/tables/audit/audit.ts'
import { openApiKeys } from '../../../src/store/tables/orgs/api-keys.ts'
import { openMemberships } from '../../../src/store/tables/orgs/memberships.ts'
import { openUsers } from '../../../src/store/tables/people/users.ts'
import { callerOf } from '../../support/access.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { orgA } from '../../support/make-incident.ts'
import { orgTwo } from '../../support/make-page.ts'

const dayMs = 86_400_000
const userId = newId('user', 1)

function open(t: Test) {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const clock = new FakeClock()
  const onFatal = (error: unknown) => t.fail(String(error))
  const signals = createSignals()
  const writer = createWriter(env, { clock, commitDelayMs: 0, onFatal, onError: onFatal })
  const tables = {
    audit: openAudit(env),
    users: openUsers(env, signals),
    apiKeys: openApiKeys(env, signals),
    memberships: openMemberships(env, signals),
  }
  // Only what the audit log touches.
  const store = { ...writer, ...tables } as unknown as Store
  const audit = createAudit({ store, clock })
  const caller = callerOf({
    kind: 'session',
    userId,
    sessionId: newId('session', 1),
    authenticatedAtMs: 0,
    isSystemAdmin: false,
  })
  const scopeOf = (orgId: OrgId): OrgScope => ({ caller, orgId, role: 'admin' })
  const scope = scopeOf(orgA)
  const note = (more: Partial<AuditNote> = {}, at = scope) =>
    store.write((tx) => audit.note(tx, at, { action: 'page.changed', objectId: null, ...more }))
  const noteMany = (count: number, at = scope) =>
    store.write((tx) => {
      for (let n = 0; n < count; n += 1) {
        audit.note(tx, at, { action: 'page.changed', objectId: null, detail: String(n + 1) })
      }
    })
  const raw = openTable<AuditEntry>(env, { name: 'audit', version: 1 })
  const rawEnds = openTable<AuditEnds>(env, { name: 'auditEnds', version: 1 })
  const log = createAuditLog({ store })
  return { store, clock, audit, log, scope, scopeOf, note, noteMany, raw, rawEnds }
}

type World = ReturnType<typeof open>

t.test('an untouched chain is valid', async (t) => {
  const { log, scope, scopeOf, noteMany } = open(t)
  const empty = { ok: true, entries: 0, firstSequence: null, newestSequence: 0, headHash: '' }
  t.same(await log.verify(scope), empty)
  const count = auditSlice * 2 + 7
  await noteMany(count)
  await noteMany(3, scopeOf(orgTwo))
  const report = await log.verify(scope)
  t.match(report, { ok: true, entries: count, firstSequence: 1, newestSequence: count })
  t.match(report.headHash, /^[\w-]{43}$/)
  t.match(await log.verify(scopeOf(orgTwo)), { ok: true, entries: 3 })
})

t.test('every way to falsify a chain is detected, with its place', async (t) => {
  const entry = ({ raw }: World, at: number): AuditEntry => {
    const found = raw.get([orgA, at])
    if (!found) throw new Error(`no entry ${at}`)
    return found
  }
  const ways: Record<string, [(world: World, tx: never) => void, object]> = {
    'the first is gone': [
      ({ raw }, tx) => raw.remove(tx, [orgA, 1]),
      { sequence: 1, reason: 'missing' },
    ],
    'one in the middle is gone': [
      ({ raw }, tx) => raw.remove(tx, [orgA, 5]),
      { sequence: 5, reason: 'missing', id: null },
    ],
    'the last is gone': [
      ({ raw }, tx) => raw.remove(tx, [orgA, 9]),
      { sequence: 9, reason: 'removed at the end' },
    ],
    'all of them are gone': [
      ({ raw }, tx) => {
        for (let at = 1; at <= 9; at += 1) raw.remove(tx, [orgA, at])
      },
      { sequence: 1, reason: 'removed at the end' },
    ],
    'one was edited': [
      (world, tx) => world.raw.put(tx, [orgA, 5], { ...entry(world, 5), detail: 'nothing' }),
      { sequence: 5, reason: 'changed' },
    ],
    'one was edited, and its hash made anew': [
      (world, tx) =>
        world.raw.put(tx, [orgA, 5], sealedEntry({ ...entry(world, 5), detail: 'nothing' })),
      { sequence: 6, reason: 'moved' },
    ],
    'the last was edited, and its hash made anew': [
      (world, tx) =>
        world.raw.put(tx, [orgA, 9], sealedEntry({ ...entry(world, 9), detail: 'nothing' })),
      { sequence: 9, reason: 'changed' },
    ],
    'one was put in between': [
      (world, tx) => world.raw.put(tx, [orgA, 5.5], sealedEntry({ ...entry(world, 5) })),
      { sequence: 6, reason: 'moved' },
    ],
    'one was put at the end': [
      (world, tx) => {
        const last = entry(world, 9)
        const more = sealedEntry({ ...last, sequence: 10, previousHash: last.hash })
        world.raw.put(tx, [orgA, 10], more)
      },
      { sequence: 10, reason: 'moved' },
    ],
    'one was put before the first': [
      (world, tx) =>
        world.raw.put(
          tx,
          [orgA, 0],
          sealedEntry({ ...entry(world, 1), sequence: 0, id: newId('audit', 1) }),
        ),
      { sequence: 0, reason: 'moved' },
    ],
    'two changed places': [
      (world, tx) => {
        const [one, other] = [entry(world, 4), entry(world, 5)]
        world.raw.put(tx, [orgA, 4], other)
        world.raw.put(tx, [orgA, 5], one)
      },
      { sequence: 4, reason: 'missing' },
    ],
    "another organization's was put in its place": [
      (world, tx) => {
        const foreign = world.raw.get([orgTwo, 5])
        if (foreign) world.raw.put(tx, [orgA, 5], foreign)
      },
      { sequence: 5, reason: 'moved' },
    ],
  }
  for (const [name, [falsify, brokenAt]] of Object.entries(ways)) {
    await t.test(name, async (t) => {
      const world = open(t)
      await world.noteMany(9)
      await world.noteMany(9, world.scopeOf(orgTwo))
      await world.store.write((tx) => falsify(world, tx as never))
      const report = await world.log.verify(world.scope)
      t.match(report, { ok: false, brokenAt })
      t.match(
        await world.log.verify(world.scopeOf(orgTwo)),
        { ok: true },
        'others are as they were',
      )
    })
  }
})

t.test('removed old entries are no gap, and time goes by the entries', async (t) => {
  const { log, scope, store, clock, note, noteMany } = open(t)
  await noteMany(5)
  await clock.advance(400 * dayMs)
  await noteMany(5)
  const beforeMs = clock.nowMs() - 399 * dayMs
  t.equal(await store.write((tx) => store.audit.trim(tx, orgA, beforeMs, 3)), 3, 'in slices')
  t.match(await log.verify(scope), { ok: true, entries: 7, firstSequence: 4 })
  t.equal(await store.write((tx) => store.audit.trim(tx, orgA, beforeMs, 100)), 2)
  t.equal(await store.write((tx) => store.audit.trim(tx, orgA, beforeMs, 100)), 0)
  t.match(await log.verify(scope), { ok: true, entries: 5, firstSequence: 6, newestSequence: 10 })
  await note()
  t.match(await log.verify(scope), { ok: true, entries: 6 })
})

t.test('a verification continues while entries come and go', async (t) => {
  const { log, scope, store, clock, noteMany } = open(t)
  await noteMany(auditSlice * 3)
  await clock.advance(dayMs)
  const walk = log.verify(scope)
  await noteMany(10)
  await store.write((tx) => store.audit.trim(tx, orgA, clock.nowMs() - 1, auditSlice * 2))
  t.match(await walk, { ok: true, newestSequence: auditSlice * 3 })
  t.match(await log.verify(scope), { ok: true, entries: auditSlice + 10 })
  const gone = new AbortController()
  gone.abort()
  await t.rejects(log.verify(scope, gone.signal), { code: 'unavailable' })
})

t.test('the list is newest first, in pages, with filters over all of them', async (t) => {
  const { log, scope, scopeOf, clock, note } = open(t)
  const startMs = clock.nowMs()
  for (let day = 0; day < 30; day += 1) {
    const outcome = day % 3 === 0 ? 'refused' : 'done'
    await note({
      action: day % 2 === 0 ? 'page.created' : 'page.deleted',
      outcome,
      detail: `${day}`,
    })
    await note({ detail: 'foreign' }, scopeOf(orgTwo))
    await clock.advance(dayMs)
  }
  const all = (filter: object): string[] => {
    const found: string[] = []
    let after: string | undefined
    do {
      const page = log.list(scope, { limit: 4, ...filter, ...(after ? { after } : {}) })
      found.push(...page.items.map(({ detail }) => String(detail)))
      after = page.nextAfter
    } while (after)
    return found
  }
  const days = (from: number, to: number, step = 1) =>
    Array.from({ length: Math.ceil((to - from) / step) }, (_, n) =>
      String(from + n * step),
    ).reverse()
  t.same(all({}), days(0, 30))
  t.same(all({ action: 'page.created' }), days(0, 30, 2))
  t.same(all({ outcome: 'refused' }), days(0, 30, 3))
  t.same(all({ actorId: userId }), days(0, 30))
  t.same(all({ actorId: 'nobody' }), [])
  const times = { fromMs: startMs + 10 * dayMs, toMs: startMs + 13 * dayMs }
  t.same(all(times), ['12', '11', '10'], 'from is part of it, to is not')
  t.same(all({ toMs: startMs }), [])
  t.same(all({ fromMs: startMs + 100 * dayMs }), [])
})

t.test('a clock that was set back hides no entry', async (t) => {
  const { log, scope, store, clock, note } = open(t)
  const startMs = clock.nowMs()
  const atHour = (hour: number) => {
    const other = createAudit({ store, clock: new FakeClock(startMs + hour * 3_600_000) })
    const made = { action: 'page.changed', objectId: null, detail: String(hour) } as const
    return store.write((tx) => other.note(tx, scope, made))
  }
  // Each as if the daemon had been started anew, with a clock that is an hour or more behind.
  for (const hour of [10, 11, 8, 9, 12, 10]) await atHour(hour)
  const from = (hour: number, to: number) =>
    log
      .list(scope, {
        limit: 10,
        fromMs: startMs + hour * 3_600_000,
        toMs: startMs + to * 3_600_000,
      })
      .items.map(({ detail }) => detail)
  t.same(from(0, 24), ['10', '12', '9', '8', '11', '10'], 'in the order in which they were written')
  t.same(from(10, 11), ['10', '10'])
  t.same(from(8, 9), ['8'])
  t.match(await log.verify(scope), { ok: true, entries: 6 })
  await note()
  t.match(await log.verify(scope), { ok: true, entries: 7 })
})

t.test('a file contains everything once, part after part', async (t) => {
  const { log, scope, noteMany, clock } = open(t)
  const count = auditExportMax + auditSlice + 11
  for (let done = 0; done < count; done += 1_000) await noteMany(Math.min(1_000, count - done))
  const first = await log.part(scope, {})
  t.equal(first.entries.length, auditExportMax)
  const rest = await log.part(scope, { after: first.nextAfter })
  t.equal(rest.nextAfter, undefined)
  const sequences = [...first.entries, ...rest.entries].map(({ sequence }) => sequence)
  t.same(
    sequences,
    Array.from({ length: count }, (_, n) => n + 1),
  )
  t.same((await log.part(scope, { fromMs: clock.nowMs() + 1 })).entries, [])
  t.same((await log.part(scope, { toMs: clock.nowMs() })).entries, [])
})

t.test('an actor has the current name; an operator from outside has none', async (t) => {
  const { log, scope, store, note, audit } = open(t)
  await note()
  const actor = () => log.list(scope, { limit: 1 }).items[0]?.actor
  t.match(actor(), { kind: 'session', id: userId, name: null, email: null }, 'somebody who is gone')
  const user = {
    id: userId,
    email: 'ann@example.com',
    emailVerifiedAtMs: null,
    name: 'Ann',
    passwordHash: null,
    isSystemAdmin: false,
    isDisabled: false,
    createdAtMs: 1,
    updatedAtMs: 1,
    revision: 1,
  }
  const put = (more: object) => store.write((tx) => store.users.put(tx, { ...user, ...more }))
  await put({})
  t.match(actor(), { name: 'Ann', email: 'ann@example.com' })
  await put({ isSystemAdmin: true })
  t.match(actor(), { id: userId, name: null, email: null })
  await store.write((tx) => {
    const membership = {
      orgId: orgA,
      userId: userId as UserId,
      role: 'admin',
      joinedAtMs: 1,
    } as const
    store.memberships.put(tx, membership)
    audit.noteOwn(tx, orgA, { action: 'key.ended', objectId: null })
  })
  t.match(actor(), { kind: 'daemon', id: null, name: null })
  t.match(log.list(scope, { limit: 2 }).items[1]?.actor, { name: 'Ann' })
})
