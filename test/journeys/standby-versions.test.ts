// A standby of the next version with this leader, and of this version with the next leader: in both orders of an
// upgrade the copy follows, and who cannot read the data says so and does not lead.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { askDaemon } from '../../src/store/lock.ts'
import { mintKey, register } from '../support/cast.ts'
import type { DaemonProcess } from '../support/daemon-process.ts'
import { isDeep } from '../support/depth.ts'
import { addStandbyMachine, heard } from '../support/machines.ts'
import { nextData, otherVersion } from '../support/other-version.ts'
import { program } from '../support/program.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const skip = isDeep ? false : 'starts other versions from their sources'

async function pair(t: Test, root: string, leading: string, following: string) {
  const [a, b] = [await addStandbyMachine(t, root, 'a'), await addStandbyMachine(t, root, 'b')]
  const leader = a.having(leading).start()
  await leader.ready()
  const owner = await register(leader, 'alice', await leader.setupToken())
  const key = await mintKey(leader, owner)
  copyFileSync(join(a.dir, 'master.key'), join(b.dir, 'master.key'))
  const standby = b.having(following).start('standby', '--of', a.url)
  await heard(standby, 'this standby has everything')
  const orgAt = (daemon: DaemonProcess) => daemon.need('GET', owner.org, { key })
  return { a, b, leader, standby, orgAt }
}

t.test('the standby is upgraded first, and takes over', { skip }, async (t) => {
  const root = testFolder(t)
  const newer = otherVersion(t, nextData)
  const { a, b, leader, standby, orgAt } = await pair(t, root, program, newer)
  t.match(await leader.stop(), { code: 0 })
  await until(() => askDaemon(b.dir, { verb: 'promote' }).catch(() => undefined))
  await standby.ready()
  t.match(standby.err, /upgrading the data/)
  t.match(await orgAt(standby), { name: "alice's" })
  // The former leader follows with what it has, but cannot lead with it.
  const former = a.start('standby', '--of', b.url)
  await heard(former, 'this standby has everything')
  t.match(await standby.stop(), { code: 0 })
  await t.rejects(askDaemon(a.dir, { verb: 'promote', isForced: true }), {
    message: /needs a stillup that reads version 9/,
  })
  t.match(await former.stop(), { code: 0 })
  const upgraded = a.having(newer).start('standby', '--of', b.url)
  await heard(upgraded, 'standing by')
  await askDaemon(a.dir, { verb: 'promote', isForced: true })
  await upgraded.ready()
  t.match(await orgAt(upgraded), { name: "alice's" })
})

t.test(
  'the leader is upgraded first, and the standby follows what it cannot read',
  { skip },
  async (t) => {
    const root = testFolder(t)
    const newer = otherVersion(t, nextData)
    const { a, b, leader, orgAt } = await pair(t, root, program, program)
    t.match(await leader.stop(), { code: 0 })
    const again = a.having(newer).start()
    await again.ready()
    await orgAt(again)
    await until(async () => {
      const metrics = await fetch(`${a.url}/metrics`).then((answer) => answer.text())
      return metrics.includes('stillup_standby_behind_records 0')
    })
    await t.rejects(askDaemon(b.dir, { verb: 'promote', isForced: true }), {
      message: /needs a stillup that reads version 9/,
    })
    t.match(await again.stop(), { code: 0 })
  },
)

t.test('records of a shape that a standby does not know end it', { skip }, async (t) => {
  const root = testFolder(t)
  const newer = otherVersion(t, {
    'store/engine/redo.ts': [['const shape = 1', 'const shape = 2']],
  })
  const [a, b] = [await addStandbyMachine(t, root, 'a'), await addStandbyMachine(t, root, 'b')]
  const leader = a.having(newer).start()
  await leader.ready()
  const owner = await register(leader, 'alice', await leader.setupToken())
  copyFileSync(join(a.dir, 'master.key'), join(b.dir, 'master.key'))
  const standby = b.start('standby', '--of', a.url)
  await heard(standby, 'begins with a copy')
  await mintKey(leader, owner)
  t.match(await standby.ended, { code: 78 })
  t.match(standby.err, /is newer than this standby/)
  t.match(await leader.stop(), { code: 0 })
})
