// What the data is to another machine's, read from a file that no daemon has open.
import t from 'tap'
import { storedLeadership } from '../../../src/store/backup/stored-leadership.ts'
import { openStore } from '../../../src/store/store.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { testFolder } from '../../support/test-folder.ts'

t.test('the role of the data is read from its file, which stays as it is', async (t) => {
  const dir = testFolder(t)
  t.equal(storedLeadership(dir), undefined, 'there is no data yet')
  const fail = (error: unknown) => t.fail(String(error))
  const open = () =>
    openStore({ dir, clock: new FakeClock(), commitDelayMs: 0, onFatal: fail, onError: fail })
  const first = open()
  await first.write((tx) => first.meta.putLastAlive(tx, 1))
  await first.close()
  t.equal(storedLeadership(dir), undefined, 'there has been no other machine')
  const leadership = { role: 'deposed', url: 'https://up.test', epoch: 3 } as const
  const second = open()
  await second.write((tx) => second.leadership.put(tx, leadership))
  await second.close()
  t.same(storedLeadership(dir), leadership)
})
