// What becomes of the data of a standby when a snapshot takes its place.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silentLog } from '../../../src/base/log/log.ts'
import type { SnapshotFile } from '../../../src/domain/standby/protocol.ts'
import { createBox } from '../../../src/seal/box.ts'
import { openKeyring } from '../../../src/seal/keyring.ts'
import { openDataCopy } from '../../../src/services/standby/data-copy.ts'
import { createSnapshots } from '../../../src/services/standby/snapshots.ts'
import { storedLeadership } from '../../../src/store/backup/stored-leadership.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { testFolder } from '../../support/test-folder.ts'
import { until } from '../../support/until.ts'

const url = 'https://leader.test'
const redoLog = { sequenceAfter: (after: number) => after + 1, append: async () => {} }

function ring(root: string) {
  return openKeyring({ file: join(root, 'master.key'), create: true, random: randomBytes })
}

/** A leader with so many records in a log of its own. */
async function leaderWith(t: Test, root: string, name: string, records: number) {
  const clock = new FakeClock()
  const dir = join(root, name)
  const fail = (error: unknown) => t.fail(String(error))
  const store = openStore({ dir, clock, commitDelayMs: 0, onFatal: fail, onError: fail, redoLog })
  t.teardown(() => store.close())
  const sealed = createBox(ring(root)).seal('key-proof')
  const put = () =>
    store.write((tx) => store.secrets.put(tx, 'key-proof', { sealed, hash: '', createdAtMs: 1 }))
  for (let number = 0; number < records; number += 1) await put()
  return { dir, clock, store, put }
}

/** A snapshot of it, and its bytes. */
async function snapshotOf(
  t: Test,
  { dir, clock, store }: { dir: string; clock: FakeClock; store: Store },
): Promise<{ file: SnapshotFile; bytes: Buffer }> {
  const more = { dataDir: dir, holds: () => true }
  const snapshots = createSnapshots({ store, clock, log: silentLog, ...more })
  t.teardown(() => snapshots.stop())
  let file: SnapshotFile | undefined
  await until(() => {
    const said = snapshots.state()
    if (said.state === 'ready') file = said.file
    return file !== undefined
  })
  if (!file) throw new Error('there is no snapshot')
  const bytes = await snapshots.piece(file.id, 0)
  snapshots.stop()
  return { file, bytes }
}

/** An empty directory of a standby; `roles`: what its data is while it is replaced. */
function standbyIn(t: Test, root: string) {
  const dir = join(root, 'standby')
  const roles: unknown[] = []
  const log = { ...silentLog, warn: () => void roles.push(storedLeadership(dir)) }
  const copy = openDataCopy({ dir, keyring: ring(root), clock: new FakeClock() as never, log })
  t.teardown(() => copy.close())
  return {
    copy,
    roles,
    kept: () => readdirSync(dir).filter((name) => name.startsWith('replaced-')).length,
    async take({ file, bytes }: { file: SnapshotFile; bytes: Buffer }) {
      async function* pieces() {
        yield bytes
      }
      await copy.replace(file, pieces(), 'standby', url)
    },
  }
}

t.test(
  'a copy that has what the leader has is replaced, one of another history kept',
  async (t) => {
    const root = testFolder(t, { standby: {} })
    const leader = await leaderWith(t, root, 'leader', 3)
    const standby = standbyIn(t, root)
    await standby.take(await snapshotOf(t, leader))
    t.equal(standby.copy.replica().position().sequence, 3)
    await leader.put()
    await standby.take(await snapshotOf(t, leader))
    t.equal(standby.kept(), 0, 'all that it had is in the newer one')

    // The leader lost its disk, began with an empty directory, and has written more than it had before.
    const empty = await leaderWith(t, root, 'empty', 9)
    await standby.take(await snapshotOf(t, empty))
    t.equal(standby.kept(), 1, 'it was the only copy')
    t.match(standby.roles, [{ role: 'standby', url }], 'it is a copy at every moment')
  },
)

t.test('a copy that another standby was promoted beside is kept', async (t) => {
  const root = testFolder(t, { standby: {} })
  const leader = await leaderWith(t, root, 'leader', 3)
  const other = await snapshotOf(t, leader)
  await leader.put()
  const standby = standbyIn(t, root)
  await standby.take(await snapshotOf(t, leader))
  // That one had one record less.
  const mark = { ...other.file, sequence: 9, origin: 'the mark of the promoted one' }
  await standby.take({ file: mark, bytes: other.bytes })
  t.equal(standby.kept(), 1)
})

t.test('a copy that ended before it had anything is none, and leaves nothing', async (t) => {
  const root = testFolder(t, { standby: {} })
  const dir = join(root, 'standby')
  mkdirSync(join(dir, '.snapshot'))
  const clock = new FakeClock() as never
  const open = () => openDataCopy({ dir, keyring: ring(root), clock, log: silentLog })
  for (let times = 0; times < 2; times += 1) {
    const copy = open()
    t.notOk(copy.hadData)
    await copy.close()
  }
  t.notOk(readdirSync(dir).includes('.snapshot'), 'what it left when it led and was killed')
  const leader = await leaderWith(t, root, 'leader', 3)
  await leader.store.close()
  const other = openDataCopy({ dir: leader.dir, keyring: ring(root), clock, log: silentLog })
  t.ok(other.hadData)
  await other.close()
})
