// What was announced to channels: the names in the data are those of the first version.
import { join } from 'node:path'
import t from 'tap'
import { openEnv } from '../../../../src/store/engine/env.ts'
import { openTable } from '../../../../src/store/engine/table.ts'
import { createWriter } from '../../../../src/store/engine/write.ts'
import { openAnnouncements } from '../../../../src/store/tables/alerts/announcements.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { channelA, incidentA, orgA } from '../../../support/make-incident.ts'

t.test('earlier data is readable, and new data is readable by earlier versions', async (t) => {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const onError = (error: unknown) => t.fail(String(error))
  const clock = new FakeClock()
  const { write } = createWriter(env, { clock, commitDelayMs: 0, onFatal: onError, onError })
  const stored = openTable<unknown>(env, { name: 'told', version: 1 })
  const announcements = openAnnouncements(env)
  const key = [orgA, incidentA, channelA]
  const before = { promised: 'resolved', heard: 'open', delayedId: null }
  t.same(announcements.get(orgA, incidentA, channelA), {
    announced: 'none',
    delivered: 'none',
    delayedId: null,
  })
  await write((tx) => stored.put(tx, key, before))
  const record = announcements.get(orgA, incidentA, channelA)
  t.same(record, { announced: 'resolved', delivered: 'open', delayedId: null })
  await write((tx) => {
    stored.remove(tx, key)
    announcements.put(tx, orgA, incidentA, channelA, record)
  })
  t.same(stored.get(key), before)
})
