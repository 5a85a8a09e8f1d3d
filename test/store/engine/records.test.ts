// The tables of nouns: each organization sees and deletes only its own records.
import { join } from 'node:path'
import t from 'tap'
import type { OrgId } from '../../../src/base/ids.ts'
import { openEnv } from '../../../src/store/engine/env.ts'
import { openRecords } from '../../../src/store/engine/records.ts'
import { createWriter } from '../../../src/store/engine/write.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { orgA } from '../../support/make-incident.ts'
import { orgTwo } from '../../support/make-page.ts'
import { testFolder } from '../../support/test-folder.ts'

t.test('the records of two organizations are kept apart', async (t) => {
  const env = openEnv(join(testFolder(t), 'db'))
  t.teardown(() => env.close())
  const onFatal = (error: unknown) => t.fail(String(error))
  const clock = new FakeClock()
  const { write } = createWriter(env, { clock, commitDelayMs: 0, onFatal, onError: onFatal })
  const notes = openRecords<{ orgId: OrgId; id: string }>(env, { name: 'notes' })
  const make = (orgId: OrgId, id: string) => write((tx) => notes.put(tx, { orgId, id }))
  const making = [make(orgA, 'n1'), make(orgA, 'n2'), make(orgA, 'n3'), make(orgTwo, 'n4')]
  await clock.advance(0)
  await Promise.all(making)
  const idsOf = (orgId: OrgId, limit = 9, after?: string) =>
    notes.list(orgId, limit, after).map(({ id }) => id)
  t.same(idsOf(orgA), ['n3', 'n2', 'n1'], 'newest first')
  t.same(idsOf(orgA, 1, 'n3'), ['n2'])
  t.same(notes.get(orgA, 'n1'), { orgId: orgA, id: 'n1' })
  t.equal(notes.get(orgTwo, 'n1'), undefined)
  t.equal(notes.readable(orgTwo, 'n1'), undefined)
  t.equal(notes.isDamaged(orgA, 'n1'), false)
  const forgetting = write((tx) => {
    notes.remove(tx, { orgId: orgTwo, id: 'n1' })
    notes.discard(tx, orgA, 'n2')
    return notes.forget(tx, orgA, 1)
  })
  await clock.advance(0)
  t.equal(await forgetting, 1, 'a slice of them')
  t.equal(notes.count(orgA), 1)
  t.same(idsOf(orgTwo), ['n4'])
})
